//! Random statements that change rows.

use tristan_sql::Dialect;

use crate::differential::expressions::{Expressions, Names, names};
use crate::differential::newer_writes::NewerWrites;
use crate::differential::schema::{Column, KINDS, Kind, Role, Schema, Table, literal};
use tristan_testkit::Random;

pub struct Writes<'a> {
    pub random: &'a mut Random,
    pub schema: &'a Schema,
}

impl Writes<'_> {
    fn is_postgres(&self) -> bool {
        self.schema.dialect == Dialect::PostgreSql
    }

    pub fn expressions(&mut self, names: Names) -> Expressions<'_> {
        Expressions { random: self.random, dialect: self.schema.dialect, names }
    }

    /// A statement that changes a table.
    pub fn any(&mut self) -> String {
        if self.random.once_in(5)
            && let Some(newer) = (NewerWrites { random: self.random, schema: self.schema }).any()
        {
            return newer;
        }
        let table = self.schema.source(self.random).clone();
        match self.random.below(44) {
            0..=15 => self.insert(&table),
            16..=20 => self.insert_select(&table),
            21..=32 => self.update(&table),
            33..=36 => self.delete(&table),
            37 if table.base.is_none() => format!("TRUNCATE TABLE {}", table.name),
            _ if table.base.is_some() && self.is_postgres() => self.update(&table),
            _ => self.upsert(&table),
        }
    }

    pub fn returning(&mut self, table: &Table) -> String {
        if !self.random.once_in(4) {
            return String::new();
        }
        let column = self.random.pick(&table.columns).name.clone();
        self.random.word(&[" RETURNING *", &format!(" RETURNING id, {column}")])
    }

    pub fn insert(&mut self, table: &Table) -> String {
        let returning = self.returning(table);
        format!("{}{returning}", self.insert_values(table, "INSERT"))
    }

    pub fn insert_values(&mut self, table: &Table, verb: &str) -> String {
        let mut columns = table.given();
        if self.random.once_in(3) {
            columns.retain(|column| {
                column.name == "id"
                    || (column.not_null && !column.has_default)
                    || self.random.once_in(2)
            });
        }
        // What counts is mostly left out: numbers are given by the server.
        let counts = columns[0].is_counted();
        if counts && columns.len() > 1 && self.random.once_in(2) {
            columns.remove(0);
        }
        let insists = columns[0].role == Role::Always && !self.random.once_in(8);
        let overriding = if insists { " OVERRIDING SYSTEM VALUE" } else { "" };
        let list = columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>().join(", ");
        let many = 1 + self.random.below(3);
        let rows: Vec<String> = (0..many).map(|_| self.row(&columns)).collect();
        format!("{verb} INTO {} ({list}){overriding} VALUES {}", table.name, rows.join(", "))
    }

    fn row(&mut self, columns: &[Column]) -> String {
        let values: Vec<String> = columns
            .iter()
            .map(|column| match column.name.as_str() {
                "id" if column.is_counted() && self.random.once_in(3) => "DEFAULT".into(),
                "id" => self.random.below(12).to_string(),
                _ if self.random.once_in(12) => "DEFAULT".into(),
                _ if self.random.once_in(8) => self.expressions(Names::new()).of(column.kind, 1),
                _ => self.value(column),
            })
            .collect();
        format!("({})", values.join(", "))
    }

    /// A value that mostly fits.
    pub fn value(&mut self, column: &Column) -> String {
        for _ in 0..4 {
            let value = literal(self.random, self.schema.dialect, column.kind);
            if !(column.not_null && value == "NULL") {
                return value;
            }
        }
        "NULL".into()
    }

    fn insert_select(&mut self, table: &Table) -> String {
        let source = self.schema.source(self.random).clone();
        let names = names("s", &source.columns);
        let mut columns = table.given();
        // Which row gets which number follows from the order of the rows.
        let order =
            match columns[0].is_counted() && columns.len() > 1 && source.columns[0].is_unique {
                true if self.random.once_in(2) => {
                    columns.remove(0);
                    " ORDER BY s.id"
                }
                _ => "",
            };
        let items: Vec<String> = columns
            .iter()
            .map(|column| match column.name.as_str() {
                "id" => format!("s.id + {}", 10 + self.random.below(20)),
                _ => self.expressions(names.clone()).of(column.kind, 1),
            })
            .collect();
        let filter = self.expressions(names).condition(1);
        let whole = columns.len() == table.columns.len() && self.random.once_in(2);
        let list: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        let list = if whole { String::new() } else { format!(" ({})", list.join(", ")) };
        let insists = columns[0].role == Role::Always;
        let overriding = if insists { " OVERRIDING SYSTEM VALUE" } else { "" };
        format!(
            "INSERT INTO {}{list}{overriding} SELECT {} FROM {} s WHERE {filter}{order}",
            table.name,
            items.join(", "),
            source.name
        )
    }

    /// A query over another table that gives at most one value.
    fn looked_up(&mut self, column: &Column) -> Option<String> {
        let other = self.schema.source(self.random).clone();
        let fitting = other.columns.iter().rfind(|one| one.kind == column.kind)?.clone();
        if !KINDS.contains(&column.kind) || column.kind == Kind::Bool {
            return None;
        }
        let filter = self.expressions(names("o", &other.columns)).condition(1);
        let name = fitting.name;
        Some(format!("(SELECT MAX(o.{name}) FROM {} o WHERE {filter})", other.name))
    }

    pub fn filter(&mut self, table: &Table) -> String {
        match self.random.below(5) {
            0 => String::new(),
            4 => {
                let other = self.random.pick(&self.schema.tables).clone();
                let filter = self.expressions(names("o", &other.columns)).condition(1);
                let negated = self.random.word(&["", "NOT "]);
                let inner = format!("(SELECT o.id FROM {} o WHERE {filter})", other.name);
                format!(" WHERE {}.id {negated}IN {inner}", table.name)
            }
            1 | 2 => format!(" WHERE {}.id = {}", table.name, self.random.below(12)),
            _ => {
                let names = names(&table.name, &table.columns);
                format!(" WHERE {}", self.expressions(names).condition(1))
            }
        }
    }

    pub fn assignments(&mut self, table: &Table, names: &Names) -> String {
        let mut set = Vec::new();
        let mut used: Vec<String> = Vec::new();
        for _ in 0..=self.random.below(2) {
            let column = self.random.pick(&table.columns).clone();
            let rarely = column.name == "id" && column.role != Role::Always;
            if used.contains(&column.name)
                || (rarely && !self.random.once_in(3))
                || (column.role != Role::Given && !rarely && !self.random.once_in(10))
            {
                continue;
            }
            used.push(column.name.clone());
            let value = match column.name.as_str() {
                "id" => {
                    let sign = self.random.word(&["+", "-"]);
                    format!("{}.id {sign} {}", table.name, 1 + self.random.below(20))
                }
                _ if self.random.once_in(8) => match self.looked_up(&column) {
                    Some(query) => query,
                    None => "DEFAULT".into(),
                },
                _ => self.expressions(names.clone()).of(column.kind, 2),
            };
            set.push(format!("{} = {value}", column.name));
        }
        if set.is_empty() {
            let column = table.one_given(self.random);
            set.push(format!(
                "{} = {}",
                column.name,
                literal(self.random, self.schema.dialect, column.kind)
            ));
        }
        set.join(", ")
    }

    fn update(&mut self, table: &Table) -> String {
        let own = names(&table.name, &table.columns);
        if self.random.once_in(5) {
            let other = self.random.pick(&self.schema.tables).clone();
            let mut all = own;
            all.extend(names("o", &other.columns));
            let set = self.assignments(table, &all);
            if self.is_postgres() {
                return format!(
                    "UPDATE {} SET {set} FROM {} o WHERE o.id = {}.id",
                    table.name, other.name, table.name
                );
            }
            if other.name != table.name {
                let set = set.split(", ").map(str::to_owned).collect::<Vec<_>>().join(", ");
                let first = table.one_given(self.random);
                if !set.contains(',') && !set.starts_with("id ") && first.kind != Kind::Bool {
                    return format!(
                        "UPDATE {} JOIN {} o ON o.id = {}.id SET {}.{set}",
                        table.name, other.name, table.name, table.name
                    );
                }
            }
            return format!("UPDATE {} SET id = id + 100", table.name);
        }
        let set = self.assignments(table, &own);
        let filter = self.filter(table);
        if self.is_postgres() {
            let returning = self.returning(table);
            return format!("UPDATE {} SET {set}{filter}{returning}", table.name);
        }
        let order = self.random.word(&["", "", "", " ORDER BY id DESC", " ORDER BY id LIMIT 2"]);
        format!("UPDATE {} SET {set}{filter}{order}", table.name)
    }

    fn delete(&mut self, table: &Table) -> String {
        let filter = self.filter(table);
        if self.is_postgres() && self.random.once_in(5) {
            let other = self.random.pick(&self.schema.tables).clone();
            return format!(
                "DELETE FROM {} USING {} o WHERE o.id = {}.id",
                table.name, other.name, table.name
            );
        }
        let returning = self.returning(table);
        let order = if self.is_postgres() || !returning.is_empty() {
            String::new()
        } else {
            self.random.word(&["", "", " ORDER BY id LIMIT 1"])
        };
        format!("DELETE FROM {}{filter}{order}{returning}", table.name)
    }

    fn upsert(&mut self, table: &Table) -> String {
        let target = table.one_given(self.random);
        if !self.is_postgres() {
            let other = self.expressions(names(&table.name, &table.columns)).of(target.kind, 1);
            return match self.random.below(4) {
                0 => self.insert_values(table, "REPLACE"),
                1 => format!(
                    "{} ON DUPLICATE KEY UPDATE {} = VALUES({})",
                    self.insert_values(table, "INSERT"),
                    target.name,
                    target.name
                ),
                2 => format!(
                    "{} ON DUPLICATE KEY UPDATE {} = {other}",
                    self.insert_values(table, "INSERT"),
                    target.name
                ),
                _ => self.plain_ignore(table),
            };
        }
        let mut names = names(&table.name, &table.columns);
        names.extend(crate::differential::expressions::names("excluded", &table.columns));
        let value = self.expressions(names.clone()).of(target.kind, 1);
        let unique: Vec<&Column> = table.columns.iter().filter(|one| one.is_unique).collect();
        let key = unique.last().map_or("id", |column| &column.name).to_owned();
        let on = match self.random.below(6) {
            2..=4 if !table.targets.is_empty() && self.random.once_in(2) => {
                let index = self.random.pick(&table.targets);
                format!("{index} DO UPDATE SET {} = {value}", target.name)
            }
            0 => "DO NOTHING".to_owned(),
            4 => format!("({key}) DO UPDATE SET {} = {value}", target.name),
            5 => format!("({key}) DO NOTHING"),
            1 => format!("(id) DO UPDATE SET {} = excluded.{}", target.name, target.name),
            2 => format!("(id) DO UPDATE SET {} = {value}", target.name),
            _ => {
                let filter = self.expressions(names).condition(1);
                format!(
                    "(id) DO UPDATE SET {} = excluded.{} WHERE {filter}",
                    target.name, target.name
                )
            }
        };
        let returning = self.returning(table);
        format!("{} ON CONFLICT {on}{returning}", self.insert_values(table, "INSERT"))
    }

    /// Only keys go wrong here: what else IGNORE lets pass is not carried out.
    fn plain_ignore(&mut self, table: &Table) -> String {
        let columns: Vec<&Column> = table
            .columns
            .iter()
            .filter(|column| column.name == "id" || (column.not_null && !column.has_default))
            .filter(|column| column.role != Role::Generated)
            .collect();
        let list: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        let values: Vec<String> = columns
            .iter()
            .map(|column| match column.kind {
                Kind::Int => self.random.below(12).to_string(),
                Kind::Decimal => "0".into(),
                Kind::Text => "'q'".into(),
                Kind::Bool => "TRUE".into(),
                Kind::Double => "1e0".into(),
                Kind::Date => "DATE '2024-01-01'".into(),
                Kind::Json => "'{}'".into(),
                Kind::Year => "2024".into(),
                Kind::Bits => "1".into(),
                Kind::Bytes => "x'61'".into(),
                Kind::Label => "'ok'".into(),
                Kind::Set => "'a'".into(),
                Kind::Clock => "TIME '01:02:03'".into(),
                Kind::Uuid => "'00000000-0000-0000-0000-00000000000a'".into(),
                _ => "TIMESTAMP '2024-01-01 00:00:00'".into(),
            })
            .collect();
        format!(
            "INSERT IGNORE INTO {} ({}) VALUES ({})",
            table.name,
            list.join(", "),
            values.join(", ")
        )
    }
}
