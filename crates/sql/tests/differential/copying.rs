//! What we do not support is done by the server alone; afterwards we look what it did.

use tristan_sql::{Dialect, Effect, ObservedValue};

use crate::differential::judge::Judge;
use crate::differential::schema::{Column, Kind, Role, Schema, Table};
use crate::differential::server::Reply;

impl Judge<'_> {
    /// Goes on with the rows that the server has. Says whether the statement worked there.
    pub(super) fn follow(
        &mut self,
        text: &str,
        reply: &Reply,
        schema: &Schema,
    ) -> Result<bool, String> {
        self.log.push(format!("-- {text}"));
        let failed = matches!(reply, Reply::Error { .. });
        // What a procedure of MariaDB did before it failed remains.
        let leaves = text.starts_with("CALL") && self.dialect != Dialect::PostgreSql;
        if schema.counts() && self.dialect != Dialect::PostgreSql {
            self.counter.ask_last(self.server);
        }
        self.lost_numbers |= !text.starts_with("SELECT");
        if failed && !leaves {
            return Ok(false);
        }
        if !text.starts_with("SELECT") {
            for table in &schema.tables {
                self.drop_zeros(table);
            }
            for table in &schema.tables {
                self.copy(table)?;
            }
        }
        Ok(!failed)
    }

    /// Numbers that the server gives may have gaps: goes on with its numbers if nothing else differs.
    pub(super) fn mend_gaps(&mut self, schema: &Schema) -> Result<(), String> {
        for table in schema.tables.iter().filter(|table| table.columns[0].is_counted()) {
            let query = format!("SELECT * FROM {}", table.name);
            let rest: Vec<&str> =
                table.columns[1..].iter().map(|column| column.name.as_str()).collect();
            let without = format!("SELECT {} FROM {}", rest.join(", "), table.name);
            if !self.shows_the_same(&query) && self.shows_the_same(&without) {
                self.tally.gaps += 1;
                self.drop_zeros(table);
                self.copy(table)?;
            }
        }
        Ok(())
    }

    fn shows_the_same(&mut self, query: &str) -> bool {
        let Reply::Done { rows, .. } = self.server.ask(query) else { return false };
        let ours = self.memory.run(query).ok().and_then(|done| done.answer.ok());
        ours.is_some_and(|answer| answer.explains(&rows))
    }

    /// A number that MariaDB puts into a date can become `0000-00-00`, which is no date for us, and 0 in a column with
    /// AUTO_INCREMENT stands for the next number: rows with them cannot be copied.
    fn drop_zeros(&mut self, table: &Table) {
        if self.dialect == Dialect::PostgreSql {
            return;
        }
        let dated = |kind| matches!(kind, Kind::Date | Kind::Moment | Kind::Year);
        let special = |column: &&Column| dated(column.kind) || column.is_counted();
        for column in table.columns.iter().filter(special) {
            self.server.ask(&format!("DELETE FROM {} WHERE {} = 0", table.name, column.name));
        }
    }

    fn copy(&mut self, table: &Table) -> Result<(), String> {
        let columns = table.given();
        let list: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        let list = list.join(", ");
        let query = format!("SELECT {list} FROM {}", table.name);
        let Reply::Done { rows, .. } = self.server.ask(&query) else {
            return Err(self.told("the table cannot be read"));
        };
        let known = self.memory.catalog().table(&table.name).expect("a table").id();
        self.memory.keep(&[Effect::Truncate { table: known }]);
        let insists = columns.iter().any(|column| column.role == Role::Always);
        let overriding = if insists { " OVERRIDING SYSTEM VALUE" } else { "" };
        self.memory.set_silent(true);
        for row in rows {
            let values = row.iter().zip(&columns);
            let values: Vec<String> =
                values.map(|(value, column)| self.written(value, column.kind)).collect();
            let insert = format!(
                "INSERT INTO {} ({list}){overriding} VALUES ({})",
                table.name,
                values.join(", ")
            );
            let copied = self.memory.run(&insert).is_ok_and(|done| done.answer.is_ok());
            if !copied && !self.gave_up {
                self.gave_up = true;
                self.tally.given_up += 1;
            }
        }
        self.memory.set_silent(false);
        Ok(())
    }

    /// A value as a statement has it.
    fn written(&self, value: &ObservedValue, kind: Kind) -> String {
        let bytes = matches!(kind, Kind::Bytes | Kind::Bits) && self.dialect != Dialect::PostgreSql;
        match value {
            ObservedValue::Text(text) if bytes && text.starts_with("\\x") => {
                format!("x'{}'", &text[2..])
            }
            ObservedValue::Text(text) => format!("'{}'", text.replace('\'', "''")),
            ObservedValue::Int(number) => number.to_string(),
            ObservedValue::Double(bits) => format!("{:e}", f64::from_bits(*bits)),
            _ => "NULL".into(),
        }
    }
}
