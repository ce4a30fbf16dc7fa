//! Lowering: from what the trace says to the problem one level poses.
//!
//! ```text
//!   Asg + Level ──► units ──► read and version superpositions ──► orders ──► Ir
//! ```
//!
//! One file per dependency. What the level's formula does not mention is not lowered.

mod alignment;
pub(crate) mod hints;
pub(crate) mod likely_order;
pub(crate) mod list_order;
mod merge;
pub(crate) mod read_dependency;
pub(crate) mod session_order;
pub(crate) mod version_order;

use tristan_history::{KeyId, Txn, TxnId};
use tristan_spec::{Level, ReadRule, Rel};

use crate::asg::{Asg, Effect};
use crate::automaton::Automaton;
use crate::budget::{Budget, Stop};
use crate::ir::{Ir, OrderId, Times, Unit, UnitInfo, known_times};
use crate::options::Options;
use crate::options::Pass;
use likely_order::{Precision, likely_order};

/// Numbers the transactions that take part, and the keys that matter.
pub(crate) struct Numbering {
    units: Vec<Option<Unit>>,
    /// The keys that have an order, ascending.
    keys: Vec<KeyId>,
    /// Per key, its order, or [`NO_ORDER`].
    orders: Vec<OrderId>,
}

/// Instead of a number: nothing follows from the versions of a key.
const NO_ORDER: OrderId = OrderId(u32::MAX);

impl Numbering {
    /// The numbering a problem was made with.
    pub(crate) fn of(asg: &Asg<'_>, ir: &Ir) -> Self {
        let mut units = vec![None; asg.history.txns.len()];
        for (unit, info) in Unit::enumerate(&ir.units) {
            units[info.txn.index()] = Some(unit);
        }
        Self::new(asg, units)
    }

    fn new(asg: &Asg<'_>, units: Vec<Option<Unit>>) -> Self {
        let keys = version_order::keys(asg);
        let mut orders = vec![NO_ORDER; asg.history.keys.len()];
        for (order, key) in OrderId::enumerate(&keys) {
            orders[key.index()] = order;
        }
        Self { units, keys, orders }
    }

    pub(crate) fn unit(&self, txn: TxnId) -> Option<Unit> {
        self.units[txn.index()]
    }

    /// The order of a key, if it has one: those that were read do.
    pub(crate) fn order(&self, key: KeyId) -> Option<OrderId> {
        Some(self.orders[key.index()]).filter(|&order| order != NO_ORDER)
    }

    /// The order of a key that was read.
    pub(crate) fn order_read(&self, key: KeyId) -> OrderId {
        self.order(key).expect("a key that was read has an order")
    }

    /// The key of an order.
    pub(crate) fn key(&self, order: OrderId) -> KeyId {
        self.keys[order.index()]
    }
}

/// The problem `level` poses on the trace.
pub(crate) fn lower(asg: &Asg<'_>, level: &Level, options: &Options) -> Ir {
    lower_within(asg, level, options, &Budget::default()).expect("there is no limit")
}

/// The same, as long as the budget allows.
///
/// # Errors
/// If the budget is used up.
pub(crate) fn lower_within(
    asg: &Asg<'_>,
    level: &Level,
    options: &Options,
    budget: &Budget,
) -> Result<Ir, Stop> {
    budget.check()?;
    let mut ir = Ir {
        formula: level.formula.clone(),
        units: Vec::new(),
        times: Vec::new(),
        edges: Vec::new(),
        reads: Vec::new(),
        orders: Vec::new(),
        drift: options.drift,
        merged: false,
    };
    let all_dirty = level.reads == ReadRule::Dirty;
    let likely = options.passes.has(Pass::Guess).then(|| Precision::needed(level));
    let numbering = Numbering::new(asg, number_units(asg, all_dirty, likely, &mut ir));
    budget.check()?;
    version_order::lower(asg, &numbering, &mut ir);
    budget.check()?;
    if level.reads != ReadRule::Dirty {
        ir.merged = level.reads == ReadRule::Committed
            && options.passes.has(Pass::Merge)
            && asg.has_ranges
            && Automaton::compile(&level.formula).carries_sessions();
        read_dependency::lower(asg, &numbering, &mut ir);
        budget.check()?;
        list_order::lower(asg, &numbering, &mut ir);
    }
    if level.reads != ReadRule::Committed {
        let dirty = |txn: TxnId| all_dirty || asg.reads_dirty(txn);
        read_dependency::lower_dirty(asg, &numbering, dirty, &mut ir);
        list_order::lower_dirty(asg, &numbering, dirty, &mut ir);
    }
    if ir.uses(Rel::So) {
        session_order::lower(asg.history, &numbering, &mut ir);
    }
    budget.check()?;
    Ok(ir)
}

/// Where all reads may be dirty nothing shows that an unknown transaction took effect.
fn number_units(
    asg: &Asg<'_>,
    all_dirty: bool,
    likely: Option<Precision>,
    ir: &mut Ir,
) -> Vec<Option<Unit>> {
    let history = asg.history;
    let mut units = vec![None; history.txns.len()];
    let order = match likely {
        Some(precision) => likely_order(asg, precision),
        None => history.txn_ids().collect(),
    };
    for txn in order {
        let committed = history.txn(txn).outcome == tristan_history::Outcome::Committed;
        let effect = asg.effect[txn.index()];
        if effect == Effect::None || all_dirty && !committed {
            continue;
        }
        units[txn.index()] = Some(Unit::new(ir.units.len()));
        ir.units.push(UnitInfo {
            txn,
            sure: effect == Effect::Sure,
            unknown: !committed,
            reads: false,
            writes: false,
            promise: asg.promises.get(txn.index()).copied(),
        });
    }
    ir.times = known_times(ir.units.iter().map(|unit| times(history.txn(unit.txn))));
    units
}

fn times(record: &Txn) -> Times {
    Times {
        begin_from: record.begin().call,
        begin_by: record.begun_by(),
        end_from: record.ended_from(),
        end_by: record.ended_by(),
    }
}

/// Whether the level's definition looks at the clock.
pub(crate) fn uses_clock(level: &Level) -> bool {
    let clock = [Rel::Rt, Rel::CommitOrder, Rel::BeginCommit];
    let mentions = |rel: Rel| level.formula.constraints.iter().any(|one| one.expr().mentions(rel));
    clock.into_iter().any(mentions)
}
