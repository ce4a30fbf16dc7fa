//! Window functions over a small table with NULLs and ties, at random.

use tristan_sql::Dialect;

use crate::differential::judge::{Judge, Tally, Verdict};
use crate::differential::number;
use crate::differential::server::Server;
use tristan_testkit::Random;

const TABLE: &str =
    "CREATE TABLE win (id INT PRIMARY KEY, kind VARCHAR(10), n INT, big BIGINT, d DECIMAL(8, 2))";

const ROWS: &str = "INSERT INTO win VALUES (1, 'a', 3, 30, 1.50), (2, 'a', 1, NULL, 2.25), (3, 'a', 3, 10, NULL), \
     (4, 'b', NULL, 10, 0.10), (5, 'b', 2, 20, -4.00), (6, NULL, 2, 20, 7.77), (7, 'c', NULL, -5, 1.50), (8, 'a', NULL, 7, 3.00)";

/// Asks many queries with window functions; tells those that are answered in another way.
pub fn explore(dialect: Dialect, server: &mut dyn Server) {
    let cases = number("TRISTAN_SQL_CASES", 1000);
    let first = number("TRISTAN_SQL_SEED", 1);
    let mut tally = Tally::default();
    server.ask("DROP TABLE IF EXISTS win");
    let mut judge = Judge::new(dialect, server, &mut tally);
    judge.define(TABLE).expect("a table");
    assert!(matches!(judge.probe(ROWS), Verdict::Agrees), "the rows are the same");
    let (mut wrong, mut refused) = (Vec::new(), 0);
    for seed in first..first + cases {
        let mut random = Random::new(seed);
        let text = Windows { random: &mut random, strict: dialect == Dialect::PostgreSql }.query();
        match judge.probe(&text) {
            Verdict::Agrees => {}
            Verdict::Refused(why) => {
                let known = [
                    "order of ties",
                    "that it does not use",
                    "without an order",
                    "several windows",
                    "GROUPS in a window",
                    "EXCLUDE in the window",
                    "RANGE with an offset",
                ];
                assert!(known.iter().any(|one| why.contains(one)), "{text}\n  is refused: {why}");
                refused += 1;
            }
            Verdict::Differs(how) => wrong.push(format!("{text}\n  {how}")),
        }
    }
    println!("{dialect:?}: {cases} queries with windows, {refused} refused");
    assert!(wrong.is_empty(), "{} of {cases}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(refused * 3 < cases * 2, "too many are refused: {refused} of {cases}");
}

struct Windows<'a> {
    random: &'a mut Random,
    strict: bool,
}

