//! Which level implies which: the answers for every pair, as a table and as a picture.
//!
//! ```text
//!   Lattice ─► classes (levels that imply each other) ─► covers (nothing lies between)
//!           ─┬─► table   who is separated from whom, by how small a history
//!            ├─► text    each level with those directly below it
//!            ├─► dot     for Graphviz
//!            ├─► svg     drawn here: layers.rs, columns.rs, svg.rs
//!            └─► html    the drawing and the table on a page
//! ```

mod columns;
mod dot;
mod layers;
mod page;
mod svg;
mod text;

pub use dot::dot;
pub use page::html;
pub use svg::svg;
pub use text::{table, text};

/// What is known about whether one level implies another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Implication {
    /// It does, for histories of any size.
    Proved,
    /// No history within this scope says otherwise.
    NoneFound {
        /// The scope, as in `4 transactions, 3 keys`.
        scope: String,
    },
    /// It does not: the first level allows this history, the second forbids it.
    Refuted {
        /// How many transactions the history has.
        txns: usize,
        /// How many keys.
        keys: usize,
        /// The history, as text.
        history: String,
    },
    /// A limit was hit first.
    Open {
        /// Which one.
        reason: String,
    },
}

impl Implication {
    /// Whether it holds as far as anybody knows.
    pub fn holds(&self) -> bool {
        matches!(self, Self::Proved | Self::NoneFound { .. })
    }
}

/// The answers for every pair of some levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lattice {
    /// The levels.
    pub names: Vec<String>,
    /// Row by row: whether the level of the row implies that of the column.
    pub rows: Vec<Vec<Implication>>,
}

/// Levels that imply each other, by their places.
type Class = Vec<usize>;

/// The picture's content: classes, strongest first, and who lies directly above whom.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Hasse {
    classes: Vec<Class>,
    covers: Vec<Cover>,
}

/// A class and one directly below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cover {
    above: usize,
    below: usize,
    /// Whether it is known for histories of any size.
    proved: bool,
}

impl Lattice {
    fn implies(&self, one: usize, other: usize) -> bool {
        one == other || self.rows[one][other].holds()
    }

    fn hasse(&self) -> Hasse {
        let classes = self.classes();
        let below = |a: &Class, b: &Class| a != b && self.implies(a[0], b[0]);
        let mut covers = Vec::new();
        for (above, a) in classes.iter().enumerate() {
            for (lower, b) in classes.iter().enumerate() {
                let between = |c: &Class| below(a, c) && below(c, b);
                if below(a, b) && !classes.iter().any(between) {
                    let proved = self.rows[a[0]][b[0]] == Implication::Proved;
                    covers.push(Cover { above, below: lower, proved });
                }
            }
        }
        Hasse { classes, covers }
    }

    /// Groups of levels that imply each other: those that imply most come first.
    fn classes(&self) -> Vec<Class> {
        let mut classes: Vec<Class> = Vec::new();
        for level in 0..self.names.len() {
            let same =
                |class: &&mut Class| self.implies(class[0], level) && self.implies(level, class[0]);
            match classes.iter_mut().find(same) {
                Some(class) => class.push(level),
                None => classes.push(vec![level]),
            }
        }
        let implied = |class: &Class| {
            (0..self.names.len()).filter(|&level| self.implies(class[0], level)).count()
        };
        classes.sort_by_key(|class| std::cmp::Reverse(implied(class)));
        classes
    }

    fn label(&self, class: &Class) -> String {
        let names: Vec<&str> = class.iter().map(|&level| self.names[level].as_str()).collect();
        names.join(" = ")
    }

    /// The history that the lower class of a cover allows and the upper one forbids.
    fn separation(&self, hasse: &Hasse, cover: Cover) -> Option<&str> {
        match &self.rows[hasse.classes[cover.below][0]][hasse.classes[cover.above][0]] {
            Implication::Refuted { history, .. } => Some(history),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A diamond: the top implies everybody, the sides imply the bottom and each other not.
    pub(super) fn diamond() -> Lattice {
        let no = |history: &str| Implication::Refuted { txns: 2, keys: 1, history: history.into() };
        let found = || Implication::NoneFound { scope: "4 transactions, 3 keys".into() };
        let yes = || Implication::Proved;
        Lattice {
            names: ["top", "left", "right", "bottom", "ground"].map(str::to_owned).to_vec(),
            rows: vec![
                vec![yes(), yes(), yes(), yes(), yes()],
                vec![no("w(x) > r(x,0)"), yes(), no("r(x,0)"), found(), yes()],
                vec![no("w(x) | r(x,0)"), no("r(y,0)"), yes(), yes(), yes()],
                vec![no("a"), no("b"), no("c"), yes(), yes()],
                vec![no("a"), no("b"), no("c"), yes(), yes()],
            ],
        }
    }

    #[test]
    fn equal_levels_are_one_class_and_only_neighbours_are_joined() {
        let hasse = diamond().hasse();
        assert_eq!(hasse.classes, [vec![0], vec![1], vec![2], vec![3, 4]]);
        let pairs: Vec<_> = hasse.covers.iter().map(|c| (c.above, c.below, c.proved)).collect();
        assert_eq!(pairs, [(0, 1, true), (0, 2, true), (1, 3, false), (2, 3, true)]);
    }

    #[test]
    fn every_form_tells_the_same() {
        let lattice = diamond();
        let style = crate::Style::default();
        assert_eq!(
            text(&lattice, style),
            "top\n    directly above left, right\n\
             left\n    directly above bottom = ground (none found up to 4 transactions, 3 keys)\n\
             right\n    directly above bottom = ground\n\
             bottom = ground\n"
        );
        assert!(table(&lattice).starts_with(
            "          1     2     3     4     5\n\
             1 top     .     -     -     -     -\n\
             2 left    2,1   .     2,1   (-)   -\n"
        ));
        assert!(dot(&lattice).contains("c1 -> c3 [style=dashed, tooltip=\"b\"];"));
        let svg = svg(&lattice);
        assert_eq!(svg.matches("class=\"box\"").count(), 4);
        assert_eq!(svg.matches("class=\"cover open\"").count(), 1);
        assert!(svg.contains("bottom = ground"));
        let page = html(&lattice);
        for words in ["left allows and top forbids", "2 transactions, 1 key", "none found up to 4"]
        {
            assert!(page.contains(words), "{words}: {page}");
        }
    }
}
