//! What the statements that were tried have in them: a generator that forgets something is found out.

use std::collections::BTreeMap;

use tristan_sql::{Dialect, ObservedValue, StatementOutcome};

use crate::differential::server::Reply;

/// How many statements had what in them. Only those count that are carried out on both sides.
#[derive(Debug, Default)]
pub struct Coverage {
    counts: BTreeMap<&'static str, u64>,
}

/// What has to be there, by words of the statement.
const WORDS: &[(&str, &[&str])] = &[
    ("inner join", &[" JOIN ", ", t"]),
    ("left join", &["LEFT JOIN"]),
    ("right join", &["RIGHT JOIN"]),
    ("join using", &["USING (id)"]),
    ("group by", &["GROUP BY"]),
    ("having", &["HAVING"]),
    ("aggregate", &["COUNT(", "SUM(", "AVG(", "MIN(", "MAX("]),
    ("distinct", &["SELECT DISTINCT "]),
    ("aggregate of distinct values", &["(DISTINCT "]),
    ("order by", &["ORDER BY"]),
    ("limit", &["LIMIT"]),
    ("offset", &["OFFSET"]),
    ("in (query)", &[" IN (SELECT"]),
    ("exists", &["EXISTS (SELECT"]),
    ("any, all", &[" ANY (SELECT", " ALL (SELECT"]),
    ("query as a value", &[", (SELECT", "= (SELECT", "< (SELECT"]),
    ("with", &["WITH d AS"]),
    ("union", &["UNION"]),
    ("except, intersect", &["EXCEPT", "INTERSECT"]),
    ("in list", &[" IN (N", " IN (x", " IN ('"]),
    ("null in a comparison", &["= NULL)", "(NULL =", "> NULL)", "(NULL <", "<> NULL)"]),
    ("three-valued logic", &["IS UNKNOWN", "IS NOT TRUE", "IS NOT FALSE"]),
    ("and, or, not", &[" AND (", " OR (", "(NOT ("]),
    ("like, between", &[" LIKE ", " BETWEEN "]),
    ("coalesce, nullif", &["COALESCE(", "NULLIF("]),
    ("date function", &["EXTRACT(", "DATEDIFF(", " DAY)", " + 3"]),
    ("text function", &["CONCAT(", "SUBSTRING(", "LPAD(", "REVERSE(", "UPPER("]),
    ("rounding", &["ROUND(", "TRUNC", "FLOOR(", "CEIL("]),
    ("case", &["CASE "]),
    ("cast", &["CAST("]),
    ("insert", &["INSERT INTO"]),
    ("insert select", &[" SELECT s.id"]),
    ("update", &["UPDATE t"]),
    ("delete", &["DELETE FROM"]),
    ("truncate", &["TRUNCATE TABLE"]),
    ("procedure", &["CALL p"]),
    ("function", &[" f("]),
    ("window", &[" OVER ("]),
    ("recursion", &["WITH RECURSIVE"]),
    ("read through a view", &["FROM v"]),
    ("write through a view", &["INTO v", "UPDATE v", "DELETE FROM v"]),
    ("sequence", &["nextval(", "NEXT VALUE FOR", "NEXTVAL("]),
    ("letters beyond ASCII", &["日本", "😀", "ÄÖ"]),
    ("names in quotes", &["Größe", "order ", "Two Words", "數", "It's"]),
];

