//! Reads a log or a piece of one.

use std::collections::VecDeque;

use super::items::{Items, Source};
use super::parts::{Part, parts};
use crate::error::Error;
use crate::level::AuditLevel;
use crate::log::Item;
use crate::model::{NEVER, Outcome, Txn};
use crate::options::AuditOptions;
use crate::sql::Sql;
use crate::statement::{Task, UnsupportedError};
use crate::world::{Key, Row};

/// What comes next.
pub(crate) enum Loaded {
    /// A row that is there from the start.
    Row(Key, Row),
    /// A transaction.
    Task(Box<Task>),
    /// A transaction with something that cannot be carried out.
    Unsupported { txn: Box<Txn>, reason: UnsupportedError },
}

/// Counts of what was read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) transactions: u64,
    pub(crate) committed: u64,
    pub(crate) unknown: u64,
    pub(crate) statements: u64,
    /// Of those that were not rolled back, how many have a statement that is not judged.
    pub(crate) partly: u64,
}

/// Reads a log.
pub(crate) struct Loader {
    reader: Items,
    name: String,
    options: AuditOptions,
    rows: std::vec::IntoIter<(Key, Row)>,
    /// The first transaction, while the rows of the start come before it.
    first: Option<Box<Txn>>,
    /// What was read from the log and has to wait for parts of transactions that begin earlier.
    ahead: Option<Item>,
    /// Parts of transactions that begin later, the earliest first.
    parts: VecDeque<Part>,
    begun: bool,
    serial: u32,
    /// How many of the next transactions are counted elsewhere.
    carried: usize,
    pub(crate) counts: Counts,
}

impl Loader {
    /// Opens a log, and makes the machine for its statements.
    pub(crate) fn open(source: Source<'_>, options: &AuditOptions) -> Result<(Self, Sql), Error> {
        let mut loader = Self {
            reader: source.items()?,
            name: source.name().to_owned(),
            options: options.clone(),
            rows: Vec::new().into_iter(),
            first: None,
            ahead: None,
            parts: VecDeque::new(),
            begun: false,
            serial: 0,
            carried: 0,
            counts: Counts::default(),
        };
        if let Source::Piece(piece) = source {
            loader.rows = piece.start.rows.clone().into_iter();
            (loader.begun, loader.carried) = (true, piece.carried);
            let mut sql = piece.start.sql.again();
            sql.unfollowed.extend(options.unfollowed.clone());
            sql.unsupported.extend(options.unsupported.clone());
            sql.predicts = options.predicts;
            return Ok((loader, sql));
        }
        let mut sql = Sql::new(loader.reader.header().dialect.as_deref());
        sql.unfollowed.clone_from(&options.unfollowed);
        sql.unsupported.clone_from(&options.unsupported);
        sql.blurred.clone_from(&options.blurred);
        sql.predicts = options.predicts;
        loader.tell(&mut sql);
        if let Some(schema) = &options.schema {
            sql.start(schema).map_err(|problem| Error::Start {
                name: "the schema".to_owned(),
                line: 1,
                problem,
            })?;
        }
        Ok((loader, sql))
    }

    /// The tables and rows before the first transaction.
    pub(crate) fn beginning(
        source: Source<'_>,
        options: &AuditOptions,
    ) -> Result<(Sql, Vec<(Key, Row)>), Error> {
        let (mut loader, mut sql) = Self::open(source, options)?;
        while let Some(item) = loader.reader.next_item()? {
            loader.start(item, &mut sql)?;
        }
        loader.tell(&mut sql);
        let rows = sql.begin().map_err(|problem| loader.wrong(1, problem))?;
        Ok((sql, rows))
    }

    /// Tells what the first line says; it may have been read only now.
    fn tell(&self, sql: &mut Sql) {
        let header = self.reader.header();
        let collation = self.options.collation.as_deref().or(header.collation.as_deref());
        sql.dialect(header.dialect.as_deref(), collation);
        if header.timezone.as_deref().is_some_and(is_utc) {
            sql.set_utc();
        }
    }

    /// What was strange about the log.
    pub(crate) fn warnings(&self) -> &[String] {
        self.reader.warnings()
    }

