//! From the answer of a statement to returns in the trace.

use tristan_history::Datum;
use tristan_recorder::{Answer, CallId, Request, SessionLog};
use tristan_sqltext::Control;

use super::act::{Action, Kind, Late, value_datum};
use super::clauses::{Pick, Picks, StatementError};
use super::obscured::Obscured;
use super::table::Table;
use crate::ending::Ending;
use crate::result::ResultSet;
use crate::value::Value;

const NOT_UNIQUE: StatementError = "its key is not unique";
const ODD_RESULT: StatementError = "its result lacks a key or a value, or was not kept in full";
const LOST: StatementError = "its answer was lost, and with it the value that it wrote";
const CONDITION: &str = "no row satisfies the other conditions";

/// The return of a statement that begins or ends something; `None` if it is not known, or if a begin was
/// not carried out.
pub(super) fn of_control(control: &Control, ending: &Ending) -> Option<Answer> {
    let commits = matches!(control, Control::Commit { .. } | Control::Implicit);
    let begins = matches!(control, Control::Begin(_));
    match ending {
        // A trace must not mention a transaction behind the failed return of its begin, but the abort
        // that ends the transaction follows.
        Ending::Failed(_) | Ending::Skipped if begins => None,
        Ending::Done { tag, .. } if commits && tag.as_deref() == Some("ROLLBACK") => {
            Some(Answer::Aborted("the transaction had failed".into()))
        }
        Ending::Done { .. } | Ending::Suspended => Some(Answer::Done),
        Ending::Failed(error) if commits && error.leaves_doubt() => {
            Some(Answer::Failed(error.text()))
        }
        Ending::Failed(error) if commits => Some(Answer::Aborted(error.text())),
        Ending::Failed(error) => Some(Answer::Failed(error.text())),
        Ending::Skipped if commits => Some(Answer::Aborted("skipped".into())),
        Ending::Skipped => Some(Answer::Failed("skipped".into())),
        Ending::Lost => None,
    }
}

/// What is known when a statement is answered.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    /// The rows that it returned.
    pub(super) result: &'a ResultSet,
    /// How it ended.
    pub(super) ending: &'a Ending,
    /// Whether its transaction is still the one that is open in the trace.
    pub(super) belongs: bool,
    /// Keys whose values can no longer be attributed to a write.
    pub(super) obscured: &'a Obscured,
}

impl Action {
    /// Writes down what came of the operations.
    ///
    /// # Errors
    /// When that cannot be told. Nothing is written down then, except that a read was not seen.
    pub(super) fn answer(
        self,
        log: &mut SessionLog,
        scene: Scene<'_>,
    ) -> Result<(), StatementError> {
        let Scene { result, ending, belongs, obscured } = scene;
        let affected = match ending {
            Ending::Done { affected, tag } => matched(tag.as_deref()).or(*affected),
            Ending::Suspended => {
                self.not_seen(log);
                return Err(ODD_RESULT);
            }
            Ending::Lost if self.is_late() => return Err(LOST),
            Ending::Lost => return Ok(()),
            Ending::Failed(_) | Ending::Skipped => {
                self.failed(log, ending);
                return Ok(());
            }
        };
        match self {
            Self::Late(late) if belongs => late.answer(log, result, obscured),
            Self::Late(_) => Err("its transaction ended before its answer arrived"),
            Self::Called(ref calls, ref kind) => {
                match kind.answers(result, affected, calls.len()) {
                    Ok(mut answers) => {
                        kind.hide(&mut answers, obscured);
                        answer_all(log, calls, &answers);
                        Ok(())
                    }
                    Err(reason) => {
                        self.not_seen(log);
                        Err(reason)
                    }
                }
            }
        }
    }

    /// What a read returned is not in the trace.
    fn not_seen(&self, log: &mut SessionLog) {
        if let Self::Called(calls, _) = self
            && self.is_read()
        {
            answer_all(log, calls, &vec![Answer::Unseen; calls.len()]);
        }
    }

    fn failed(self, log: &mut SessionLog, ending: &Ending) {
        let text = match ending {
            Ending::Failed(error) => error.text(),
            _ => "skipped".to_owned(),
        };
        if let Self::Called(calls, _) = self {
            let answers = vec![Answer::Failed(text); calls.len()];
            answer_all(log, &calls, &answers);
        }
    }
}

/// MySQL counts rows that it changed, and tells on the side how many there were.
fn matched(tag: Option<&str>) -> Option<u64> {
    let rest = tag?.strip_prefix("Rows matched: ")?;
    rest.split_whitespace().next()?.parse().ok()
}

fn answer_all(log: &mut SessionLog, calls: &[CallId], answers: &[Answer]) {
    for (call, answer) in calls.iter().zip(answers) {
        log.answer(*call, answer);
    }
}