/// What only one family of servers has.
fn words_of(dialect: Dialect) -> &'static [(&'static str, &'static [&'static str])] {
    match dialect {
        Dialect::PostgreSql => &[
            ("returning", &[" RETURNING "]),
            ("on conflict do nothing", &["DO NOTHING"]),
            ("on conflict do update", &["DO UPDATE"]),
            ("full join", &["FULL JOIN"]),
            ("filter", &["FILTER (WHERE"]),
            ("merge", &["MERGE INTO"]),
            ("with that changes rows", &["WITH d AS (DELETE", "WITH u AS (UPDATE"]),
            ("distinct on", &["DISTINCT ON"]),
            ("lateral", &["LATERAL"]),
            ("grouping sets", &["ROLLUP (", "CUBE (", "GROUPING SETS"]),
            ("with ties", &["WITH TIES"]),
            ("unnest", &["unnest("]),
            ("any of an array", &["= ANY ("]),
            ("array", &["ARRAY["]),
            ("jsonb", &["::jsonb"]),
            ("range", &["int4range", "daterange"]),
            ("interval", &["INTERVAL '"]),
            ("timestamptz", &["TIMESTAMPTZ"]),
            ("enumeration", &["::mood"]),
            ("uuid", &["uuid"]),
            ("identity", &["OVERRIDING SYSTEM VALUE"]),
        ],
        _ => &[
            ("on duplicate key", &["ON DUPLICATE KEY"]),
            ("insert ignore", &["INSERT IGNORE"]),
            ("replace", &["REPLACE INTO"]),
            ("update of joined tables", &["UPDATE t0 y", "UPDATE t1 y", "UPDATE t2 y"]),
            ("delete from joined tables", &["DELETE y", "USING t"]),
            ("last insert id", &["LAST_INSERT_ID("]),
            ("rollup", &["WITH ROLLUP"]),
            ("group_concat", &["GROUP_CONCAT("]),
            ("json", &["JSON_"]),
            ("enumeration", &["'happy'"]),
        ],
    }
}

/// What has to be there, by what the server answered.
const ANSWERS: [&str; 7] = [
    "null in a row",
    "decimal in a row",
    "several rows",
    "duplicate key",
    "not null violated",
    "check violated",
    "ties under a limit",
];

impl Coverage {
    /// Takes a statement down, what the server said, and what we make of it.
    pub fn note(&mut self, dialect: Dialect, text: &str, reply: &Reply, ours: &StatementOutcome) {
        for (feature, words) in WORDS.iter().chain(words_of(dialect)) {
            let found = words.iter().any(|word| text.contains(word));
            self.add(feature, found && matches!(reply, Reply::Done { .. }));
        }
        match reply {
            Reply::Done { rows, .. } => {
                self.add(
                    ANSWERS[0],
                    rows.iter().flatten().any(|value| *value == ObservedValue::Null),
                );
                self.add(ANSWERS[1], rows.iter().flatten().any(is_decimal));
                self.add(ANSWERS[2], rows.len() > 1);
            }
            Reply::Error { code, .. } => {
                self.add(ANSWERS[3], ["23505", "1062"].contains(&code.as_str()));
                self.add(ANSWERS[4], ["23502", "1048"].contains(&code.as_str()));
                self.add(ANSWERS[5], ["23514", "4025"].contains(&code.as_str()));
            }
        }
        self.add(ANSWERS[6], cuts_ties(ours));
    }

    fn add(&mut self, feature: &'static str, found: bool) {
        *self.counts.entry(feature).or_default() += u64::from(found);
    }

    /// What was met less often than this.
    pub fn missing(&self, least: u64) -> Vec<&'static str> {
        self.counts.iter().filter(|(_, count)| **count < least).map(|(name, _)| *name).collect()
    }
}

impl std::fmt::Display for Coverage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let counts: Vec<String> =
            self.counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
        f.write_str(&counts.join(", "))
    }
}

/// Whether a limit or an offset shows some of several ties, so that the server had to choose.
fn cuts_ties(ours: &StatementOutcome) -> bool {
    let Some(table) = ours.answer.as_ref().ok().and_then(|answer| answer.rows.as_ref()) else {
        return false;
    };
    let from = usize::try_from(table.offset).unwrap_or(usize::MAX);
    let edges = [from, from.saturating_add(table.shown())];
    let starts = std::iter::once(&0).chain(&table.ends);
    let mut groups = starts.zip(&table.ends);
    groups.any(|(start, end)| edges.iter().any(|edge| start < edge && edge < end))
}

fn is_decimal(value: &ObservedValue) -> bool {
    let ObservedValue::Text(text) = value else { return false };
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let plain = text.strip_prefix('-').unwrap_or(text);
    plain.split_once('.').is_some_and(|(whole, rest)| digits(whole) && digits(rest))
}
