//! How long point statements take: `cargo run --release -p tristan-sql --example point`.

#![allow(clippy::print_stdout, reason = "a measurement")]

use std::time::Instant;

use tristan_sql::{Dialect, FirstChoice, Memory, Statement, Type, Value};

const ROUNDS: u32 = 500_000;

fn main() {
    for dialect in [Dialect::PostgreSql, Dialect::MariaDb] {
        let mut database = Memory::new(dialect);
        database.run("CREATE TABLE account (id INT PRIMARY KEY, balance DECIMAL(12,2), name VARCHAR(20))").expect("a table");
        for id in 0..1000 {
            database
                .run(&format!("INSERT INTO account VALUES ({id}, 100, 'somebody')"))
                .expect("a row");
        }
        for text in [
            "SELECT balance FROM account WHERE id = $1",
            "UPDATE account SET balance = balance + 1 WHERE id = $1",
            "SELECT SUM(balance) FROM account WHERE id = $1 OR id = $1",
        ] {
            let text = if dialect == Dialect::PostgreSql {
                text.to_owned()
            } else {
                text.replace("$1", "?")
            };
            measure(&mut database, dialect, &text);
        }
    }
}

fn measure(database: &mut Memory, dialect: Dialect, text: &str) {
    let statement = Statement::prepare(text, dialect).expect("a statement");
    let int = Type::Int(tristan_sql::IntType { bytes: 4, unsigned: false });
    let prepared = statement.plan(database.catalog(), &[int, int]).expect("a plan");
    let rounds = if text.contains("SUM") { ROUNDS / 1000 } else { ROUNDS };
    let start = Instant::now();
    for round in 0..rounds {
        let id = Value::Int(i64::from(round % 1000));
        let outcome = database
            .try_out(&prepared, &[id.clone(), id], &mut FirstChoice::default())
            .expect("an outcome");
        database.keep(&outcome.effects);
    }
    let each = start.elapsed().as_secs_f64() / f64::from(rounds) * 1e6;
    println!("{dialect:?}: {each:8.3} µs  {text}");
}
