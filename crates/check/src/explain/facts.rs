//! Facts about the whole trace that a refutation rests on, with who else is part of its core.
//!
//! A refutation says "T3 read x = 1 from T2". Within its core that is evident only together with "no
//! other transaction installed x = 1", which the core cannot show. So for everything that a reason
//! takes from outside the core there is a fact:
//!
//! - of every read that an edge or a literal names: who installed what it saw, or at least wrote it;
//! - of every order of versions that is no choice: the list read that shows it;
//! - of every transaction of unknown outcome that surely took effect: the read that shows it;
//! - of a read that nothing explains: who ever wrote what it saw.
//!
//! Why every named writer is true: a literal names one of *all* candidates, which the choice lists; an
//! edge without a literal names the only candidate, and the fact says that there is no other. Both
//! come from [`Asg::for_each_source`] on the whole trace, never on a part of it.

use std::collections::BTreeSet;

use tristan_history::{Datum, KeyId, Op, OpKind, OpRef, OpStatus, Outcome, TxnId, ValueId};
use tristan_spec::{Level, Promise, ReadRule};
use tristan_verdict::{
    Bad, BadKind, Choice, Conflict, Content, Edge, EdgeKind, Fact, Literal, Rule, Source,
};

use crate::asg::lists::ListRead;
use crate::asg::program::{Undone, written};
use crate::asg::{Asg, ExternalRead, Seen};
use crate::ir::Ir;
use crate::ir::support::supports;

/// Writers of a value that no transaction installed are part of the core if they are at most this
/// many; more are left to the fact that names them.
const MOST_WRITERS: usize = 8;

/// What conflicts are about.
pub(super) struct FactContext<'a> {
    /// The whole trace.
    pub(super) asg: &'a Asg<'a>,
    /// The problem that the conflicts refute.
    pub(super) ir: &'a Ir,
    /// The level, which says whose reads may be dirty.
    pub(super) level: &'a Level,
}

impl FactContext<'_> {
    /// The facts behind conflicts. Adds the transactions whose reads show them to the core.
    pub(super) fn facts(
        &self,
        conflicts: &[Conflict],
        choices: &[Choice],
        core: &mut BTreeSet<u32>,
    ) -> Vec<Fact> {
        let history = self.asg.history;
        let mut facts = BTreeSet::new();
        for (txn, op, key) in reads(conflicts, choices) {
            let key = key.and_then(|key| history.keys.find(key));
            facts.extend(only_versions(self.asg, txn, op, key));
        }
        for (key, first, then) in orders(conflicts) {
            let Some(key) = history.keys.find(key).map(KeyId) else { continue };
            facts.extend(self.shown(key, first, then));
        }
        for fact in &facts {
            match fact {
                Fact::ListShows { txn, .. } => drop(core.insert(*txn)),
                Fact::OnlyWrites { txns, .. } if txns.len() <= MOST_WRITERS => core.extend(txns),
                _ => {}
            }
        }
        facts.extend(self.effects(core));
        facts.into_iter().collect()
    }

    /// Whether a transaction's reads may be dirty.
    fn is_dirty(&self, txn: TxnId) -> bool {
        let unit = self.ir.units.iter().find(|unit| unit.txn == txn);
        let promised = unit.and_then(|unit| unit.promise);
        match self.level.reads {
            ReadRule::Committed => false,
            ReadRule::Dirty => true,
            ReadRule::Promised => promised.is_none_or(|it| it == Promise::ReadUncommitted),
        }
    }

    /// The list read that shows an order of two versions, of a transaction of the problem if there
    /// is one.
    fn shown(&self, key: KeyId, first: u32, then: u32) -> Option<Fact> {
        let history = self.asg.history;
        let name = history.key(key).clone();
        let fact =
            |(txn, op): (TxnId, u32)| Fact::ListShows { txn: txn.0, op, key: name, first, then };
        let (first, then) = (TxnId(first), TxnId(then));
        let reads = self.asg.lists.reads().iter().filter(|read| read.key == key);
        let shows = reads.filter(|read| shows(self.asg, read, first, then));
        let committed = |txn: TxnId| history.txn(txn).outcome == Outcome::Committed;
        let of_ir = |txn: TxnId| self.ir.units.iter().find(|unit| unit.txn == txn);
        let sure = |txn| committed(txn) || of_ir(txn).is_some_and(|unit| unit.sure);
        let clean = shows.filter(|read| sure(read.txn) && !self.is_dirty(read.txn));
        let mut found: Vec<(TxnId, u32)> = clean.map(|read| (read.txn, read.op)).collect();
        if self.level.reads != ReadRule::Committed {
            let dirty = dirty_reads(self.asg, key, first, then);
            found.extend(dirty.into_iter().filter(|(txn, _)| self.is_dirty(*txn)));
        }
        let in_ir = found.iter().find(|(txn, _)| of_ir(*txn).is_some());
        in_ir.or(found.first()).copied().map(fact)
    }

    /// The reads that show of transactions of unknown outcome in the core that they took effect.
    fn effects(&self, core: &mut BTreeSet<u32>) -> Vec<Fact> {
        let ir = self.ir;
        let unit = |txn: u32| ir.units.iter().position(|unit| unit.txn.0 == txn);
        let is_shown = |at: usize| ir.units[at].unknown && ir.units[at].sure;
        let mut open: Vec<usize> =
            core.iter().filter_map(|&txn| unit(txn)).filter(|&at| is_shown(at)).collect();
        if open.is_empty() {
            return Vec::new();
        }
        let support = supports(ir);
        let mut facts = Vec::new();
        while let Some(at) = open.pop() {
            let Some(read) = support[at] else { continue };
            let read = &ir.reads[read.index()];
            let reader = read.unit.index();
            let (txn, by) = (ir.units[at].txn.0, ir.units[reader].txn.0);
            facts.push(Fact::TookEffect { txn, reader: by, op: read.op });
            if core.insert(by) && is_shown(reader) {
                open.push(reader);
            }
        }
        facts
    }
}

