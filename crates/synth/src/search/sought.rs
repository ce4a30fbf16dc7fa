//! The history that is sought: one input for every fact about it.
//!
//! ```text
//!   W[t,x]       does t write x?
//!   src[t,x,s]   does t read x from s? at most one s, and s writes x
//!   so[s,t]      sessions are chains: two with a common predecessor, or a common successor,
//!                are ordered
//!   time         a total order of all begins and commits
//! ```
//!
//! There are no values: a version is known by its writer. Time, the order of reads and promises
//! only exist if a level speaks of them.

use tristan_spec::Promise;

use super::scope::{HistoryOptions, Needs, Scope};
use crate::evaluate::{Matrix, order_inputs, order_laws};
use crate::gates::{Circuit, Gate, Model, Solver, at_most};
use crate::history::{AbstractHistory, AbstractTxn, Event, Read, key_names};
use crate::scene::Scene;

/// The inputs of a history that is sought.
#[derive(Clone, Debug)]
pub(crate) struct Sought {
    /// The inputs, as a scene.
    pub scene: Scene,
    /// The order of all events: begins of all transactions, then commits; the initial one's are
    /// left out. `None` if no level needs it.
    time: Option<Matrix>,
}

impl Sought {
    /// Inputs without demands on them.
    pub(crate) fn inputs(solver: &mut Solver, scope: &Scope, needs: Needs) -> Self {
        Self::possible(solver, scope, needs, &|_, _| true, &|_, _| true)
    }

    /// The same where it is already known, of this one, who can read from whom and who can precede
    /// whom in a session.
    pub(crate) fn inputs_again(&self, solver: &mut Solver, scope: &Scope, needs: Needs) -> Self {
        let can_read = |from: usize, to: usize| {
            self.scene.wr.iter().any(|of_key| of_key.at(from, to).is_possible())
        };
        let can_precede = |from: usize, to: usize| self.scene.so.at(from, to).is_possible();
        Self::possible(solver, scope, needs, &can_read, &can_precede)
    }

    fn possible(
        solver: &mut Solver,
        scope: &Scope,
        needs: Needs,
        can_read: &dyn Fn(usize, usize) -> bool,
        can_precede: &dyn Fn(usize, usize) -> bool,
    ) -> Self {
        let (txns, keys) = (scope.txns + 1, scope.keys);
        let circuit = &mut solver.circuit;
        let mut written = |txn: usize| if txn == 0 { Gate::TRUE } else { circuit.input() };
        let writes = (0..keys).map(|_| (0..txns).map(&mut written).collect()).collect();
        let wr: Vec<Matrix> = (0..keys)
            .map(|_| {
                Matrix::new(txns, txns, |from, to| {
                    match to != 0 && from != to && can_read(from, to) {
                        true => circuit.input(),
                        false => Gate::FALSE,
                    }
                })
            })
            .collect();
        let so = initial_first(txns, |from, to| match needs.sessions && can_precede(from, to) {
            true => circuit.input(),
            false => Gate::FALSE,
        });
        let po = (0..txns).map(|_| read_order(circuit, keys, needs)).collect();
        let time = needs.time.then(|| order_inputs(circuit, 2 * scope.txns, false));
        let [rt, cc, bc] = clock(txns, time.as_ref());
        let promised = promises(circuit, txns, needs);
        let reads = readers(circuit, txns, &wr);
        let scene = Scene { txns, keys, so, rt, cc, bc, wr, writes, reads, po, promised };
        Self { scene, time }
    }

    /// Puts constants where the circuit has learnt some.
    pub(crate) fn refresh(&mut self, circuit: &Circuit) {
        let scene = &mut self.scene;
        for matrix in scene.wr.iter_mut().chain([&mut scene.so]) {
            *matrix =
                Matrix::new(matrix.rows(), matrix.cols(), |a, b| circuit.seen(matrix.at(a, b)));
        }
    }

    /// Demands that the inputs describe a history within the scope.
    pub(crate) fn demand(&self, solver: &mut Solver, scope: &Scope, options: &HistoryOptions) {
        self.demand_sources(solver);
        self.demand_sessions(solver, options);
        self.demand_time(solver);
        self.demand_read_order(solver);
        self.demand_promises(solver);
        self.demand_shape(solver, scope, options);
    }

    fn demand_sources(&self, solver: &mut Solver) {
        let Scene { txns, keys, .. } = self.scene;
        for key in 0..keys {
            for reader in 1..txns {
                for writer in 0..txns {
                    let source = self.scene.wr[key].at(writer, reader);
                    solver.require_one(&[!source, self.scene.writes[key][writer]]);
                    for other in 0..writer {
                        solver.require_one(&[!source, !self.scene.wr[key].at(other, reader)]);
                    }
                }
            }
        }
    }

