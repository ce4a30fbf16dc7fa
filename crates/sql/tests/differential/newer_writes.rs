//! Random statements that change rows in newer ways: MERGE, WITH that changes rows, several tables at once, sequences.

use tristan_sql::Dialect;

use crate::differential::expressions::{Names, names};
use crate::differential::schema::{Schema, Table};
use crate::differential::writes::Writes;
use tristan_testkit::Random;

pub struct NewerWrites<'a> {
    pub random: &'a mut Random,
    pub schema: &'a Schema,
}

impl NewerWrites<'_> {
    fn writes(&mut self) -> Writes<'_> {
        Writes { random: self.random, schema: self.schema }
    }

    fn condition(&mut self, names: Names) -> String {
        self.writes().expressions(names).condition(1)
    }

    fn table(&mut self) -> Table {
        self.random.pick(&self.schema.tables).clone()
    }

    /// A statement, if the schema has what it needs.
    pub fn any(&mut self) -> Option<String> {
        if self.schema.has_sequence && self.random.once_in(5) {
            return Some(self.number());
        }
        let counts = self.schema.tables.iter().any(|table| table.columns[0].is_counted());
        if counts && self.schema.dialect != Dialect::PostgreSql && self.random.once_in(4) {
            return Some(self.last_number());
        }
        if self.schema.dialect == Dialect::PostgreSql {
            return Some(match self.random.below(5) {
                0..=1 => self.merge(),
                2 => self.moved(),
                3 => self.changed_and_shown(),
                _ => self.pairs(),
            });
        }
        self.several_tables()
    }

    fn number(&mut self) -> String {
        let value = 1 + self.random.below(40);
        match (self.schema.dialect, self.random.below(4)) {
            (Dialect::PostgreSql, 0) => format!("SELECT setval('s', {value})"),
            (Dialect::PostgreSql, 1) => "SELECT currval('s'), lastval()".into(),
            (Dialect::PostgreSql, _) => "SELECT nextval('s')".into(),
            (_, 0) => "SELECT PREVIOUS VALUE FOR s".into(),
            (_, 1) => "SELECT NEXTVAL(s)".into(),
            (_, _) => "SELECT NEXT VALUE FOR s".into(),
        }
    }

    /// What the session was given last.
    fn last_number(&mut self) -> String {
        let table = self.table();
        let column = table.one_given(self.random).name;
        match self.random.below(4) {
            0 => "SELECT LAST_INSERT_ID()".into(),
            1 => format!(
                "SELECT {0}.id, {0}.{column} FROM {0} WHERE {0}.id = LAST_INSERT_ID()",
                table.name
            ),
            2 => format!("DELETE FROM {0} WHERE {0}.id = LAST_INSERT_ID()", table.name),
            _ => format!("SELECT LAST_INSERT_ID({})", 1 + self.random.below(12)),
        }
    }

    fn merge(&mut self) -> String {
        let (target, source) = (self.table(), self.schema.source(self.random).clone());
        let (own, other) = (names(&target.name, &target.columns), names("s", &source.columns));
        let mut both = own;
        both.extend(other.iter().cloned());
        let mut clauses = String::new();
        for _ in 0..1 + self.random.below(3) {
            let extra = match self.random.once_in(2) {
                true => format!(" AND {}", self.condition(both.clone())),
                false => String::new(),
            };
            clauses += &match self.random.below(6) {
                0 | 1 => {
                    let set = self.writes().assignments(&target, &both);
                    format!(" WHEN MATCHED{extra} THEN UPDATE SET {set}")
                }
                2 => format!(" WHEN MATCHED{extra} THEN DELETE"),
                3 => format!(" WHEN MATCHED{extra} THEN DO NOTHING"),
                _ => {
                    let extra = match extra.is_empty() {
                        true => extra,
                        false => format!(" AND {}", self.condition(other.clone())),
                    };
                    let (list, values) = self.merged_row(&target, &other);
                    format!(" WHEN NOT MATCHED{extra} THEN INSERT ({list}) VALUES ({values})")
                }
            };
        }
        let shift = self.random.below(3);
        format!(
            "MERGE INTO {0} USING {1} s ON {0}.id = s.id + {shift}{clauses}",
            target.name, source.name
        )
    }

    fn merged_row(&mut self, target: &Table, other: &Names) -> (String, String) {
        let mut columns = target.given();
        if columns[0].is_counted() && columns.len() > 1 {
            columns.remove(0);
        }
        let values: Vec<String> = columns
            .iter()
            .map(|column| match column.name.as_str() {
                "id" => "s.id + 20".to_owned(),
                _ => self.writes().expressions(other.clone()).of(column.kind, 1),
            })
            .collect();
        let list: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        (list.join(", "), values.join(", "))
    }

    /// Rows that are deleted from one table, and what was in them counted or put elsewhere.
    fn moved(&mut self) -> String {
        let (from, to) = (self.table(), self.table());
        let filter = self.writes().filter(&from);
        let gone = format!("WITH d AS (DELETE FROM {}{filter} RETURNING *)", from.name);
        if from.name == to.name || self.random.once_in(2) {
            return format!("{gone} SELECT COUNT(*), MIN(d.id), MAX(d.id) FROM d");
        }
        let moved = names("d", &from.columns);
        let columns: Vec<_> = to
            .given()
            .into_iter()
            .filter(|column| column.name == "id" || column.not_null)
            .collect();
        let items: Vec<String> = columns
            .iter()
            .map(|column| match column.name.as_str() {
                "id" => "d.id + 40".to_owned(),
                _ => self.writes().expressions(moved.clone()).of(column.kind, 1),
            })
            .collect();
        let list: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        format!(
            "{gone} INSERT INTO {} ({}) SELECT {} FROM d",
            to.name,
            list.join(", "),
            items.join(", ")
        )
    }

    /// What is shown beside a change is the table as it was.
    fn changed_and_shown(&mut self) -> String {
        let table = self.table();
        let own = names(&table.name, &table.columns);
        let set = self.writes().assignments(&table, &own);
        let filter = self.writes().filter(&table);
        let column = table.one_given(self.random).name;
        format!(
            "WITH u AS (UPDATE {0} SET {set}{filter} RETURNING id) \
             SELECT x.id, x.{column}, (SELECT COUNT(*) FROM u) FROM {0} x",
            table.name
        )
    }

    /// Rows that come from a list.
    fn pairs(&mut self) -> String {
        let table = self.table();
        let column = table.one_given(self.random);
        let pairs: Vec<String> = (0..1 + self.random.below(3))
            .map(|place| {
                let value = self.writes().value(&column);
                format!("({}, {value})", place * 3 + self.random.below(3))
            })
            .collect();
        let returning = self.writes().returning(&table);
        let returning =
            returning.replace(" RETURNING *", "").replace("id,", &format!("{}.id,", table.name));
        format!(
            "UPDATE {0} SET {1} = w.v FROM (VALUES {2}) AS w (k, v) WHERE w.k = {0}.id{returning}",
            table.name,
            column.name,
            pairs.join(", ")
        )
    }

    /// UPDATE and DELETE of two tables, as MariaDB has them.
    fn several_tables(&mut self) -> Option<String> {
        let (first, second) = (self.table(), self.table());
        if first.name == second.name {
            return None;
        }
        let (a, b) = (names("y", &first.columns), names("z", &second.columns));
        let mut both = a.clone();
        both.extend(b.iter().cloned());
        let condition = self.condition(both.clone());
        let join = self.random.word(&["JOIN", "LEFT JOIN"]);
        let tables = format!("{} y {join} {} z ON y.id = z.id", first.name, second.name);
        let (one, other) = (first.one_given(self.random), second.one_given(self.random));
        Some(match self.random.below(5) {
            0 => format!("DELETE y FROM {tables} WHERE {condition}"),
            1 => format!("DELETE y, z FROM {tables} WHERE {condition}"),
            2 => format!("DELETE FROM z USING {tables} WHERE {condition}"),
            3 => {
                let value = self.writes().expressions(both).of(one.kind, 1);
                format!("UPDATE {tables} SET y.{} = {value} WHERE {condition}", one.name)
            }
            _ => {
                let value = self.writes().expressions(a).of(one.kind, 1);
                let more = self.writes().expressions(b).of(other.kind, 1);
                format!(
                    "UPDATE {tables} SET y.{} = {value}, z.{} = {more} WHERE {condition}",
                    one.name, other.name
                )
            }
        })
    }
}