/// The facts behind a single read that nothing explains.
pub(super) fn of_bad(asg: &Asg<'_>, bad: &Bad) -> Vec<Fact> {
    let explained = [BadKind::ThinAir, BadKind::Aborted, BadKind::Intermediate, BadKind::Future];
    let Some(key) = asg.history.keys.find(&bad.key).map(KeyId) else { return Vec::new() };
    if !explained.contains(&bad.kind) {
        return Vec::new();
    }
    let op = asg.history.op(OpRef { txn: TxnId(bad.txn), op: bad.op });
    if let OpKind::ReadList { elements: Some(list), .. } = &op.kind {
        let fact = list.iter().map(|&element| only_appends(asg, key, element));
        let wanted = |fact: &Fact| match fact {
            Fact::OnlyWrites { txns, .. } => match bad.writer {
                Some(writer) => txns.contains(&writer),
                None => txns.is_empty(),
            },
            _ => false,
        };
        return fact.filter(wanted).take(1).collect();
    }
    let read = asg.reads.of(TxnId(bad.txn)).map(|(_, read)| read);
    let mut read = read.filter(|read| (read.op, read.key) == (bad.op, key));
    read.next().map(|read| only_writes(asg, &read)).into_iter().collect()
}

/// Every read that conflicts speak of, with its key where the operation alone does not tell.
fn reads<'c>(
    conflicts: &'c [Conflict],
    choices: &'c [Choice],
) -> Vec<(u32, u32, Option<&'c Datum>)> {
    let mut reads: Vec<_> =
        choices.iter().map(|choice| (choice.txn, choice.op, Some(&choice.key))).collect();
    for conflict in conflicts {
        for literal in &conflict.literals {
            if let Literal::Reads { txn, op, key, .. } = literal {
                reads.push((*txn, *op, key.as_ref()));
            }
        }
        match &conflict.rule {
            Rule::Cycle(edges) => reads.extend(edges.iter().filter_map(read_of)),
            Rule::NoSource(txn, op) => reads.push((*txn, *op, None)),
            Rule::InitialClash | Rule::ListOrder(..) => {}
        }
    }
    reads
}

fn read_of(edge: &Edge) -> Option<(u32, u32, Option<&Datum>)> {
    let reader = match edge.kind {
        EdgeKind::Wr | EdgeKind::Pwr => edge.to,
        EdgeKind::Rw | EdgeKind::Prw => edge.from,
        _ => return None,
    };
    edge.read_op.map(|op| (reader, op, edge.key.as_ref()))
}

/// The transactions that installed what a read saw of a key (of any of its keys, if none is named).
fn only_versions(asg: &Asg<'_>, txn: u32, op: u32, key: Option<u32>) -> Vec<Fact> {
    let reads = asg.reads.of(TxnId(txn)).map(|(_, read)| read);
    let named = reads.filter(|read| read.op == op && key.is_none_or(|key| read.key.0 == key));
    let named: Vec<ExternalRead> = named.collect();
    let installed = named.iter().filter_map(|read| installed(asg, read));
    let written = named.iter().filter_map(|read| only_uninstalled(asg, read));
    installed.chain(written).collect()
}

/// The transactions that wrote a value that none installed. If the initial state is unknown, the value may
/// have been there at the start, but more likely it was read too early.
fn only_uninstalled(asg: &Asg<'_>, read: &ExternalRead) -> Option<Fact> {
    let Seen::Value(_) = read.seen else { return None };
    let uninstalled = asg.writes.matching(read.key, read.seen).is_empty();
    let fact = uninstalled.then(|| only_writes(asg, read))?;
    matches!(&fact, Fact::OnlyWrites { txns, .. } if !txns.is_empty()).then_some(fact)
}

