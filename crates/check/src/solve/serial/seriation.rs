//! Seriation: an order of all units from nothing but who read from whom.
//!
//! A version is read until it is overwritten, so writer and reader are rarely far apart. Reads are springs
//! between the two, stronger on keys that are written more often, and the units are stretched along a line
//! so that the springs pull least: the eigenvector of the second least eigenvalue of the graph's Laplacian
//! (Fiedler; Atkins, Boman, Hendrickson, *A spectral algorithm for seriation*, 1998). It is found by
//! inverse iteration, each step of which is solved by conjugate gradients.
//!
//! The line may run backward in time. Which end comes first is for the caller to find out.

use tristan_ground::scrambled;

use super::super::context::Context;
use crate::budget::{Budget, Stop};
use crate::ir::{Ir, Source, Unit};

/// How many steps of inverse iteration are made.
const STEPS: usize = 6;

/// How many steps of conjugate gradients each of them takes, at most.
const GRADIENTS: usize = 60;

/// A step is solved if the error has shrunk to this part.
const PRECISE: f64 = 1e-6;

/// The units along the line.
///
/// # Errors
/// If the budget is used up.
pub(super) fn order_of(context: &Context<'_>, budget: &Budget) -> Result<Vec<Unit>, Stop> {
    let springs = Springs::of(context);
    let units = 0..context.ir.units.len() as u64;
    let mut line: Vec<f64> = units.map(|unit| (scrambled(unit) >> 32) as f64).collect();
    for _ in 0..STEPS {
        springs.centre(&mut line);
        let pulled: Vec<f64> = line
            .iter()
            .zip(&springs.stiffness)
            .map(|(place, stiffness)| place * stiffness)
            .collect();
        line = springs.relaxed(pulled, budget)?;
        let length = dot(&line, &line).sqrt().max(f64::MIN_POSITIVE);
        line.iter_mut().for_each(|place| *place /= length);
    }
    let mut order: Vec<Unit> = Unit::all(line.len()).collect();
    order.sort_by(|a, b| line[a.index()].total_cmp(&line[b.index()]));
    Ok(order)
}

/// A pull between two units.
struct Spring {
    writer: usize,
    reader: usize,
    strength: f64,
}

/// The springs between all units.
struct Springs {
    all: Vec<Spring>,
    /// How strongly each unit is pulled at, all in all.
    stiffness: Vec<f64>,
    /// The connected part that each unit belongs to.
    part: Vec<usize>,
}

impl Springs {
    fn of(context: &Context<'_>) -> Self {
        let ir = context.ir;
        let (all, count) = (springs(ir), ir.units.len());
        let mut stiffness = vec![0.0; count];
        let mut part: Vec<usize> = (0..count).collect();
        for &Spring { writer, reader, strength } in &all {
            stiffness[writer] += strength;
            stiffness[reader] += strength;
            let (one, other) = (root(&mut part, writer), root(&mut part, reader));
            part[one.max(other)] = one.min(other);
        }
        let part = (0..count).map(|unit| root(&mut part, unit)).collect();
        Self { all, stiffness, part }
    }

    /// Moves every connected part so that its centre is 0: parts are not to be told apart.
    fn centre(&self, line: &mut [f64]) {
        let mut sums = vec![(0.0, 0.0); line.len()];
        for (unit, &part) in self.part.iter().enumerate() {
            sums[part].0 += line[unit] * self.stiffness[unit];
            sums[part].1 += self.stiffness[unit];
        }
        for (unit, &part) in self.part.iter().enumerate() {
            let (sum, weight) = sums[part];
            line[unit] = if weight > 0.0 { line[unit] - sum / weight } else { 0.0 };
        }
    }

    /// How all springs pull if the units are at these places.
    fn pulls(&self, line: &[f64]) -> Vec<f64> {
        let mut pulls = vec![0.0; line.len()];
        for &Spring { writer, reader, strength } in &self.all {
            let pull = strength * (line[reader] - line[writer]);
            pulls[reader] += pull;
            pulls[writer] -= pull;
        }
        pulls
    }

    /// Where the units are if they are pulled at like this, by conjugate gradients.
    fn relaxed(&self, pulled: Vec<f64>, budget: &Budget) -> Result<Vec<f64>, Stop> {
        let scaled = |left: &[f64]| -> Vec<f64> {
            let parts = left.iter().zip(&self.stiffness);
            parts
                .map(|(left, &stiffness)| if stiffness > 0.0 { left / stiffness } else { 0.0 })
                .collect()
        };
        let mut line = vec![0.0; pulled.len()];
        let mut left = pulled;
        let mut way = scaled(&left);
        let mut error = dot(&left, &way);
        let enough = error * PRECISE;
        for _ in 0..GRADIENTS {
            if error <= enough {
                break;
            }
            budget.check()?;
            let pulls = self.pulls(&way);
            let step = error / dot(&way, &pulls);
            add(&mut line, step, &way);
            add(&mut left, -step, &pulls);
            let next = scaled(&left);
            let smaller = dot(&left, &next);
            for (way, next) in way.iter_mut().zip(next) {
                *way = next + *way * smaller / error;
            }
            error = smaller;
        }
        Ok(line)
    }
}

/// A spring for every read whose source is known.
fn springs(ir: &Ir) -> Vec<Spring> {
    let mut all = Vec::new();
    for read in &ir.reads {
        if let [Source::Unit(writer)] = read.sources[..] {
            let often = ir.orders[read.order.index()].writers.len() as f64;
            let (writer, reader) = (writer.index(), read.unit.index());
            all.push(Spring { writer, reader, strength: often * often });
        }
    }
    all
}

/// Goes some steps along a way.
fn add(line: &mut [f64], steps: f64, way: &[f64]) {
    line.iter_mut().zip(way).for_each(|(place, way)| *place += steps * way);
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

fn root(part: &mut [usize], mut one: usize) -> usize {
    while part[one] != one {
        part[one] = part[part[one]];
        one = part[one];
    }
    one
}

#[cfg(test)]
mod tests {
    use tristan_generate::Workload;
    use tristan_ground::Threads;
    use tristan_spec::Catalog;

    use super::*;
    use crate::asg::Asg;
    use crate::automaton::Automaton;
    use crate::lower::lower;
    use crate::options::{Options, Passes};
    use crate::solve::graph::Graph;
    use crate::solve::versions::Versions;

    #[test]
    fn who_read_from_whom_shows_the_order() {
        let blind = Workload::named("blindw-rw").expect("a known name");
        let history = Workload { txns: 2000, keys: 400, ..blind }.run();
        let (asg, threads) = (Asg::build(&history, Threads::new(1)), Threads::new(1));
        let level = Catalog::default().find("serializable").expect("a level");
        // Units are numbered as the trace lists them, which is the order of commits.
        let ir = &lower(&asg, &level, &Options { passes: Passes::only(&[]), ..Options::default() });
        let automaton = &Automaton::compile(&ir.formula);
        let (known, versions) = (&Graph::known(ir, automaton), &Versions::new(ir));
        let context = Context { ir, automaton, known, versions, saturated: None, threads };
        let order = order_of(&context, &Budget::default()).expect("there is no limit");
        let apart = |(at, unit): (usize, &Unit)| at.abs_diff(unit.index());
        let forward: usize = order.iter().enumerate().map(apart).sum();
        let backward: usize = order.iter().rev().enumerate().map(apart).sum();
        let average = forward.min(backward) / order.len();
        assert!(average < order.len() / 20, "{average}");
    }
}
