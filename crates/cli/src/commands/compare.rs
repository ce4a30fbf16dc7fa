//! `tristan compare`: which of two levels implies the other, and what tells them apart.

use serde_json::{Value, json};
use tristan_report::comparison::{self, Comparison, ComparisonAnswer};
use tristan_spec::iso::IsoLevel;
use tristan_synth::{ComparisonPlan, Implication};

use super::written::{self, separation};
use crate::args::CompareArgs;
use crate::exit::{CommandError, Exit};
use crate::kinds::WrittenKind;
use crate::limits;
use crate::output::Output;

pub(super) fn run(args: &CompareArgs, out: &mut Output) -> Result<Exit, CommandError> {
    let library = written::library(&args.files)?;
    let one = written::level(&library, &args.one)?;
    let other = written::level(&library, &args.other)?;
    let mut to = written::open(&args.to)?;
    limits::on_overrun_of("compare", to.forms());
    let about = format!("{} and {}", one.name, other.name);
    let progress = written::progress(&args.scope, "levels", about);
    let comparison = Comparison {
        one: one.name.clone(),
        other: other.name.clone(),
        forward: implies(args, &one, &other)?,
        backward: implies(args, &other, &one)?,
    };
    drop(progress);
    to.write(out, WrittenKind::Text, |style| comparison::text(&comparison, style))?;
    to.write(out, WrittenKind::Json, |_| format!("{:#}\n", as_json(&comparison)))?;
    to.write(out, WrittenKind::Html, |_| comparison::html(&comparison))?;
    Ok(if comparison.is_decided() { Exit::Accept } else { Exit::Unknown })
}

/// Whether one level implies another; a history that says no is kept as a trace if that is wanted.
fn implies(
    args: &CompareArgs,
    one: &IsoLevel,
    other: &IsoLevel,
) -> Result<ComparisonAnswer, CommandError> {
    let plan = ComparisonPlan {
        scope: written::scope(&args.scope),
        options: written::options(&args.scope),
        limits: written::limits(),
        prove: !args.no_proof,
    };
    Ok(match plan.implies(one, other) {
        Implication::Proved(proof) => ComparisonAnswer::Proved(proof.lines()),
        Implication::Refuted(answer) => {
            if let Some(folder) = &args.trace {
                let name = format!("{}-but-not-{}", one.name, other.name);
                separation::write_trace(folder, &name, &answer.history)?;
            }
            let (one, other) = (std::slice::from_ref(one), std::slice::from_ref(other));
            ComparisonAnswer::Refuted(Box::new(separation::told(&answer, one, other)))
        }
        Implication::NoneFound => ComparisonAnswer::NoneFound(written::scope_text(&args.scope)),
        Implication::Unknown(reason) => ComparisonAnswer::Open(reason.to_string()),
    })
}

fn as_json(comparison: &Comparison) -> Value {
    let direction = |from: &str, to: &str, answer: &ComparisonAnswer| {
        let mut value = json!({ "from": from, "to": to, "answer": answer.word() });
        match answer {
            ComparisonAnswer::Proved(lines) => value["proof"] = json!(lines),
            ComparisonAnswer::Refuted(separation) => {
                value["separation"] = separation::as_json(separation);
            }
            ComparisonAnswer::NoneFound(scope) => value["scope"] = json!(scope),
            ComparisonAnswer::Open(reason) => value["reason"] = json!(reason),
        }
        value
    };
    let Comparison { one, other, forward, backward } = comparison;
    json!({
        "tristan": "comparison/1",
        "one": one,
        "other": other,
        "one_is": comparison.word(),
        "implications": [direction(one, other, forward), direction(other, one, backward)],
    })
}
