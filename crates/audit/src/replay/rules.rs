//! Whether the places of transactions are possible, from the times of the log alone.
//!
//! An order of intervals is possible if no transaction comes before one that ended before it began: one
//! number per place, the latest begin so far, and one from the other end, the earliest end from here.

use crate::level::{AuditLevel, Frame};
use crate::model::{NEVER, Time};
use crate::options::{AuditOptions, CommitOrder};
use crate::statement::Task;
use crate::world::{At, Position, Record};

/// What is wrong with a witness, in words.
pub(super) type WitnessError = String;

/// When a transaction was.
#[derive(Clone, Debug)]
struct Span {
    number: u64,
    lo: Time,
    hi: Time,
    begin: Time,
    started: Time,
    stamp: Option<u64>,
    /// By when its one state was read, and by which of its statements, if it has one.
    read: Option<(Time, usize)>,
    /// When its statements were sent and answered, if each of them reads in a state of its time.
    statements: Vec<(Time, Time)>,
}

/// Records and times of all transactions, by their serial numbers.
pub(super) struct Times<'a> {
    records: Vec<Option<&'a Record>>,
    spans: Vec<Option<Span>>,
    writers: Vec<u32>,
}

impl<'a> Times<'a> {
    /// What a witness says; the times come as the log is read.
    pub(super) fn new(records: &'a [Record]) -> Self {
        let mut times = Self { records: Vec::new(), spans: Vec::new(), writers: Vec::new() };
        for record in records {
            set(&mut times.records, record.serial, record);
        }
        let mut order: Vec<&Record> = records.iter().filter(|record| record.writes).collect();
        order.sort_by_key(|record| record.position());
        times.writers = order.iter().map(|record| record.serial).collect();
        times
    }

    /// Notes when a transaction was.
    pub(super) fn note(&mut self, task: &Task, options: &AuditOptions) {
        let level = options.level;
        let (lo, hi, begin, started) = (task.lo, task.hi, task.begin, task.started);
        let (number, stamp) = (task.txn.number, task.txn.stamp);
        let read = match level {
            AuditLevel::Serializable | AuditLevel::StrictSerializable => Some((task.hi, 0)),
            AuditLevel::StrongSnapshot | AuditLevel::MariaDbRepeatableRead => {
                let snapshot = task.frames(level).position(|frame| frame == Frame::Snapshot);
                snapshot.map(|statement| (task.snapshot_by, statement))
            }
            AuditLevel::Snapshot | AuditLevel::ReadCommitted | AuditLevel::StrongReadCommitted => {
                None
            }
        };
        let statements = match level {
            AuditLevel::StrongReadCommitted => statements(task, options),
            _ => Vec::new(),
        };
        let span = Span { number, lo, hi, begin, started, stamp, read, statements };
        set(&mut self.spans, task.serial, span);
    }

    /// How many transactions changed something.
    pub(super) fn writers(&self) -> Position {
        self.writers.len() as Position
    }

    pub(super) fn writer_at(&self, position: Position) -> u32 {
        usize::try_from(position).ok().and_then(|place| self.writers.get(place)).map_or(0, |s| *s)
    }

