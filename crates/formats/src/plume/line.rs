//! One line of the format, taken apart.

use crate::error::ContentError;
use tristan_history::Datum;
use tristan_history::integer::integer;

/// The columns of a table.
pub(super) const COLUMNS: [&str; 6] =
    ["op_id", "client_id", "transaction_id", "mode", "key", "value"];

/// An operation as written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) write: bool,
    pub(super) key: Datum,
    /// `None` is a read that found nothing.
    pub(super) value: Option<Datum>,
    pub(super) session: Datum,
    /// The transaction; `None` if it did not commit.
    pub(super) txn: Option<Datum>,
}

/// Whether a file starts like this.
pub(crate) fn is_likely(head: &[u8]) -> bool {
    let Some(line) = head.trim_ascii_start().split(|&byte| byte == b'\n').next() else {
        return false;
    };
    let text = std::str::from_utf8(line.trim_ascii_end()).unwrap_or_default();
    is_columns(text) || text.starts_with(['r', 'w']) && call(text).is_ok()
}

/// Whether a line names the columns of a table.
pub(super) fn is_columns(text: &str) -> bool {
    text.split(',').map(str::trim).eq(COLUMNS)
}

/// Reads `w(7,100,2,5)`.
pub(super) fn call(text: &str) -> Result<Line, ContentError> {
    let expected = "an operation like r(key,value,session,transaction)";
    let malformed = || ContentError::malformed(text, expected);
    let (write, fields) = match text.split_once('(').ok_or_else(malformed)? {
        ("r", fields) => (false, fields),
        ("w", fields) => (true, fields),
        _ => return Err(malformed()),
    };
    let fields: Vec<&str> = fields.strip_suffix(')').ok_or_else(malformed)?.split(',').collect();
    let ([key, value, session, txn] | [key, value, session, txn, _]) = fields[..] else {
        return Err(malformed());
    };
    let number = |text: &str| integer(text).map(Datum::Int).ok_or_else(|| not_a_number(text));
    if let [.., place] = fields[4..] {
        number(place)?;
    }
    Ok(Line {
        write,
        key: number(key)?,
        value: Some(number(value)?),
        session: number(session)?,
        txn: transaction(number(txn)?)?,
    })
}

/// Reads `1,17,5,w,some key,some value`.
pub(super) fn row(text: &str) -> Result<Line, ContentError> {
    let malformed = || ContentError::malformed(text, format!("the columns {}", COLUMNS.join(",")));
    let fields: Vec<&str> = text.splitn(COLUMNS.len(), ',').map(str::trim).collect();
    let [_, session, txn, mode, key, value] = fields[..] else { return Err(malformed()) };
    let write = match mode {
        "r" => false,
        "w" => true,
        _ => return Err(malformed()),
    };
    let number = |text: &str| integer(text).map(Datum::Int).ok_or_else(|| not_a_number(text));
    Ok(Line {
        write,
        key: Datum::integer_or_text(key),
        value: Some(value).filter(|value| write || !value.is_empty()).map(Datum::integer_or_text),
        session: number(session)?,
        txn: transaction(number(txn)?)?,
    })
}

fn transaction(number: Datum) -> Result<Option<Datum>, ContentError> {
    match number {
        Datum::Int(-1) => Ok(None),
        Datum::Int(..-1) => {
            let expected = "one that is not negative, or -1 if it did not commit";
            Err(ContentError::new(format!("transaction {number}"), expected))
        }
        _ => Ok(Some(number)),
    }
}

fn not_a_number(text: &str) -> ContentError {
    ContentError::malformed(text, "a whole number of 64 bits")
}
