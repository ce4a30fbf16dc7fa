//! The same statements on both sides, and whether they say the same.

use std::collections::BTreeMap;

use tristan_sql::{Dialect, Memory, StatementOutcome};
use tristan_sqltext::disguised;

use crate::differential::counters::Counter;
use crate::differential::coverage::Coverage;
use crate::differential::names::respelled;
use crate::differential::odometer::Odometer;
use crate::differential::promises::broken;
use crate::differential::schema::Schema;
use crate::differential::server::{Reply, Server};
use tristan_testkit::Random;

/// Possibilities of one statement that are tried.
const POSSIBILITIES: usize = 3000;

#[derive(Debug, Default)]
pub struct Tally {
    pub statements: u64,
    pub errors: u64,
    pub several: u64,
    pub unsupported: u64,
    /// Statements with more possible outcomes than are tried.
    pub undecided: u64,
    /// Statements that a foreign key forbids, which is not ours to find.
    pub forbidden: u64,
    /// Statements that both sides refuse before they look at a row, for different reasons: which of two mistakes is
    /// found first is no promise, and an audit does not judge it.
    pub mistaken: u64,
    /// Statements that depend on a collation that is not known.
    pub guessed: u64,
    /// Statements after which only the numbers that the server gave are others than predicted.
    pub gaps: u64,
    /// Definitions that only the server carries out, or that it refuses.
    pub undefined: u64,
    /// Schemas that were given up because a row of the server cannot be copied.
    pub given_up: u64,
    pub reasons: BTreeMap<String, u64>,
    pub coverage: Coverage,
}

impl Tally {
    /// Takes down why something is refused.
    pub fn refuse(&mut self, why: &str) {
        let reason = why.split(" is not supported").next().unwrap_or_default().to_owned();
        *self.reasons.entry(reason).or_default() += 1;
    }
}

pub struct Judge<'a> {
    pub(super) dialect: Dialect,
    pub(super) server: &'a mut dyn Server,
    pub(super) tally: &'a mut Tally,
    pub(super) memory: Memory,
    pub(super) counter: Counter,
    pub(super) log: Vec<String>,
    /// Do both sides have different rows by now?
    pub(super) gave_up: bool,
    /// Has a statement that only the server knows taken numbers for this session?
    pub(super) lost_numbers: bool,
}

/// A database with the collation and the time zone that the server's has.
fn collated(dialect: Dialect) -> Memory {
    let mut memory = Memory::new(dialect);
    memory.collate(dialect.collation_named(match dialect {
        Dialect::PostgreSql => "C",
        Dialect::MySql | Dialect::MariaDb => "utf8mb4_general_ci",
    }));
    if dialect == Dialect::PostgreSql {
        memory.set_utc();
    }
    memory
}

impl<'a> Judge<'a> {
    pub fn new(dialect: Dialect, server: &'a mut dyn Server, tally: &'a mut Tally) -> Self {
        let (memory, counter) = (collated(dialect), Counter::default());
        let (log, gave_up, lost_numbers) = (Vec::new(), false, false);
        Self { dialect, server, tally, memory, counter, log, gave_up, lost_numbers }
    }

    /// Makes a table or a routine on both sides.
    pub fn define(&mut self, create: &str) -> Result<(), String> {
        if let Reply::Error { message, .. } = self.server.ask(create) {
            return Err(format!("{create}: {message}"));
        }
        self.log.push(create.to_owned());
        let done = self.memory.run(create).map_err(|error| self.told(&error.to_string()))?;
        done.answer.map(drop).map_err(|failure| self.told(&failure.to_string()))
    }

    pub(super) fn told(&self, what: &str) -> String {
        format!("{}\n  {what}", self.log.join(";\n"))
    }

    /// The statement in a random way of writing it.
    fn disguise(&self, text: &str, schema: &Schema) -> String {
        let mut random = Random::new((self.log.len() * 1000 + text.len()) as u64);
        let text = respelled(text, schema, &mut random);
        disguised(&text, self.dialect.text(), &mut |most| random.below(most))
    }

