//! `tristan find`: the smallest histories that some levels allow and others forbid.

use serde_json::{Value, json};
use tristan_report::Style;
use tristan_report::comparison::{self, Find, Separation};
use tristan_synth::{Query, Question, enumerate};

use super::written::{self, separation};
use crate::args::FindArgs;
use crate::exit::{CommandError, Exit, OrExit};
use crate::kinds::WrittenKind;
use crate::limits;
use crate::output::Output;

pub(super) fn run(args: &FindArgs, out: &mut Output) -> Result<Exit, CommandError> {
    let library = written::library(&args.files)?;
    let question = Question::parse(&args.question, &library).or_exit(Exit::Usage)?;
    let mut to = written::open(&args.to)?;
    let query = Query {
        positive: question.allowing,
        negative: question.forbidding,
        scope: written::scope(&args.scope),
        options: written::options(&args.scope),
    };
    limits::on_overrun_of("find", to.forms());
    let progress = written::progress(&args.scope, "question", args.question.clone());
    let found = enumerate(&query, usize::from(args.count), &written::limits());
    drop(progress);
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
    let ending = ending(args, &query, told.len(), found.complete, stopped.as_deref());
    to.write(out, WrittenKind::Text, |style| text(&told, &ending, style))?;
    to.write(out, WrittenKind::Json, |_| {
        format!("{:#}\n", as_json(args, &told, found.complete, stopped.as_deref()))
    })?;
    to.write(out, WrittenKind::Html, |_| {
        let (question, ending) = (args.question.as_str(), ending.trim_end());
        comparison::find(&Find { question, histories: &told, ending })
    })?;
    Ok(match (told.is_empty(), &stopped) {
        (false, _) => Exit::Accept,
        (true, Some(_)) => Exit::Unknown,
        (true, None) => Exit::Reject,
    })
}

fn as_json(args: &FindArgs, told: &[Separation], complete: bool, stopped: Option<&str>) -> Value {
    json!({
        "tristan": "histories/1",
        "question": args.question,
        "scope": written::scope_text(&args.scope),
        "complete": complete,
        "stopped": stopped,
        "histories": told.iter().map(separation::as_json).collect::<Vec<_>>(),
    })
}

fn text(told: &[Separation], ending: &str, style: Style) -> String {
    let mut text = String::new();
    for (number, separation) in (1..).zip(told) {
        text.push_str(&format!("{number}. {}\n", separation.size));
        comparison::history(&mut text, style, separation);
        text.push_str(&format!("  {}\n\n", separation.line));
    }
    text + ending
}

fn ending(
    args: &FindArgs,
    query: &Query,
    count: usize,
    complete: bool,
    stopped: Option<&str>,
) -> String {
    let scope = written::scope_text(&args.scope);
    match (count, stopped) {
        (_, Some(reason)) => format!("The search stopped early: {reason}.\n"),
        (0, None) => format!("No history within the scope ({scope}) matches.\n"),
        (_, None) if complete && query.tells_sessions_apart() => {
            "There is no other history of this size.\n".to_owned()
        }
        (_, None) if complete => {
            "There is no other history of this size. These levels do not depend on \
             sessions, so only histories with one transaction per session were searched.\n"
                .to_owned()
        }
        (_, None) => "There may be more; use --count to ask for them.\n".to_owned(),
    }
}