impl Kind {
    /// One answer per call.
    fn answers(
        &self,
        result: &ResultSet,
        affected: Option<u64>,
        calls: usize,
    ) -> Result<Vec<Answer>, StatementError> {
        match self {
            Self::Put => Ok(vec![Answer::Done; calls]),
            Self::Insert { leave } => match affected {
                Some(0) if *leave => Ok(vec![Answer::Rows(0); calls]),
                Some(rows) if rows == calls as u64 || !leave => Ok(vec![Answer::Rows(1); calls]),
                _ => Err("its result does not show which of the keys existed"),
            },
            Self::Change { more } => match affected {
                Some(0) if *more => Ok(vec![Answer::Failed(CONDITION.into())]),
                Some(rows @ 0..=1) => Ok(vec![Answer::Rows(rows)]),
                _ => Err(NOT_UNIQUE),
            },
            Self::Get { keys, picks, more } => got(keys, picks, *more, result),
            Self::Scan { picks, table } => scanned(picks, table.as_ref(), result),
        }
    }

    /// Leaves out values that may come from writes of unknown values. That a key is absent can be told:
    /// every write says whether its key is there afterwards.
    fn hide(&self, answers: &mut [Answer], obscured: &Obscured) {
        let keys: &[Datum] = if let Self::Get { keys, .. } = self { keys } else { &[] };
        for (place, answer) in answers.iter_mut().enumerate() {
            let hidden = match answer {
                Answer::Value(Some(_)) => keys.get(place).is_some_and(|key| obscured.has([key])),
                Answer::Items(items) => obscured.has(items.iter().map(|(key, _)| key)),
                _ => false,
            };
            if hidden {
                *answer = obscured.unseen();
            }
        }
    }
}

fn got(
    keys: &[Datum],
    picks: &Picks,
    more: bool,
    result: &ResultSet,
) -> Result<Vec<Answer>, StatementError> {
    let places = Places::of(picks, result)?;
    let one = keys.len() == 1;
    let mut answers = Vec::with_capacity(keys.len());
    for key in keys {
        let mut values =
            result.kept.iter().filter(|row| one || places.key(row).as_ref() == Some(key));
        answers.push(match (values.next(), values.next()) {
            (None, _) if more => Answer::Failed(CONDITION.into()),
            (None, _) => Answer::Value(None),
            (Some(row), None) => Answer::Value(Some(places.value(row).ok_or(ODD_RESULT)?)),
            _ => return Err(NOT_UNIQUE),
        });
    }
    Ok(answers)
}

fn scanned(
    picks: &Picks,
    table: Option<&Table>,
    result: &ResultSet,
) -> Result<Vec<Answer>, StatementError> {
    let places = Places::of(picks, result)?;
    let item = |row: &Vec<Value>| {
        let key = places.key(row)?;
        let key = table.map_or_else(|| key.clone(), |table| table.key(&key, true));
        Some((key, places.value(row)?))
    };
    let items: Option<Vec<_>> = result.kept.iter().map(item).collect();
    items.map(|items| vec![Answer::Items(items)]).ok_or(ODD_RESULT)
}

/// Where key and value are in the rows of a result.
struct Places {
    key: Option<usize>,
    value: Option<usize>,
}

impl Places {
    fn of(picks: &Picks, result: &ResultSet) -> Result<Self, StatementError> {
        if result.cut > 0 {
            return Err(ODD_RESULT);
        }
        let place = |pick: &Option<Pick>| match pick {
            None => None,
            Some(Pick::Place(place)) => Some(*place),
            Some(Pick::Named(name)) => {
                let columns = result.columns.as_deref().unwrap_or_default();
                columns.iter().position(|column| column.name.eq_ignore_ascii_case(name))
            }
        };
        Ok(Self { key: place(&picks.key), value: place(&picks.value) })
    }

    fn key(&self, row: &[Value]) -> Option<Datum> {
        row.get(self.key?).and_then(Value::datum)
    }

    fn value(&self, row: &[Value]) -> Option<Datum> {
        row.get(self.value?).and_then(value_datum)
    }
}

impl Late {
    fn answer(
        self,
        log: &mut SessionLog,
        result: &ResultSet,
        obscured: &Obscured,
    ) -> Result<(), StatementError> {
        let places = Places::of(&self.picks, result)?;
        let row = match &result.kept[..] {
            [] => return Ok(()),
            [row] => row,
            _ => return Err(NOT_UNIQUE),
        };
        let key = self.key;
        match (places.value(row).ok_or(ODD_RESULT)?, self.delta) {
            (Datum::Int(new), Some(delta)) => {
                let old = match obscured.has([&key]) {
                    true => obscured.unseen(),
                    false => Answer::Old(Some(Datum::Int(new - delta))),
                };
                let call = log.call(&Request::Rmw { key, value: Datum::Int(new) });
                log.answer(call, &old);
            }
            (value, _) => {
                let call = log.call(&Request::Update { key, value });
                log.answer(call, &Answer::Rows(1));
            }
        }
        Ok(())
    }
}
