//! Tells SQL logs from traces: both are lines of JSON with a header, and only `tristan audit` reads
//! the former.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use tristan_ground::unzip;

/// How much of a file is looked at; headers are short.
const HEAD: u64 = 4096;

/// Whether a text begins like a SQL log.
pub(crate) fn is_sql_log(text: &[u8]) -> bool {
    let mut lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty()).unwrap_or_default();
    let header: Option<serde_json::Value> = serde_json::from_slice(first).ok();
    let format = header.as_ref().and_then(|header| header.get("tristan")?.as_str());
    format.is_some_and(|format| format.starts_with("sql-log/"))
}

/// Whether a file begins like a SQL log.
pub(crate) fn is_sql_log_file(path: &Path) -> bool {
    let mut head = Vec::new();
    let file = File::open(path).and_then(|file| unzip(BufReader::new(file)));
    let read = file.and_then(|file| file.take(HEAD).read_to_end(&mut head));
    read.is_ok() && is_sql_log(&head)
}

/// What to do with a SQL log.
pub(crate) fn advice(name: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "-_./".contains(letter);
    let word = match name.chars().all(plain) {
        true => name.to_owned(),
        false => format!("'{}'", name.replace('\'', "'\\''")),
    };
    format!("{name} is a SQL log, not a trace. Run: tristan audit {word}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_header_counts() {
        assert!(is_sql_log(b"\n{\"tristan\":\"sql-log/1\",\"dialect\":\"mysql\"}\n{\"txn\":1}\n"));
        assert!(!is_sql_log(b"{\"tristan\":\"trace/1\"}\n{\"note\":\"sql-log/1\"}\n"));
        assert!(!is_sql_log(b"") && !is_sql_log(b"{:type :ok}"));
        assert_eq!(
            advice("a 'b'.jsonl"),
            "a 'b'.jsonl is a SQL log, not a trace. Run: tristan audit 'a '\\''b'\\''.jsonl'"
        );
    }
}
