//! Statements that begin and end transactions, and settings.
//!
//! Ground: knows nothing else of the crate.

/// What a statement does to transactions.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Control {
    /// `BEGIN`, `START TRANSACTION`, with the isolation level if it is said.
    Begin {
        /// As in `repeatable read`.
        level: Option<String>,
        /// `READ ONLY`?
        read_only: bool,
    },
    /// `COMMIT`, `END`; another transaction begins at once if it is chained.
    Commit {
        /// `AND CHAIN`?
        chain: bool,
    },
    /// `ROLLBACK`, `ABORT`.
    Rollback {
        /// `AND CHAIN`?
        chain: bool,
    },
    /// `SAVEPOINT`.
    Savepoint(String),
    /// `RELEASE SAVEPOINT`.
    Release(String),
    /// `ROLLBACK TO SAVEPOINT`.
    RollbackTo(String),
    /// `SET TRANSACTION`, for this transaction or for the session.
    SetTransaction {
        /// For all transactions of the session?
        session: bool,
        /// As in `repeatable read`.
        level: Option<String>,
    },
    /// Another setting, as it was written.
    Setting(String),
}

/// Reads a statement that is about transactions or settings; `None` if it is something else.
pub(crate) fn read_control(text: &str) -> Option<Control> {
    let words: Vec<String> = words(text);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let chain = words.windows(2).any(|pair| pair == ["and", "chain"]);
    Some(match words.as_slice() {
        ["begin", rest @ ..] if rest.first() != Some(&"not") => begin(rest)?,
        ["start", "transaction", rest @ ..] => begin(rest)?,
        ["commit" | "end", rest @ ..] if is_ending(rest) => Control::Commit { chain },
        ["rollback" | "abort", rest @ ..] if is_ending(rest) => Control::Rollback { chain },
        ["rollback", "work" | "transaction", "to", "savepoint", name]
        | ["rollback", "work" | "transaction", "to", name]
        | ["rollback", "to", "savepoint", name]
        | ["rollback", "to", name] => Control::RollbackTo((*name).to_owned()),
        ["savepoint", name] => Control::Savepoint((*name).to_owned()),
        ["release", "savepoint", name] | ["release", name] => Control::Release((*name).to_owned()),
        ["set", "session", "characteristics", "as", "transaction", rest @ ..]
        | ["set", "session", "transaction", rest @ ..] => {
            Control::SetTransaction { session: true, level: level(rest) }
        }
        ["set", "local", "transaction", rest @ ..] | ["set", "transaction", rest @ ..] => {
            Control::SetTransaction { session: false, level: level(rest) }
        }
        ["set", name, ..] if !name.starts_with('@') || name.starts_with("@@") => {
            Control::Setting(text.trim().to_owned())
        }
        ["use" | "reset" | "discard" | "show" | "analyze" | "vacuum", ..] => {
            Control::Setting(text.trim().to_owned())
        }
        _ => return None,
    })
}

/// Words in lower case, without quotes around them and without a semicolon at the end.
fn words(text: &str) -> Vec<String> {
    let text = text.trim().trim_end_matches(';');
    let split = text.split(|letter: char| letter.is_whitespace() || letter == ',' || letter == '=');
    let words = split.filter(|word| !word.is_empty());
    words.take(16).map(|word| word.trim_matches(['"', '`']).to_lowercase()).collect()
}

fn is_ending(rest: &[&str]) -> bool {
    rest.iter()
        .all(|word| matches!(*word, "work" | "transaction" | "and" | "no" | "chain" | "release"))
}

fn begin(rest: &[&str]) -> Option<Control> {
    let known = [
        "work",
        "transaction",
        "isolation",
        "level",
        "read",
        "write",
        "only",
        "committed",
        "uncommitted",
        "repeatable",
        "serializable",
        "deferrable",
        "not",
        "with",
        "consistent",
        "snapshot",
    ];
    let plain = rest.iter().all(|word| known.contains(word));
    let read_only = rest.windows(2).any(|pair| pair == ["read", "only"]);
    plain.then(|| Control::Begin { level: level(rest), read_only })
}

fn level(rest: &[&str]) -> Option<String> {
    let at = rest.windows(2).position(|pair| pair == ["isolation", "level"])?;
    match rest.get(at + 2..)? {
        ["serializable", ..] => Some("serializable".to_owned()),
        [first @ ("repeatable" | "read"), second, ..] => Some(format!("{first} {second}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transaction_control_is_told_from_other_statements() {
        let begin = |level: Option<&str>| {
            Some(Control::Begin { level: level.map(str::to_owned), read_only: false })
        };
        for (text, control) in [
            ("BEGIN", begin(None)),
            ("begin isolation level repeatable read;", begin(Some("repeatable read"))),
            ("START TRANSACTION WITH CONSISTENT SNAPSHOT", begin(None)),
            ("BEGIN; SELECT 1", None),
            ("COMMIT AND CHAIN", Some(Control::Commit { chain: true })),
            ("end", Some(Control::Commit { chain: false })),
            ("ROLLBACK WORK TO SAVEPOINT a", Some(Control::RollbackTo("a".to_owned()))),
            ("abort", Some(Control::Rollback { chain: false })),
            ("SAVEPOINT b", Some(Control::Savepoint("b".to_owned()))),
            ("RELEASE b", Some(Control::Release("b".to_owned()))),
            (
                "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
                Some(Control::SetTransaction {
                    session: true,
                    level: Some("read committed".to_owned()),
                }),
            ),
            ("SET autocommit = 0", Some(Control::Setting("SET autocommit = 0".to_owned()))),
            ("SET @a = 1", None),
            ("SELECT 1", None),
        ] {
            assert_eq!(read_control(text), control, "{text}");
        }
    }
}
