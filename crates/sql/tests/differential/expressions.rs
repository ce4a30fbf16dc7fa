//! Random expressions of a kind.

use tristan_sql::Dialect;

use crate::differential::schema::{Column, KINDS, Kind, literal};
use tristan_testkit::Random;

/// Columns that can be used: how they are written, and what they are.
pub type Names = Vec<(String, Kind)>;

pub struct Expressions<'a> {
    pub random: &'a mut Random,
    pub dialect: Dialect,
    pub names: Names,
}

pub fn names(alias: &str, columns: &[Column]) -> Names {
    columns.iter().map(|column| (format!("{alias}.{}", column.name), column.kind)).collect()
}

impl Expressions<'_> {
    fn is_postgres(&self) -> bool {
        self.dialect == Dialect::PostgreSql
    }

    /// A column, a value, or something built from them.
    pub fn of(&mut self, kind: Kind, depth: usize) -> String {
        if depth == 0 || self.random.once_in(3) {
            return self.leaf(kind);
        }
        if self.random.once_in(12) {
            return self.conditional(kind, depth);
        }
        // Now and then something of another kind, which servers convert or refuse.
        if self.random.once_in(40) {
            let other = *self.random.pick(&KINDS);
            if other != Kind::Double
                && kind != Kind::Double
                && (self.is_postgres() || other != Kind::Date)
            {
                return self.leaf(other);
            }
        }
        // Plain values can be made from newer ones, if there are columns of that kind.
        let newer = |(_, kind): &(String, Kind)| !KINDS.contains(kind);
        if KINDS.contains(&kind) && self.names.iter().any(newer) && self.random.once_in(3) {
            return self.newer_expression(kind, depth);
        }
        match kind {
            Kind::Int => self.int(depth),
            Kind::Decimal => self.decimal(depth),
            Kind::Text => self.text(depth),
            Kind::Bool => self.condition(depth),
            Kind::Double => self.double(depth),
            Kind::Date => self.date(depth),
            newer if self.is_postgres() => self.newer_strict(newer, depth),
            newer => self.newer_loose(newer, depth),
        }
    }

    fn newer_expression(&mut self, kind: Kind, depth: usize) -> String {
        match self.is_postgres() {
            true => self.newer_strict_expression(kind, depth),
            false => match self.newer_loose_expression(kind, depth) {
                Some(made) => made,
                None => self.leaf(kind),
            },
        }
    }

    fn leaf(&mut self, kind: Kind) -> String {
        let fitting: Vec<String> = self
            .names
            .iter()
            .filter(|(_, other)| *other == kind)
            .map(|(name, _)| name.clone())
            .collect();
        if fitting.is_empty() || self.random.once_in(3) {
            let value = literal(self.random, self.dialect, kind);
            // In a temporary table, MariaDB keeps too few digits of ABS(7), which is 0.9999 among others.
            let whole = kind == Kind::Decimal && value == "7" && !self.is_postgres();
            return if whole { "7.0".into() } else { value };
        }
        self.random.pick(&fitting).clone()
    }

    fn conditional(&mut self, kind: Kind, depth: usize) -> String {
        let (a, b) = (self.of(kind, depth - 1), self.of(kind, depth - 1));
        let newer = !KINDS.contains(&kind);
        if newer && !self.is_postgres() {
            return a;
        }
        match self.random.below(5) {
            2 if newer => format!("COALESCE({b}, {a})"),
            0 => format!("COALESCE({a}, {b})"),
            1 => format!("NULLIF({a}, {b})"),
            2 => format!("GREATEST({a}, {b})"),
            3 => {
                let test = self.condition(depth - 1);
                format!("CASE WHEN {test} THEN {a} ELSE {b} END")
            }
            _ => {
                let (x, y) = (self.of(Kind::Int, 0), self.of(Kind::Int, 0));
                format!("CASE {x} WHEN {y} THEN {a} WHEN 1 THEN {b} END")
            }
        }
    }

    fn int(&mut self, depth: usize) -> String {
        let (a, b) = (self.of(Kind::Int, depth - 1), self.of(Kind::Int, depth - 1));
        match self.random.below(15) {
            0 | 1 => format!("({a} + {b})"),
            2 => format!("({a} - {b})"),
            3 => format!("({a} * {b})"),
            4 if self.is_postgres() => format!("({a} / {b})"),
            4 => format!("({a} DIV {b})"),
            5 => format!("({a} % {b})"),
            6 => format!("(- {a})"),
            7 => format!("ABS({a})"),
            8 => {
                let text = self.of(Kind::Text, depth - 1);
                format!("LENGTH({text})")
            }
            9 => {
                let decimal = self.of(Kind::Decimal, depth - 1);
                format!("CAST({decimal} AS {})", if self.is_postgres() { "INT" } else { "SIGNED" })
            }
            10 => format!("MOD({a}, {b})"),
            11 => {
                let text = self.of(Kind::Text, depth - 1);
                format!("{}({text})", self.random.word(&["CHAR_LENGTH", "OCTET_LENGTH", "ASCII"]))
            }
            12 => {
                let (from, to) = (self.of(Kind::Date, depth - 1), self.of(Kind::Date, 0));
                match self.is_postgres() {
                    true => format!("({from} - {to})"),
                    false => format!("DATEDIFF({from}, {to})"),
                }
            }
            13 => {
                let date = self.of(Kind::Date, depth - 1);
                let part = self.random.word(&["YEAR", "MONTH", "DAY"]);
                format!("EXTRACT({part} FROM {date})")
            }
            _ => format!("LEAST({a}, {b})"),
        }
    }

    fn decimal(&mut self, depth: usize) -> String {
        let (a, b) = (self.of(Kind::Decimal, depth - 1), self.of(Kind::Decimal, depth - 1));
        match self.random.below(14) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2 => format!("({a} * {b})"),
            3 if self.is_postgres() => format!("({a} / {b})"),
            // With how many digits MySQL goes on depends on its plan.
            3 => format!("ROUND(({a} / {b}), {})", self.random.below(4)),
            4 => format!("({a} % {b})"),
            5 => format!("ROUND({a}, {})", self.random.below(4)),
            6 => format!("ROUND({a})"),
            7 => format!("ABS({a})"),
            8 => format!("FLOOR({a})"),
            9 => format!("CEIL({a})"),
            10 => {
                let int = self.of(Kind::Int, depth - 1);
                format!("({a} * {int})")
            }
            11 => format!("SIGN({a})"),
            12 => {
                let name = if self.is_postgres() { "TRUNC" } else { "TRUNCATE" };
                format!("{name}({a}, {})", self.random.below(4))
            }
            _ => {
                let int = self.of(Kind::Int, depth - 1);
                format!("CAST({int} AS DECIMAL(12,2))")
            }
        }
    }

    fn text(&mut self, depth: usize) -> String {
        let (a, b) = (self.of(Kind::Text, depth - 1), self.of(Kind::Text, depth - 1));
        match self.random.below(15) {
            0 => format!("CONCAT({a}, {b})"),
            1 => format!("UPPER({a})"),
            2 => format!("LOWER({a})"),
            3 => format!("SUBSTRING({a}, {}, {})", self.random.below(4), self.random.below(4)),
            4 => format!("TRIM({a})"),
            5 => format!("REPLACE({a}, 'a', 'x')"),
            6 => format!("LEFT({a}, {})", self.random.below(4)),
            7 => format!("RIGHT({a}, {})", self.random.below(4)),
            // MariaDB pads a column of a view in place, where the rest of the statement sees it.
            8 | 9 if !self.is_postgres() => {
                format!("RPAD(CONCAT({a}, ''), {}, '-')", self.random.below(6))
            }
            8 => format!("LPAD({a}, {}, 'xy')", self.random.below(6)),
            9 => format!("RPAD({a}, {}, '-')", self.random.below(6)),
            10 => format!("REVERSE({a})"),
            11 => format!("CONCAT_WS(',', {a}, {b})"),
            12 => format!("{}({a})", self.random.word(&["LTRIM", "RTRIM"])),
            13 => {
                let int = self.of(Kind::Int, depth - 1);
                format!("CAST({int} AS {})", if self.is_postgres() { "TEXT" } else { "CHAR" })
            }
            _ if self.is_postgres() => format!("({a} || {b})"),
            _ => format!("CONCAT({a}, 'x')"),
        }
    }

    fn double(&mut self, depth: usize) -> String {
        let (a, b) = (self.of(Kind::Double, depth - 1), self.of(Kind::Double, depth - 1));
        match self.random.below(4) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2 if self.is_postgres() => format!("({a} * {b})"),
            // Zero and minus zero are two values for COUNT(DISTINCT …) of MySQL.
            2 => format!("({a} * 2e0)"),
            _ => format!("ABS({a})"),
        }
    }

    fn date(&mut self, depth: usize) -> String {
        let a = self.of(Kind::Date, depth - 1);
        match self.random.below(3) {
            0 if self.is_postgres() => format!("({a} + {})", self.random.below(40)),
            1 if self.is_postgres() => format!("({a} - {})", self.random.below(400)),
            0 => format!("({a} + INTERVAL {} DAY)", self.random.below(40)),
            1 => format!("({a} - INTERVAL {} MONTH)", self.random.below(14)),
            _ => format!("COALESCE({a}, DATE '2000-01-01')"),
        }
    }

    /// Something that is true, false or unknown.
    pub fn condition(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.comparison(0);
        }
        let newer = |(_, kind): &(String, Kind)| !KINDS.contains(kind);
        if self.names.iter().any(newer) && self.random.once_in(4) {
            return self.newer_expression(Kind::Bool, depth);
        }
        match self.random.below(14) {
            0 => format!("({} AND {})", self.condition(depth - 1), self.condition(depth - 1)),
            1 => format!("({} OR {})", self.condition(depth - 1), self.condition(depth - 1)),
            2 => format!("(NOT {})", self.condition(depth - 1)),
            3 => {
                let kind = *self.random.pick(&KINDS);
                let negated = self.random.word(&["", "NOT "]);
                format!("({} IS {negated}NULL)", self.of(kind, depth - 1))
            }
            4 => {
                let kind = *self.random.pick(&[Kind::Int, Kind::Decimal, Kind::Text]);
                let (a, b, c) = (self.of(kind, depth - 1), self.of(kind, 0), self.of(kind, 0));
                format!("({a} BETWEEN {b} AND {c})")
            }
            5 => {
                let kind = *self.random.pick(&[Kind::Int, Kind::Decimal, Kind::Text]);
                let negated = self.random.word(&["", "NOT "]);
                let (a, b, c) = (self.of(kind, depth - 1), self.of(kind, 0), self.of(kind, 0));
                format!("({a} {negated}IN ({b}, {c}))")
            }
            6 => {
                let pattern = self.random.word(&["'a%'", "'%b'", "'_'", "'%'", "'A_'", "'%1%'"]);
                format!("({} LIKE {pattern})", self.of(Kind::Text, depth - 1))
            }
            7 => {
                let truth =
                    self.random.word(&["TRUE", "FALSE", "NOT TRUE", "NOT FALSE", "UNKNOWN"]);
                format!("({} IS {truth})", self.condition(depth - 1))
            }
            8 => {
                let kind = *self.random.pick(&[Kind::Int, Kind::Decimal, Kind::Text]);
                let (a, b) = (self.of(kind, depth - 1), self.of(kind, depth - 1));
                if self.is_postgres() {
                    format!("({a} IS DISTINCT FROM {b})")
                } else {
                    format!("({a} <=> {b})")
                }
            }
            9 => self.leaf(Kind::Bool),
            _ => self.comparison(depth - 1),
        }
    }

    fn comparison(&mut self, depth: usize) -> String {
        let kind = *self.random.pick(&KINDS);
        let op = self.random.word(&["=", "<>", "<", "<=", ">", ">="]);
        let other = match kind {
            Kind::Int if self.random.once_in(4) => Kind::Decimal,
            Kind::Int | Kind::Decimal if self.random.once_in(12) => Kind::Double,
            Kind::Int if !self.is_postgres() && self.random.once_in(8) => Kind::Text,
            same => same,
        };
        let (a, b) = (self.of(kind, depth), self.of(other, depth));
        if other != kind && other != Kind::Text && self.is_column_and_constant(&a, &b) {
            return format!("(({a} + 0) {op} {b})");
        }
        format!("({a} {op} {b})")
    }

    /// MariaDB rounds a constant that it looks up in a key of whole numbers: it finds rows with 1 for
    /// `id = 1.25`, and 3 for `MAX(id)` where `id <= 2.675`.
    fn is_column_and_constant(&self, a: &str, b: &str) -> bool {
        !self.is_postgres()
            && self.names.iter().any(|(name, kind)| name == a && *kind == Kind::Int)
            && self.names.iter().all(|(name, _)| !b.contains(name.as_str()))
    }
}
