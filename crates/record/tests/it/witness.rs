//! What an accepted log is explained by holds on a real server: its transactions, one after the other in
//! the order of the witness, get the answers of the log. Needs `scripts/servers run cargo test`.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use crate::common::applications::{Log, PLACE, accepted, address, record};
use serde_json::Value;
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};
use tristan_record::applications::{Kind, Sizes};
use tristan_record::databases;
use tristan_verdict::audit::AuditWitness;

/// A statement of the log and its answer.
#[derive(Default)]
struct Said {
    sql: String,
    rows: Option<Vec<Vec<Option<String>>>>,
    affected: Option<u64>,
}

/// The statements of each transaction that read or write, with the values in them.
fn statements(log: &str) -> BTreeMap<u64, Vec<Said>> {
    let mut calls: BTreeMap<u64, (u64, Said)> = BTreeMap::new();
    for line in log.lines() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        if let Some(call) = line["call"].as_u64() {
            let txn = line["txn"].as_u64().expect("a number");
            let params: Vec<Value> = line["params"].as_array().cloned().unwrap_or_default();
            let sql = filled(line["sql"].as_str().expect("a text"), &params);
            calls.insert(call, (txn, Said { sql, ..Said::default() }));
        }
        if let Some((_, said)) = line["end"].as_u64().and_then(|call| calls.get_mut(&call)) {
            said.affected = line["affected"].as_u64();
            said.rows = line["rows"].as_array().map(|rows| rows.iter().map(texts).collect());
        }
    }
    let mut txns: BTreeMap<u64, Vec<Said>> = BTreeMap::new();
    for (txn, said) in calls.into_values() {
        if said.rows.is_some() || said.affected.is_some() {
            txns.entry(txn).or_default().push(said);
        }
    }
    txns
}

/// A statement with its values in place.
fn filled(sql: &str, params: &[Value]) -> String {
    let mut sql = sql.to_owned();
    for (place, value) in params.iter().enumerate().rev() {
        let text = value.as_str().map_or_else(|| value.to_string(), |text| format!("'{text}'"));
        sql = sql.replace(&format!("${}", place + 1), &text);
    }
    sql
}

fn texts(row: &Value) -> Vec<Option<String>> {
    let text = |value: &Value| match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    row.as_array().into_iter().flatten().map(text).collect()
}

/// Transactions in the order in which they read and wrote.
fn in_series(witness: &AuditWitness) -> Vec<u64> {
    let mut order: Vec<(usize, bool, u64)> = Vec::new();
    for (place, &txn) in witness.order.iter().enumerate() {
        order.push((place, true, txn));
    }
    for read in witness.reads.iter().filter(|read| !witness.order.contains(&read.txn)) {
        let state = read.states.first().copied().unwrap_or(0);
        order.push((usize::try_from(state).expect("small"), false, read.txn));
    }
    order.sort_unstable();
    order.into_iter().map(|(_, _, txn)| txn).collect()
}

async fn holds(client: &Client, said: &Said, txn: u64) {
    let messages = client.simple_query(&said.sql).await.expect("an answer");
    let mut rows: Vec<Vec<Option<String>>> = Vec::new();
    let mut count = 0;
    for message in messages {
        match message {
            SimpleQueryMessage::Row(row) => {
                rows.push((0..row.len()).map(|place| row.get(place).map(str::to_owned)).collect());
            }
            SimpleQueryMessage::CommandComplete(number) => count = number,
            _ => {}
        }
    }
    match &said.rows {
        Some(seen) => assert_eq!(&rows, seen, "transaction {txn}: {}", said.sql),
        None => assert_eq!(Some(count), said.affected, "transaction {txn}: {}", said.sql),
    }
}

#[test]
fn a_witness_holds_on_postgresql() {
    let Some(url) = address("TRISTAN_POSTGRES") else { return };
    let database = databases::open(&url).expect("a server");
    let _alone = PLACE.lock().unwrap_or_else(PoisonError::into_inner);
    let (kind, log) = (Kind::named("sql-bank").expect("a bank"), Log::new("witness"));
    let sizes = Sizes { txns: 1000, clients: 12, scale: 20, seed: 11, ..kind.usual() };
    let count = record(database.as_ref(), kind, "serializable", sizes, &log);
    let (_, witness) = accepted(&log, "ser");
    let order = in_series(&witness);
    assert_eq!(order.len() as u64, count.committed);
    let dialect = database.dialect().expect("it speaks SQL");
    database.furnish(&kind.open(&sizes).start().statements(dialect)).expect("tables");
    let txns = statements(&log.text());
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let address = std::env::var("TRISTAN_POSTGRES").expect("an address");
        let (client, connection) =
            tokio_postgres::connect(&address, NoTls).await.expect("a connection");
        tokio::spawn(connection);
        client.batch_execute("SET search_path = tristan_sql").await.expect("an answer");
        for txn in order {
            for said in &txns[&txn] {
                holds(&client, said, txn).await;
            }
        }
    });
}
