//! One line of the table, before it is measured.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tristan_check::Options;
use tristan_check::Passes;
use tristan_check::budget::Limits;
use tristan_formats::WriteForm;
use tristan_generate::anomalies::{Anomaly, hide};
use tristan_generate::{Skew, StoreLevel, Turns, Values, Workload, into_listed_by_session};
use tristan_history::History;
use tristan_spec::{Catalog, Level};

use crate::BenchError;

/// What is generated and what is asked about it. All names are as people type them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What the row is called.
    pub name: String,
    /// The name of the workload that is generated.
    pub workload: String,
    /// The level that is asked about.
    pub level: String,
    /// How many transactions are generated.
    pub txns: usize,
    /// How many keys the transactions choose from.
    pub keys: u64,
    /// How many sessions the transactions are spread over.
    pub sessions: usize,
    /// Operations per transaction.
    pub ops: usize,
    /// Which keys are chosen how often.
    pub hot: String,
    /// Writes choose from so many values, instead of as usual for the workload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<u64>,
    /// Whether every session stays open for the whole run, instead of one after the other.
    #[serde(default)]
    pub open: bool,
    /// The share of commits whose answer is lost, in percent.
    #[serde(default)]
    pub lost: u64,
    /// What the store promises.
    pub store: Store,
    /// Whether begins and ends have times.
    pub times: bool,
    /// Seed of the random numbers.
    pub seed: u64,
    /// The passes that run.
    pub passes: String,
    /// What is hidden in the history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anomaly: Option<String>,
    /// The form in which the history is written and read again before it is checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
    /// The check gives up after so many milliseconds, and so do we with another checker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// How many threads may work; 0 stands for as many as the machine runs at once.
    #[serde(default)]
    pub threads: usize,
}

/// What the store promises that a history comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Store {
    /// Serializability.
    Ser,
    /// Snapshot isolation.
    Si,
}

/// A name that `--via` takes for the usual form of our own.
const JSON_LINES: &str = "jsonl";

impl Case {
    /// A workload as it usually is, at a level.
    ///
    /// # Errors
    /// If there is no workload or no level of this name.
    pub fn new(workload: &str, level: &str) -> Result<Self, BenchError> {
        let usual = named(workload)?;
        Ok(Self {
            name: workload.to_owned(),
            workload: workload.to_owned(),
            level: Catalog::default().find(level)?.name,
            txns: usual.txns,
            keys: usual.keys,
            sessions: usual.sessions,
            ops: usual.ops,
            hot: usual.skew.to_string(),
            values: None,
            open: false,
            lost: 0,
            store: Store::Ser,
            times: usual.times,
            seed: usual.seed,
            passes: "all".to_owned(),
            anomaly: None,
            via: None,
            time: None,
            threads: 0,
        })
    }

    /// Makes sure that every name is known and that the rest makes sense.
    ///
    /// # Errors
    /// Tells what does not.
    pub fn validate(&self) -> Result<(), BenchError> {
        let workload = self.workload()?;
        if self.lost > 100 {
            let message = format!("{} % of the answers cannot be lost", self.lost);
            return Err(BenchError::Invalid(message));
        }
        self.level()?;
        self.passes()?;
        self.via()?;
        if self.anomaly()?.is_some() && !workload.is_plain() {
            let name = &self.workload;
            let message = format!(
                "cannot plant an anomaly in {name}: the workload may only read and write single keys"
            );
            return Err(BenchError::Invalid(message));
        }
        Ok(())
    }

    /// The history, listed session by session so that its order gives nothing away.
    ///
    /// # Errors
    /// If a name is unknown.
    pub fn history(&self) -> Result<History, BenchError> {
        let mut history = self.workload()?.run();
        if let Some(anomaly) = self.anomaly()? {
            history = hide(&history, anomaly, self.seed);
        }
        Ok(into_listed_by_session(history))
    }

