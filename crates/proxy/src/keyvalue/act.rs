//! From a pattern to calls in the trace: parameters are put in, keys become keys of the trace.

use tristan_history::Datum;
use tristan_recorder::{CallId, Request, SessionLog};

use super::clauses::{Conditions, End, Operand, Picks, StatementError};
use super::pattern::{Mode, Pattern};
use super::table::Table;
use crate::value::{Value, plain_integer};

const NO_VALUE: StatementError = "a key or a value is NULL or unknown";
/// Stands in the trace for a value that was written and is not known.
const UNKNOWN: &str = "(not recorded)";

/// What will be called.
pub(super) enum Prepared {
    /// These requests; how to read the answer.
    Now {
        /// What is called.
        requests: Vec<Request>,
        /// What the answer means.
        kind: Kind,
        /// Keys that are written with values that are not known.
        obscured: Vec<Datum>,
    },
    /// Nothing, until the answer shows what was written.
    Late(Late),
}

/// Operations that were called in the trace, or will be.
#[derive(Debug)]
pub(crate) enum Action {
    /// They were called.
    Called(Vec<CallId>, Kind),
    /// They will be.
    Late(Late),
}

/// What the answer of a statement means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Values of these keys.
    Get { keys: Vec<Datum>, picks: Picks, more: bool },
    /// Keys and values of a range; the table's name, if it is part of keys.
    Scan { picks: Picks, table: Option<Table> },
    /// So many rows were changed.
    Change { more: bool },
    /// Rows were inserted, or some of them were left alone.
    Insert { leave: bool },
    /// It was done.
    Put,
}

/// A write whose value is not known yet.
#[derive(Debug)]
pub(crate) struct Late {
    pub(super) key: Datum,
    /// By how much the value went up.
    pub(super) delta: Option<i128>,
    pub(super) picks: Picks,
}

impl Prepared {
    /// Whether it is called only later.
    pub(super) fn is_late(&self) -> bool {
        matches!(self, Self::Late(_))
    }

    /// Keys that are written with values that are not known.
    pub(super) fn obscured(&self) -> &[Datum] {
        match self {
            Self::Now { obscured, .. } => obscured,
            Self::Late(_) => &[],
        }
    }

    /// Calls it.
    pub(super) fn call(self, log: &mut SessionLog) -> Action {
        match self {
            Self::Now { requests, kind, .. } => {
                Action::Called(requests.iter().map(|request| log.call(request)).collect(), kind)
            }
            Self::Late(late) => Action::Late(late),
        }
    }
}

impl Action {
    /// Whether it is called only when it is answered.
    pub(super) fn is_late(&self) -> bool {
        matches!(self, Self::Late(_))
    }

    /// Whether it only reads.
    pub(super) fn is_read(&self) -> bool {
        matches!(self, Self::Called(_, Kind::Get { .. } | Kind::Scan { .. }))
    }

    /// Whether the rows of the answer matter.
    pub(super) fn wants_rows(&self) -> bool {
        matches!(self, Self::Late(_) | Self::Called(_, Kind::Get { .. } | Kind::Scan { .. }))
    }
}

/// Puts parameters into a pattern.
pub(super) fn prepare(
    pattern: &Pattern,
    params: &[Value],
    table: &Table,
    several: bool,
) -> Result<Prepared, StatementError> {
    let scene = Scene { params, table, several };
    let now = |requests, kind| Ok(Prepared::Now { requests, kind, obscured: Vec::new() });
    match pattern {
        Pattern::Get { keys, picks, lock, more, limit } => {
            scene.get(keys, picks, *lock, *more, limit.as_ref())
        }
        Pattern::Scan { found, picks, lock } => scene.scan(found, picks, *lock),
        Pattern::Update { key, value, more } => {
            let key = scene.key(key)?;
            let (value, obscured) = scene.written(&key, value);
            let requests = vec![Request::Update { key, value }];
            Ok(Prepared::Now { requests, kind: Kind::Change { more: *more }, obscured })
        }
        Pattern::Delete { key, more } => {
            now(vec![Request::Delete { key: scene.key(key)? }], Kind::Change { more: *more })
        }
        Pattern::Insert { rows, mode } => scene.insert(rows, *mode),
        Pattern::Derived { key, delta, picks, .. } => {
            let delta = match delta {
                Some((by, minus)) => scene.integer(by).map(|by| if *minus { -by } else { by }),
                None => None,
            };
            Ok(Prepared::Late(Late { key: scene.key(key)?, delta, picks: picks.clone() }))
        }
        Pattern::Harmless => Err(NO_VALUE),
    }
}

struct Scene<'a> {
    params: &'a [Value],
    table: &'a Table,
    several: bool,
}

