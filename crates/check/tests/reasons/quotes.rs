//! The text of a rejection: the lines it quotes are those of the transactions and keys it speaks of.

use std::collections::BTreeMap;

use serde_json::Value;

/// What one line of a trace speaks of.
struct Line {
    txn: String,
    text: String,
}

/// The untrue quotations in a text about a trace of one line per call and one per return.
pub fn untrue(trace: &str, text: &str) -> Vec<String> {
    let lines = lines(trace);
    let mut untrue = Vec::new();
    for sentence in sentences(text) {
        for number in quoted(&sentence) {
            match lines.get(&number) {
                None => untrue.push(format!("no operation is on line {number}: {sentence}")),
                Some(line) if !named(&sentence, &line.txn) => {
                    untrue.push(format!(
                        "line {number} is of {}: {sentence}\n{}",
                        line.txn, line.text
                    ));
                }
                Some(_) => {}
            }
        }
        let evidence = ["because ", "however, "].iter().any(|word| sentence.contains(word));
        if evidence && quoted(&sentence).is_empty() {
            untrue.push(format!("no line is quoted: {sentence}"));
        }
    }
    untrue
}

fn lines(trace: &str) -> BTreeMap<usize, Line> {
    let mut calls: BTreeMap<u64, String> = BTreeMap::new();
    let mut lines = BTreeMap::new();
    for (number, text) in (1..).zip(trace.lines()) {
        let line: Value = serde_json::from_str(text).expect("every line is JSON");
        let called = line["call"].as_u64();
        let returned = line["return"].as_u64().and_then(|call| calls.get(&call)).cloned();
        let txn = line["t"].as_str().map(str::to_owned).or(returned);
        if let Some(txn) = txn {
            calls.extend(called.map(|call| (call, txn.clone())));
            lines.insert(number, Line { txn, text: text.to_owned() });
        }
    }
    lines
}

/// The parts of the text, each up to and with the lines it quotes.
fn sentences(text: &str) -> Vec<String> {
    let joined = text.replace('\u{a0}', " ").split_whitespace().collect::<Vec<_>>().join(" ");
    let mut sentences = Vec::new();
    let mut rest = joined.as_str();
    while let Some(quote) = rest.find("(line") {
        let end = rest[quote..].find(')').map_or(rest.len(), |end| quote + end + 1);
        sentences.push(rest[..end].to_owned());
        rest = &rest[end..];
    }
    sentences.push(rest.to_owned());
    sentences
}

/// The numbers in `(line 4)` and `(lines 4, 6)`.
fn quoted(sentence: &str) -> Vec<usize> {
    let Some(start) = sentence.rfind("(line") else { return Vec::new() };
    let inside = &sentence[start..];
    inside
        .split(|letter: char| !letter.is_ascii_digit())
        .filter_map(|digits| digits.parse().ok())
        .collect()
}

/// Whether the sentence speaks of a transaction.
fn named(sentence: &str, txn: &str) -> bool {
    let words = sentence.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.into_iter().any(|word| word == txn)
}