fn installed(asg: &Asg<'_>, read: &ExternalRead) -> Option<Fact> {
    if let Seen::List(last) = read.seen {
        let op = asg.history.op(OpRef { txn: read.txn, op: read.op });
        let OpKind::ReadList { elements: Some(list), .. } = &op.kind else { return None };
        let appended = last.map(|last| asg.history.ops_of(last)).unwrap_or_default();
        let shown = list.iter().rev().find(|&&element| {
            let append = OpKind::Append { key: read.key, element };
            appended.iter().any(|op| op.kind == append)
        });
        return shown.map(|&element| only_appends(asg, read.key, element));
    }
    let versions = asg.writes.matching(read.key, read.seen).iter();
    let mut txns: Vec<u32> = versions.map(|version| version.txn.0).collect();
    txns.sort_unstable();
    let key = asg.history.key(read.key).clone();
    Some(Fact::OnlyVersions { key, content: content(asg, read.seen)?, txns })
}

/// The transactions that ever wrote what a read saw.
fn only_writes(asg: &Asg<'_>, read: &ExternalRead) -> Fact {
    let wrote = |txn: &TxnId| {
        let ops = asg.history.ops_of(*txn).iter();
        let mut writes = ops.filter_map(written);
        writes.any(|(key, content)| key == read.key && read.seen.matches(content))
    };
    let txns = asg.history.txn_ids().filter(wrote).map(|txn| txn.0).collect();
    let content = content(asg, read.seen).unwrap_or(Content::Present);
    Fact::OnlyWrites { key: asg.history.key(read.key).clone(), content, txns }
}

fn only_appends(asg: &Asg<'_>, key: KeyId, element: ValueId) -> Fact {
    let appends = |op: &Op| {
        let appended = OpKind::Append { key, element };
        op.kind == appended && op.status != OpStatus::Failed
    };
    let appended = |txn: &TxnId| asg.history.ops_of(*txn).iter().any(appends);
    let txns = asg.history.txn_ids().filter(appended).map(|txn| txn.0).collect();
    let content = Content::Element(asg.history.value(element).into_owned());
    Fact::OnlyWrites { key: asg.history.key(key).clone(), content, txns }
}

fn content(asg: &Asg<'_>, seen: Seen) -> Option<Content> {
    match seen {
        Seen::Absent => Some(Content::Absent),
        Seen::Present => Some(Content::Present),
        Seen::Value(value) => Some(Content::Value(asg.history.value(value).into_owned())),
        Seen::List(_) => None,
    }
}

/// Every pair of versions whose order conflicts use, the way round that they use it and, for
/// literals, the other way round.
fn orders(conflicts: &[Conflict]) -> BTreeSet<(&Datum, u32, u32)> {
    let mut orders = BTreeSet::new();
    for conflict in conflicts {
        for literal in &conflict.literals {
            if let Literal::Before { key, first, then } = literal {
                orders.extend([(key, *first, *then), (key, *then, *first)]);
            }
        }
        let Rule::Cycle(edges) = &conflict.rule else { continue };
        for edge in edges {
            let Some(key) = &edge.key else { continue };
            match (edge.kind, edge.over) {
                (EdgeKind::Ww, _) => orders.extend([(key, edge.from, edge.to)]),
                (EdgeKind::Rw | EdgeKind::Prw, Some(Source::Txn(over))) => {
                    orders.extend([(key, over, edge.to)]);
                }
                _ => {}
            }
        }
    }
    orders
}

/// Whether a list read shows that one version came before another.
fn shows(asg: &Asg<'_>, read: &ListRead, first: TxnId, then: TxnId) -> bool {
    let place = |txn| read.writers.iter().position(|&writer| writer == txn);
    match (place(first), place(then)) {
        (Some(early), Some(late)) => early < late,
        (Some(_), None) => asg.lists.appenders(read.key).binary_search(&then).is_ok(),
        (None, _) => false,
    }
}

/// Dirty list reads that show an order of two committed versions.
fn dirty_reads(asg: &Asg<'_>, key: KeyId, first: TxnId, then: TxnId) -> Vec<(TxnId, u32)> {
    let committed = |txn: TxnId| asg.history.txn(txn).outcome == Outcome::Committed;
    if !asg.lists.is_clear(key) || !committed(first) || !committed(then) {
        return Vec::new();
    }
    let appended = |txn: TxnId| -> BTreeSet<ValueId> {
        let ops = asg.history.ops_of(txn);
        let undone = Undone::find(ops);
        let lasting = ops
            .iter()
            .enumerate()
            .filter(|(at, op)| op.status != OpStatus::Failed && !undone.contains(*at));
        let of_key = lasting.filter_map(|(_, op)| match op.kind {
            OpKind::Append { key: of, element } if of == key => Some(element),
            _ => None,
        });
        of_key.collect()
    };
    let (early, late) = (appended(first), appended(then));
    let mut found = Vec::new();
    for reader in asg.history.txn_ids().filter(|&txn| committed(txn)) {
        for (at, op) in (0..).zip(asg.history.ops_of(reader)) {
            let OpKind::ReadList { key: of, elements: Some(list) } = &op.kind else { continue };
            let place = list.iter().position(|element| early.contains(element));
            let other = list.iter().rposition(|element| late.contains(element));
            let shows = place.zip(other).is_some_and(|(early, late)| early < late);
            if *of == key
                && op.status == OpStatus::Done
                && reader != first
                && reader != then
                && shows
            {
                found.push((reader, at));
            }
        }
    }
    found
}