    /// Runs a statement on both sides; says whether it worked.
    pub(super) fn statement(&mut self, text: &str, schema: &Schema) -> Result<bool, String> {
        if self.gave_up {
            return Ok(false);
        }
        self.tally.statements += 1;
        let sent = self.disguise(text, schema);
        if schema.counts() {
            self.counter.ask(self.dialect, self.server, schema, self.memory.catalog());
        }
        let reply = self.server.ask(&sent);
        if self.lost_numbers && text.contains("lastval()") {
            self.tally.unsupported += 1;
            self.tally.refuse("the last number after a statement that is not supported");
            return self.follow(text, &reply, schema);
        }
        let found = match self.possibilities(&sent, &reply) {
            Ok(found) => found,
            Err(error) => {
                self.tally.unsupported += 1;
                self.tally.refuse(&error);
                return self.follow(text, &reply, schema);
            }
        };
        if let Some(promise) = found.broken {
            return Err(self.told(&format!("{sent}\n  {promise}")));
        }
        let changes = found.fitting.iter().any(|(outcome, _)| !outcome.effects.is_empty());
        if found.guessed && (found.fitting.is_empty() || changes) {
            self.tally.guessed += 1;
            return self.follow(text, &reply, schema);
        }
        let (chosen, counter) = match found.fitting.as_slice() {
            [] if found.tried == POSSIBILITIES => {
                self.tally.undecided += 1;
                return self.follow(text, &reply, schema);
            }
            [] if found.mistaken && matches!(reply, Reply::Error { .. }) => {
                self.tally.mistaken += 1;
                return self.follow(text, &reply, schema);
            }
            [] if self.is_forbidden(&reply) => {
                self.tally.forbidden += 1;
                return self.follow(text, &reply, schema);
            }
            [] => {
                let first =
                    found.first.map(|outcome| format!("{:?}", outcome.answer)).unwrap_or_default();
                let tried = found.tried;
                return Err(self.told(&format!(
                    "{sent}\n  server: {reply:?}\n  {tried} possibilities, such as {first}"
                )));
            }
            [only] => only.clone(),
            several => match self.told_apart(several, schema) {
                Some(outcome) => outcome,
                None if found.tried == POSSIBILITIES => {
                    self.tally.undecided += 1;
                    return self.follow(text, &reply, schema);
                }
                None => {
                    let fitting = several.len();
                    return Err(self.told(&format!(
                        "{text}\n  server: {reply:?}\n  {fitting} outcomes fit, but not the tables"
                    )));
                }
            },
        };
        self.log.push(text.to_owned());
        self.tally.several += u64::from(found.tried > 1);
        self.tally.coverage.note(self.dialect, text, &reply, &chosen);
        self.memory.keep(&chosen.effects);
        self.counter = counter;
        self.counter.finish();
        if schema.counts() && self.dialect != Dialect::PostgreSql {
            self.counter.ask_last(self.server);
        }
        if schema.counts() && !chosen.effects.is_empty() {
            self.mend_gaps(schema)?;
        }
        self.tally.errors += u64::from(chosen.answer.is_err());
        Ok(chosen.answer.is_ok())
    }

    /// Runs a statement on both sides, as it is written.
    pub fn probe(&mut self, text: &str) -> Verdict {
        let reply = self.server.ask(text);
        let mut found = match self.possibilities(text, &reply) {
            Ok(found) => found,
            Err(why) => return Verdict::Refused(why),
        };
        match (found.fitting.pop(), found.first) {
            (Some((outcome, _)), _) => {
                self.memory.keep(&outcome.effects);
                Verdict::Agrees
            }
            (None, first) => {
                let ours = first.map(|outcome| format!("{:?}", outcome.answer));
                let ours = ours.unwrap_or_default();
                Verdict::Differs(format!("server: {reply:?}\n  ours: {ours}"))
            }
        }
    }

    /// Which of several possibilities happened shows in the tables. Numbers that the server gives may have gaps.
    fn told_apart(
        &mut self,
        fitting: &[(StatementOutcome, Counter)],
        schema: &Schema,
    ) -> Option<(StatementOutcome, Counter)> {
        self.seen_in_tables(fitting, schema, false)
            .or_else(|| self.seen_in_tables(fitting, schema, true))
    }

