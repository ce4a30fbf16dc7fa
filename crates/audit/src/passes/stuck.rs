//! Where a pass got stuck, and whether that is the fault of the database.

use std::rc::Rc;

use super::pass::{End, Pass};
use super::run::Run;
use crate::error::Error;
use crate::explain::{Effort, Slice};
use crate::load::{Loaded, Loader};
use crate::model::Time;
use crate::search::{Extent, Unexplained};
use crate::statement::{Cone, Reach};

/// How many transactions before a place are tried in all orders to mend it, from few to many.
pub(super) const LENGTHS: [usize; 6] = [8, 16, 32, 64, 128, 256];

/// Where a pass got stuck.
#[derive(Clone, Debug)]
pub(super) struct Stuck {
    /// The transaction that nothing explained.
    pub(super) txn: u64,
    /// How many statements a quick look at it may carry out.
    pub(super) few_runs: u64,
    /// How many statements a pass may carry out to see whether something explains it.
    pub(super) most_runs: u64,
    /// When the transaction was over: one that begins later cannot have affected it.
    pub(super) by: Time,
    /// What its statement may look at that nothing explained.
    reach: Option<Reach>,
    /// When the transactions began that came so many before it.
    pub(super) since: [Time; LENGTHS.len()],
}

impl Stuck {
    pub(super) fn of(pass: &Pass, unexplained: &Unexplained) -> Self {
        let task = &unexplained.task;
        let runs = pass.search.notes.runs.get();
        Self {
            txn: task.txn.number,
            few_runs: 4_000 + 8 * runs,
            most_runs: 200_000 + 50 * runs,
            by: task.hi,
            reach: unexplained.step().and_then(|step| task.reach_of(step)).cloned(),
            since: LENGTHS.map(|length| pass.search.begin_before(task.serial, length)),
        }
    }

    /// What is looked at to see whether nothing explains this.
    fn extent(&self, slice: Slice, cone: Option<&Rc<Cone>>, most_runs: u64) -> Option<Extent> {
        let extent = Extent { runs: Some(most_runs), by: Some(self.by), ..Extent::default() };
        Some(match slice {
            Slice::Cone => {
                Extent { reader: Some(self.txn), cone: Some(Rc::clone(cone?)), ..extent }
            }
            Slice::ConeWithReaders => Extent { cone: Some(Rc::clone(cone?)), ..extent },
            Slice::Writers => Extent { reader: Some(self.txn), ..extent },
            Slice::Rows => return None,
        })
    }

    /// The rows that a mistake is about: those that the statement looks at that nothing explains.
    fn cone(&self, run: &Run<'_>) -> Result<Option<Cone>, Error> {
        let Some(reach) = &self.reach else { return Ok(None) };
        let (mut loader, mut sql) = Loader::open(run.source, run.options)?;
        let mut writers = Vec::new();
        while let Some(loaded) = loader.next(&mut sql)? {
            if run.budget.is_up() {
                return Ok(None);
            }
            let Loaded::Task(task) = loaded else { continue };
            if task.begin > self.by {
                break;
            }
            writers.extend(task.writers().cloned());
        }
        Ok(Cone::of(reach, &writers))
    }
}

/// A pass over a part of the log that nothing explains, if one shows that without carrying out more than so many
/// statements.
pub(super) fn refute(
    run: &Run<'_>,
    stuck: &Stuck,
    most_runs: u64,
) -> Result<Option<(Pass, Effort)>, Error> {
    refute_by(run, stuck, &[Slice::Cone, Slice::ConeWithReaders, Slice::Writers], most_runs)
}

/// The same in a quick look at what matters to the rows that the mistake is about.
pub(super) fn refute_rows(run: &Run<'_>, stuck: &Stuck) -> Result<Option<(Pass, Effort)>, Error> {
    refute_by(run, stuck, &[Slice::Cone, Slice::ConeWithReaders], stuck.few_runs)
}

fn refute_by(
    run: &Run<'_>,
    stuck: &Stuck,
    slices: &[Slice],
    most_runs: u64,
) -> Result<Option<(Pass, Effort)>, Error> {
    let cone = stuck.cone(run)?.map(Rc::new);
    for &slice in slices {
        let Some(extent) = stuck.extent(slice, cone.as_ref(), most_runs) else { continue };
        let effort = Effort::slice(slice);
        let pass = run.pass(effort, extent)?;
        if pass.says_something(effort) {
            return Ok(Some((pass, effort)));
        }
    }
    Ok(None)
}

impl Pass {
    /// Whether a pass of this effort decides the matter.
    pub(super) fn says_something(&self, effort: Effort) -> bool {
        let cut = effort.stops_at_cut() && self.search.notes.untried().is_some();
        match &self.end {
            End::Explained | End::Late => effort.sliced.is_none(),
            End::Unexplained(unexplained) => {
                unexplained.impossible.is_some() || effort.full && !cut
            }
            End::Cut => false,
            End::Unsupported { .. } => true,
        }
    }
}
