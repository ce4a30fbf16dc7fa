//! The same statements on both sides, and whether they say the same.

use std::collections::BTreeMap;

use tristan_sql::{Choices, Dialect, Memory, ObservedValue, Open, StatementOutcome, Value};
use tristan_sqltext::disguised;

use crate::differential::coverage::Coverage;
use crate::differential::queries::Queries;
use crate::differential::routines::{DROPS, Routines};
use crate::differential::schema::{Kind, Schema, Table};
use crate::differential::server::{Reply, Server};
use crate::differential::writes::Writes;
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
    pub reasons: BTreeMap<String, u64>,
    pub coverage: Coverage,
}

pub struct Judge<'a> {
    dialect: Dialect,
    server: &'a mut dyn Server,
    tally: &'a mut Tally,
    memory: Memory,
    log: Vec<String>,
}

/// Goes through all possibilities, one after the other.
#[derive(Default)]
struct Odometer {
    digits: Vec<(usize, usize)>,
    at: usize,
}

impl Odometer {
    /// Says whether there is another possibility.
    fn advance(&mut self) -> bool {
        self.at = 0;
        while let Some((digit, limit)) = self.digits.pop() {
            if digit + 1 < limit {
                self.digits.push((digit + 1, limit));
                return true;
            }
        }
        false
    }
}

impl Choices for Odometer {
    fn choose(&mut self, alternatives: usize) -> usize {
        if self.at == self.digits.len() {
            self.digits.push((0, alternatives));
        }
        self.at += 1;
        self.digits[self.at - 1].0
    }

