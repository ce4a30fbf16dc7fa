//! Same bug as yesterday? What two rejections have in common when only names and values differ.
//!
//! ```text
//!   T17 ─rw seat-4→ T23 ─rw seat-9→ T17          yesterday
//!   T5  ─rw 81→     T2  ─rw 80→     T5           today
//!   A   ─rw x→      B   ─rw y→      A            both: G2-item, 5f0c52d1
//! ```
//!
//! A fingerprint is made of the anomaly's class and of the cycle that a report shows first:
//! transactions and keys are called by letters in the order in which they come, and of all places
//! where the cycle may begin the one with the least text is taken. A read that is wrong by itself
//! has its kind instead of a cycle. The code is a hash of these words. It depends on nothing else:
//! neither on the level that was asked for nor on the version of this program, unless the words
//! change.

use tristan_verdict::{Answer, BadKind, Edge, EdgeKind, Verdict};

use crate::cycle::kind_name;
use crate::layout::{count, fold, listing};
use crate::names::Names;
use crate::proof::{Main, main};

/// Of a cycle with more edges than this only the numbers of its edges count.
const LONGEST: usize = 24;

/// What a rejection has in common with others that are about the same bug.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fingerprint {
    /// Eight hexadecimal digits.
    pub code: String,
    /// The anomaly's class.
    pub class: String,
    /// What it looks like, as in `A ─rw x→ B ─rw y→ A`.
    pub shape: String,
}

/// The fingerprint of a rejection; there is none of other verdicts.
pub fn fingerprint(verdict: &Verdict) -> Option<Fingerprint> {
    let Answer::Reject { anomaly, refutation } = &verdict.answer else { return None };
    let (shape, hashed) = match main(refutation, Names::of(verdict)) {
        Main::Bad(bad) => (wrong_read(bad.kind).to_owned(), hashed(bad.kind).to_owned()),
        Main::Cycle(edges, _) => (cycle(edges), cycle(edges)),
        Main::Nothing => {
            let words = "reads that cannot all be explained".to_owned();
            (words.clone(), words)
        }
    };
    let class = fold(&anomaly.class, 40);
    let code = format!("{:08x}", hash(&format!("{class}: {hashed}")));
    Some(Fingerprint { code, class, shape })
}

/// What a read that is wrong by itself looks like, for people.
fn wrong_read(kind: BadKind) -> &'static str {
    match kind {
        BadKind::ThinAir => "a read of a value that no transaction wrote",
        BadKind::Aborted => "a read of a value that was never committed",
        BadKind::Intermediate => "a read of a value that its writer replaced before it committed",
        BadKind::Future => "a read of a value that the reader itself wrote later",
        BadKind::NotOwnWrite => "a read that missed an own write",
        BadKind::DuplicateElement => "a list with an element twice",
        BadKind::IncompatibleOrder => "two reads of a list that contradict each other",
        BadKind::OutsideRange => "a key outside the range that was read",
        BadKind::RepeatedKey => "a key twice in a range",
        BadKind::OutOfOrder => "an iterator out of order",
    }
}

/// The words that the code is made from; they never change.
fn hashed(kind: BadKind) -> &'static str {
    match kind {
        BadKind::ThinAir => "a read of what nobody wrote",
        BadKind::Aborted => "a read of what did not commit",
        BadKind::Intermediate => "a read of what was not the last word",
        BadKind::Future => "a read of an own write before it",
        BadKind::NotOwnWrite => "a read that missed an own write",
        BadKind::DuplicateElement => "a list with an element twice",
        BadKind::IncompatibleOrder => "two reads of a list that contradict each other",
        BadKind::OutsideRange => "a key outside the range that was read",
        BadKind::RepeatedKey => "a key twice in a range",
        BadKind::OutOfOrder => "an iterator out of order",
    }
}

/// The least text of a cycle, wherever it begins.
fn cycle(edges: &[Edge]) -> String {
    if edges.len() > LONGEST {
        return crowd(edges);
    }
    let starts = (0..edges.len()).map(|start| walk(&edges[start..], &edges[..start]));
    starts.min().unwrap_or_default()
}

