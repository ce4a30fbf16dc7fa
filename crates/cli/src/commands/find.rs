//! `tristan find`: the smallest histories that some levels allow and others forbid.

use serde_json::json;
use tristan_report::comparison;
use tristan_synth::{Query, Question, enumerate};

use super::written::{self, separation};
use crate::args::FindArgs;
use crate::exit::{Exit, Failure, OrExit};
use crate::output::Output;

pub(super) fn run(args: &FindArgs, out: &mut Output) -> Result<Exit, Failure> {
    let library = written::library(&args.files)?;
    let question = Question::parse(&args.question, &library).or_exit(Exit::Usage)?;
    let query = Query {
        positive: question.allowing,
        negative: question.forbidding,
        scope: written::scope(&args.scope),
        options: written::options(&args.scope),
    };
    let found = enumerate(&query, usize::from(args.count), &written::limits(&args.scope));
    let told: Vec<_> = found
        .answers
        .iter()
        .map(|answer| separation::told(answer, &query.positive, &query.negative))
        .collect();
    if let Some(folder) = &args.trace {
        for (number, answer) in (1..).zip(&found.answers) {
            separation::write_trace(folder, &format!("history-{number}"), &answer.history)?;
        }
    }
    let stopped = found.unknown.as_ref().map(ToString::to_string);
    if args.json {
        let value = json!({
            "tristan": "histories/1",
            "question": args.question,
            "scope": written::scope_text(&args.scope),
            "complete": found.complete,
            "stopped": stopped,
            "histories": told.iter().map(separation::as_json).collect::<Vec<_>>(),
        });
        out.write(&format!("{value:#}\n"))?;
    } else {
        for (number, separation) in (1..).zip(&told) {
            let mut text = format!("{number}. {}\n", separation.size);
            comparison::history(&mut text, out.style(), separation);
            out.write(&format!("{text}  {}\n\n", separation.line))?;
        }
        out.write(&ending(args, told.len(), found.complete, stopped.as_deref()))?;
    }
    Ok(match (told.is_empty(), &stopped) {
        (false, _) => Exit::Accept,
        (true, Some(_)) => Exit::Unknown,
        (true, None) => Exit::Reject,
    })
}

fn ending(args: &FindArgs, count: usize, complete: bool, stopped: Option<&str>) -> String {
    let scope = written::scope_text(&args.scope);
    match (count, stopped) {
        (_, Some(reason)) => format!("The search was cut short: {reason}.\n"),
        (0, None) => format!("No history up to {scope} answers the question.\n"),
        (_, None) if complete => "There is no other of this size.\n".to_owned(),
        (_, None) => "There may be more: --count asks for them.\n".to_owned(),
    }
}
