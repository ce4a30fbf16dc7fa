//! Unusual trees: printed and read again, they are the same.

use tristan_generate::Rng;

use super::super::syntax::{
    Block, BlockKind, Body, Check, CheckKind, Clause, ClauseKind, Def, Expr, ExprKind, File, Item,
    Let, Postfix, Property, Span, WitnessClause, WitnessKind, Word,
};
use super::*;

#[test]
fn random_trees_survive_printing() {
    for seed in 0..3_000 {
        let tree = Random { rng: Rng::new(seed) }.file();
        let text = print(&tree);
        let read = text::read("", &text).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_eq!(read.0, tree, "seed {seed}:\n{text}");
        assert_eq!(format("", &text).expect("it was read"), text, "seed {seed}");
    }
}

#[test]
fn the_library_says_the_same_after_printing() {
    for (file, text) in super::super::Library::standard().files() {
        let (tree, _) = text::read(file, text).expect(file);
        assert_eq!(text::read(file, &print(&tree)).expect(file).0, tree);
    }
}

fn print(tree: &File) -> String {
    let mut layout = Layout::new("", &[]);
    tree.items.iter().for_each(|item| layout.item(item));
    layout.out
}

const NAMES: [&str; 8] = ["so", "wr", "W", "a", "b-1", "long_name", "Txn", "x"];

struct Random {
    rng: Rng,
}

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.rng.below(bound as u64)).expect("it is smaller than the bound")
    }

    fn word(&mut self) -> Word {
        let name = NAMES[self.below(NAMES.len())];
        Word { text: name.to_owned(), span: Span::default() }
    }

    fn text(&mut self, texts: &[&str]) -> Word {
        Word { text: texts[self.below(texts.len())].to_owned(), span: Span::default() }
    }

    fn many<T>(&mut self, least: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let count = least + self.below(3);
        (0..count).map(|_| make(self)).collect()
    }

    fn file(&mut self) -> File {
        File { items: self.many(1, Self::item) }
    }

    fn item(&mut self) -> Item {
        match self.below(4) {
            0 => Item::Let(self.definition()),
            1 => Item::Def(self.macro_definition()),
            _ => Item::Block(self.block()),
        }
    }

    fn doc(&mut self) -> String {
        self.text(&["", "one line", "two\n\n  lines", "/ odd // \" \\"]).text
    }

    fn definition(&mut self) -> Let {
        let (doc, name) = (self.doc(), self.word());
        Let { doc, name, body: self.expr(4), span: Span::default() }
    }

    fn macro_definition(&mut self) -> Def {
        let (doc, name, params) = (self.doc(), self.word(), self.many(0, Self::word));
        let body = match self.check(4) {
            // A macro that only calls another one may be a relation as well.
            Check { kind: CheckKind::Macro(call), .. } => Body::Expr(call),
            check if self.below(2) == 0 => Body::Check(check),
            _ => Body::Expr(self.expr(4)),
        };
        Def { doc, name, params, body, span: Span::default() }
    }

    fn block(&mut self) -> Block {
        let kind = [BlockKind::Framework, BlockKind::Level][self.below(2)];
        let (doc, name) = (self.doc(), self.word());
        let parent = (self.below(2) == 0).then(|| self.word());
        let clauses = self.many(0, |random| random.clause(kind));
        Block { kind, doc, name, parent, clauses, span: Span::default() }
    }

    fn clause(&mut self, within: BlockKind) -> Clause {
        let kinds = if within == BlockKind::Level { 9 } else { 4 };
        let kind = match self.below(kinds) {
            0 => ClauseKind::Witness(self.witness()),
            1 => ClauseKind::Let(self.definition()),
            2 => ClauseKind::Def(self.macro_definition()),
            3 => ClauseKind::Check(self.check(4)),
            4 => ClauseKind::Title(self.text(&["", "a title", "// \\ {"])),
            5 => {
                ClauseKind::Also(self.many(1, |random| {
                    random.text(&["a", "pl-2+", "3u", "let", "", "two words", "é"])
                }))
            }
            6 => ClauseKind::Strength(self.text(&["plain", "session", "strong"])),
            7 => ClauseKind::Reads(self.text(&["committed", "dirty", "promised"])),
            _ => ClauseKind::Rejects(self.text(&["", "a\n", "{\"s\":1}\n\n  \"b\"\n", "// no\n"])),
        };
        Clause { kind, span: Span::default() }
    }

    fn witness(&mut self) -> WitnessClause {
        let (name, key) = (self.word(), self.word());
        let (key, kind) = match self.below(3) {
            0 => (Some(key), WitnessKind::Order),
            1 => (None, WitnessKind::Order),
            _ => (None, WitnessKind::Relation),
        };
        WitnessClause { name, key, kind }
    }

    fn check(&mut self, depth: usize) -> Check {
        let inner = depth.saturating_sub(1);
        let kinds = if depth == 0 { 3 } else { 7 };
        let kind = match self.below(kinds) {
            0 => CheckKind::In(self.expr(depth), self.expr(depth)),
            1 => CheckKind::Of(Property::ALL[self.below(4)], self.expr(depth)),
            2 => CheckKind::Macro(self.call(depth)),
            3 => CheckKind::Not(Box::new(self.check(inner))),
            4 => CheckKind::All(self.many(2, |random| random.check(inner))),
            5 => CheckKind::Any(self.many(2, |random| random.check(inner))),
            _ => CheckKind::ForAll(self.word(), Box::new(self.check(inner))),
        };
        Check::new(kind, Span::default())
    }

    fn call(&mut self, depth: usize) -> Expr {
        let name = self.word();
        let arguments = self.many(0, |random| random.expr(depth.saturating_sub(1)));
        Expr::new(ExprKind::Call(name, arguments), Span::default())
    }

    fn expr(&mut self, depth: usize) -> Expr {
        let inner = depth.saturating_sub(1);
        let kinds = if depth == 0 { 2 } else { 12 };
        let kind = match self.below(kinds) {
            0 => ExprKind::Name(self.word().text),
            1 => ExprKind::Indexed(self.word(), self.word()),
            2 => return self.call(depth),
            3 => ExprKind::Test(Box::new(self.expr(inner))),
            4 => ExprKind::Product(Box::new(self.expr(inner)), Box::new(self.expr(inner))),
            5 => ExprKind::Union(self.many(2, |random| random.expr(inner))),
            6 => ExprKind::Inter(self.many(2, |random| random.expr(inner))),
            7 => ExprKind::Seq(self.many(2, |random| random.expr(inner))),
            8 => ExprKind::Diff(Box::new(self.expr(inner)), Box::new(self.expr(inner))),
            9 => ExprKind::OverKeys(self.word(), Box::new(self.expr(inner))),
            _ => ExprKind::Postfix(Box::new(self.expr(inner)), Postfix::ALL[self.below(4)]),
        };
        Expr::new(kind, Span::default())
    }
}
