//! A proof as SMT-LIB, for solvers that share no code with ours.
//!
//! The script states the implication in full first-order logic: uninterpreted sorts for
//! transactions, keys and reads, everything that is known of histories, the checks of the stronger
//! level. Then every step of the proof is asked, and taken for granted afterwards:
//!
//! ```text
//!   (push) (assert (not step)) (check-sat) (pop)     ; must answer: unsat
//!   (assert step)
//! ```
//!
//! Steps are: that an order can begin with the initial transaction, the reasons for each fact about
//! a transitive closure, and at last each check of the weaker level. Transitive closures cannot be
//! said in first-order logic; here they are relations that contain what they close, are transitive,
//! and have a last step. That facts follow from their reasons is taken for granted.

mod history;
mod keys;
mod level;
mod relations;
mod writer;

use tristan_spec::iso::{Check, IsoLevel, Rel};

use crate::proof::Proof;
use writer::Writer;

/// A script in which every answer is `unsat` if the proof is right: one line of answer for each
/// of [`questions`].
pub fn implication(stronger: &IsoLevel, weaker: &IsoLevel, proof: &Proof) -> String {
    let mut writer = Writer::new(stronger, weaker, proof);
    writer.witnesses();
    writer.premises();
    for place in 0..proof.orders.len() {
        writer.order(place);
    }
    for fact in &proof.facts {
        writer.fact(fact);
    }
    for check in &weaker.checks {
        writer.goal(check);
    }
    writer.finish()
}

/// How many answers a solver gives to the script of an [`implication`].
pub fn questions(weaker: &IsoLevel, proof: &Proof) -> usize {
    let orders = proof.orders.iter().filter(|order| order.init_first).count();
    orders + proof.facts.len() + weaker.checks.len()
}

/// Whether a level speaks of single reads.
fn speaks_of_reads(checks: &[Check]) -> bool {
    use tristan_spec::iso::Given;
    let about_reads = |rel: &Rel| matches!(rel, Rel::Given(Given::Rd(_) | Given::Of | Given::Po));
    checks.iter().any(|check| check.any_rel(&about_reads))
}
