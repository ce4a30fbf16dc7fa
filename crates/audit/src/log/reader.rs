//! Reads a log, line by line.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use rustc_hash::FxHashMap;
use serde_json::error::Category;

use super::assemble::Assembler;
use super::compact;
use super::control::{Texts, dialect};
use super::cursors::Cursors;
use super::executions::Executions;
use super::item::{Header, Item};
use super::line::Line;
use super::queue::Queue;
use super::source::LogSource;
use super::stamps;
use crate::error::Error;
use crate::model::Txn;

/// Reads a log.
pub struct LogReader {
    name: String,
    lines: Box<dyn BufRead>,
    number: u64,
    header: Header,
    assembler: Assembler,
    texts: Texts,
    cursors: Cursors,
    executions: Executions,
    queue: Queue,
    start: VecDeque<Item>,
    warnings: Vec<String>,
    over: bool,
    /// Whether everything is known that is said before the first statement.
    begun: bool,
}

impl std::fmt::Debug for LogReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LogReader").field("name", &self.name).field("line", &self.number).finish()
    }
}

impl LogReader {
    /// Opens a log and reads its first lines, up to the first transaction.
    ///
    /// # Errors
    /// If the log cannot be read, or does not begin as one.
    pub fn open(source: &dyn LogSource) -> Result<Self, Error> {
        let stamps = stamps::collect(source)?;
        let lines = source.open().map_err(|error| Error::io(source.name(), error))?;
        let mut reader = Self::new(source.name(), lines, Assembler::new(stamps));
        // Which server it is may be said only when the first client connects.
        while !reader.over && !reader.begun {
            reader.advance()?;
        }
        Ok(reader)
    }

    /// Reads lines that the caller hands over one by one ([`LogReader::take_line`]). Stamps count only where a
    /// `finish` has them: a line of its own may come long after the transaction was handed on.
    pub(crate) fn of_lines(name: &str) -> Self {
        Self::new(name, Box::new(io::empty()), Assembler::new(FxHashMap::default()))
    }

    fn new(name: &str, lines: Box<dyn BufRead>, assembler: Assembler) -> Self {
        Self {
            name: name.to_owned(),
            lines,
            number: 0,
            header: Header::default(),
            assembler,
            texts: Texts::default(),
            cursors: Cursors::default(),
            executions: Executions::default(),
            queue: Queue::default(),
            start: VecDeque::new(),
            warnings: Vec::new(),
            over: false,
            begun: false,
        }
    }

    /// What the first line says.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// What was strange, but no reason to stop.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The next item, or nothing at the end.
    ///
    /// # Errors
    /// If a line cannot be read.
    pub fn next_item(&mut self) -> Result<Option<Item>, Error> {
        loop {
            if let Some(item) = self.ready(false) {
                return Ok(Some(item));
            }
            if self.over {
                return Ok(None);
            }
            self.advance()?;
        }
    }

    /// The next item that the lines so far make complete. If the log has been `still` for longer than a line may be
    /// late, nothing is to come that began before what is complete.
    pub(crate) fn ready(&mut self, still: bool) -> Option<Item> {
        if let Some(item) = self.start.pop_front() {
            return Some(item);
        }
        let open = [self.assembler.oldest(), self.cursors.oldest()].into_iter().flatten().min();
        let txn = self.queue.pop(open, self.over, still)?;
        Some(Item::Txn(Box::new(txn)))
    }

    /// Whether the lines so far end the log: what comes behind is not read.
    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    /// Whether all transactions were handed on, and those of later lines begin later: a line of a whole transaction does
    /// not tell what others did meanwhile.
    pub(crate) fn is_idle(&self) -> bool {
        !self.queue.sorted && self.first_needed() > self.number
    }

    /// Whether transactions are handed on before the end of the log.
    pub(crate) fn flows(&self) -> bool {
        self.queue.flows()
    }

    /// The number of the last line.
    pub(crate) fn line(&self) -> u64 {
        self.number
    }

    /// The first line that is needed to read the transactions that were not handed on yet.
    pub(crate) fn first_needed(&self) -> u64 {
        let parts =
            [self.assembler.first_line(), self.cursors.first_line(), self.queue.first_line()];
        parts.into_iter().flatten().min().unwrap_or(self.number + 1)
    }

