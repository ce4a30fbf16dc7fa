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
        /// The number of keys of the smallest history that separates the levels.
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
    fn is_proved(&self) -> bool {
        matches!(self, Self::Proved)
    }

    fn is_none_found(&self) -> bool {
        matches!(self, Self::NoneFound { .. })
    }
}

/// The answers for every pair of some levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lattice {
    /// The names of the levels that are compared.
    pub names: Vec<String>,
    /// Row by row: whether the level of the row implies that of the column.
    pub rows: Vec<Vec<Implication>>,
}

/// Levels that provably imply each other, by their places.
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
    fn hasse(&self) -> Hasse {
        let mut classes = self.classes();
        let above = self.above(&classes);
        let implied = |class: usize| above[class].iter().filter(|below| **below).count();
        let mut order: Vec<usize> = (0..classes.len()).collect();
        order.sort_by_key(|&class| std::cmp::Reverse(implied(class)));
        let mut covers = Vec::new();
        for (place, &a) in order.iter().enumerate() {
            for (lower, &b) in order.iter().enumerate() {
                let between = |c: &usize| above[a][*c] && above[*c][b];
                if above[a][b] && !order.iter().any(between) {
                    let proved = self.some(&classes[a], &classes[b], Implication::is_proved);
                    covers.push(Cover { above: place, below: lower, proved });
                }
            }
        }
        classes = order.iter().map(|&class| classes[class].clone()).collect();
        Hasse { classes, covers }
    }

    /// Groups of levels that are proved to imply each other. That no history tells two levels
    /// apart up to some size does not make them one.
    fn classes(&self) -> Vec<Class> {
        let proved = |one: usize, other: usize| self.rows[one][other].is_proved();
        let mut classes: Vec<Class> = Vec::new();
        for level in 0..self.names.len() {
            let same = |class: &&mut Class| proved(class[0], level) && proved(level, class[0]);
            match classes.iter_mut().find(same) {
                Some(class) => class.push(level),
                None => classes.push(vec![level]),
            }
        }
        classes
    }

    /// Which class is drawn above which: a strict order. What is proved comes first; an implication
    /// that was only not refuted is added where it contradicts none of those before.
    fn above(&self, classes: &[Class]) -> Vec<Vec<bool>> {
        let mut above = vec![vec![false; classes.len()]; classes.len()];
        for known in [Implication::is_proved, Implication::is_none_found] {
            for (a, one) in classes.iter().enumerate() {
                for (b, other) in classes.iter().enumerate() {
                    if a != b && !above[b][a] && self.some(one, other, known) {
                        join(&mut above, a, b);
                    }
                }
            }
        }
        above
    }

    /// Whether this is known of a level of the first class and one of the second.
    fn some(&self, one: &Class, other: &Class, known: fn(&Implication) -> bool) -> bool {
        let mut pairs = one.iter().flat_map(|&a| other.iter().map(move |&b| (a, b)));
        pairs.any(|(a, b)| known(&self.rows[a][b]))
    }

    /// What is not known about a cover, in words; `None` if both directions are decided.
    fn doubt(&self, hasse: &Hasse, cover: Cover) -> Option<String> {
        let [above, below] = [cover.above, cover.below].map(|class| hasse.classes[class][0]);
        if cover.proved && matches!(self.rows[below][above], Implication::Refuted { .. }) {
            return None;
        }
        match (&self.rows[above][below], &self.rows[below][above]) {
            (Implication::NoneFound { scope }, Implication::Refuted { .. }) => {
                Some(format!("not proved; no counterexample up to {scope}"))
            }
            (_, Implication::NoneFound { scope }) => {
                Some(format!("no difference found up to {scope}; not proved equivalent"))
            }
            (Implication::NoneFound { .. }, Implication::Open { .. })
            | (Implication::Proved, Implication::Open { .. }) => {
                Some("whether they differ is not decided".to_owned())
            }
            _ => None,
        }
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

/// Adds a pair to a strict order, and what follows from it.
fn join(above: &mut [Vec<bool>], a: usize, b: usize) {
    let uppers: Vec<usize> = (0..above.len()).filter(|&u| u == a || above[u][a]).collect();
    let lowers: Vec<usize> = (0..above.len()).filter(|&l| l == b || above[b][l]).collect();
    for upper in uppers {
        lowers.iter().for_each(|&lower| above[upper][lower] = true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A diamond: the top implies all others, the sides imply the bottom and each other not.
    pub(super) fn diamond() -> Lattice {
        let no = |history: &str| Implication::Refuted { txns: 2, keys: 1, history: history.into() };
        let found = || Implication::NoneFound { scope: "4 transactions, 3 keys".into() };
        let yes = || Implication::Proved;
        Lattice {
            names: ["top", "left", "right", "bottom", "ground"].map(str::to_owned).to_vec(),
            rows: vec![
                vec![yes(), yes(), yes(), yes(), yes()],
                vec![no("w(x) > r(x,0)"), yes(), no("r(x,0)"), found(), found()],
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
    fn levels_without_a_known_difference_are_not_called_equal() {
        let found = || Implication::NoneFound { scope: "4 transactions, 3 keys".into() };
        let yes = || Implication::Proved;
        let lattice = Lattice {
            names: ["one", "other"].map(str::to_owned).to_vec(),
            rows: vec![vec![yes(), found()], vec![found(), yes()]],
        };
        let hasse = lattice.hasse();
        assert_eq!(hasse.classes, [vec![0], vec![1]]);
        assert_eq!(hasse.covers, [Cover { above: 0, below: 1, proved: false }]);
        let told = text(&lattice, crate::Style::default());
        assert!(told.contains("no difference found up to 4 transactions, 3 keys"), "{told}");
        assert!(!told.contains('='), "{told}");
    }

    #[test]
    fn every_form_tells_the_same() {
        let lattice = diamond();
        let style = crate::Style::default();
        assert_eq!(
            text(&lattice, style),
            "top\n    directly above left, right\n\
             left\n    directly above bottom = ground (not proved; no counterexample up to 4 \
             transactions, 3 keys)\n\
             right\n    directly above bottom = ground\n\
             bottom = ground\n"
        );
        assert!(table(&lattice).starts_with(
            "          1     2     3     4     5\n\
             1 top     .     -     -     -     -\n\
             2 left    2,1   .     2,1   (-)   (-)\n"
        ));
        assert!(dot(&lattice).contains("c1 -> c3 [style=dashed, tooltip=\"b\"];"));
        let svg = svg(&lattice);
        assert_eq!(svg.matches("class=\"box\"").count(), 4);
        assert_eq!(svg.matches("class=\"cover open\"").count(), 1);
        assert!(svg.contains("bottom = ground"));
        let page = html(&lattice);
        for words in
            ["left allows and top forbids", "2 transactions, 1 key", "no counterexample up to 4"]
        {
            assert!(page.contains(words), "{words}: {page}");
        }
    }
}