    /// The isolation level that is checked.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn level(&self) -> Result<Level, BenchError> {
        Ok(Catalog::default().find(&self.level)?)
    }

    /// How the check runs.
    pub(crate) fn options(&self) -> Result<Options, BenchError> {
        let limits = Limits { time: self.time.map(Duration::from_millis), memory: None };
        let (passes, trace_name) = (self.passes()?, self.name.clone());
        Ok(Options { limits, passes, trace_name, threads: self.threads, ..Options::default() })
    }

    pub(crate) fn via(&self) -> Result<Option<WriteForm>, BenchError> {
        self.via.as_deref().map(form).transpose()
    }

    /// What is unusual about it, in words.
    pub(crate) fn extras(&self) -> Vec<String> {
        let usual = Self::new(&self.workload, &self.level);
        let mut extras = Vec::new();
        if self.store == Store::Si {
            extras.push("store si".to_owned());
        }
        if usual.is_ok_and(|usual| usual.hot != self.hot) {
            extras.push(format!("hot {}", self.hot));
        }
        extras.extend(self.values.map(|values| format!("values {values}")));
        if self.open {
            extras.push("sessions stay open".to_owned());
        }
        if self.lost > 0 {
            extras.push(format!("lost {}%", self.lost));
        }
        if self.passes != "all" {
            extras.push(format!("passes {}", self.passes));
        }
        if self.threads > 0 {
            extras.push(format!("threads {}", self.threads));
        }
        extras.extend(self.anomaly.iter().map(|anomaly| format!("anomaly {anomaly}")));
        extras.extend(self.via.iter().map(|via| format!("via {via}")));
        extras
    }

    /// The options of `tristan bench` that generate and measure it again, without its passes and anomaly.
    pub fn flags(&self) -> String {
        let mut flags = format!(
            "--workload {} --level {} --txns {} --keys {} --sessions {} --ops {} --hot {} --seed {}",
            self.workload,
            self.level,
            self.txns,
            self.keys,
            self.sessions,
            self.ops,
            self.hot,
            self.seed
        );
        if let Some(values) = self.values {
            flags += &format!(" --values {values}");
        }
        if self.lost > 0 {
            flags += &format!(" --lost {}", self.lost);
        }
        if self.threads > 0 {
            flags += &format!(" --threads {}", self.threads);
        }
        if let Some(time) = self.time {
            flags += &format!(" --time {time}ms");
        }
        let switches = [
            (self.store == Store::Si, " --store si"),
            (self.open, " --open-sessions"),
            (self.times, " --times"),
        ];
        flags.extend(switches.iter().filter(|(given, _)| *given).map(|(_, flag)| *flag));
        flags
    }

    fn workload(&self) -> Result<Workload, BenchError> {
        let skew: Skew = self.hot.parse().map_err(BenchError::Invalid)?;
        let usual = named(&self.workload)?;
        Ok(Workload {
            txns: self.txns,
            keys: self.keys,
            sessions: self.sessions,
            ops: self.ops,
            skew,
            level: match self.store {
                Store::Ser => StoreLevel::Serializable,
                Store::Si => StoreLevel::Snapshot,
            },
            values: self.values.map_or(usual.values, Values::Below),
            turns: if self.open { Turns::Random } else { usual.turns },
            lost_percent: self.lost,
            times: self.times,
            seed: self.seed,
            ..usual
        })
    }

    fn passes(&self) -> Result<Passes, BenchError> {
        Ok(self.passes.parse()?)
    }

    fn anomaly(&self) -> Result<Option<Anomaly>, BenchError> {
        let find = |name: &String| {
            let unknown = || BenchError::unknown("anomaly", name, Anomaly::ALL.map(Anomaly::name));
            Anomaly::from_name(name).ok_or_else(unknown)
        };
        self.anomaly.as_ref().map(find).transpose()
    }
}

fn named(name: &str) -> Result<Workload, BenchError> {
    Workload::named(name).ok_or_else(|| BenchError::unknown("workload", name, Workload::names()))
}

/// The form with this name.
pub(crate) fn form(name: &str) -> Result<WriteForm, BenchError> {
    let found = match name {
        JSON_LINES => Some(WriteForm::Events),
        _ => WriteForm::from_name(name),
    };
    let known = || [JSON_LINES].into_iter().chain(WriteForm::ALL.map(WriteForm::name));
    found.ok_or_else(|| BenchError::unknown("form", name, known()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_survive_being_written() {
        let case = Case::new("tpcc", "serializable").expect("a workload");
        let text = serde_json::to_string(&case).expect("JSON");
        assert_eq!(serde_json::from_str::<Case>(&text).expect("a case"), case);
    }

    #[test]
    fn what_makes_no_sense_is_told() {
        let case = Case::new("list-append", "serializable").expect("a workload");
        let told = |case: &Case| case.validate().expect_err("an error").to_string();
        let anomaly = Some("long-fork".to_owned());
        assert!(told(&Case { anomaly, ..case.clone() }).contains("cannot plant an anomaly"));
        assert!(told(&Case { lost: 101, ..case.clone() }).contains("101 %"));
        assert!(told(&Case { hot: "much".to_owned(), ..case.clone() }).contains("zipf"));
        assert!(told(&Case { level: "best".to_owned(), ..case.clone() }).contains("best"));
        assert!(told(&Case { via: Some("mail".to_owned()), ..case }).contains("jsonl"));
        assert!(Case::new("nothing", "si").is_err());
    }
}
