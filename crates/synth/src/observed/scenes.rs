//! A history that clients saw, as gates.

use tristan_history::{History, KeyId, Outcome, Txn, TxnId};
use tristan_spec::Promise;

use super::Numbered;
use super::error::{JudgeError, WrongRead, WrongReadKind};
use super::program::Program;
use super::sources::{Sourced, promise};
use crate::evaluate::Matrix;
use crate::gates::{Gate, Solver};
use crate::scene::Scene;

/// What is known if exactly these transactions took effect.
#[derive(Clone, Debug)]
pub(super) struct Facts<'a> {
    history: &'a History,
    programs: &'a [Program],
    txns: Vec<TxnId>,
    /// The keys that are used, sorted.
    pub keys: Vec<KeyId>,
    /// The reads that count.
    pub reads: Vec<Sourced>,
}

impl<'a> Facts<'a> {
    /// What is known; `once` if every transaction must read a key at most once.
    pub(super) fn of(
        history: &'a History,
        programs: &'a [Program],
        txns: Vec<TxnId>,
        reads: Vec<Sourced>,
        once: bool,
    ) -> Result<Self, JudgeError> {
        let is_second = |at: usize| {
            let (reader, key) = (reads[at].reader, reads[at].read.key);
            reads[..at].iter().any(|other| (other.reader, other.read.key) == (reader, key))
        };
        if once && let Some(second) = (0..reads.len()).find(|&at| is_second(at)) {
            return Err(JudgeError::ReadTwice { label: history.label(reads[second].read.op.txn) });
        }
        let mut keys: Vec<KeyId> = reads.iter().map(|one| one.read.key).collect();
        for txn in &txns {
            keys.extend(programs[txn.index()].writes.iter().map(|(key, _)| *key));
        }
        keys.sort_unstable();
        keys.dedup();
        Ok(Self { history, programs, txns, keys, reads })
    }

    pub(super) fn numbered<T>(&self, about: T) -> Numbered<T> {
        Numbered { about, txns: self.txns.clone(), keys: self.keys.clone() }
    }

    /// The gates; what is not known becomes an input.
    pub(super) fn scene(&self, solver: &mut Solver) -> Scene {
        let (txns, keys) = (self.txns.len() + 1, self.keys.len());
        let wr = self.sources(solver);
        let read = |key: usize, reader: usize| {
            let mut reads = self.reads.iter();
            reads.any(|one| one.reader == reader && one.read.key == self.keys[key])
        };
        let writes = |key: usize, number: usize| {
            self.program(number).is_none_or(|program| program.last(self.keys[key]).is_some())
        };
        let row = |member: &dyn Fn(usize) -> bool| -> Vec<Gate> {
            (0..txns).map(|number| Gate::constant(member(number))).collect()
        };
        Scene {
            txns,
            keys,
            so: self.order(&|a, b| self.precedes(a, b)),
            rt: self.order(&|a, b| before(self.txn(a).ended_by(), self.txn(b).begin().call)),
            cc: self.order(&|a, b| before(self.txn(a).ended_by(), self.txn(b).ended_from())),
            bc: self.order(&|a, b| before(self.txn(a).begun_by(), self.txn(b).ended_from())),
            wr,
            writes: (0..keys).map(|key| row(&|number| writes(key, number))).collect(),
            reads: (0..keys).map(|key| row(&|number| read(key, number))).collect(),
            po: (0..txns).map(|number| self.read_order(number)).collect(),
            promised: Promise::ALL
                .iter()
                .map(|least| row(&|number| self.promised(number, *least)))
                .collect(),
        }
    }

