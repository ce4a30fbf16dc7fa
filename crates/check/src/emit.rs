//! What the solver is given, as text: the IR, and the same problem in SMT-LIB 2.
//!
//! ```text
//!   History + Level ──► asg ──► lower ──► Ir ──► text
//!                                          └─► constants ──► relations ──► formula ──► SMT-LIB 2
//! ```
//!
//! The script is written straight from the relational formula, not from the automaton the solver
//! compiles it to, so an SMT solver that reads it is an independent judge of everything after
//! lowering. That is its purpose: it names every pair of transactions and expands compositions
//! over all transactions between, so its size grows with the cube of their number. Nothing is
//! refused; a script of a million transactions fills the disk.

mod constants;
mod formula;
mod matrix;
mod relations;
mod script;
mod term;

use tristan_history::History;
use tristan_spec::Level;

use crate::asg::integrity::first_bad;
use crate::asg::{Asg, BadRead, PromiseError};
use crate::ir::{Ir, text};
use crate::lower;
use crate::options::{Options, Pass};
use crate::resolution::Resolution;
use constants::Constants;
use script::Script;

/// The text form of the problem the level poses on the trace. If operations may or may not have
/// taken effect, comments say which of them are taken to have.
///
/// # Errors
/// If the level asks what transactions were promised and the trace does not say so.
pub fn ir(history: &History, level: &Level, options: &Options) -> Result<String, PromiseError> {
    let resolution = Resolution::of(options.interpretation.apply(history));
    let asg = Asg::for_level(&resolution.history, level, options.threads())?;
    let comments = resolution.told().into_iter().map(|line| format!("; {line}\n"));
    Ok(comments.collect::<String>() + &text::print(&problem(&asg, level, options)))
}

/// The same problem as an SMT-LIB 2 script: satisfiable exactly if the level accepts.
///
/// A read that nothing explains makes it unsatisfiable. If a comment says that some operations
/// are not interpreted, satisfiable means only that the others are accepted. If a comment names
/// operations that may or may not have taken effect, the script is about the fates that it states:
/// unsatisfiable says nothing about other fates.
///
/// # Errors
/// If the level asks what transactions were promised and the trace does not say so.
pub fn smt2(history: &History, level: &Level, options: &Options) -> Result<String, PromiseError> {
    let resolution = Resolution::of(options.interpretation.apply(history));
    let asg = Asg::for_level(&resolution.history, level, options.threads())?;
    let ir = problem(&asg, level, options);
    let mut script = Script::default();
    describe(&asg, level, options, &ir, &mut script);
    resolution.told().iter().for_each(|line| script.comment(line));
    script.line("(set-logic QF_LIA)");
    if let Some(bad) = first_bad(&asg, level.reads) {
        refuse(&asg, bad, &mut script);
    }
    let constants = Constants::declare(&ir, &mut script);
    formula::require(&ir, &constants, &mut script);
    script.line("(check-sat)");
    Ok(script.finish())
}

/// The whole problem, with nothing left out.
fn problem(asg: &Asg<'_>, level: &Level, options: &Options) -> Ir {
    lower::lower(asg, level, &options.without(Pass::Merge))
}

fn describe(asg: &Asg<'_>, level: &Level, options: &Options, ir: &Ir, script: &mut Script) {
    script.comment(&format!("{} at {}", text::quoted(&options.trace_name), level.name));
    script.comment(&format!("formula {}", ir.formula));
    script.comment("Satisfiable exactly if the level accepts the trace.");
    for what in &asg.unsupported {
        script.comment(&format!("Not interpreted: {}", text::quoted(what)));
    }
    for (index, unit) in ir.units.iter().enumerate() {
        script.comment(&format!("unit {index} is transaction {}", unit.txn.0));
    }
    for (index, order) in ir.orders.iter().enumerate() {
        script.comment(&format!("order {index} is key {}", text::quoted(&order.key.to_string())));
    }
}

fn refuse(asg: &Asg<'_>, bad: BadRead, script: &mut Script) {
    let key = text::quoted(&asg.history.key(bad.key).to_string());
    let BadRead { txn, op, kind, .. } = bad;
    script.comment(&format!("Transaction {}, operation {op}: {kind:?} read of {key}.", txn.0));
    script.assert("false");
}