impl Scene<'_> {
    fn resolve<'v>(&'v self, operand: &'v Operand) -> Option<&'v Value> {
        match operand {
            Operand::Value(value) => Some(value),
            Operand::Param(number) => self.params.get(*number),
            Operand::Computed => None,
        }
    }

    fn key(&self, operand: &Operand) -> Result<Datum, StatementError> {
        let key = self.resolve(operand).and_then(Value::datum).ok_or(NO_VALUE)?;
        Ok(self.table.key(&key, self.several))
    }

    /// The value that is written to a key. If it is not known, or NULL, a text that says so stands in
    /// for it, and the key is obscured.
    fn written(&self, key: &Datum, operand: &Operand) -> (Datum, Vec<Datum>) {
        match self.resolve(operand).and_then(value_datum) {
            Some(value) => (value, Vec::new()),
            None => (UNKNOWN.into(), vec![key.clone()]),
        }
    }

    fn integer(&self, operand: &Operand) -> Option<i128> {
        match self.resolve(operand)?.datum()? {
            Datum::Int(number) => Some(number),
            _ => None,
        }
    }

    fn get(
        &self,
        keys: &[Operand],
        picks: &Picks,
        lock: bool,
        more: bool,
        limit: Option<&Operand>,
    ) -> Result<Prepared, StatementError> {
        if limit.is_some_and(|limit| self.integer(limit).is_none_or(|limit| limit < 1)) {
            return Err("its LIMIT is not supported");
        }
        let mut keys: Vec<Datum> =
            keys.iter().map(|key| self.key(key)).collect::<Result<_, StatementError>>()?;
        keys.sort();
        keys.dedup();
        let requests = keys.iter().map(|key| Request::Get { key: key.clone(), lock }).collect();
        // Rows show keys as the table has them; so they are told apart as those of one table.
        let keys = match (self.several, keys.len()) {
            (true, 2..) => return Err("it reads several keys, and the trace has several tables"),
            _ => keys,
        };
        let kind = Kind::Get { keys, picks: picks.clone(), more };
        Ok(Prepared::Now { requests, kind, obscured: Vec::new() })
    }

    fn scan(
        &self,
        found: &Conditions,
        picks: &Picks,
        lock: bool,
    ) -> Result<Prepared, StatementError> {
        let bounded = found.lo.is_some() || found.hi.is_some();
        if self.several && bounded {
            return Err(
                "it reads a range of numbers, but with several tables all keys are strings",
            );
        }
        let (lo, hi) = match bounded {
            true => (self.end(found.lo.as_ref(), false)?, self.end(found.hi.as_ref(), true)?),
            false => self.table.all(self.several),
        };
        let table = self.several.then(|| self.table.clone());
        let kind = Kind::Scan { picks: picks.clone(), table };
        let requests = vec![Request::Scan { lo, hi, lock }];
        Ok(Prepared::Now { requests, kind, obscured: Vec::new() })
    }

    /// An end of a range `[lo, hi)`.
    fn end(&self, end: Option<&End>, is_hi: bool) -> Result<Option<Datum>, StatementError> {
        let Some((operand, inclusive)) = end else { return Ok(None) };
        let number =
            self.integer(operand).ok_or("it reads a range that is not a range of integers")?;
        Ok(Some(Datum::Int(number + i128::from(*inclusive == is_hi))))
    }

    fn insert(&self, rows: &[(Operand, Operand)], mode: Mode) -> Result<Prepared, StatementError> {
        let (mut requests, mut obscured) = (Vec::new(), Vec::new());
        for (key, value) in rows {
            let key = self.key(key)?;
            let (value, unclear) = self.written(&key, value);
            obscured.extend(unclear);
            requests.push(match mode {
                Mode::Replace => Request::Put { key, value },
                Mode::Fail | Mode::Leave => Request::Insert { key, value },
            });
        }
        let kind = match mode {
            Mode::Replace => Kind::Put,
            Mode::Fail | Mode::Leave => Kind::Insert { leave: mode == Mode::Leave },
        };
        Ok(Prepared::Now { requests, kind, obscured })
    }
}

/// The value of a trace. Decimal numbers are written in many ways; `10.50` and `10.5` are one value.
pub(super) fn value_datum(value: &Value) -> Option<Datum> {
    let Value::Text(text) = value else { return value.datum() };
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    match text.split_once('.') {
        Some((whole, fraction)) if digits(fraction) && plain_integer(whole).is_some() => {
            let fraction = fraction.trim_end_matches('0');
            Some(match (plain_integer(whole), fraction) {
                (Some(number), "") => Datum::Int(number),
                _ => Datum::from(format!("{whole}.{fraction}").as_str()),
            })
        }
        _ => value.datum(),
    }
}
