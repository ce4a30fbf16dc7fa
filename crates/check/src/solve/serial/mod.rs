//! Serial: look for one serial execution instead of deciding reads one by one.
//!
//! Where few values are written again and again, nearly every write is a possible source of a read:
//! little can be derived, and a guess that fixes thousands of sources at once is almost certainly wrong
//! for some of them. But a serial execution can be looked for as a whole, in ways that complement
//! each other:
//!
//! * [`replay`] runs the transactions one after the other and goes back where none can run. It is
//!   strong where what each of them read leaves few ways to go on.
//! * [`rearrange`] begins with any order and moves transactions until every read sees what it saw. It
//!   is strong where there are very many serial executions.
//! * [`restore`] does the same where the source of every read is known, but neither sessions nor anything
//!   else says where transactions belong: it finds their order on a large scale first.
//!
//! What saturation derived holds for every witness, so it prunes the first two. A witness is tested
//! like any other; without one, nothing is concluded. All do a bounded number of steps, so the same problem
//! always has the same outcome.

mod lanes;
mod rearrange;
mod replay;
mod restore;
mod seriation;
mod store;
mod timeline;
mod visible;

use tristan_ground::Threads;

use super::assignment::Assignment;
use super::context::Context;
use super::flat_lists::FlatLists;
use super::graph::Graph;
use super::versions::Versions;
use super::{promising, total};
use crate::automaton::Automaton;
use crate::budget::{Budget, Limits, Stop};
use crate::ir::{Ir, OrderId, Read, ReadId, Source, Unit};
use visible::Visible;

/// If fewer than one in so many units has an open read, sources are decided one by one instead.
const FEW: usize = 8;

/// Problems with fewer units are decided quickly without this.
const SMALL: usize = 64;

/// A witness that is one serial execution, if a replay leads to one and many reads are open.
///
/// # Errors
/// If the budget is used up.
pub(super) fn replayed(context: &Context<'_>, budget: &Budget) -> Result<Option<Assignment>, Stop> {
    let units = context.ir.units.len();
    if units < SMALL || !is_applicable(context) || FEW * open_reads(context) < units {
        return Ok(None);
    }
    let visible = &Visible::new(context);
    let order = replay::order_of(context, visible, budget)?;
    Ok(order.and_then(|order| tested(context, visible, &order)))
}

/// How many reads have several possible sources, as far as anything was derived.
fn open_reads(context: &Context<'_>) -> usize {
    let ambiguous = |(_, read): &(ReadId, &Read)| read.sources.len() > 1;
    let reads = ReadId::enumerate(&context.ir.reads).filter(ambiguous);
    let is_open =
        |id: ReadId| context.saturated.is_none_or(|known| known.fixed[id.index()].is_none());
    reads.filter(|&(id, _)| is_open(id)).count()
}

/// The same for a problem of which nothing was derived yet, by [`rearrange`].
///
/// # Errors
/// If the budget is used up.
pub(crate) fn rearranged(
    ir: &Ir,
    threads: Threads,
    budget: &Budget,
) -> Result<Option<Assignment>, Stop> {
    let (automaton, versions) = (&Automaton::compile(&ir.formula), &Versions::new(ir));
    let known = &Graph::known(ir, automaton);
    let context = &Context { ir, automaton, known, versions, saturated: None, threads };
    // Helpers stand for times. Moves do not respect what they order.
    if ir.units.len() < SMALL || !is_applicable(context) || known.nodes() > ir.units.len() {
        return Ok(None);
    }
    let visible = &Visible::new(context);
    let order = rearrange::order_of(context, visible, budget)?;
    Ok(order.and_then(|order| tested(context, visible, &order)))
}

/// A witness that is one serial execution of a problem in which nothing but reads orders the units, by
/// [`restore`].
///
/// # Errors
/// If the budget is used up.
pub(crate) fn restored(
    ir: &Ir,
    threads: Threads,
    budget: &Budget,
) -> Result<Option<Assignment>, Stop> {
    let (automaton, versions) = (&Automaton::compile(&ir.formula), &Versions::new(ir));
    let known = &Graph::known(ir, automaton);
    let context = &Context { ir, automaton, known, versions, saturated: None, threads };
    let is_free = ir.edges.is_empty() && known.nodes() == ir.units.len();
    // Where the first guess is probably a witness, there is nothing to restore.
    if ir.units.len() < SMALL || !is_applicable(context) || !is_free || promising(context) {
        return Ok(None);
    }
    let visible = &Visible::new(context);
    // What is not found in most of the time that is left is looked for in other ways.
    let most = budget.left().map(|left| left / 4 * 3);
    let within = &budget.within(&Limits { time: most, ..Limits::default() });
    let order = match restore::order_of(context, visible, within) {
        Err(Stop::Time) if budget.check().is_ok() => None,
        order => order?,
    };
    Ok(order.and_then(|order| tested(context, visible, &order)))
}

