//! One execution of the trace - who took effect, in which order, who read from whom - and the
//! dependencies it gives: the last section of docs/semantics.md.

use tristan_history::{KeyId, Outcome, Txn, TxnId};
use tristan_spec::{Rel, Set};

use crate::clock;
use crate::graph::Wire;
use crate::line::Line;
use crate::reading::Reading;
use crate::structure::Structure;

/// A read that depends on another transaction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dependence {
    pub(crate) reader: u32,
    pub(crate) op: u32,
    pub(crate) key: KeyId,
    /// Whether it is a key that a range read did not return.
    pub(crate) predicate: bool,
    /// The transaction that installed the version; `None` for the initial state.
    pub(crate) source: Option<u32>,
    /// How many versions of the key are not later than the one read.
    pub(crate) later: usize,
}

/// An execution. Transactions that took effect are numbered in the order of their commits.
pub(crate) struct Execution<'r> {
    pub(crate) reading: &'r Reading<'r>,
    pub(crate) drift: i64,
    /// The transactions that took effect, by number.
    pub(crate) effective: Vec<TxnId>,
    /// The number of every transaction of the trace, if it took effect.
    pub(crate) number: Vec<Option<u32>>,
    /// Per key, the transactions that installed its versions, oldest first.
    pub(crate) versions: Vec<Vec<u32>>,
    /// The place of each version (by [`Reading::installs`]) among those of its key.
    pub(crate) places: Vec<u32>,
    /// Reads by reader, in program order.
    pub(crate) reads: Vec<Dependence>,
}

impl<'r> Execution<'r> {
    /// The execution in which `effective` took effect in this order; reads are added later.
    pub(crate) fn new(reading: &'r Reading<'r>, drift: i64, effective: Vec<TxnId>) -> Self {
        let mut number = vec![None; reading.history.txns.len()];
        let mut versions = vec![Vec::new(); reading.history.keys.len()];
        let mut places = vec![0; reading.installs.len()];
        for (node, &txn) in (0u32..).zip(&effective) {
            number[txn.index()] = Some(node);
            for slot in reading.installs_of(txn) {
                let line: &mut Vec<u32> = &mut versions[reading.installs[slot].0.index()];
                places[slot] = line.len() as u32;
                line.push(node);
            }
        }
        Self { reading, drift, effective, number, versions, places, reads: Vec::new() }
    }

    /// The place of a transaction's version among those of the key.
    pub(crate) fn place(&self, txn: TxnId, key: KeyId) -> Option<usize> {
        self.reading.install(txn, key).map(|slot| self.places[slot] as usize)
    }

    fn txn(&self, node: u32) -> &Txn {
        self.reading.history.txn(self.effective[node as usize])
    }

    fn nodes(&self) -> impl Iterator<Item = u32> + use<> {
        0..self.effective.len() as u32
    }

    /// The versions later than the one read, without the reader's own.
    pub(crate) fn overwriters(&self, read: &Dependence) -> impl Iterator<Item = u32> {
        let reader = read.reader;
        let later = self.versions[read.key.index()].iter().skip(read.later);
        later.copied().filter(move |&writer| writer != reader)
    }

    fn own_place(&self, read: &Dependence) -> Option<usize> {
        self.place(self.effective[read.reader as usize], read.key)
    }

    /// Per session, those that took effect in issuing order.
    fn sessions(&self) -> impl Iterator<Item = Vec<u32>> {
        let sessions = self.reading.history.sessions.iter();
        sessions
            .map(|session| session.txns.iter().filter_map(|txn| self.number[txn.index()]).collect())
    }

    fn committed(&self, node: u32) -> bool {
        self.txn(node).outcome == Outcome::Committed
    }

    /// The reads that count for this relation: predicate reads do only for `rw`.
    fn overwritten_reads(&self, rel: Rel) -> impl Iterator<Item = &Dependence> {
        self.reads.iter().filter(move |read| rel == Rel::Rw || !read.predicate)
    }

    /// Reads grouped by reader.
    fn reads_by_reader(&self) -> impl Iterator<Item = &[Dependence]> {
        self.reads.chunk_by(|one, next| one.reader == next.reader)
    }
}