    pub(super) fn record(&self, serial: u32) -> Option<&'a Record> {
        self.records.get(serial as usize).copied().flatten()
    }

    pub(super) fn is_reader(&self, serial: u32) -> bool {
        self.record(serial).is_some_and(|record| !record.writes)
    }

    /// The newest state that a transaction reads.
    pub(super) fn needs(&self, serial: u32) -> Option<Position> {
        let record = self.record(serial)?;
        let mut newest = record.position();
        let mut place = 0;
        while let Some((at, _)) = record.step(place).filter(|_| place < record.steps()) {
            newest = newest.max(at.newest());
            place += 1;
        }
        Some(newest)
    }

    /// Whether every place is possible.
    pub(super) fn check(&self, options: &AuditOptions) -> Result<(), WitnessError> {
        let spans: Vec<Span> =
            self.writers.iter().filter_map(|&serial| self.span(serial)).collect();
        if spans.len() != self.writers.len() {
            return Err("a transaction in the order is not in the log".to_owned());
        }
        let latest = latest_begins(&spans);
        let earliest = earliest_ends(&spans);
        for (place, &serial) in self.writers.iter().enumerate() {
            let Some(record) = self.record(serial) else { continue };
            if record.position() != place as Position {
                return Err(format!("two transactions share position {place}"));
            }
            let span = &spans[place];
            if latest[place] > span.hi {
                return Err(format!("transaction {} comes after a later one", span.number));
            }
            let exact = options.order == CommitOrder::Exact && place > 0;
            if exact && span.stamp.is_some() && spans[place - 1].stamp > span.stamp {
                return Err(format!("transaction {} is not in the order given", span.number));
            }
        }
        self.check_turns()?;
        let all = self.records.iter().flatten();
        all.into_iter().try_for_each(|record| self.check_reads(record, options, &latest, &earliest))
    }

    /// Checks that no transaction reads a state older than one that was read before it began.
    fn check_turns(&self) -> Result<(), WitnessError> {
        let mut begins: Vec<(Time, Position, u64)> = Vec::new();
        let mut reads: Vec<(Time, Position)> = Vec::new();
        for record in self.records.iter().flatten() {
            let Some(span) = self.span(record.serial) else { continue };
            let Some((by, statement)) = span.read else { continue };
            if let Some((At::State(state), _)) = record.step(statement) {
                begins.push((span.begin, state, span.number));
                reads.push((by, state));
            }
        }
        begins.sort_unstable();
        reads.sort_unstable();
        let (mut before, mut newest) = (reads.into_iter().peekable(), 0);
        for (begin, state, number) in begins {
            while let Some((_, read)) = before.next_if(|(by, _)| *by < begin) {
                newest = newest.max(read);
            }
            if state < newest {
                return Err(format!("transaction {number} returns to an older state"));
            }
        }
        Ok(())
    }

    /// Whether a transaction may read where it is said to.
    fn check_reads(
        &self,
        record: &Record,
        options: &AuditOptions,
        latest: &[Time],
        earliest: &[Time],
    ) -> Result<(), WitnessError> {
        let Some(span) = self.span(record.serial) else {
            return Err("a record of a transaction that is not in the log".to_owned());
        };
        let position = record.position();
        for place in 0..record.steps() {
            let Some((at, _)) = record.step(place) else { break };
            let state = at.newest();
            let wrong = |what: &str| Err(format!("transaction {} {what}", span.number));
            if state > position && record.writes {
                return wrong("reads a later state");
            }
            if let Some(&(sent, answered)) = span.statements.get(place) {
                let index = |state: Position| usize::try_from(state).unwrap_or(usize::MAX);
                let missing = |state| earliest.get(index(state)).is_none_or(|end| *end < sent);
                let late = |state| latest.get(index(state)).is_none_or(|begin| *begin > answered);
                if found_in(&at).any(missing) {
                    return wrong(
                        "misses a transaction that had ended before a statement was sent",
                    );
                }
                if found_in(&at).any(late) {
                    return wrong(
                        "reads a transaction that committed after a statement was answered",
                    );
                }
                continue;
            }
            let At::State(state) = at else {
                if matches!(
                    options.level,
                    AuditLevel::ReadCommitted | AuditLevel::MariaDbRepeatableRead
                ) {
                    continue;
                }
                return wrong("does not read one state");
            };
            let index = usize::try_from(state).unwrap_or(usize::MAX);
            if options.level.is_serial() && state != position {
                return wrong("reads a different state than the one in which it takes effect");
            }
            let begun = latest.get(index).copied().unwrap_or(NEVER);
            let over = earliest.get(index).copied().unwrap_or(Time::MIN);
            if !record.writes && options.level.is_serial() && begun > span.hi {
                return wrong("reads a transaction that began after it had ended");
            }
            let late = options.level == AuditLevel::StrongSnapshot && begun > span.started;
            if late {
                return wrong("reads a transaction that committed after it started");
            }
            if !options.level.reads_old_states() && over < span.begin {
                return wrong("misses a transaction that had ended before it began");
            }
        }
        Ok(())
    }

    fn span(&self, serial: u32) -> Option<Span> {
        self.spans.get(serial as usize).cloned().flatten()
    }
}

/// When the statements of a transaction were sent and answered.
fn statements(task: &Task, options: &AuditOptions) -> Vec<(Time, Time)> {
    let steps = (0..task.steps.len()).filter(|&step| task.statement(step).is_some());
    let free = options.order == CommitOrder::Free;
    let times = steps.map(|step| (task.begin_of(step), task.end_of(step)));
    times
        .map(|(sent, answered)| match free {
            true => (Time::MIN, NEVER),
            false => (sent.saturating_sub(options.drift), answered.saturating_add(options.drift)),
        })
        .collect()
}

/// The states in which a statement found its rows.
fn found_in(at: &At) -> impl Iterator<Item = Position> {
    let (state, rows) = match at {
        At::State(state) => (*state, &[][..]),
        At::Rows { state, rows, .. } => (*state, rows.as_slice()),
    };
    [state].into_iter().chain(rows.iter().map(|&(_, state)| state))
}

fn set<T: Clone>(list: &mut Vec<Option<T>>, serial: u32, value: T) {
    let place = serial as usize;
    if place >= list.len() {
        list.resize(place + 1, None);
    }
    list[place] = Some(value);
}

/// For each state, the latest moment at which something in it can first have taken effect.
fn latest_begins(spans: &[Span]) -> Vec<Time> {
    let mut latest = vec![Time::MIN];
    for span in spans {
        let before = latest.last().copied().unwrap_or(Time::MIN);
        latest.push(before.max(span.lo));
    }
    latest
}

/// For each state, the earliest moment by which something not in it must have taken effect.
fn earliest_ends(spans: &[Span]) -> Vec<Time> {
    let mut earliest = vec![NEVER; spans.len() + 1];
    for (place, span) in spans.iter().enumerate().rev() {
        earliest[place] = earliest[place + 1].min(span.hi);
    }
    earliest
}
