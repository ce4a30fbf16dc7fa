//! Verdicts as JUnit XML, which every build server reads: a suite per trace, a case per level.
//!
//! A reject is a *failure*, an unknown an *error*: the test did not get to its end.

use std::fmt::Write as _;

use tristan_verdict::{Answer, Verdict};

use crate::layout::fold;
use crate::markup::escaped;
use crate::summary::{headline, sentence, steps};

/// How many of some verdicts are what.
struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
}

impl Counts {
    fn of(verdicts: &[&Verdict]) -> Self {
        let count = |is: fn(&Answer) -> bool| verdicts.iter().filter(|v| is(&v.answer)).count();
        Self {
            tests: verdicts.len(),
            failures: count(|answer| matches!(answer, Answer::Reject { .. })),
            errors: count(|answer| matches!(answer, Answer::Unknown { .. })),
        }
    }

    fn attributes(&self) -> String {
        let Self { tests, failures, errors } = self;
        format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\"")
    }
}

/// One document about all verdicts.
pub fn junit(verdicts: &[Verdict]) -> String {
    let all: Vec<&Verdict> = verdicts.iter().collect();
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tristan\" {}>\n",
        Counts::of(&all).attributes()
    );
    let mut traces: Vec<&str> = Vec::new();
    for verdict in verdicts {
        if !traces.contains(&verdict.trace.name.as_str()) {
            traces.push(&verdict.trace.name);
        }
    }
    for trace in traces {
        let own: Vec<&Verdict> = all.iter().copied().filter(|v| v.trace.name == trace).collect();
        suite(&mut out, trace, &own);
    }
    out.push_str("</testsuites>\n");
    out
}

fn suite(out: &mut String, trace: &str, verdicts: &[&Verdict]) {
    let name = escaped(&fold(trace, 200));
    let counts = Counts::of(verdicts).attributes();
    let _ = writeln!(out, "  <testsuite name=\"{name}\" {counts} skipped=\"0\" time=\"0\">");
    verdicts.iter().for_each(|verdict| case(out, &name, verdict));
    out.push_str("  </testsuite>\n");
}

fn case(out: &mut String, suite: &str, verdict: &Verdict) {
    let level = escaped(&fold(&verdict.level, 120));
    let _ = write!(out, "    <testcase classname=\"{suite}\" name=\"{level}\" time=\"0\"");
    let (element, kind) = match &verdict.answer {
        Answer::Accept { .. } => return out.push_str("/>\n"),
        Answer::Reject { anomaly, .. } => ("failure", escaped(&fold(&anomaly.class, 60))),
        Answer::Unknown { .. } => ("error", "unknown".to_owned()),
    };
    let message = escaped(&format!("{}. {}", headline(verdict), sentence(verdict)));
    let words = escaped(&steps(verdict));
    let _ = writeln!(
        out,
        ">\n      <{element} type=\"{kind}\" message=\"{message}\">{words}</{element}>\n    </testcase>"
    );
}