    /// For each key, which transaction reads from which. If a read can come from several, it comes from one.
    fn sources(&self, solver: &mut Solver) -> Vec<Matrix> {
        let size = self.txns.len() + 1;
        let mut ways: Vec<(usize, usize, usize, Gate)> = Vec::new();
        let mut initial: Vec<(&Sourced, Gate)> = Vec::new();
        for one in &self.reads {
            let Ok(key) = self.keys.binary_search(&one.read.key) else { continue };
            let gates: Vec<Gate> = match one.from.len() {
                1 => vec![Gate::TRUE],
                several => (0..several).map(|_| solver.circuit.input()).collect(),
            };
            solver.require_one(&gates);
            for (at, &gate) in gates.iter().enumerate() {
                ways.push((key, one.from[at], one.reader, gate));
                for &other in &gates[..at] {
                    solver.require_one(&[!gate, !other]);
                }
                if one.from[at] == 0 {
                    initial.push((one, gate));
                }
            }
        }
        self.agree_on_start(solver, &initial);
        (0..self.keys.len())
            .map(|key| {
                Matrix::new(size, size, |from, to| {
                    let here = ways.iter().filter(|way| (way.0, way.1, way.2) == (key, from, to));
                    solver.circuit.or(here.map(|way| way.3))
                })
            })
            .collect()
    }

    /// Two reads that saw different things of a key do not both come from the start.
    fn agree_on_start(&self, solver: &mut Solver, initial: &[(&Sourced, Gate)]) {
        for (at, (one, gate)) in initial.iter().enumerate() {
            for (other, there) in &initial[..at] {
                if one.read.key == other.read.key && one.read.seen != other.read.seen {
                    solver.require_one(&[!*gate, !*there]);
                }
            }
        }
    }

    /// A read that, it seems, disagrees with others on what a key held at the start.
    pub(super) fn wrong_start(&self) -> Option<WrongRead> {
        let differ = |one: &Sourced, other: &Sourced| {
            one.read.key == other.read.key && one.read.seen != other.read.seen
        };
        let of_start: Vec<&Sourced> =
            self.reads.iter().filter(|one| one.from.contains(&0)).collect();
        let disagrees = |one: &&&Sourced| of_start.iter().any(|other| differ(one, other));
        let wrong = of_start.iter().rev().find(disagrees)?;
        Some(WrongRead { op: wrong.read.op, kind: WrongReadKind::Start })
    }

    fn read_order(&self, number: usize) -> Matrix {
        let keys = self.keys.len();
        let place = |key: usize| {
            let mut own = self.reads.iter().filter(|one| one.reader == number);
            own.find(|one| one.read.key == self.keys[key]).map(|one| one.read.op.op)
        };
        Matrix::new(keys, keys, |first, second| {
            let before = matches!((place(first), place(second)), (Some(a), Some(b)) if a < b);
            Gate::constant(before)
        })
    }

    /// A relation of which the initial transaction is first.
    fn order(&self, holds: &dyn Fn(usize, usize) -> bool) -> Matrix {
        let size = self.txns.len() + 1;
        Matrix::new(size, size, |a, b| {
            Gate::constant(match (a, b) {
                (0, _) => b != 0,
                (_, 0) => false,
                _ => a != b && holds(a, b),
            })
        })
    }

    /// Nothing is known to follow a transaction of unknown outcome.
    fn precedes(&self, first: usize, second: usize) -> bool {
        let (one, two) = (self.txn(first), self.txn(second));
        let issued = &self.history.sessions[one.session.index()].txns;
        let place = |number: usize| issued.iter().position(|&txn| txn == self.txns[number - 1]);
        one.session == two.session
            && one.outcome == Outcome::Committed
            && place(first) < place(second)
    }

    fn promised(&self, number: usize, least: Promise) -> bool {
        let txn = number.checked_sub(1).map(|place| self.txns[place]);
        txn.and_then(|txn| promise(self.history, txn)).is_some_and(|given| given >= least)
    }

    fn txn(&self, number: usize) -> &Txn {
        self.history.txn(self.txns[number - 1])
    }

    fn program(&self, number: usize) -> Option<&Program> {
        number.checked_sub(1).map(|place| &self.programs[self.txns[place].index()])
    }
}

fn before(first: Option<i64>, second: Option<i64>) -> bool {
    matches!((first, second), (Some(one), Some(two)) if one < two)
}
