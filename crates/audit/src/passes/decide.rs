//! One pass after the other, until one of them says something.

use std::rc::Rc;

use super::pass::{End, Pass, run_until};
use crate::error::Error;
use crate::explain::{Effort, Slice};
use crate::load::{Loaded, Loader, Source};
use crate::model::Time;
use crate::options::AuditOptions;
use crate::search::{Extent, Unexplained};
use crate::statement::Cone;
use crate::watched_budget::WatchedBudget;

/// Makes one pass after the other until one says something, or there is none left.
pub(crate) fn decide(
    source: Source<'_>,
    options: &AuditOptions,
    budget: &WatchedBudget<'_>,
    efforts: impl Iterator<Item = Effort>,
) -> Result<(Pass, Effort), Error> {
    let mut stuck: Option<Stuck> = None;
    let mut last = None;
    for effort in efforts {
        let extent = match (&stuck, effort.sliced) {
            (_, None) => Extent::default(),
            (Some(stuck), Some(slice)) => match stuck.extent(slice) {
                Some(extent) => extent,
                None => continue,
            },
            (None, Some(_)) => continue,
        };
        budget.enter(effort.name());
        let mut pass = run_until(source, options, effort, budget, extent)?;
        pass.explained = stuck.as_ref().map_or(0, |stuck| stuck.explained).max(pass.explained);
        let goes_on = match &pass.end {
            End::Unexplained(_) if effort.stamped => true,
            End::Unexplained(unexplained) if !effort.full => {
                let (txn, runs) = (unexplained.task.txn.number, pass.search.notes.runs.get());
                let cone = cone(source, options, unexplained, budget)?.map(Rc::new);
                let (explained, by) = (pass.explained, unexplained.task.hi);
                stuck = Some(Stuck { txn, runs, explained, by, cone });
                true
            }
            End::Unexplained(_) => effort.stops_at_cut() && pass.search.notes.untried().is_some(),
            End::Explained | End::Late => effort.sliced.is_some(),
            End::Cut => true,
            End::Unsupported { .. } => false,
        };
        last = Some((pass, effort));
        if !goes_on {
            break;
        }
    }
    Ok(last.expect("the first pass needs no slice"))
}

/// Where a pass got stuck, how many statements it had carried out, and how many transactions explained.
struct Stuck {
    txn: u64,
    runs: u64,
    explained: u64,
    /// When the transaction was over: whoever begins later has nothing to do with it.
    by: Time,
    cone: Option<Rc<Cone>>,
}

impl Stuck {
    /// What is looked at to see whether nothing explains this.
    fn extent(&self, slice: Slice) -> Option<Extent> {
        let runs = Some(200_000 + 50 * self.runs);
        let extent = Extent { runs, by: Some(self.by), ..Extent::default() };
        Some(match slice {
            Slice::Cone => {
                Extent { reader: Some(self.txn), cone: Some(self.cone.clone()?), ..extent }
            }
            Slice::ConeWithReaders => Extent { cone: Some(self.cone.clone()?), ..extent },
            Slice::Writers => Extent { reader: Some(self.txn), ..extent },
        })
    }
}

/// The rows that a mistake is about: those that the statement looks at that nothing explains.
fn cone(
    source: Source<'_>,
    options: &AuditOptions,
    unexplained: &Unexplained,
    budget: &WatchedBudget<'_>,
) -> Result<Option<Cone>, Error> {
    let Some(reach) = unexplained.step().and_then(|step| unexplained.task.reach_of(step)) else {
        return Ok(None);
    };
    let (mut loader, mut sql) = Loader::open(source, options)?;
    let mut writers = Vec::new();
    while let Some(loaded) = loader.next(&mut sql)? {
        if budget.is_up() {
            return Ok(None);
        }
        let Loaded::Task(task) = loaded else { continue };
        if task.begin > unexplained.task.hi {
            break;
        }
        writers.extend(task.writers().cloned());
    }
    Ok(Cone::of(reach, &writers))
}
