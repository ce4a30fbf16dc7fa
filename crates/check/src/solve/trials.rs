//! Random problems on which the tests of the solver try its parts.

use tristan_generate::Rng;
use tristan_ground::Threads;
use tristan_oracle::random::{self, RandomShape};
use tristan_spec::Catalog;

use super::context::Context;
use super::graph::Graph;
use super::versions::Versions;
use crate::asg::Asg;
use crate::automaton::Automaton;
use crate::lower::lower;
use crate::options::Options;

/// How many random histories there are.
const HISTORIES: usize = 200;

/// Calls `judge` with the problem that each level poses on each history, and with words that tell which
/// one it is.
pub(super) fn each_problem(seed: u64, levels: &[&str], mut judge: impl FnMut(&Context<'_>, &str)) {
    let (mut rng, threads) = (Rng::new(seed), Threads::new(1));
    let levels = levels.iter().map(|name| Catalog::default().find(name).expect(name));
    let levels: Vec<_> = levels.collect();
    for round in 0..HISTORIES {
        let history = random::history(&mut rng, RandomShape::default());
        let asg = Asg::build(&history, threads);
        for level in &levels {
            let ir = &lower(&asg, level, &Options::default());
            let automaton = &Automaton::compile(&ir.formula);
            let (known, versions) = (&Graph::known(ir, automaton), &Versions::new(ir));
            let context = Context { ir, automaton, known, versions, saturated: None, threads };
            judge(&context, &format!("seed {seed}, round {round}, {}", level.name));
        }
    }
}