/// A cycle that begins with some edges and goes on with others, in letters.
fn walk(first: &[Edge], rest: &[Edge]) -> String {
    let mut txns = Letters::new("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    let mut keys = Letters::new("xyzuvwabcdefghijklmnopqrst");
    let mut text = first.first().map(|edge| txns.name(&edge.from)).unwrap_or_default();
    for edge in first.iter().chain(rest) {
        let key = edge.key.as_ref().map(|key| format!(" {}", keys.name(key)));
        let kind = kind_name(edge.kind);
        text.push_str(&format!(" ─{kind}{}→ {}", key.unwrap_or_default(), txns.name(&edge.to)));
    }
    text
}

/// How many edges of which kind a long cycle has.
fn crowd(edges: &[Edge]) -> String {
    let mut kinds: Vec<EdgeKind> = edges.iter().map(|edge| edge.kind).collect();
    kinds.sort_unstable();
    let runs = kinds.chunk_by(|a, b| a == b);
    let parts: Vec<String> =
        runs.map(|run| format!("{} {}", run.len(), kind_name(run[0]))).collect();
    format!("a cycle of {}: {}", count(edges.len(), "edge"), listing(&parts, "and"))
}

/// Names by the order in which things are first named.
struct Letters<'a, T> {
    alphabet: &'static str,
    seen: Vec<&'a T>,
}

impl<'a, T: PartialEq> Letters<'a, T> {
    fn new(alphabet: &'static str) -> Self {
        Self { alphabet, seen: Vec::new() }
    }

    fn name(&mut self, thing: &'a T) -> String {
        let place = self.seen.iter().position(|known| *known == thing).unwrap_or_else(|| {
            self.seen.push(thing);
            self.seen.len() - 1
        });
        let letter = self.alphabet.chars().nth(place % self.alphabet.len());
        letter.map(String::from).unwrap_or_default()
    }
}

/// FNV-1a of 64 bits, its halves laid over each other.
fn hash(text: &str) -> u32 {
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let mixed = text.bytes().fold(START, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
    ((mixed >> 32) ^ (mixed & 0xffff_ffff)) as u32
}

#[cfg(test)]
mod tests {
    use tristan_history::Datum;

    use super::*;

    fn edge(from: u32, to: u32, kind: EdgeKind, key: i64) -> Edge {
        let key = Some(Datum::Int(key.into()));
        Edge { from, to, kind, key, read_op: None, over: None }
    }

    #[test]
    fn names_and_the_place_where_it_begins_do_not_matter() {
        use EdgeKind::{Rw, Wr, Ww};
        let one = [edge(7, 3, Wr, 1), edge(3, 9, Rw, 2), edge(9, 7, Ww, 1)];
        let other = [edge(0, 4, Ww, 8), edge(4, 2, Wr, 8), edge(2, 0, Rw, 5)];
        assert_eq!(cycle(&one), cycle(&other));
        assert_eq!(cycle(&one), "A ─rw x→ B ─ww y→ C ─wr y→ A");
        let different_keys = [edge(7, 3, Wr, 1), edge(3, 9, Rw, 2), edge(9, 7, Ww, 3)];
        assert_ne!(cycle(&one), cycle(&different_keys));
        let turned = [edge(7, 3, Wr, 1), edge(3, 9, Ww, 1), edge(9, 7, Rw, 2)];
        assert_ne!(cycle(&one), cycle(&turned));
    }

    #[test]
    fn long_cycles_are_counted() {
        let ring: Vec<Edge> =
            (0..30).map(|n| edge(n, (n + 1) % 30, EdgeKind::Rw, n.into())).collect();
        assert_eq!(cycle(&ring), "a cycle of 30 edges: 30 rw");
        assert_eq!(cycle(&[]), "");
    }

    /// Codes are written down by people: they must not change.
    #[test]
    fn codes_stay_as_they_are() {
        assert_eq!(format!("{:08x}", hash("")), "4fd0bfc1");
        assert_eq!(format!("{:08x}", hash("a")), "296230c0");
    }
}
