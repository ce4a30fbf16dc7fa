//! What dumps have besides tables and rows.
//!
//! `pg_dump` writes data after `COPY … FROM stdin`, and commands to `psql`:
//!
//! ```text
//!   CREATE TABLE public.t (…);                    statements
//!   COPY public.t (id, name) FROM stdin;          data: one line per row, columns between tabs,
//!   1    one                                      \N for NULL, a backslash before what is special
//!   \.                                            its end
//!   \unrestrict …                                 a command
//! ```
//!
//! `mysqldump` and `mariadb-dump` write plain SQL, in which they save and restore settings, lock tables and
//! suspend their keys. Around triggers and routines, they tell the client to look for another separator:
//!
//! ```text
//!   DELIMITER ;;
//!   CREATE TRIGGER …; END */;;
//!   DELIMITER ;
//! ```

use tristan_sqltext::{Part, TokenKind, Words, has_word};

use crate::world::Value;

/// A part of a dump.
#[derive(Debug, PartialEq)]
pub(crate) enum Portion<'a> {
    /// Statements.
    Statements(&'a str),
    /// Rows for a table: everything between COPY and FROM, and the lines.
    Data { target: &'a str, lines: &'a str },
}

/// The parts of a text with SQL, in their order. A text that no program dumped is one of them.
pub(crate) fn portions(text: &str) -> Vec<Portion<'_>> {
    let mut portions = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < text.len() {
        let line = first_line(&text[at..]);
        let next = at + line.len();
        if !is_complete(&text[start..at]) {
            at = next;
        } else if let Some(target) = copied(line) {
            portions.push(Portion::Statements(&text[start..at]));
            let data = &text[next..];
            let end = end_of_data(data);
            portions.push(Portion::Data { target, lines: &data[..end] });
            at = next + end + first_line(&data[end..]).len();
            start = at;
        } else if let Some(separator) = separator(line) {
            portions.push(Portion::Statements(&text[start..at]));
            let end = next + end_of_separator(&text[next..]);
            portions.extend(text[next..end].split(separator).map(Portion::Statements));
            at = end + first_line(&text[end..]).len();
            start = at;
        } else if is_command(line) {
            portions.push(Portion::Statements(&text[start..at]));
            (start, at) = (next, next);
        } else {
            at = next;
        }
    }
    portions.push(Portion::Statements(&text[start..]));
    portions
        .retain(|portion| !matches!(portion, Portion::Statements(some) if some.trim().is_empty()));
    portions
}

/// Whether a line is for the client, not for the server.
fn is_command(line: &str) -> bool {
    let sandbox = ["/*M!999999\\-", "/*!999999\\-"];
    line.starts_with('\\') || sandbox.iter().any(|start| line.starts_with(start))
}

/// What separates statements from this line on, if the line changes that.
fn separator(line: &str) -> Option<&str> {
    let (word, separator) = line.trim_end().split_once(' ')?;
    let is_other = |separator: &&str| !separator.is_empty() && *separator != ";";
    Some(separator.trim()).filter(is_other).filter(|_| word.eq_ignore_ascii_case("delimiter"))
}

/// Where the line stands after which a semicolon separates statements again.
fn end_of_separator(text: &str) -> usize {
    let mut at = 0;
    while at < text.len() {
        let line = first_line(&text[at..]);
        if line.trim_end().eq_ignore_ascii_case("delimiter ;") {
            break;
        }
        at += line.len();
    }
    at
}

/// Whether no statement is open at the end of a text, as far as its last line tells.
fn is_complete(text: &str) -> bool {
    let last = text.lines().rev().find(|line| !line.trim().is_empty());
    last.is_none_or(|last| last.starts_with("--") || last.trim_end().ends_with(';'))
}

/// A statement of a dump without the options of a sequence, which the parser does not know.
pub(super) fn without_options<'a>(part: &Part<'a>) -> &'a str {
    let alters = Words::new(&part.tokens).is("alter");
    let options = (0..part.tokens.len()).filter(|_| alters).find_map(|place| {
        let mut words = Words::new(&part.tokens[place..]);
        let options = words.eat("as identity").then(|| words.rest().first())?;
        options.filter(|token| token.kind == TokenKind::Symbol("("))
    });
    match (options, part.tokens.first()) {
        (Some(options), Some(first)) => &part.text[..options.start - first.start],
        _ => part.text,
    }
}

/// Whether a statement of a dump of MySQL or MariaDB only prepares the server for the rows that follow.
pub(super) fn prepares(part: &Part<'_>) -> bool {
    let words = Words::new(&part.tokens);
    let starts = |keywords: &str| {
        let mut words = words;
        words.eat(keywords)
    };
    let mut alters = words;
    let suspends = alters.eat("alter table")
        && alters.last_name().is_some()
        && (alters.eat("disable keys") || alters.eat("enable keys"))
        && alters.is_empty();
    starts("set") && !changes_texts(part)
        || starts("lock tables")
        || starts("unlock tables")
        || starts("create database")
        || suspends
}

/// Whether a setting changes how the texts of statements are read.
fn changes_texts(part: &Part<'_>) -> bool {
    let modes = ["NO_BACKSLASH_ESCAPES", "ANSI_QUOTES", "ANSI", "PIPES_AS_CONCAT"];
    let text = part.text.to_uppercase();
    modes.iter().any(|mode| text.contains(mode))
}

