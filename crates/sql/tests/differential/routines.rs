//! Random procedures and functions, and calls of them.
//!
//! There is one of each per schema: `p` changes a table, `f` only looks. Both have a parameter `x`
//! and variables `n`, `m`, `k`, `v`; the bodies are the same in both languages but for how things are
//! written.

use tristan_sql::Dialect;

use crate::differential::expressions::{Expressions, Names, names};
use crate::differential::schema::{Kind, Schema, Table};
use crate::differential::writes::Writes;
use tristan_testkit::Random;

pub struct Routines<'a> {
    pub random: &'a mut Random,
    pub schema: &'a Schema,
}

/// What is in the way of routines of these names.
pub const DROPS: [&str; 2] = ["DROP PROCEDURE IF EXISTS p", "DROP FUNCTION IF EXISTS f"];

impl Routines<'_> {
    fn is_postgres(&self) -> bool {
        self.schema.dialect == Dialect::PostgreSql
    }

    /// The statements that make both.
    pub fn make(&mut self) -> [String; 2] {
        let table = self.random.pick(&self.schema.tables).clone();
        let changes = self.steps(&table, true, 2);
        let looks = self.steps(&table, false, 2);
        if self.is_postgres() {
            return [
                format!(
                    "CREATE PROCEDURE p(x INT, OUT seen INT) LANGUAGE plpgsql AS $$ {} \
                     {changes} seen := n; END $$",
                    declarations(true, &table)
                ),
                format!(
                    "CREATE FUNCTION f(x INT) RETURNS INT LANGUAGE plpgsql AS $$ {} {looks} \
                     RETURN n; END $$",
                    declarations(true, &table)
                ),
            ];
        }
        [
            format!(
                "CREATE PROCEDURE p(IN x INT) BEGIN {} {changes} END",
                declarations(false, &table)
            ),
            format!(
                "CREATE FUNCTION f(x INT) RETURNS INT NOT DETERMINISTIC READS SQL DATA BEGIN {} \
                 {looks} RETURN n; END",
                declarations(false, &table)
            ),
        ]
    }

    /// A statement that calls one of them.
    pub fn call(&mut self) -> String {
        let number = self.random.below(12);
        let table = self.random.pick(&self.schema.tables).clone();
        match self.random.below(5) {
            0 => format!("SELECT f({number})"),
            1 => format!("SELECT {0}.id, f({0}.id) FROM {0} ORDER BY 1", table.name),
            _ if self.is_postgres() => format!("CALL p({number}, NULL)"),
            _ => format!("CALL p({number})"),
        }
    }

    fn variables() -> Names {
        vec![("n".into(), Kind::Int), ("x".into(), Kind::Int), ("m".into(), Kind::Decimal)]
    }

    fn value(&mut self, kind: Kind) -> String {
        let (random, dialect) = (&mut *self.random, self.schema.dialect);
        Expressions { random, dialect, names: Self::variables() }.of(kind, 1)
    }

    fn test(&mut self, more: Names) -> String {
        let mut names = Self::variables();
        names.extend(more);
        let (random, dialect) = (&mut *self.random, self.schema.dialect);
        Expressions { random, dialect, names }.condition(1)
    }

    fn steps(&mut self, table: &Table, writes: bool, depth: usize) -> String {
        let many = 1 + self.random.below(3);
        let steps: Vec<String> = (0..many).map(|_| self.step(table, writes, depth)).collect();
        steps.join(" ")
    }

    fn step(&mut self, table: &Table, writes: bool, depth: usize) -> String {
        match self.random.below(10) {
            0 if depth > 0 => self.branch(table, writes, depth),
            1 if depth > 0 => self.repeat(table, writes, depth),
            2 if depth > 0 => self.rows(table),
            3 => {
                let filter = self.test(names("z", &table.columns));
                format!("SELECT COUNT(*) INTO n FROM {} z WHERE {filter};", table.name)
            }
            4 => format!("SELECT z.id INTO n FROM {} z WHERE z.id = x;", table.name),
            5 => {
                let value = self.value(Kind::Decimal);
                self.assign("m", &value)
            }
            6 if self.random.once_in(3) => self.refusal(),
            7..=9 if writes => self.write(table),
            _ => {
                let value = self.value(Kind::Int);
                self.assign("n", &value)
            }
        }
    }

    fn assign(&self, variable: &str, value: &str) -> String {
        match self.is_postgres() {
            true => format!("{variable} := {value};"),
            false => format!("SET {variable} = {value};"),
        }
    }

    fn refusal(&mut self) -> String {
        let test = self.test(Names::new());
        let refuse = match self.is_postgres() {
            true => "RAISE EXCEPTION 'no'",
            false => "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no'",
        };
        format!("IF {test} THEN {refuse}; END IF;")
    }

    fn branch(&mut self, table: &Table, writes: bool, depth: usize) -> String {
        let (first, second) = (self.test(Names::new()), self.test(Names::new()));
        let mut block = || self.steps(table, writes, depth - 1);
        let (one, two, three) = (block(), block(), block());
        let again = if self.is_postgres() { "ELSIF" } else { "ELSEIF" };
        match self.random.below(3) {
            0 => format!("IF {first} THEN {one} END IF;"),
            1 => format!("IF {first} THEN {one} {again} {second} THEN {two} ELSE {three} END IF;"),
            _ => {
                format!(
                    "CASE WHEN {first} THEN {one} WHEN {second} THEN {two} ELSE {three} END CASE;"
                )
            }
        }
    }

    /// Loops that count. An inner one may end an outer one early, but none runs on.
    fn repeat(&mut self, table: &Table, writes: bool, depth: usize) -> String {
        let body = self.steps(table, writes, depth - 1);
        match (self.is_postgres(), self.random.below(2)) {
            (true, 0) => format!("FOR i IN 1..2 LOOP {body} n := n + i; END LOOP;"),
            (true, _) => format!("k := 0; WHILE k < 2 LOOP {body} k := k + 1; END LOOP;"),
            (false, 0) => {
                format!("SET k = 0; REPEAT {body} SET k = k + 1; UNTIL k >= 2 END REPEAT;")
            }
            (false, _) => format!("SET k = 0; WHILE k < 2 DO {body} SET k = k + 1; END WHILE;"),
        }
    }

    /// Loops over rows, with a cursor or without. Nothing in them changes the table.
    fn rows(&mut self, table: &Table) -> String {
        let skip = self.test(Names::new());
        match (self.is_postgres(), self.random.below(2)) {
            (true, 0) => format!(
                "FOR r IN SELECT id FROM {} ORDER BY id LOOP IF {skip} THEN CONTINUE; END IF; \
                 n := r.id - n; END LOOP;",
                table.name
            ),
            (true, _) => {
                "OPEN c; LOOP FETCH c INTO v; EXIT WHEN NOT FOUND; n := v - n; END LOOP; CLOSE c;"
                    .into()
            }
            (false, _) => format!(
                "SET done = 0; OPEN c; again: LOOP FETCH c INTO v; \
                 IF done THEN LEAVE again; END IF; IF {skip} THEN ITERATE again; END IF; \
                 SET n = v - n; END LOOP; CLOSE c;"
            ),
        }
    }

    fn write(&mut self, table: &Table) -> String {
        let column = table.one_given(self.random);
        match self.random.below(4) {
            0 => {
                let (random, schema) = (&mut *self.random, self.schema);
                format!("{};", Writes { random, schema }.insert_values(table, "INSERT"))
            }
            1 => format!("DELETE FROM {0} WHERE {0}.id = x;", table.name),
            _ => {
                let mut visible = Self::variables();
                visible.extend(names(&table.name, &table.columns));
                let (random, dialect) = (&mut *self.random, self.schema.dialect);
                let value = Expressions { random, dialect, names: visible }.of(column.kind, 1);
                let place = self.random.word(&["x", "n", "n + 1"]);
                format!(
                    "UPDATE {0} SET {1} = {value} WHERE {0}.id = {place};",
                    table.name, column.name
                )
            }
        }
    }
}

fn declarations(postgres: bool, table: &Table) -> String {
    match postgres {
        true => format!(
            "DECLARE n INT := 0; m NUMERIC(10,2) := 1.5; k INT; v INT; r RECORD; \
             c CURSOR FOR SELECT id FROM {} ORDER BY id DESC; BEGIN",
            table.name
        ),
        false => format!(
            "DECLARE n INT DEFAULT 0; DECLARE m DECIMAL(10,2) DEFAULT 1.5; \
             DECLARE k, v, done INT DEFAULT 0; \
             DECLARE c CURSOR FOR SELECT id FROM {} ORDER BY id DESC; \
             DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1;",
            table.name
        ),
    }
}
