//! What a statement does to transactions, from its first words.

use crate::model::Control;

/// What a text does to the transaction it is in.
pub(super) fn control(sql: &str) -> Control {
    let words = words(sql);
    let word = |place: usize| words.get(place).map(String::as_str).unwrap_or_default();
    match word(0) {
        "savepoint" => Control::Savepoint(word(1).to_owned()),
        "rollback" | "abort" => match words.iter().position(|word| word == "to") {
            Some(to) if word(to + 1) == "savepoint" => Control::RollbackTo(word(to + 2).to_owned()),
            Some(to) => Control::RollbackTo(word(to + 1).to_owned()),
            None => Control::Other,
        },
        "set" if words.len() == 1 && is_variable(sql) => Control::Statement,
        "begin" | "start" | "commit" | "end" | "release" | "set" | "show" | "use" | "discard"
        | "deallocate" | "prepare" | "analyze" | "vacuum" | "lock" | "unlock" | "explain"
        | "describe" | "reset" | "listen" | "unlisten" | "notify" => Control::Other,
        _ => Control::Statement,
    }
}

/// Whether `SET` is followed by a variable of the session, as in `SET @x = 1`.
fn is_variable(sql: &str) -> bool {
    let variable = sql.find('@').map(|at| &sql[at..]);
    variable.is_some_and(|name| !name.starts_with("@@"))
}

/// Whether a text asks for the end of the transaction, and for its effects to stay.
pub(super) fn is_commit(sql: &str) -> bool {
    let words = words(sql);
    matches!(words.first().map(String::as_str), Some("commit" | "end"))
        || words.iter().take(2).eq(["prepare", "transaction"])
}

/// The first few words, in small letters, without comments and quotes.
fn words(sql: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = sql.trim_start();
    while words.len() < 5 && !rest.is_empty() {
        if let Some(after) = rest.strip_prefix("--") {
            rest = after.split_once('\n').map_or("", |(_, next)| next).trim_start();
        } else if let Some(after) = rest.strip_prefix("/*") {
            rest = after.split_once("*/").map_or("", |(_, next)| next).trim_start();
        } else {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || "_\"`".contains(c)));
            let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
            if word.is_empty() {
                break;
            }
            words.push(word.trim_matches(['"', '`']).to_lowercase());
            rest = after.trim_start();
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_what_statements_do_to_transactions() {
        let cases = [
            ("select 1", Control::Statement),
            ("/* x */ -- y\n SAVEPOINT A1", Control::Savepoint("a1".into())),
            ("rollback to savepoint \"A1\"", Control::RollbackTo("a1".into())),
            ("ROLLBACK WORK TO a1;", Control::RollbackTo("a1".into())),
            ("rollback", Control::Other),
            ("BEGIN ISOLATION LEVEL SERIALIZABLE", Control::Other),
        ];
        for (sql, expected) in cases {
            assert_eq!(control(sql), expected, "{sql}");
        }
        assert!(is_commit("COMMIT;") && is_commit("end") && !is_commit("begin"));
    }
}
