//! Random transactions on a random schema, and definitions between them.

use tristan_sql::{Dialect, Memory};

use crate::differential::alterations::Alterations;
use crate::differential::extras;
use crate::differential::judge::Judge;
use crate::differential::queries::Queries;
use crate::differential::routines::{self, Routines};
use crate::differential::schema::Schema;
use crate::differential::server::Reply;
use crate::differential::writes::Writes;
use tristan_testkit::Random;

/// What became of a definition.
#[derive(PartialEq, Eq)]
enum Defined {
    Done,
    /// The server refuses it.
    Wrong,
    /// It is not supported: from here on, both sides differ.
    Refused,
}

impl Judge<'_> {
    /// Runs transactions on a fresh schema; says how many it ran. It ends early if a definition is not supported.
    pub fn explore(
        &mut self,
        mut schema: Schema,
        random: &mut Random,
        transactions: u64,
    ) -> Result<u64, String> {
        self.clean();
        if !self.define_all(&mut schema, random)? {
            return Ok(0);
        }
        for table in &schema.tables {
            for _ in 0..6 {
                let insert = Writes { random, schema: &schema }.insert(table);
                self.statement(&insert, &schema)?;
            }
        }
        for number in 0..transactions {
            if random.once_in(8) && !self.alter(&mut schema, random, number)? {
                return Ok(number);
            }
            self.transaction(&schema, random)?;
            if self.gave_up {
                return Ok(number);
            }
        }
        Ok(transactions)
    }

    /// Drops what the schema before this one has left.
    fn clean(&mut self) {
        self.server.ask("ROLLBACK");
        for drop in extras::DROPS {
            self.server.ask(drop);
        }
        for number in (0..5).rev() {
            self.server.ask(&format!("DROP TABLE IF EXISTS t{number}"));
        }
        for drop in routines::DROPS {
            self.server.ask(drop);
        }
        if self.dialect == Dialect::PostgreSql {
            self.server.ask(&extras::STRICT_DROPS.join("; "));
            self.server.ask("DISCARD SEQUENCES");
        } else {
            self.server.ask("SELECT LAST_INSERT_ID(0)");
        }
    }

    /// Makes everything on both sides. Says whether that is supported.
    fn define_all(&mut self, schema: &mut Schema, random: &mut Random) -> Result<bool, String> {
        let mut all = schema.before.clone();
        all.extend(schema.tables.iter().map(|table| table.create.clone()));
        all.extend(Routines { random, schema }.make());
        all.append(&mut schema.after.clone());
        for text in all {
            match self.definition(&text)? {
                Defined::Done => {}
                Defined::Refused => return Ok(false),
                Defined::Wrong if text.starts_with("CREATE TABLE") => return Ok(false),
                Defined::Wrong => schema.views.retain(|view| view.create != text),
            }
        }
        // A view over one that is not there is not there either.
        let known = |name: &str| self.memory.catalog().table(name).is_some();
        debug_assert!(schema.tables.iter().all(|table| known(&table.name)));
        Ok(true)
    }

    /// Defines something on both sides.
    fn definition(&mut self, text: &str) -> Result<Defined, String> {
        if let Reply::Error { .. } = self.server.ask(text) {
            self.tally.undefined += 1;
            return Ok(Defined::Wrong);
        }
        self.log.push(text.to_owned());
        match self.memory.run(text) {
            Err(error) => {
                self.tally.undefined += 1;
                self.tally.refuse(&format!("definition: {error}"));
                Ok(Defined::Refused)
            }
            Ok(done) => match done.answer {
                Ok(_) => Ok(Defined::Done),
                Err(failure) => Err(self.told(&failure.to_string())),
            },
        }
    }

    /// Alters a table, without the views of it. Says whether that is supported.
    fn alter(
        &mut self,
        schema: &mut Schema,
        random: &mut Random,
        number: u64,
    ) -> Result<bool, String> {
        let alteration = Alterations { random, schema }.any(number);
        let table = schema.tables[alteration.table].name.clone();
        if schema.views.iter().any(|view| view.base.as_ref() == Some(&table)) {
            for view in std::mem::take(&mut schema.views).iter().rev() {
                if self.definition(&format!("DROP VIEW {}", view.name))? == Defined::Refused {
                    return Ok(false);
                }
            }
        }
        Ok(match self.definition(&alteration.text)? {
            Defined::Refused => false,
            Defined::Wrong => true,
            Defined::Done => {
                alteration.apply(schema);
                true
            }
        })
    }

    fn transaction(&mut self, schema: &Schema, random: &mut Random) -> Result<(), String> {
        let strict = self.dialect == Dialect::PostgreSql;
        let mut before = self.memory.clone();
        let mut savepoint: Option<Memory> = None;
        self.server.ask("BEGIN");
        let mut failed = false;
        for _ in 0..1 + random.below(5) {
            if random.once_in(8) {
                self.server.ask("SAVEPOINT sp");
                savepoint = Some(self.memory.clone());
                self.log.push("SAVEPOINT sp".into());
            }
            let text = if random.once_in(3) {
                Writes { random, schema }.any()
            } else if random.once_in(8) {
                Routines { random, schema }.call()
            } else {
                Queries { random, schema, aliases: 0 }.any()
            };
            failed = !self.statement(&text, schema)?;
            // There, this commits, and what follows is another transaction.
            if text.starts_with("TRUNCATE") && !strict {
                before = self.memory.clone();
                savepoint = None;
                self.server.ask("BEGIN");
            }
            let back = failed && strict || random.once_in(10);
            if back && let Some(saved) = &savepoint {
                self.server.ask("ROLLBACK TO SAVEPOINT sp");
                self.memory = saved.clone();
                self.log.push("ROLLBACK TO SAVEPOINT sp".into());
                failed = false;
            }
            if failed && strict {
                break;
            }
        }
        let rolls_back = failed && strict || random.once_in(6);
        self.server.ask(if rolls_back { "ROLLBACK" } else { "COMMIT" });
        if rolls_back {
            self.memory = before;
            self.log.push("ROLLBACK".into());
        }
        for table in schema.tables.iter().chain(&schema.views) {
            self.statement(&format!("SELECT * FROM {}", table.name), schema)?;
        }
        Ok(())
    }
}