    /// The lines that are handed over from now on come behind this many others, which were read before.
    pub(crate) fn skip_to(&mut self, line: u64) {
        self.number = line;
        self.assembler.begin_late();
    }

    /// Reads one line.
    fn advance(&mut self) -> Result<(), Error> {
        let mut text = Vec::new();
        self.lines.read_until(b'\n', &mut text).map_err(|error| Error::io(&self.name, error))?;
        if text.is_empty() { self.finish() } else { self.take_line(&text) }
    }

    /// Takes the next line, with the character that ends it.
    pub(crate) fn take_line(&mut self, text: &[u8]) -> Result<(), Error> {
        self.number += 1;
        let whole = text.ends_with(b"\n");
        if text.trim_ascii().is_empty() {
            return Ok(());
        }
        match serde_json::from_slice::<Line>(text) {
            Ok(line) => self.take(line),
            Err(_) if !whole => {
                self.warnings.push(format!("line {} is cut off and was ignored", self.number));
                Ok(())
            }
            Err(error) => Err(self.wrong(&no_line(&error), LINE)),
        }
    }

    fn take(&mut self, line: Line) -> Result<(), Error> {
        let number = self.number;
        if let Some(format) = &line.tristan {
            if format.starts_with("trace/") {
                return Err(self.wrong("a trace", "a SQL log; run `tristan check` for traces"));
            }
            if format != "sql-log/1" {
                return Err(self.wrong(&format!("{format:?}"), "\"sql-log/1\""));
            }
            self.header = line.header();
            self.queue.sorted = self.header.sorted;
            return Ok(());
        }
        if let Some(sql) = line.schema {
            self.start.push_back(Item::Schema { sql, line: number });
            return Ok(());
        }
        if let Some(rows) = line.start_rows() {
            let (table, columns, values) = rows.map_err(|found| self.wrong(&found, START_ROWS))?;
            self.start.push_back(Item::Rows { table, columns, values, line: number });
            return Ok(());
        }
        if line.unheard {
            self.warnings.push(format!(
                "line {number}: the proxy stopped recording a connection that continued, so only \
                 the log before this line is checked"
            ));
            return self.finish();
        }
        if line.open.is_some() && line.is_mariadb() {
            self.header.dialect = Some("mariadb".to_owned());
        }
        self.begun = true;
        let dialect = dialect(&self.header);
        let whole = line.steps.is_some();
        self.texts.speak(dialect);
        let finished = match whole {
            true => {
                self.queue.whole_lines();
                compact::read(line, number, &mut self.texts).map(Some)
            }
            false => self.assembler.take(line, number, &mut self.texts),
        };
        match finished {
            Ok(Some(mut txn)) => {
                self.assembler.stamp(&mut txn);
                if !whole {
                    self.executions.expand(&mut txn, dialect);
                }
                // Lines of whole transactions come in any order.
                let done = if whole { vec![txn] } else { self.cursors.take(txn, dialect) };
                self.push(done)
            }
            Ok(None) => Ok(()),
            Err((found, expected)) => Err(self.wrong(&found, expected)),
        }
    }

    /// No line follows.
    pub(crate) fn finish(&mut self) -> Result<(), Error> {
        if self.over {
            return Ok(());
        }
        self.over = true;
        let mut done = self.cursors.finish();
        done.extend(self.assembler.finish());
        self.push(done)?;
        self.warnings.append(&mut self.assembler.warnings);
        Ok(())
    }

    fn push(&mut self, txns: Vec<Txn>) -> Result<(), Error> {
        for txn in txns {
            self.queue.push(txn).map_err(|found| self.wrong(&found, SORTED))?;
        }
        Ok(())
    }

    fn wrong(&self, found: &str, expected: &str) -> Error {
        Error::Line {
            name: self.name.clone(),
            line: self.number,
            found: found.to_owned(),
            expected: expected.to_owned(),
        }
    }
}

/// What was found instead of a line of a log.
fn no_line(error: &serde_json::Error) -> String {
    if error.classify() != Category::Data {
        return format!("text that is not JSON (column {})", error.column());
    }
    let message = error.to_string();
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
    format!("a value of the wrong type (column {}: {message})", error.column())
}

const LINE: &str = "a JSON object of a SQL log, such as those that `tristan proxy` writes";
const START_ROWS: &str = "{\"rows\":\"table\",\"columns\":[…],\"values\":[[…],…]}";
const SORTED: &str = "a transaction that begins no earlier than those before it";