impl Windows<'_> {
    fn query(&mut self) -> String {
        if self.random.once_in(5) {
            return self.grouped();
        }
        let calls: Vec<String> =
            (0..1 + self.random.below(3)).map(|_| self.call(&["n", "big", "d", "id"])).collect();
        let shown = self.random.word(&["id, ", "", "kind, ", "n, big, ", "id, d, "]);
        let filter =
            self.random.word(&["", "", " WHERE n > 1", " WHERE kind = 'a'", " WHERE FALSE"]);
        let named = self.over(&["n", "big", "d", "id"], false);
        let order = self.random.word(&[
            "",
            "",
            " ORDER BY id",
            " ORDER BY 1, id",
            " ORDER BY id DESC LIMIT 3",
        ]);
        let text = format!(
            "SELECT {shown}{} FROM win{filter} WINDOW v AS {named}{order}",
            calls.join(", ")
        );
        match self.random.below(6) {
            0 => format!(
                "SELECT count(*), min(x) FROM (SELECT {} AS x FROM win{filter} WINDOW v AS {named}) q WHERE x IS NOT NULL",
                calls[0]
            ),
            1 if order.is_empty() => text.replacen("SELECT", "SELECT DISTINCT", 1),
            2 if order.is_empty() => format!("{text} ORDER BY {}", calls[0]),
            _ => text,
        }
    }

    fn grouped(&mut self) -> String {
        let columns = ["sum(n)", "count(*)", "max(big)", "min(d)"];
        let call = self.call(&columns);
        let key = self.random.word(&["kind", "n", "kind, n"]);
        let having = self.random.word(&["", "", " HAVING count(*) > 1", " HAVING sum(big) > 20"]);
        let shown = self.random.word(&["", "sum(n), ", "count(*), "]);
        let named = self.over(&columns, false);
        format!("SELECT {key}, {shown}{call} FROM win GROUP BY {key}{having} WINDOW v AS {named}")
    }

    fn call(&mut self, columns: &[&str]) -> String {
        let over = match self.random.below(8) {
            0 => "v".to_owned(),
            _ => self.over(columns, true),
        };
        format!("{} OVER {over}", self.function(columns))
    }

    fn function(&mut self, columns: &[&str]) -> String {
        let x = self.random.word(columns);
        let y = self.with_text(columns);
        let number = self.random.below(4);
        match self.random.below(18) {
            0 => "row_number()".into(),
            1 => "rank()".into(),
            2 => "dense_rank()".into(),
            3 if self.strict => "percent_rank()".into(),
            4 if self.strict => "cume_dist()".into(),
            5 => format!("ntile({})", number + 1),
            6 => format!("lag({y})"),
            7 => format!("lead({y}, {number})"),
            8 if self.strict => {
                format!("lag({x}, {number}, {})", self.random.word(&["0", "-1.5", "NULL", "7"]))
            }
            8 | 9 => format!("first_value({y})"),
            10 => format!("last_value({y})"),
            11 => format!("nth_value({y}, {})", number + 1),
            12 => format!("count({y})"),
            13 => "count(*)".into(),
            14 => format!("avg({x})"),
            15 => format!("{}({y})", self.random.word(&["min", "max"])),
            16 if self.strict && !x.contains('(') => format!("sum({x}) FILTER (WHERE n > 1)"),
            _ => format!("sum({x})"),
        }
    }

    fn over(&mut self, columns: &[&str], frames: bool) -> String {
        let grouped = columns[0].contains('(');
        let keys: &[&str] =
            if grouped { &["count(*)", "max(big)"] } else { &["kind", "n", "n > 1", "big"] };
        let mut text = String::new();
        if self.random.once_in(2) {
            text += &format!("PARTITION BY {} ", self.random.word(keys));
        }
        if !self.random.once_in(4) {
            text += &format!("ORDER BY {}", self.key(columns));
            if self.random.once_in(2) {
                text += &format!(", {}", self.key(columns));
            }
            if !grouped && self.random.once_in(2) {
                text += ", id";
            }
        }
        if frames && self.random.once_in(2) {
            text += &self.frame();
        }
        format!("({text})")
    }

    fn key(&mut self, columns: &[&str]) -> String {
        let nulls: &[&str] = match self.strict {
            true => &["", "", " DESC", " NULLS FIRST", " DESC NULLS LAST"],
            false => &["", " DESC"],
        };
        format!("{}{}", self.with_text(columns), self.random.word(nulls))
    }

    /// A column, which may be a text if there are no groups.
    fn with_text(&mut self, columns: &[&str]) -> String {
        if !columns[0].contains('(') && self.random.once_in(5) {
            return "kind".into();
        }
        self.random.word(columns)
    }

    fn frame(&mut self) -> String {
        if self.strict && self.random.once_in(3) {
            return self.newer_frame();
        }
        self.random.word(&[
            " ROWS UNBOUNDED PRECEDING",
            " ROWS 1 PRECEDING",
            " ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING",
            " ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING",
            " ROWS BETWEEN 1 FOLLOWING AND 3 FOLLOWING",
            " ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
            " ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
            " ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING",
            " RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW",
            " RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
            " RANGE BETWEEN CURRENT ROW AND CURRENT ROW",
            " RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
        ])
    }

    /// A frame that only PostgreSQL has.
    fn newer_frame(&mut self) -> String {
        let frame = self.random.word(&[
            " GROUPS UNBOUNDED PRECEDING",
            " GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW",
            " GROUPS BETWEEN 1 PRECEDING AND 2 FOLLOWING",
            " GROUPS BETWEEN 2 PRECEDING AND 1 PRECEDING",
            " GROUPS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING",
            " ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING",
            " RANGE BETWEEN 2 PRECEDING AND 1 FOLLOWING",
            " RANGE UNBOUNDED PRECEDING",
        ]);
        let exclusion = self.random.word(&[
            "",
            " EXCLUDE CURRENT ROW",
            " EXCLUDE GROUP",
            " EXCLUDE TIES",
            " EXCLUDE NO OTHERS",
        ]);
        frame + &exclusion
    }
}