    fn demand_sessions(&self, solver: &mut Solver, options: &HistoryOptions) {
        let (txns, so) = (self.scene.txns, &self.scene.so);
        for a in 1..txns {
            for b in (1..txns).filter(|&b| b != a) {
                if !options.session_order {
                    solver.require(!so.at(a, b));
                }
                solver.require_one(&[!so.at(a, b), !so.at(b, a)]);
                for c in (1..txns).filter(|&c| c != a && c != b) {
                    solver.require_one(&[!so.at(a, b), !so.at(b, c), so.at(a, c)]);
                    solver.require_one(&[!so.at(a, b), !so.at(a, c), so.at(b, c), so.at(c, b)]);
                    solver.require_one(&[!so.at(b, a), !so.at(c, a), so.at(b, c), so.at(c, b)]);
                }
            }
        }
        if let Some(most) = options.sessions {
            let first = |txn: usize| {
                let earlier = (1..txns).filter(move |&other| other != txn);
                earlier.map(move |other| !so.at(other, txn))
            };
            let firsts: Vec<Gate> = (1..txns).map(|txn| solver.circuit.and(first(txn))).collect();
            let few = at_most(&mut solver.circuit, &firsts, most);
            solver.require(few);
        }
    }

    fn demand_time(&self, solver: &mut Solver) {
        let Some(time) = &self.time else { return };
        for law in order_laws(time) {
            solver.require_one(&law);
        }
        let txns = self.scene.txns;
        for txn in 1..txns {
            solver.require(time.at(begin(txn), commit(txns, txn)));
            for other in (1..txns).filter(|&other| other != txn) {
                solver.require_one(&[!self.scene.so.at(txn, other), self.scene.rt.at(txn, other)]);
            }
        }
    }

    /// The inputs order all keys; only those that are read count.
    fn demand_read_order(&self, solver: &mut Solver) {
        let Scene { txns, keys, .. } = self.scene;
        for txn in 1..txns {
            let po = &self.scene.po[txn];
            let reads = |key: usize| self.scene.reads[key][txn];
            for a in 0..keys {
                for b in (0..keys).filter(|&b| b != a) {
                    if !po.at(a, b).is_possible() && !po.at(b, a).is_possible() {
                        continue;
                    }
                    solver.require_one(&[!po.at(a, b), reads(a)]);
                    solver.require_one(&[!po.at(a, b), reads(b)]);
                    solver.require_one(&[!po.at(a, b), !po.at(b, a)]);
                    solver.require_one(&[!reads(a), !reads(b), po.at(a, b), po.at(b, a)]);
                    for c in (0..keys).filter(|&c| c != a && c != b) {
                        solver.require_one(&[!po.at(a, b), !po.at(b, c), po.at(a, c)]);
                    }
                }
            }
        }
    }

    /// A transaction that was promised a level was promised every weaker one.
    fn demand_promises(&self, solver: &mut Solver) {
        for pair in self.scene.promised.windows(2) {
            for (&weak, &strong) in pair[0].iter().zip(&pair[1]) {
                solver.require_one(&[!strong, weak]);
            }
        }
    }

    fn demand_shape(&self, solver: &mut Solver, scope: &Scope, options: &HistoryOptions) {
        let Scene { txns, keys, .. } = self.scene;
        for txn in 1..txns {
            let writes: Vec<Gate> = (0..keys).map(|key| self.scene.writes[key][txn]).collect();
            let reads: Vec<Gate> = (0..keys).map(|key| self.scene.reads[key][txn]).collect();
            let all = [writes.as_slice(), &reads].concat();
            match (options.read_only, options.empty) {
                (false, _) => solver.require_one(&writes),
                (true, false) => solver.require_one(&all),
                (true, true) => {}
            }
            if let Some(most) = options.operations {
                let few = at_most(&mut solver.circuit, &all, most);
                solver.require(few);
            }
            if !options.blind_writes {
                for (&writes, &reads) in writes.iter().zip(&reads) {
                    solver.require_one(&[!writes, reads]);
                }
            }
        }
        if let Some(values) = scope.values {
            for writers in &self.scene.writes {
                let few = at_most(&mut solver.circuit, &writers[1..], values.saturating_sub(1));
                solver.require(few);
            }
        }
    }

    /// Whether each key is used at all.
    pub(crate) fn used(&self, circuit: &mut Circuit) -> Vec<Gate> {
        let keys = self.scene.writes.iter().zip(&self.scene.reads);
        keys.map(|(writes, reads)| circuit.or(writes[1..].iter().chain(&reads[1..]).copied()))
            .collect()
    }

    /// All reads and writes.
    pub(crate) fn operations(&self) -> Vec<Gate> {
        let rows = self.scene.writes.iter().chain(&self.scene.reads);
        rows.flat_map(|row| row[1..].iter().copied()).collect()
    }

    /// The facts about one key, for telling keys apart.
    pub(crate) fn column(&self, key: usize) -> Vec<Gate> {
        let Scene { txns, .. } = self.scene;
        let mut column = self.scene.writes[key][1..].to_vec();
        for reader in 1..txns {
            column.extend((0..txns).map(|writer| self.scene.wr[key].at(writer, reader)));
        }
        column
    }

    /// The history that a model describes, transactions by their numbers.
    pub(crate) fn history(&self, model: &Model) -> AbstractHistory {
        let Scene { txns, keys, .. } = self.scene;
        AbstractHistory {
            keys: key_names(keys),
            txns: (1..txns).map(|txn| self.txn(model, txn)).collect(),
            sessions: self.sessions(model),
            events: self.events(model),
        }
    }