    /// What comes next.
    pub(crate) fn next(&mut self, sql: &mut Sql) -> Result<Option<Loaded>, Error> {
        loop {
            if let Some((key, row)) = self.rows.next() {
                return Ok(Some(Loaded::Row(key, row)));
            }
            if let Some(loaded) = self.first.take().and_then(|txn| self.transaction(*txn, sql)) {
                return Ok(Some(loaded));
            }
            if self.ahead.is_none() {
                self.ahead = self.reader.next_item()?;
            }
            if let Some(part) = self.next_part() {
                if let Some(loaded) = self.task(part, sql) {
                    return Ok(Some(loaded));
                }
                continue;
            }
            let Some(item) = self.ahead.take() else { return Ok(None) };
            match item {
                Item::Txn(txn) if self.begun => {
                    if let Some(loaded) = self.counted(*txn, sql) {
                        return Ok(Some(loaded));
                    }
                }
                Item::Txn(txn) => {
                    self.begun = true;
                    self.tell(sql);
                    let rows = sql.begin().map_err(|problem| self.wrong(txn.line, problem))?;
                    self.rows = rows.into_iter();
                    self.first = Some(txn);
                }
                start => self.start(start, sql)?,
            }
        }
    }

    /// Tables and rows that are there before the first transaction.
    fn start(&self, item: Item, sql: &mut Sql) -> Result<(), Error> {
        self.tell(sql);
        let (line, done) = match item {
            Item::Schema { line, .. } | Item::Rows { line, .. } if self.begun => {
                (line, Err("the initial state comes after the first transaction".to_owned()))
            }
            Item::Schema { sql: text, line } => (line, sql.start(&text)),
            Item::Rows { table, columns, values, line } => {
                (line, sql.load(&table, &columns, &values))
            }
            Item::Txn(_) => return Ok(()),
        };
        done.map_err(|problem| self.wrong(line, problem))
    }

    /// A part of an earlier transaction, if one begins before what comes next in the log.
    fn next_part(&mut self) -> Option<Part> {
        let next = match &self.ahead {
            Some(Item::Txn(txn)) => txn.begin,
            Some(_) => return None,
            None => NEVER,
        };
        self.parts.pop_front_if(|part| part.txn.begin <= next)
    }

    /// A transaction that was counted in an earlier piece is not counted again.
    fn counted(&mut self, txn: Txn, sql: &mut Sql) -> Option<Loaded> {
        let Some(left) = self.carried.checked_sub(1) else { return self.transaction(txn, sql) };
        self.carried = left;
        let (counts, unjudged) = (self.counts, sql.unjudged_counts().clone());
        let loaded = self.transaction(txn, sql);
        self.counts = counts;
        sql.set_unjudged_counts(unjudged);
        loaded
    }

    /// A transaction, or the first part of it.
    fn transaction(&mut self, txn: Txn, sql: &mut Sql) -> Option<Loaded> {
        self.counts.transactions += 1;
        match txn.outcome {
            Outcome::Committed => self.counts.committed += 1,
            Outcome::Unknown => self.counts.unknown += 1,
            Outcome::Aborted if !self.options.aborted => {
                sql.leave_out(&txn);
                return None;
            }
            Outcome::Aborted => {}
        }
        let splits =
            self.options.level == AuditLevel::MariaDbRepeatableRead && sql.locks_row_by_row();
        let mut parts = parts(txn, splits).into_iter();
        let first = parts.next()?;
        for part in parts {
            let place = self.parts.partition_point(|other| other.txn.begin <= part.txn.begin);
            self.parts.insert(place, part);
        }
        self.task(first, sql)
    }

    fn task(&mut self, part: Part, sql: &mut Sql) -> Option<Loaded> {
        let Part { txn, undone, unsettled } = part;
        let before = sql.unjudged_statements();
        let steps = match sql.prepare(&txn) {
            Ok(steps) => steps,
            Err(reason) => return Some(Loaded::Unsupported { txn: Box::new(txn), reason }),
        };
        self.counts.partly += u64::from(!undone && sql.unjudged_statements() > before);
        self.counts.statements += steps.len() as u64;
        if steps.is_empty() {
            return None;
        }
        self.serial += 1;
        let mut task = Task::new(self.serial, txn, steps, &self.options);
        task.only_reads = undone;
        task.unsettled = unsettled;
        Some(Loaded::Task(Box::new(task)))
    }

    fn wrong(&self, line: u64, problem: String) -> Error {
        Error::Start { name: self.name.clone(), line, problem }
    }
}

/// Whether a time zone has this name in which clocks are never put forward.
fn is_utc(name: &str) -> bool {
    ["utc", "etc/utc", "gmt", "etc/gmt", "zulu", "etc/zulu"].contains(&name.to_lowercase().as_str())
}
