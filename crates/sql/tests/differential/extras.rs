//! What a schema has besides tables: views, triggers, indexes, sequences, foreign keys.

use tristan_sql::Dialect;
use tristan_testkit::Random;

use crate::differential::expressions::{Expressions, Names, names};
use crate::differential::schema::{Column, Kind, Role, Schema, Table};

/// What may be in the way, in the order in which it can be dropped.
pub const DROPS: [&str; 4] = [
    "DROP VIEW IF EXISTS v1",
    "DROP VIEW IF EXISTS v0",
    "DROP SEQUENCE IF EXISTS s",
    "DROP TABLE IF EXISTS work",
];

/// The same in PostgreSQL, after the tables.
pub const STRICT_DROPS: [&str; 4] = [
    "DROP FUNCTION IF EXISTS fires_before() CASCADE",
    "DROP FUNCTION IF EXISTS fires_after() CASCADE",
    "DROP TYPE IF EXISTS mood CASCADE",
    "DROP DOMAIN IF EXISTS small CASCADE",
];

pub struct Extras<'a> {
    pub random: &'a mut Random,
    pub schema: &'a mut Schema,
}

impl Extras<'_> {
    fn is_postgres(&self) -> bool {
        self.schema.dialect == Dialect::PostgreSql
    }

    /// Adds some of them.
    pub fn add(&mut self) {
        if self.random.once_in(3) {
            self.sequence();
        }
        if self.random.once_in(3) {
            self.index();
        }
        match self.random.below(4) {
            0 => self.reference(),
            1 | 2 => self.triggers(),
            _ => {}
        }
        if self.random.once_in(2) {
            self.views();
        }
    }

    fn expressions(&mut self, names: Names) -> Expressions<'_> {
        Expressions { random: self.random, dialect: self.schema.dialect, names }
    }

    fn sequence(&mut self) {
        self.schema.has_sequence = true;
        let how = self.random.word(&["", " START WITH 7 INCREMENT BY 2", " MAXVALUE 9 CYCLE"]);
        let cache = if self.is_postgres() { "" } else { " NOCACHE" };
        self.schema.before.push(format!("CREATE SEQUENCE s{how}{cache}"));
    }

    fn index(&mut self) {
        let place = self.random.below(self.schema.tables.len());
        let table = self.schema.tables[place].clone();
        let column = table.one_given(self.random);
        if !matches!(column.kind, Kind::Int | Kind::Text | Kind::Decimal | Kind::Date) {
            return;
        }
        let (own, name) = (&column.name, &table.name);
        if !self.is_postgres() {
            let kind = self.random.word(&["", "UNIQUE "]);
            self.schema.after.push(format!("CREATE {kind}INDEX i0 ON {name} ({own})"));
            return;
        }
        let target = match (self.random.below(3), column.kind) {
            (0, _) => format!("({own}) WHERE id > 2"),
            (1, Kind::Text) => format!("(lower({own}))"),
            (1, Kind::Int) => format!("(({own} % 5))"),
            _ => format!("({own})"),
        };
        self.schema.after.push(format!("CREATE UNIQUE INDEX i0 ON {name} {target}"));
        self.schema.tables[place].targets.push(target);
    }

    /// A foreign key with actions, from the second table to the first.
    fn reference(&mut self) {
        if !self.schema.tables[0].columns[0].is_unique {
            return;
        }
        let mut actions = String::new();
        for moment in [" ON DELETE ", " ON UPDATE "] {
            let action = self.random.word(&["", "CASCADE", "CASCADE", "SET NULL", "RESTRICT"]);
            if !action.is_empty() {
                actions += &format!("{moment}{action}");
            }
        }
        let table = &mut self.schema.tables[1];
        table.columns.push(Column {
            name: "up".into(),
            kind: Kind::Int,
            declared: "INT".into(),
            not_null: false,
            has_default: false,
            is_unique: false,
            role: Role::Given,
        });
        let end = table.create.rfind(')').expect("a table has columns");
        let line = format!(", up INT, FOREIGN KEY (up) REFERENCES t0 (id){actions}");
        table.create.insert_str(end, &line);
    }

    /// A view that can be written through, and one over it.
    fn views(&mut self) {
        let table = self.random.pick(&self.schema.tables).clone();
        let first = self.view("v0", &table);
        if self.random.once_in(2) {
            let second = self.view("v1", &first);
            self.schema.views = vec![first, second];
        } else {
            self.schema.views = vec![first];
        }
        let creates = self.schema.views.iter().map(|view| view.create.clone());
        self.schema.after.extend(creates);
    }

    fn view(&mut self, name: &str, over: &Table) -> Table {
        let mut columns = over.columns.clone();
        let needed = |column: &Column| column.name == "id" || column.not_null;
        columns.retain(|column| needed(column) || !self.random.once_in(3));
        if columns.len() < 2 {
            columns.clone_from(&over.columns);
        }
        let list: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        let mut create =
            format!("CREATE VIEW {name} AS SELECT {} FROM {}", list.join(", "), over.name);
        if self.random.once_in(2) {
            let own = names(&over.name, &over.columns);
            create += &format!(" WHERE {}", self.expressions(own).condition(1));
            create += &self.random.word(&[
                "",
                "",
                " WITH CHECK OPTION",
                " WITH LOCAL CHECK OPTION",
                " WITH CASCADED CHECK OPTION",
            ]);
        }
        let base = over.base.clone().unwrap_or_else(|| over.name.clone());
        Table { name: name.into(), columns, create, base: Some(base), targets: Vec::new() }
    }

    /// A table that keeps a log, and triggers of the first table that write it or change rows.
    fn triggers(&mut self) {
        let log = format!("t{}", self.schema.tables.len());
        let plain = |name: &str, kind, declared: &str| Column {
            name: name.into(),
            kind,
            declared: declared.into(),
            not_null: false,
            has_default: false,
            is_unique: false,
            role: Role::Given,
        };
        let table = self.random.pick(&self.schema.tables).clone();
        // What the server computes is not known to a BEFORE trigger.
        if table.columns.iter().any(|column| column.role == Role::Generated) {
            return;
        }
        let triggers = match self.is_postgres() {
            true => self.strict_triggers(&table, &log),
            false => self.loose_triggers(&table, &log),
        };
        self.schema.after.extend(triggers);
        self.schema.tables.push(Table {
            name: log.clone(),
            columns: vec![
                plain("id", Kind::Int, "INT"),
                plain("l1", Kind::Text, "VARCHAR(20)"),
                plain("l2", Kind::Int, "INT"),
            ],
            create: format!("CREATE TABLE {log} (id INT, l1 VARCHAR(20), l2 INT)"),
            base: None,
            targets: Vec::new(),
        });
    }

    fn strict_triggers(&mut self, table: &Table, log: &str) -> Vec<String> {
        let mut all = Vec::new();
        let given = table.given();
        let column = table.one_given(self.random);
        if self.random.once_in(2) {
            let value = self.expressions(names("NEW", &given)).of(column.kind, 1);
            let test = self.expressions(names("NEW", &given)).condition(1);
            let step = match self.random.below(4) {
                0 => format!("IF {test} THEN RETURN NULL; END IF;"),
                1 => format!("IF {test} THEN RAISE EXCEPTION 'no'; END IF;"),
                2 => format!("IF {test} THEN NEW.{} := {value}; END IF;", column.name),
                _ => format!("NEW.{} := {value};", column.name),
            };
            all.push(format!(
                "CREATE FUNCTION fires_before() RETURNS trigger LANGUAGE plpgsql AS \
                 $$ BEGIN {step} RETURN NEW; END $$"
            ));
            let events = self.random.word(&["INSERT", "UPDATE", "INSERT OR UPDATE"]);
            let when = match self.random.below(3) {
                0 => format!(" WHEN (NEW.{} IS NOT NULL)", column.name),
                _ => String::new(),
            };
            all.push(format!(
                "CREATE TRIGGER a BEFORE {events} ON {} FOR EACH ROW{when} \
                 EXECUTE FUNCTION fires_before()",
                table.name
            ));
        }
        if all.is_empty() || self.random.once_in(2) {
            all.extend(self.strict_log(table, log));
        }
        all
    }

    /// A trigger that takes down what happens to each row, or to all of them.
    fn strict_log(&mut self, table: &Table, log: &str) -> Vec<String> {
        let head = "CREATE FUNCTION fires_after() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN";
        if self.random.once_in(3) {
            let event = self.random.word(&["INSERT", "UPDATE"]);
            return vec![
                format!(
                    "{head} INSERT INTO {log} SELECT count(*), TG_OP, max(id) FROM added; \
                     RETURN NULL; END $$"
                ),
                format!(
                    "CREATE TRIGGER b AFTER {event} ON {} REFERENCING NEW TABLE AS added \
                     FOR EACH STATEMENT EXECUTE FUNCTION fires_after()",
                    table.name
                ),
            ];
        }
        let event = self.random.word(&["INSERT", "UPDATE", "INSERT OR UPDATE", "DELETE"]);
        let row = if event == "DELETE" { "OLD" } else { "NEW" };
        let value = self.expressions(names(row, &table.given())).of(Kind::Int, 1);
        vec![
            format!(
                "{head} INSERT INTO {log} VALUES ({row}.id, TG_OP, {value}); RETURN NULL; END $$"
            ),
            format!(
                "CREATE TRIGGER b AFTER {event} ON {} FOR EACH ROW EXECUTE FUNCTION fires_after()",
                table.name
            ),
        ]
    }

    fn loose_triggers(&mut self, table: &Table, log: &str) -> Vec<String> {
        let column = table.one_given(self.random);
        let given: Vec<Column> =
            table.given().into_iter().filter(|column| !column.is_counted()).collect();
        let mut all = Vec::new();
        if self.random.once_in(2) {
            let event = self.random.word(&["INSERT", "UPDATE"]);
            let value = self.expressions(names("NEW", &given)).of(column.kind, 1);
            let test = self.expressions(names("NEW", &given)).condition(1);
            let step = match self.random.below(3) {
                0 => format!(
                    "BEGIN IF {test} THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no'; END IF; END"
                ),
                1 => format!("BEGIN IF {test} THEN SET NEW.{} = {value}; END IF; END", column.name),
                _ => format!("SET NEW.{} = {value}", column.name),
            };
            all.push(format!(
                "CREATE TRIGGER a BEFORE {event} ON {} FOR EACH ROW {step}",
                table.name
            ));
        }
        if all.is_empty() || self.random.once_in(2) {
            let event = self.random.word(&["INSERT", "UPDATE", "DELETE"]);
            let row = if event == "DELETE" { "OLD" } else { "NEW" };
            let value = self.expressions(names(row, &given)).of(Kind::Int, 1);
            all.push(format!(
                "CREATE TRIGGER b AFTER {event} ON {} FOR EACH ROW \
                 INSERT INTO {log} VALUES ({row}.id, '{event}', {value})",
                table.name
            ));
        }
        all
    }
}