impl Structure for Execution<'_> {
    fn size(&self) -> usize {
        self.effective.len()
    }

    fn links(&self) -> usize {
        self.reads.len()
    }

    fn member(&self, set: Set, node: usize) -> bool {
        self.reading.member(set, self.effective[node])
    }

    fn pairs(&self, rel: Rel) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        match rel {
            Rel::Wr => pairs.extend(self.reads.iter().filter_map(|r| Some((r.source?, r.reader)))),
            Rel::Ww => {
                for line in &self.versions {
                    for (place, &first) in line.iter().enumerate() {
                        pairs.extend(line[place + 1..].iter().map(|&later| (first, later)));
                    }
                }
            }
            Rel::Rw | Rel::ItemRw => {
                for read in self.overwritten_reads(rel) {
                    pairs.extend(self.overwriters(read).map(|writer| (read.reader, writer)));
                }
            }
            Rel::So => {
                for line in self.sessions() {
                    for (place, &first) in line.iter().enumerate() {
                        if self.committed(first) {
                            pairs.extend(line[place + 1..].iter().map(|&later| (first, later)));
                        }
                    }
                }
            }
            Rel::Rt | Rel::CommitOrder | Rel::BeginCommit => {
                for first in self.nodes() {
                    let ordered = |&second: &u32| {
                        first != second
                            && clock::orders(rel, self.txn(first), self.txn(second), self.drift)
                    };
                    pairs.extend(self.nodes().filter(ordered).map(|second| (first, second)));
                }
            }
            Rel::Vanishing => {
                for reads in self.reads_by_reader() {
                    for (position, read) in reads.iter().enumerate() {
                        let Some(source) = read.source else { continue };
                        let next = |r: &&Dependence| r.op > read.op && r.key != read.key;
                        for later in reads[position + 1..].iter().filter(next) {
                            pairs.extend(self.overwriters(later).map(|writer| (source, writer)));
                        }
                    }
                }
            }
            Rel::Cursor => {
                for read in self.overwritten_reads(rel) {
                    let line = &self.versions[read.key.index()];
                    for (place, &middle) in line.iter().enumerate().skip(read.later) {
                        if middle != read.reader {
                            pairs.extend(line[place + 1..].iter().map(|&last| (read.reader, last)));
                        }
                    }
                }
            }
            // Levels are read with these two replaced by their meaning.
            Rel::Order | Rel::Base => {}
        }
        pairs
    }

    fn wire(&self, rel: Rel, wire: &mut Wire<'_>) {
        match rel {
            Rel::Ww => {
                for line in self.versions.iter().filter(|line| line.len() > 1) {
                    let mut wired = Line::new(wire, line.iter().map(|&n| wire.head(n)).collect());
                    for (place, &writer) in line.iter().enumerate() {
                        wired.enter(wire, wire.tail(writer), place + 1, None);
                    }
                }
            }
            Rel::So => {
                for line in self.sessions() {
                    let mut wired = Line::new(wire, line.iter().map(|&n| wire.head(n)).collect());
                    for (place, &first) in line.iter().enumerate() {
                        if self.committed(first) {
                            wired.enter(wire, wire.tail(first), place + 1, None);
                        }
                    }
                }
            }
            Rel::Rw | Rel::ItemRw => {
                let mut lines = self.version_lines(wire);
                for read in self.overwritten_reads(rel) {
                    let line = &mut lines[read.key.index()];
                    line.enter(wire, wire.tail(read.reader), read.later, self.own_place(read));
                }
            }
            Rel::Cursor => {
                let mut lines = self.version_lines(wire);
                for read in self.overwritten_reads(rel) {
                    // The earliest overwriter leaves the most versions after it.
                    let own_is_next = self.own_place(read) == Some(read.later);
                    let after = read.later + 1 + usize::from(own_is_next);
                    let line = &mut lines[read.key.index()];
                    line.enter(wire, wire.tail(read.reader), after, None);
                }
            }
            Rel::Rt | Rel::CommitOrder | Rel::BeginCommit => self.wire_clock(rel, wire),
            Rel::Vanishing => self.wire_vanishing(wire),
            Rel::Wr | Rel::Order | Rel::Base => {
                for (from, to) in self.pairs(rel) {
                    wire.edge(wire.tail(from), wire.head(to));
                }
            }
        }
    }
}

impl Execution<'_> {
    fn version_lines(&self, wire: &mut Wire<'_>) -> Vec<Line> {
        let heads = |line: &Vec<u32>, wire: &Wire<'_>| line.iter().map(|&n| wire.head(n)).collect();
        self.versions
            .iter()
            .map(|line| {
                let heads = heads(line, wire);
                Line::new(wire, heads)
            })
            .collect()
    }

    fn wire_clock(&self, rel: Rel, wire: &mut Wire<'_>) {
        let mut second: Vec<(i64, u32)> = self
            .nodes()
            .filter_map(|node| Some((clock::as_second(rel, self.txn(node))?, node)))
            .collect();
        second.sort_unstable();
        let mut place = vec![None; self.effective.len()];
        for (position, &(_, node)) in second.iter().enumerate() {
            place[node as usize] = Some(position);
        }
        let heads = second.iter().map(|&(_, node)| wire.head(node)).collect();
        let mut line = Line::new(wire, heads);
        for node in self.nodes() {
            let Some(early) = clock::as_first(rel, self.txn(node)) else { continue };
            let bound = i128::from(early) + i128::from(self.drift);
            let first = second.partition_point(|&(late, _)| i128::from(late) <= bound);
            line.enter(wire, wire.tail(node), first, place[node as usize]);
        }
    }

    /// From the source of a read to the reads of other keys by later operations, and on to
    /// the transactions that overwrote what these saw.
    fn wire_vanishing(&self, wire: &mut Wire<'_>) {
        let mut versions = self.version_lines(wire);
        for reads in self.reads_by_reader() {
            let doors = wire.fresh(reads.len());
            let mut line = Line::new(wire, (doors..doors + reads.len()).collect());
            for (position, read) in reads.iter().enumerate() {
                let later = &mut versions[read.key.index()];
                later.enter(wire, doors + position, read.later, self.own_place(read));
            }
            let mut by_key: Vec<(KeyId, usize)> =
                reads.iter().enumerate().map(|(position, read)| (read.key, position)).collect();
            by_key.sort_unstable();
            for same_key in by_key.chunk_by(|one, next| one.0 == next.0) {
                let mut seen: Vec<u32> = Vec::new();
                for (index, &(_, position)) in same_key.iter().enumerate() {
                    let Some(source) = reads[position].source else { continue };
                    // The first read from a source has the most reads after it.
                    if seen.contains(&source) {
                        continue;
                    }
                    seen.push(source);
                    let tail = wire.tail(source);
                    let op = reads[position].op;
                    let mut first = reads.partition_point(|read| read.op <= op);
                    for &(_, excluded) in &same_key[index + 1..] {
                        line.enter_range(wire, tail, first, excluded);
                        first = excluded + 1;
                    }
                    line.enter(wire, tail, first, None);
                }
            }
        }
    }
}