/// Whether a dump of MySQL or MariaDB states the time zone of its moments.
pub(super) fn sets_time_zone(part: &Part<'_>) -> bool {
    has_word(&part.tokens[..part.tokens.len().min(1)], "set") && has_word(&part.tokens, "time_zone")
}

/// Whether a statement makes a table with moments that MySQL and MariaDB show in the time zone of the session.
pub(super) fn has_moments(part: &Part<'_>) -> bool {
    Words::new(&part.tokens).eat("create table") && has_word(&part.tokens, "timestamp")
}

/// The first line, with its end.
fn first_line(text: &str) -> &str {
    text.find('\n').map_or(text, |end| &text[..=end])
}

/// What is between COPY and FROM in the line before data.
fn copied(line: &str) -> Option<&str> {
    line.strip_prefix("COPY ")?.trim_end().strip_suffix(" FROM stdin;")
}

/// Where the line stands that ends data.
fn end_of_data(data: &str) -> usize {
    match data.starts_with("\\.") {
        true => 0,
        false => data.find("\n\\.").map_or(data.len(), |end| end + 1),
    }
}

/// The rows of data.
pub(super) fn rows(lines: &str) -> impl Iterator<Item = Vec<Value>> {
    lines.lines().map(|line| line.split('\t').map(field).collect())
}

fn field(written: &str) -> Value {
    if written == "\\N" {
        return Value::Null;
    }
    let mut text = String::with_capacity(written.len());
    let mut rest = written.chars();
    while let Some(letter) = rest.next() {
        let escaped = if letter == '\\' { rest.next() } else { None };
        text.push(match escaped {
            None => letter,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('v') => '\u{b}',
            Some(other) => other,
        });
    }
    Value::text(&text)
}

#[cfg(test)]
mod tests {
    use tristan_sqltext::{Dialect, split};

    use super::*;

    #[test]
    fn tells_data_from_statements() {
        let dump = "\\restrict x\nCREATE TABLE t (a int);\nCOPY t (a, b) FROM stdin;\n1\tx\\ty\\\\\n2\t\\N\n\\.\n\nCOPY u (a) FROM stdin;\n\\.\nSELECT 1;\n";
        let found = portions(dump);
        let [first, data, empty, last] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(*first, Portion::Statements("CREATE TABLE t (a int);\n"));
        assert_eq!(*empty, Portion::Data { target: "u (a)", lines: "" });
        assert_eq!(*last, Portion::Statements("SELECT 1;\n"));
        let Portion::Data { target: "t (a, b)", lines } = data else { panic!("{data:?}") };
        let expected =
            [vec![Value::text("1"), Value::text("x\ty\\")], vec![Value::text("2"), Value::Null]];
        assert_eq!(rows(lines).collect::<Vec<_>>(), expected);
        for whole in ["SELECT 1", "INSERT INTO t VALUES ('a\n\\b\nCOPY t FROM stdin;')"] {
            assert_eq!(portions(whole), [Portion::Statements(whole)]);
        }
    }

    #[test]
    fn another_separator_ends_statements() {
        let dump = "SELECT 1;\nDELIMITER ;;\n/*!50003 CREATE TRIGGER a BEGIN SET x = 1; END */;;\nCREATE TRIGGER b SET y = 2 ;;\nDELIMITER ;\nSELECT 2;\n";
        let found: Vec<&str> = portions(dump)
            .iter()
            .map(|portion| match portion {
                Portion::Statements(text) => text.trim(),
                Portion::Data { .. } => "data",
            })
            .collect();
        let first = "/*!50003 CREATE TRIGGER a BEGIN SET x = 1; END */";
        assert_eq!(found, ["SELECT 1;", first, "CREATE TRIGGER b SET y = 2", "SELECT 2;"]);
        assert_eq!(portions("DELIMITER ;;\nSELECT 1").len(), 1);
    }

    #[test]
    fn options_of_sequences_are_left_out() {
        let text = "-- a\n ALTER TABLE t ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (\n SEQUENCE NAME s\n);";
        let parts = split(text, Dialect::PostgreSql);
        let expected = "ALTER TABLE t ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY";
        assert_eq!(without_options(&parts[0]).trim(), expected);
    }

    #[test]
    fn statements_around_the_rows_are_told_apart() {
        let dump = "/*M!999999\\- enable the sandbox mode */ \n-- MariaDB dump\nSELECT 1;\n";
        assert_eq!(portions(dump), [Portion::Statements("-- MariaDB dump\nSELECT 1;\n")]);
        for (text, expected) in [
            ("/*!40101 SET @saved_cs_client = @@character_set_client */", true),
            ("LOCK TABLES `t` WRITE", true),
            ("/*!40000 ALTER TABLE `t` DISABLE KEYS */", true),
            ("ALTER TABLE t ADD KEY k (a)", false),
            ("INSERT INTO `t` VALUES (1)", false),
        ] {
            let parts = split(text, Dialect::MariaDb);
            assert_eq!(prepares(&parts[0]), expected, "{text}");
        }
    }
}