    fn txn(&self, model: &Model, txn: usize) -> AbstractTxn {
        let Scene { txns, keys, .. } = self.scene;
        let source = |key: usize| {
            (0..txns).find(|&writer| model.is_true(self.scene.wr[key].at(writer, txn)))
        };
        let mut reads: Vec<Read> =
            (0..keys).filter_map(|key| source(key).map(|from| Read { key, from })).collect();
        let po = &self.scene.po[txn];
        reads.sort_by_key(|read| {
            let earlier = |other: &usize| model.is_true(po.at(*other, read.key));
            ((0..keys).filter(earlier).count(), read.key)
        });
        let writes = |key: &usize| model.is_true(self.scene.writes[*key][txn]);
        let given = |place: &usize| model.is_true(self.scene.promised[*place][txn]);
        let strongest = (0..Promise::ALL.len()).rev().find(given);
        AbstractTxn {
            reads,
            writes: (0..keys).filter(writes).collect(),
            promise: strongest.map(|place| Promise::ALL[place]),
        }
    }

    fn sessions(&self, model: &Model) -> Vec<Vec<usize>> {
        let precedes = |a: usize, b: usize| model.is_true(self.scene.so.at(a, b));
        let mut sessions: Vec<Vec<usize>> = Vec::new();
        for txn in 1..self.scene.txns {
            let own = sessions
                .iter_mut()
                .find(|session| precedes(session[0], txn) || precedes(txn, session[0]));
            match own {
                Some(session) => {
                    let place = session.iter().filter(|&&other| precedes(other, txn)).count();
                    session.insert(place, txn);
                }
                None => sessions.push(vec![txn]),
            }
        }
        sessions
    }

    fn events(&self, model: &Model) -> Vec<Event> {
        let Some(time) = &self.time else { return Vec::new() };
        let txns = self.scene.txns;
        let begins = (1..txns).map(|txn| (begin(txn), Event::Begin(txn)));
        let commits = (1..txns).map(|txn| (commit(txns, txn), Event::Commit(txn)));
        let mut events: Vec<(usize, Event)> = begins.chain(commits).collect();
        let earlier = |place: usize| {
            (0..time.rows()).filter(|&other| model.is_true(time.at(other, place))).count()
        };
        events.sort_by_key(|(place, _)| earlier(*place));
        events.into_iter().map(|(_, event)| event).collect()
    }
}

/// For each key, the transactions that read it.
fn readers(circuit: &mut Circuit, txns: usize, wr: &[Matrix]) -> Vec<Vec<Gate>> {
    let mut of_key = |wr: &Matrix| {
        let from = |reader| (0..txns).map(move |writer| wr.at(writer, reader));
        (0..txns).map(|reader| circuit.or(from(reader))).collect()
    };
    wr.iter().map(&mut of_key).collect()
}

/// A relation of which the initial transaction is first.
fn initial_first(txns: usize, mut other: impl FnMut(usize, usize) -> Gate) -> Matrix {
    Matrix::new(txns, txns, |a, b| match (a, b) {
        _ if a == b => Gate::FALSE,
        (0, _) => Gate::TRUE,
        (_, 0) => Gate::FALSE,
        _ => other(a, b),
    })
}

/// The place of a begin among the events.
fn begin(txn: usize) -> usize {
    txn - 1
}

/// The place of a commit among the events.
fn commit(txns: usize, txn: usize) -> usize {
    txns - 1 + txn - 1
}

/// `rt`, `cc` and `bc`.
fn clock(txns: usize, time: Option<&Matrix>) -> [Matrix; 3] {
    let place = |event: Event| match event {
        Event::Begin(txn) => begin(txn),
        Event::Commit(txn) => commit(txns, txn),
    };
    let order = |first: fn(usize) -> Event, second: fn(usize) -> Event| {
        initial_first(txns, |a, b| {
            time.map_or(Gate::FALSE, |time| time.at(place(first(a)), place(second(b))))
        })
    };
    [
        order(Event::Commit, Event::Begin),
        order(Event::Commit, Event::Commit),
        order(Event::Begin, Event::Commit),
    ]
}

fn read_order(circuit: &mut Circuit, keys: usize, needs: Needs) -> Matrix {
    Matrix::new(keys, keys, |a, b| match needs.read_order && a != b {
        true => circuit.input(),
        false => Gate::FALSE,
    })
}

/// Every transaction was promised at least one level, if a level asks for promises.
fn promises(circuit: &mut Circuit, txns: usize, needs: Needs) -> Vec<Vec<Gate>> {
    let mut gate = |place: usize, txn: usize| match (needs.promises, place, txn) {
        (false, ..) | (_, _, 0) => Gate::FALSE,
        (true, 0, _) => Gate::TRUE,
        (true, ..) => circuit.input(),
    };
    (0..Promise::ALL.len()).map(|place| (0..txns).map(|txn| gate(place, txn)).collect()).collect()
}
