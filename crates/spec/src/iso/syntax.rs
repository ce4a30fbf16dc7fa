//! What a level file says, as a tree.
//!
//! ```text
//!   File ─► Item ─┬─ Let, Def
//!                 └─ Block (framework or level) ─► Clause ─┬─ witness, let, def, attribute
//!                                                          └─ Check ─► Expr
//! ```
//!
//! Sets and relations share one kind of expression: which of the two a name is, only its
//! definition says.

/// A range of the text, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    /// Its first byte.
    pub start: u32,
    /// The byte behind its last.
    pub end: u32,
}

/// Where something stands is no part of what it says: trees are equal if they say the same.
impl PartialEq for Span {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Span {}

impl Span {
    /// From the start of this one to the end of the other.
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start, end: other.end }
    }
}

/// A name or a text, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// What it says, without quotes.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A file: definitions in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {
    /// The definitions.
    pub items: Vec<Item>,
}

/// A definition at the level of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// `let name = …`
    Let(Let),
    /// `def name(…) = …`
    Def(Def),
    /// `framework name { … }` or `level name { … }`
    Block(Block),
}

/// A name for a relation or a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Let {
    /// Its doc lines.
    pub doc: String,
    /// The name that is defined.
    pub name: Word,
    /// What it stands for.
    pub body: Expr,
    /// All of it, doc lines included.
    pub span: Span,
}

/// A macro.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Def {
    /// Its doc lines.
    pub doc: String,
    /// The name of the macro.
    pub name: Word,
    /// The parameters: relations or sets.
    pub params: Vec<Word>,
    /// What it stands for.
    pub body: Body,
    /// All of it, doc lines included.
    pub span: Span,
}

/// What a macro stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// A relation or a set, or another macro.
    Expr(Expr),
    /// Something that must hold.
    Check(Check),
}

/// What a block defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// What levels have in common.
    Framework,
    /// One set of allowed histories.
    Level,
}

impl BlockKind {
    /// The word that starts such a block.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Framework => "framework",
            Self::Level => "level",
        }
    }
}

/// A framework or a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Which of the two.
    pub kind: BlockKind,
    /// Its doc lines.
    pub doc: String,
    /// The name of the framework or level.
    pub name: Word,
    /// The framework or level it extends.
    pub parent: Option<Word>,
    /// What is in it.
    pub clauses: Vec<Clause>,
    /// All of it, doc lines included.
    pub span: Span,
}

/// A part of a framework or of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// What it says.
    pub kind: ClauseKind,
    /// Where it stands.
    pub span: Span,
}

/// What a clause says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClauseKind {
    /// `witness name : kind`
    Witness(WitnessClause),
    /// `let name = …`
    Let(Let),
    /// `def name(…) = …`
    Def(Def),
    /// Something that must hold.
    Check(Check),
    /// `title "…"`
    Title(Word),
    /// `also name, …`
    Also(Vec<Word>),
    /// `strength plain`, `session` or `strong`
    Strength(Word),
    /// `reads committed`, `dirty` or `promised`
    Reads(Word),
    /// `rejects """…"""`
    Rejects(Word),
}

/// Something that must be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessClause {
    /// The name of the witness.
    pub name: Word,
    /// The key, if there is one for every key.
    pub key: Option<Word>,
    /// What it ranges over.
    pub kind: WitnessKind,
}

/// What a witness ranges over, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WitnessKind {
    /// `order`, or with a key `order on W[x]`
    Order,
    /// `relation`
    Relation,
}

/// Something that must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What must hold.
    pub kind: CheckKind,
    /// Where it stands.
    pub span: Span,
    /// How many things are inside each other here.
    pub height: u32,
}

/// What must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckKind {
    /// `r in s`
    In(Expr, Expr),
    /// `acyclic r` and the like.
    Of(Property, Expr),
    /// `not c`
    Not(Box<Check>),
    /// `(c and …)`
    All(Vec<Check>),
    /// `(c or …)`
    Any(Vec<Check>),
    /// `forall x. c`
    ForAll(Word, Box<Check>),
    /// A macro that stands for a check; always a call.
    Macro(Expr),
}

/// What can be asked of one relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// No cycle.
    Acyclic,
    /// No loop.
    Irreflexive,
    /// Nothing in it.
    Empty,
    /// Any two transactions, in one direction at least.
    Total,
}

impl Property {
    /// All properties.
    pub const ALL: [Self; 4] = [Self::Acyclic, Self::Irreflexive, Self::Empty, Self::Total];

    /// The word for it.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Acyclic => "acyclic",
            Self::Irreflexive => "irreflexive",
            Self::Empty => "empty",
            Self::Total => "total",
        }
    }
}

/// A relation or a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
    /// How many things are inside each other here.
    pub height: u32,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// `name`
    Name(String),
    /// `name[x]`
    Indexed(Word, Word),
    /// `name(…)`
    Call(Word, Vec<Expr>),
    /// `[s]`
    Test(Box<Expr>),
    /// `(s * t)`
    Product(Box<Expr>, Box<Expr>),
    /// `r | s | …`
    Union(Vec<Expr>),
    /// `r \ s`
    Diff(Box<Expr>, Box<Expr>),
    /// `r & s & …`
    Inter(Vec<Expr>),
    /// `r ; s ; …`
    Seq(Vec<Expr>),
    /// `r^-1` and the like.
    Postfix(Box<Expr>, Postfix),
    /// `U x. r`
    OverKeys(Word, Box<Expr>),
}

/// An operator behind its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Postfix {
    /// The converse.
    Inverse,
    /// The relation or the identity.
    Opt,
    /// Transitive closure.
    Plus,
    /// Reflexive transitive closure.
    Star,
}

impl Postfix {
    /// All postfix operators.
    pub const ALL: [Self; 4] = [Self::Inverse, Self::Opt, Self::Plus, Self::Star];

    /// The operator as it is written in a level file.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Inverse => "^-1",
            Self::Opt => "?",
            Self::Plus => "+",
            Self::Star => "*",
        }
    }
}

impl Expr {
    /// An expression of this kind.
    pub fn new(kind: ExprKind, span: Span) -> Self {
        let height = 1 + kind.parts().map(|part| part.height).max().unwrap_or(0);
        Self { kind, span, height }
    }
}

impl ExprKind {
    /// The expressions directly inside.
    pub fn parts(&self) -> impl Iterator<Item = &Expr> {
        let (listed, first, second): (&[Expr], _, _) = match self {
            Self::Name(_) | Self::Indexed(..) => (&[], None, None),
            Self::Call(_, parts) | Self::Union(parts) | Self::Inter(parts) | Self::Seq(parts) => {
                (parts, None, None)
            }
            Self::Test(inner) | Self::Postfix(inner, _) | Self::OverKeys(_, inner) => {
                (&[], Some(inner), None)
            }
            Self::Product(left, right) | Self::Diff(left, right) => (&[], Some(left), Some(right)),
        };
        listed.iter().chain(first.map(Box::as_ref)).chain(second.map(Box::as_ref))
    }
}

impl Check {
    /// A check of this kind.
    pub fn new(kind: CheckKind, span: Span) -> Self {
        let inner = match &kind {
            CheckKind::In(left, right) => left.height.max(right.height),
            CheckKind::Of(_, rel) | CheckKind::Macro(rel) => rel.height,
            CheckKind::Not(inner) | CheckKind::ForAll(_, inner) => inner.height,
            CheckKind::All(parts) | CheckKind::Any(parts) => {
                parts.iter().map(|part| part.height).max().unwrap_or(0)
            }
        };
        Self { kind, span, height: 1 + inner }
    }
}
