//! Which lines of the list are shown. The filters live in the address, so a filtered list can be
//! kept, sent, and used without JavaScript.

use crate::folder::{Entry, Kind};
use crate::http::Query;

/// What lines must be like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filter<'q> {
    /// `accept`, `reject`, `unknown`, `trace`, `SQL log` or `broken`.
    pub(super) verdict: Option<&'q str>,
    /// The full name of the level.
    pub(super) level: Option<&'q str>,
    /// Part of the file's name.
    pub(super) name: Option<&'q str>,
    /// Part of anything else that the list shows.
    pub(super) text: Option<&'q str>,
    /// The code of a fingerprint.
    pub(super) print: Option<&'q str>,
}

impl<'q> Filter<'q> {
    pub(super) fn of(query: &'q Query) -> Self {
        Self {
            verdict: query.get("verdict"),
            level: query.get("level"),
            name: query.get("name"),
            text: query.get("q"),
            print: query.get("print"),
        }
    }

    /// Whether everything is shown.
    pub(super) fn is_open(&self) -> bool {
        [self.verdict, self.level, self.name, self.text, self.print].iter().all(Option::is_none)
    }

    /// Whether a line is shown.
    pub(super) fn takes(&self, entry: &Entry) -> bool {
        let summary = entry.summary();
        self.verdict.is_none_or(|wanted| entry.word() == wanted)
            && self.level.is_none_or(|wanted| summary.is_some_and(|own| own.level == wanted))
            && self.name.is_none_or(|part| contains(&entry.name, part))
            && self.print.is_none_or(|code| {
                let print = summary.and_then(|own| own.print.as_ref());
                print.is_some_and(|print| print.code == code)
            })
            && self.text.is_none_or(|part| words(entry).iter().any(|text| contains(text, part)))
    }
}

/// Everything the list says about an entry.
fn words(entry: &Entry) -> Vec<&str> {
    let mut words = vec![entry.name.as_str(), entry.word()];
    match &entry.kind {
        Kind::Verdict(summary) | Kind::Audit(summary) => {
            words.extend([&summary.level, &summary.trace, &summary.sentence].map(String::as_str));
            let anomaly = summary.anomaly.iter();
            words.extend(
                anomaly
                    .flat_map(|(class, title)| Some(class).into_iter().chain(title))
                    .map(String::as_str),
            );
            let print = summary.print.iter();
            words.extend(print.flat_map(|print| [print.code.as_str(), print.shape.as_str()]));
        }
        Kind::Broken(why) => words.push(why),
        Kind::Trace | Kind::SqlLog => {}
    }
    words
}

/// Whether a text has a part, whatever the letter case.
fn contains(text: &str, part: &str) -> bool {
    text.to_lowercase().contains(&part.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Summary;

    fn entry() -> Entry {
        let summary = Summary {
            word: "reject",
            level: "serializable".to_owned(),
            trace: "bank.jsonl".to_owned(),
            transactions: 2,
            anomaly: Some(("G2-item".to_owned(), Some("write skew".to_owned()))),
            sentence: "A before B, but B before A.".to_owned(),
            print: None,
        };
        let kind = Kind::Verdict(summary);
        Entry { name: "runs/V1.json".to_owned(), number: 0, modified: 0, size: 9, kind }
    }

    #[test]
    fn all_filters_have_to_agree() {
        let takes = |text: &str| Filter::of(&Query::parse(text)).takes(&entry());
        for yes in [
            "",
            "verdict=reject",
            "verdict=&level=serializable",
            "name=v1",
            "q=WRITE+skew",
            "q=bank&name=runs/",
        ] {
            assert!(takes(yes), "{yes}");
        }
        for no in
            ["verdict=accept", "level=si", "name=bank", "q=lost", "print=00000000", "q=bank&name=x"]
        {
            assert!(!takes(no), "{no}");
        }
    }
}