    fn open(&mut self, _what: &Open) -> Value {
        Value::Null
    }
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
        Self { dialect, server, tally, memory: collated(dialect), log: Vec::new() }
    }

    /// Runs transactions on a fresh schema.
    pub fn explore(
        &mut self,
        schema: &Schema,
        random: &mut Random,
        transactions: u64,
    ) -> Result<(), String> {
        self.server.ask("ROLLBACK");
        for number in 0..3 {
            self.server.ask(&format!("DROP TABLE IF EXISTS t{number}"));
        }
        for drop in DROPS {
            self.server.ask(drop);
        }
        for table in &schema.tables {
            self.define(&table.create)?;
        }
        for routine in (Routines { random, schema }).make() {
            self.define(&routine)?;
        }
        for table in &schema.tables {
            for _ in 0..6 {
                let insert = Writes { random, schema }.insert(table);
                self.statement(&insert, schema)?;
            }
        }
        for _ in 0..transactions {
            self.transaction(schema, random)?;
        }
        Ok(())
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

    fn told(&self, what: &str) -> String {
        format!("{}\n  {what}", self.log.join(";\n"))
    }

    fn transaction(&mut self, schema: &Schema, random: &mut Random) -> Result<(), String> {
        let mut before = self.memory.clone();
        self.server.ask("BEGIN");
        let mut failed = false;
        for _ in 0..1 + random.below(5) {
            let text = if random.once_in(3) {
                Writes { random, schema }.any().0
            } else if random.once_in(8) {
                Routines { random, schema }.call()
            } else {
                Queries { random, schema, aliases: 0 }.any()
            };
            failed = !self.statement(&text, schema)?;
            if failed && self.dialect == Dialect::PostgreSql {
                break;
            }
            // There, this commits, and what follows is another transaction.
            if text.starts_with("TRUNCATE") && self.dialect != Dialect::PostgreSql {
                before = self.memory.clone();
                self.server.ask("BEGIN");
            }
        }
        let rolls_back = failed && self.dialect == Dialect::PostgreSql || random.once_in(6);
        self.server.ask(if rolls_back { "ROLLBACK" } else { "COMMIT" });
        if rolls_back {
            self.memory = before;
            self.log.push("ROLLBACK".into());
        }
        for table in &schema.tables {
            self.statement(&format!("SELECT * FROM {}", table.name), schema)?;
        }
        Ok(())
    }

    /// The statement in a random way of writing it.
    fn disguise(&self, text: &str) -> String {
        let mut random = Random::new((self.log.len() * 1000 + text.len()) as u64);
        disguised(text, self.dialect.text(), &mut |most| random.below(most))
    }

    /// Runs a statement on both sides; says whether it worked.
    fn statement(&mut self, text: &str, schema: &Schema) -> Result<bool, String> {
        self.tally.statements += 1;
        let sent = self.disguise(text);
        let reply = self.server.ask(&sent);
        let found = match self.possibilities(&sent, &reply) {
            Ok(found) => found,
            Err(error) => {
                self.tally.unsupported += 1;
                let reason = error.split(" is not supported").next().unwrap_or_default().to_owned();
                *self.tally.reasons.entry(reason).or_default() += 1;
                return self.follow(text, &reply, schema);
            }
        };
        let chosen = match found.fitting.as_slice() {
            [] if found.tried == POSSIBILITIES => {
                self.tally.undecided += 1;
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
            (Some(outcome), _) => {
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

    /// Which of several possibilities happened shows in the tables.
    fn told_apart(
        &mut self,
        fitting: &[StatementOutcome],
        schema: &Schema,
    ) -> Option<StatementOutcome> {
        for outcome in fitting {
            let mut after = self.memory.clone();
            after.keep(&outcome.effects);
            let same = schema.tables.iter().all(|table| {
                let text = format!("SELECT * FROM {}", table.name);
                let Reply::Done { rows, .. } = self.server.ask(&text) else { return false };
                after.run(&text).expect("a query").answer.expect("rows").explains(&rows)
            });
            if same {
                return Some(outcome.clone());
            }
        }
        None
    }

    /// What we do not support is done by the server alone; afterwards we look what it did.
    fn follow(&mut self, text: &str, reply: &Reply, schema: &Schema) -> Result<bool, String> {
        self.log.push(format!("-- {text}"));
        let failed = matches!(reply, Reply::Error { .. });
        // What a procedure of MariaDB did before it failed remains.
        let leaves = text.starts_with("CALL") && self.dialect != Dialect::PostgreSql;
        if failed && !leaves {
            return Ok(false);
        }
        if !text.starts_with("SELECT") {
            for table in &schema.tables {
                self.drop_zero_dates(table);
                self.copy(&table.name)?;
            }
        }
        Ok(!failed)
    }

    /// A number that MariaDB puts into a date can become `0000-00-00`, which is no date for us: rows with
    /// it cannot be copied.
    fn drop_zero_dates(&mut self, table: &Table) {
        if self.dialect == Dialect::PostgreSql {
            return;
        }
        for column in table.columns.iter().filter(|column| column.kind == Kind::Date) {
            self.server.ask(&format!("DELETE FROM {} WHERE {} = 0", table.name, column.name));
        }
    }

    fn copy(&mut self, table: &str) -> Result<(), String> {
        let Reply::Done { rows, .. } = self.server.ask(&format!("SELECT * FROM {table}")) else {
            return Err(self.told("the table cannot be read"));
        };
        self.memory.run(&format!("DELETE FROM {table}")).expect("a table").answer.expect("gone");
        for row in rows {
            let values: Vec<String> = row
                .iter()
                .map(|value| match value {
                    ObservedValue::Text(text) => format!("'{}'", text.replace('\'', "''")),
                    ObservedValue::Int(number) => number.to_string(),
                    _ => "NULL".into(),
                })
                .collect();
            let insert = format!("INSERT INTO {table} VALUES ({})", values.join(", "));
            self.memory
                .run(&insert)
                .expect("a row")
                .answer
                .map_err(|failure| self.told(&format!("{insert}: {failure}")))?;
        }
        Ok(())
    }

    /// The outcomes that explain what the server said, and do different things.
    fn possibilities(&mut self, text: &str, reply: &Reply) -> Result<Found, String> {
        let statement = self.memory.prepare(text).map_err(|error| error.to_string())?;
        let prepared =
            statement.plan(self.memory.catalog(), &[]).map_err(|error| error.to_string())?;
        let mut odometer = Odometer::default();
        let mut found = Found { fitting: Vec::new(), first: None, tried: 0 };
        while found.tried < POSSIBILITIES {
            let outcome = self
                .memory
                .try_out(&prepared, &[], &mut odometer)
                .map_err(|error| error.to_string())?;
            found.tried += 1;
            let new = found.fitting.iter().all(|known| known.effects != outcome.effects);
            if new && fits(&outcome, reply, self.dialect) {
                found.fitting.push(outcome.clone());
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
    fitting: Vec<StatementOutcome>,
    first: Option<StatementOutcome>,
    tried: usize,
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