    fn seen_in_tables(
        &mut self,
        fitting: &[(StatementOutcome, Counter)],
        schema: &Schema,
        without_numbers: bool,
    ) -> Option<(StatementOutcome, Counter)> {
        for (outcome, counter) in fitting {
            let mut after = self.memory.clone();
            after.keep(&outcome.effects);
            let same = schema.tables.iter().all(|table| {
                let rest = table.columns[1..].iter().map(|column| column.name.as_str());
                let list = match without_numbers && table.columns[0].is_counted() {
                    true => rest.collect::<Vec<_>>().join(", "),
                    false => "*".to_owned(),
                };
                let text = format!("SELECT {list} FROM {}", table.name);
                let Reply::Done { rows, .. } = self.server.ask(&text) else { return false };
                after.run(&text).expect("a query").answer.expect("rows").explains(&rows)
            });
            if same {
                return Some((outcome.clone(), counter.clone()));
            }
        }
        None
    }

    /// Whether a foreign key forbids a statement: whether rows exist that others refer to is not ours to find.
    fn is_forbidden(&self, reply: &Reply) -> bool {
        const CODES: [&str; 7] = ["23503", "23001", "0A000", "1451", "1452", "1216", "1701"];
        let foreign = self.memory.catalog().has_foreign_keys();
        foreign && matches!(reply, Reply::Error { code, .. } if CODES.contains(&code.as_str()))
    }

    /// The outcomes that explain what the server said, and do different things.
    fn possibilities(&mut self, text: &str, reply: &Reply) -> Result<Found, String> {
        let statement = self.memory.prepare(text).map_err(|error| error.to_string())?;
        let prepared =
            statement.plan(self.memory.catalog(), &[]).map_err(|error| error.to_string())?;
        let mut odometer = Odometer::new(self.dialect == Dialect::PostgreSql, &self.counter);
        let mistaken = prepared.failure().is_some();
        let mut found = Found {
            fitting: Vec::new(),
            first: None,
            tried: 0,
            guessed: false,
            mistaken,
            broken: None,
        };
        while found.tried < POSSIBILITIES {
            let outcome = self
                .memory
                .try_out(&prepared, &[], &mut odometer)
                .map_err(|error| error.to_string())?;
            found.tried += 1;
            found.guessed |= odometer.guessed;
            let new = found.fitting.iter().all(|(known, _)| known.effects != outcome.effects);
            if new && fits(&outcome, reply, self.dialect) {
                if let Some(promise) = broken(&prepared, self.memory.catalog(), &outcome, reply) {
                    found.broken = Some(promise);
                }
                found.fitting.push((outcome.clone(), odometer.counter.clone()));
                if outcome.effects.is_empty() {
                    break;
                }
            }
            found.first = found.first.or(Some(outcome));
            if !odometer.advance() {
                break;
            }
        }
        Ok(found)
    }
}

/// What a statement shows.
pub enum Verdict {
    Agrees,
    /// It is not supported.
    Refused(String),
    Differs(String),
}

/// Outcomes of a statement.
struct Found {
    fitting: Vec<(StatementOutcome, Counter)>,
    first: Option<StatementOutcome>,
    tried: usize,
    guessed: bool,
    /// Whether the statement fails regardless of the rows.
    mistaken: bool,
    /// What was said of it whatever rows there are, and is not true.
    broken: Option<String>,
}

fn fits(outcome: &StatementOutcome, reply: &Reply, dialect: Dialect) -> bool {
    match (&outcome.answer, reply) {
        (Ok(answer), Reply::Done { rows, count }) => {
            let counted = match answer.count {
                // With RETURNING, MariaDB tells no number.
                Some(expected) => {
                    expected.matches(*count, dialect == Dialect::PostgreSql)
                        || answer.rows.is_some()
                }
                None => true,
            };
            answer.explains(rows) && counted
        }
        (Err(failure), Reply::Error { code, .. }) => failure.has_code(code),
        _ => false,
    }
}