/// Whether the level has one place for each unit, all units ran, and every read may have seen something.
fn is_applicable(context: &Context<'_>) -> bool {
    let Context { ir, automaton, .. } = context;
    automaton.states() == 1
        && ir.units.iter().all(|unit| unit.sure)
        && ir.reads.iter().all(|read| !read.sources.is_empty())
}

/// The units in an order, if that is a witness.
fn tested(context: &Context<'_>, visible: &Visible<'_>, order: &[Unit]) -> Option<Assignment> {
    let assignment = executed(context, visible, order);
    let is_possible = |(read, source): (&Read, &Option<Source>)| {
        source.is_some_and(|source| read.sources.binary_search(&source).is_ok())
    };
    let explains = context.ir.reads.iter().zip(&assignment.sources).all(is_possible);
    (explains && total::conflicts(context, &assignment, None).is_empty()).then_some(assignment)
}

/// The sources and versions of an execution.
fn executed(context: &Context<'_>, visible: &Visible<'_>, order: &[Unit]) -> Assignment {
    let Context { ir, versions, .. } = *context;
    let mut sources: Vec<Option<Source>> = vec![None; ir.reads.len()];
    let mut current = vec![Source::Initial; ir.orders.len()];
    let mut place = vec![0u32; ir.units.len()];
    for (at, &unit) in (0..).zip(order) {
        place[unit.index()] = at;
        for &read in visible.reads_of(unit) {
            sources[read.index()] = Some(current[visible.order(read).index()]);
        }
        for written in versions.of_unit(unit) {
            current[written.order.index()] = Source::Unit(unit);
        }
    }
    let mut assignment = Assignment::settle(ir, sources);
    let mut in_order: FlatLists<OrderId, Unit> =
        FlatLists::with_capacity(ir.orders.len(), versions.count());
    for order in &ir.orders {
        let mut writers = order.writers.to_vec();
        writers.sort_unstable_by_key(|unit| place[unit.index()]);
        in_order.push(writers.into_iter());
    }
    assignment.versions = in_order;
    assignment
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sat::Batsat;
    use crate::solve::refine::{Helped, refine};
    use crate::solve::saturate;
    use crate::solve::solution::Solution;
    use crate::solve::trials::each_problem;

    #[test]
    fn an_execution_never_contradicts_a_refutation() {
        let budget = Budget::default();
        let levels = ["serializable", "strong-session-serializable", "strong-serializable"];
        let (mut found, mut missed) = (0, 0);
        each_problem(947, &levels, |context, which| {
            let saturated = saturate::saturate(context, &budget).expect("there is no limit");
            let solution = refine::<Batsat>(context, Helped::default(), &budget, &|_| ());
            let is_accepted = matches!(solution, Ok(Solution::Witness(_)));
            let derived = Some(&saturated).filter(|known| known.contradictions.is_empty());
            for saturated in [None, derived] {
                let context = Context { saturated, ..*context };
                if !is_applicable(&context) {
                    continue;
                }
                let visible = &Visible::new(&context);
                let orders = [
                    replay::order_of(&context, visible, &budget),
                    rearrange::order_of(&context, visible, &budget),
                    restore::order_of(&context, visible, &budget),
                ];
                let orders = orders.map(|order| order.expect("there is no limit"));
                let mut tested = orders.into_iter().map(|order| tested(&context, visible, &order?));
                let execution = tested.find_map(|one| one);
                assert!(is_accepted || execution.is_none(), "{which}");
                found += usize::from(execution.is_some());
                missed += usize::from(is_accepted && execution.is_none());
            }
        });
        assert!(found > 200 && missed < found / 4, "{found} found, {missed} missed");
    }
}
