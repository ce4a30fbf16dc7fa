//! Tables that are altered between transactions.

use tristan_sql::Dialect;
use tristan_testkit::Random;

use crate::differential::schema::{Column, Kind, Role, Schema, literal};

pub struct Alterations<'a> {
    pub random: &'a mut Random,
    pub schema: &'a Schema,
}

/// A statement, and what it makes of a table.
pub struct Alteration {
    pub table: usize,
    pub text: String,
    change: Change,
}

enum Change {
    Nothing,
    Add(Column),
    Drop(String),
    Rename(String, String),
    NotNull(String, bool),
    Default(String),
    Unique(String),
}

impl Alterations<'_> {
    /// Alters a table in some way. The number tells new names apart.
    pub fn any(&mut self, number: u64) -> Alteration {
        let table = self.random.below(self.schema.tables.len());
        let name = self.schema.tables[table].name.clone();
        let column = self.schema.tables[table].one_given(self.random);
        let own = column.name.clone();
        let strict = self.schema.dialect == Dialect::PostgreSql;
        let (action, change) = match self.random.below(11) {
            0..=2 => self.add(number),
            // A table without columns offers nothing to ask for.
            3 if self.schema.tables[table].columns.len() > 1 => {
                (format!("DROP COLUMN {own}"), Change::Drop(own))
            }
            4 => {
                let new = format!("z{number}");
                (format!("RENAME COLUMN {own} TO {new}"), Change::Rename(own, new))
            }
            5 => {
                let value = literal(self.random, self.schema.dialect, column.kind);
                (format!("ALTER COLUMN {own} SET DEFAULT {value}"), Change::Default(own))
            }
            6 if strict => (format!("ALTER COLUMN {own} SET NOT NULL"), Change::NotNull(own, true)),
            7 if strict => {
                (format!("ALTER COLUMN {own} DROP NOT NULL"), Change::NotNull(own, false))
            }
            8 => (format!("ADD CONSTRAINT u{number} UNIQUE ({own})"), Change::Unique(own)),
            9 => (format!("ADD CONSTRAINT c{number} CHECK (id < 1000)"), Change::Nothing),
            _ if strict && column.kind == Kind::Int => {
                let to = self.random.word(&["BIGINT", "INT"]);
                (format!("ALTER COLUMN {own} TYPE {to}"), Change::Nothing)
            }
            _ if !strict && column.kind == Kind::Int => {
                (format!("MODIFY COLUMN {own} BIGINT"), Change::NotNull(own, false))
            }
            _ => self.add(number),
        };
        Alteration { table, text: format!("ALTER TABLE {name} {action}"), change }
    }

    fn add(&mut self, number: u64) -> (String, Change) {
        let (kind, declared) = *self.random.pick(&[
            (Kind::Int, "INT"),
            (Kind::Text, "VARCHAR(8)"),
            (Kind::Decimal, "DECIMAL(8,2)"),
            (Kind::Date, "DATE"),
        ]);
        let name = format!("z{number}");
        let (more, not_null, has_default) = match (self.random.below(3), kind) {
            (0, Kind::Int) => (" NOT NULL DEFAULT 4", true, true),
            (1, Kind::Text) => (" DEFAULT 'é'", false, true),
            _ => ("", false, false),
        };
        let place = match self.schema.dialect {
            Dialect::PostgreSql => "",
            _ => ["", " FIRST", " AFTER id"][self.random.below(3_usize)],
        };
        // The first column is the key everywhere.
        let place = if place == " FIRST" { "" } else { place };
        let added = Column {
            name: name.clone(),
            kind,
            declared: declared.into(),
            not_null,
            has_default,
            is_unique: false,
            role: Role::Given,
        };
        let text = format!("ADD COLUMN {name} {declared}{more}{place}");
        (text, Change::Add(added))
    }
}

impl Alteration {
    /// Does the same to what is known of the table.
    pub fn apply(self, schema: &mut Schema) {
        let after_id = self.text.ends_with(" AFTER id");
        let columns = &mut schema.tables[self.table].columns;
        let mut find = |name: &str, change: &dyn Fn(&mut Column)| {
            columns.iter_mut().filter(|column| column.name == name).for_each(change);
        };
        match self.change {
            Change::Nothing => {}
            Change::Rename(old, new) => find(&old, &|column| column.name.clone_from(&new)),
            Change::NotNull(name, not_null) => find(&name, &|column| column.not_null = not_null),
            Change::Default(name) => find(&name, &|column| column.has_default = true),
            Change::Unique(name) => find(&name, &|column| column.is_unique = true),
            Change::Drop(name) => columns.retain(|column| column.name != name),
            Change::Add(column) if after_id => columns.insert(1, column),
            Change::Add(column) => columns.push(column),
        }
        schema.tables[self.table].targets.clear();
    }
}
