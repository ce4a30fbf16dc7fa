//! User-defined workloads: weighted templates of transactions in a TOML file.
//!
//! ```toml
//! keys = 100            # and whatever else a workload has: sessions, txns, values, hot, seed
//!
//! [[transaction]]
//! weight = 3
//! steps = ["read a", "read b", "write a"]
//!
//! [[transaction]]
//! weight = 1
//! steps = ["scan a 10", "delete b"]
//! ```
//!
//! A letter or a word stands for a key that is chosen anew for each transaction; two different
//! words are different keys. A number is that very key.
//!
//! | step | does |
//! |---|---|
//! | `read KEY`, `write KEY`, `delete KEY` | what they say |
//! | `add KEY AMOUNT` | reads it and writes what it held plus the amount |
//! | `scan KEY WIDTH`, `scan all` | reads a range of keys |
//! | `iterate KEY WIDTH MOST` | reads the first keys of a range |
//! | `append KEY`, `list KEY` | lists |

use std::collections::BTreeMap;

use serde::Deserialize;
use thiserror::Error;
use tristan_generate::{Part, Place, Skew, Template, Values, Workload};

/// A file that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct TemplateError(String);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    keys: Option<u64>,
    sessions: Option<usize>,
    txns: Option<usize>,
    /// How many different values; 0 for unique ones.
    values: Option<u64>,
    hot: Option<String>,
    seed: Option<u64>,
    #[serde(default)]
    transaction: Vec<Weighted>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Weighted {
    #[serde(default = "one")]
    weight: u32,
    steps: Vec<String>,
}

fn one() -> u32 {
    1
}

/// The workload that a file describes.
///
/// # Errors
/// If it is no such file; the message says where.
///
/// ```
/// let text = "keys = 10\n[[transaction]]\nsteps = ['read a', 'write a']\n";
/// let workload = tristan_record::templates::parse(text)?;
/// assert_eq!(workload.keys, 10);
/// # Ok::<(), tristan_record::templates::TemplateError>(())
/// ```
pub fn parse(text: &str) -> Result<Workload, TemplateError> {
    let file: File = toml::from_str(text).map_err(|error| {
        TemplateError(format!("{}{}", place(text, error.span()), error.message()))
    })?;
    let templates: Result<Vec<Template>, _> = file.transaction.iter().map(template).collect();
    let templates = templates?;
    if templates.iter().all(|template| template.weight == 0) {
        let found = "no [[transaction]] with a weight above 0";
        return Err(TemplateError(format!("found {found}, expected at least one")));
    }
    let usual = Workload::templates(templates);
    let hot = file.hot.as_deref().map(str::parse::<Skew>).transpose().map_err(TemplateError)?;
    Ok(Workload {
        keys: file.keys.unwrap_or(usual.keys),
        sessions: file.sessions.unwrap_or(usual.sessions),
        at_once: file.sessions.unwrap_or(usual.at_once),
        txns: file.txns.unwrap_or(usual.txns),
        values: match file.values {
            None | Some(0) => Values::Unique,
            Some(below) => Values::Below(below),
        },
        skew: hot.unwrap_or(usual.skew),
        seed: file.seed.unwrap_or(usual.seed),
        ..usual
    })
}

/// `line 3: `
fn place(text: &str, span: Option<std::ops::Range<usize>>) -> String {
    let line = |span: std::ops::Range<usize>| {
        let before = text.as_bytes().get(..span.start).unwrap_or_default();
        format!("line {}: ", 1 + before.iter().filter(|byte| **byte == b'\n').count())
    };
    span.map_or_else(String::new, line)
}

fn template(weighted: &Weighted) -> Result<Template, TemplateError> {
    let mut names = BTreeMap::new();
    let steps: Result<Vec<Part>, _> =
        weighted.steps.iter().map(|step| part(step, &mut names)).collect();
    Ok(Template { weight: weighted.weight, keys: names.len(), parts: steps? })
}

fn part(text: &str, names: &mut BTreeMap<String, usize>) -> Result<Part, TemplateError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut place = |word: &str| match word.parse() {
        Ok(key) => Place::Key(key),
        Err(_) => {
            let next = names.len();
            Place::Chosen(*names.entry(word.to_owned()).or_insert(next))
        }
    };
    let number = |word: &str| {
        let wrong = || TemplateError(format!("found \"{word}\" in \"{text}\", expected a number"));
        word.parse::<i64>().map_err(|_| wrong())
    };
    let positive = |word: &str| number(word).map(|number| number.max(1));
    Ok(match words[..] {
        ["read", key] => Part::Read(place(key)),
        ["write", key] => Part::Write(place(key)),
        ["add", key, amount] => Part::Add(place(key), number(amount)?),
        ["delete", key] => Part::Delete(place(key)),
        ["scan", "all"] => Part::ScanEverything,
        ["scan", key, width] => Part::Scan(place(key), positive(width)?),
        ["iterate", key, width, most] => {
            Part::Iterate(place(key), positive(width)?, positive(most)? as usize)
        }
        ["append", key] => Part::Append(place(key)),
        ["list", key] => Part::ReadList(place(key)),
        _ => {
            let expected = "read KEY, write KEY, add KEY AMOUNT, delete KEY, scan all, \
                            scan KEY WIDTH, iterate KEY WIDTH MOST, append KEY or list KEY";
            return Err(TemplateError(format!("found the step \"{text}\", expected {expected}")));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tristan_generate::{Pattern, Rng, Step};

    #[test]
    fn names_stand_for_keys_of_their_own() {
        let text = "keys = 3\n[[transaction]]\nsteps = ['read a', 'write b', 'write a', 'read 99']";
        let workload = parse(text).expect("a workload");
        let mut planner = workload.planner();
        for seed in 0..100 {
            let mut steps = Vec::new();
            planner.plan(&mut Rng::new(seed), &mut steps);
            let [Step::Read(a), Step::Write(b), Step::Write(again), Step::Read(99)] = steps[..]
            else {
                unreachable!("{steps:?}")
            };
            assert!(a == again && a != b && (1..=3).contains(&a), "{steps:?}");
        }
    }

    #[test]
    fn nonsense_is_told_where_it_stands() {
        let told = |text: &str| parse(text).expect_err("an error").to_string();
        assert!(told("keys = 'a'\n").starts_with("line 1: "));
        assert!(told("[[transaction]]\nsteps = ['fly a']").contains("\"fly a\""));
        assert!(told("[[transaction]]\nsteps = ['scan a x']").contains("\"x\""));
        assert!(told("[[transaction]]\nweight = 0\nsteps = []").contains("weight"));
        assert!(told("[[transaction]]\nstep = []").contains("line 2"));
        assert!(!told("").is_empty());
    }

    #[test]
    fn the_pattern_is_one_of_templates() {
        let workload = parse("[[transaction]]\nsteps = ['list a']").expect("a workload");
        assert!(matches!(workload.pattern, Pattern::Templates(_)));
    }
}
