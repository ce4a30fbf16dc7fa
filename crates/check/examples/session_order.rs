//! Session order as a module on top of a level that ignores sessions.
#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use std::collections::BTreeMap;

use tristan_check::ir::{Edge, Ir, Reason, Unit};
use tristan_check::{Module, Options, Silent, asg::Asg, check, check_with};
use tristan_history::{HistoryBuilder, Outcome, TxnId};
use tristan_spec::{Catalog, Formula, Rel};
use tristan_verdict::Verdict;

/// Transactions of one session take effect in the order in which they were issued.
pub struct SessionOrder {
    /// What must hold now that sessions count.
    pub formula: Formula,
}

impl Module for SessionOrder {
    fn name(&self) -> &str {
        "session-order"
    }

    fn edit(&self, asg: &Asg<'_>, ir: &mut Ir) {
        ir.formula = self.formula.clone();
        let units: BTreeMap<TxnId, Unit> =
            Unit::enumerate(&ir.units).map(|(unit, info)| (info.txn, unit)).collect();
        for session in &asg.history.sessions {
            let mut previous = None;
            for txn in &session.txns {
                let Some(&to) = units.get(txn) else { continue };
                let reason = Reason::Module(self.name().to_owned());
                ir.edges.extend(previous.map(|from| Edge { from, to, rel: Rel::So, reason }));
                if asg.history.txn(*txn).outcome == Outcome::Committed {
                    previous = Some(to);
                }
            }
        }
    }

    fn assumption(&self) -> Option<String> {
        Some("a session's transactions take effect in order".to_owned())
    }
}

/// The verdicts without and with the module on a client that does not see its own write.
pub fn run() -> [Verdict; 2] {
    let mut builder = HistoryBuilder::default();
    builder.begin("alice").put("cart", 1).end(Outcome::Committed);
    builder.begin("alice").get("cart", None).end(Outcome::Committed);
    let (history, options) = (builder.finish(), Options::default());
    let level = Catalog::default().find("serializable").expect("it is in the library");
    let module = SessionOrder { formula: level.with_sessions.clone().expect("a plain level") };
    let with = check_with(&history, &level, &[&module], &options, &Silent).expect("a valid IR");
    [check(&history, &level, &options, &Silent).verdict, with.verdict]
}

fn main() {
    run().iter().for_each(|verdict| println!("{}", verdict.to_json()));
}
