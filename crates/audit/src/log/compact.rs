//! A whole transaction on one line.
//!
//! ```json
//! {"txn":3,"c":1,"at":[10,40],"commit":[30,40],"outcome":"committed","do":[
//!   {"sql":"select v from t where k = $1","params":[1],"rows":[[5]],"at":[11,12]}]}
//! ```
//!
//! Times may be left out. Then transactions ran one after the other, as they are listed.

use serde_json::Value as Json;

use super::control::{Text, Texts};
use super::line::{Line, LineError};
use crate::model::{Call, NEVER, Outcome, Time, Txn};

/// How far apart transactions without times are.
const STEP: Time = 1000;

/// The transaction of a line.
pub(super) fn read(line: Line, number: u64, texts: &mut Texts) -> Result<Txn, LineError> {
    let place = Time::try_from(number).unwrap_or(NEVER / STEP - 1) * STEP;
    let (begin, mut end) = pair(line.at.as_ref())?.unwrap_or((place, place + STEP - 1));
    let commit = pair(line.commit.as_ref())?.map(|(call, _)| call);
    let outcome = match line.outcome.as_deref() {
        None | Some("committed") => Outcome::Committed,
        Some("aborted") => Outcome::Aborted,
        Some("unknown") => Outcome::Unknown,
        Some(other) => return Err((format!("outcome {other:?}"), WHOLE)),
    };
    let steps = line.steps.unwrap_or_default();
    let calls = steps.into_iter().map(|step| call(step, (begin, end), number, texts));
    let calls: Vec<Call> = calls.collect::<Result<_, _>>()?;
    let last = calls.last().map_or(begin, |call| call.begin);
    if outcome == Outcome::Unknown {
        end = NEVER;
    }
    Ok(Txn {
        number: line.txn.unwrap_or(number),
        session: line.c.unwrap_or(0),
        begin,
        commit: commit.unwrap_or(last),
        end,
        outcome,
        stamp: line.stamp,
        calls,
        line: number,
    })
}

fn call(
    mut step: Line,
    during: (Time, Time),
    line: u64,
    texts: &mut Texts,
) -> Result<Call, LineError> {
    let observed = step.observed().map_err(|found| (found, WHOLE))?;
    let sql = step.sql.ok_or_else(|| ("a step without sql".to_owned(), WHOLE))?;
    let (begin, end) = pair(step.at.as_ref())?.unwrap_or(during);
    let Text { sql, control, .. } = texts.of(&sql);
    let (params, types) = (step.params, step.types.into());
    Ok(Call { control, sql, params, types, observed, begin, end, line })
}

fn pair(json: Option<&Json>) -> Result<Option<(Time, Time)>, LineError> {
    let Some(json) = json else { return Ok(None) };
    let times = json.as_array().map(Vec::as_slice);
    match times {
        Some([from, to]) => match (from.as_i64(), to.as_i64()) {
            (Some(from), Some(to)) if from <= to => Ok(Some((from, to))),
            _ => Err((format!("the times {json}"), WHOLE)),
        },
        _ => Err((format!("the times {json}"), WHOLE)),
    }
}

const WHOLE: &str =
    "{\"txn\":…,\"c\":…,\"at\":[begin,end],\"do\":[{\"sql\":…,\"rows\":[[…],…]},…]}";
