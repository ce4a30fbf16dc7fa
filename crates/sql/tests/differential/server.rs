//! Real servers.

use std::sync::atomic::{AtomicUsize, Ordering};

use mysql_async::consts::ColumnType;
use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Opts};
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};
use tristan_sql::ObservedValue;

/// What a server says.
#[derive(Debug)]
pub enum Reply {
    Done { rows: Vec<Vec<ObservedValue>>, count: u64 },
    Error { code: String, message: String },
}

pub trait Server {
    fn ask(&mut self, sql: &str) -> Reply;
}

/// A name that no other connection uses: tests run beside each other, and many of their tables have the same names.
fn own_name() -> String {
    static CONNECTIONS: AtomicUsize = AtomicUsize::new(0);
    let number = CONNECTIONS.fetch_add(1, Ordering::Relaxed);
    format!("tristan_sql_{}_{number}", std::process::id())
}

pub struct Postgres {
    runtime: Runtime,
    client: Client,
}

impl Postgres {
    pub fn new(address: &str) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let client = runtime.block_on(async {
            let (client, connection) =
                tokio_postgres::connect(address, NoTls).await.expect("a connection");
            tokio::spawn(connection);
            client
        });
        let mut server = Self { runtime, client };
        let name = own_name();
        server.ask(&format!("CREATE SCHEMA {name}"));
        server.ask(&format!("SET search_path = {name}"));
        server.ask("SET TIME ZONE 'UTC'");
        server
    }
}

impl Server for Postgres {
    fn ask(&mut self, sql: &str) -> Reply {
        match self.runtime.block_on(self.client.simple_query(sql)) {
            Ok(messages) => {
                let mut rows = Vec::new();
                let mut count = 0;
                for message in messages {
                    match message {
                        SimpleQueryMessage::Row(row) => {
                            let value = |index| {
                                row.get(index).map_or(ObservedValue::Null, |text| {
                                    ObservedValue::Text(text.to_owned())
                                })
                            };
                            rows.push((0..row.len()).map(value).collect());
                        }
                        SimpleQueryMessage::CommandComplete(number) => count = number,
                        _ => {}
                    }
                }
                Reply::Done { rows, count }
            }
            Err(error) => match error.as_db_error() {
                Some(error) => Reply::Error {
                    code: error.code().code().to_owned(),
                    message: error.message().to_owned(),
                },
                None => panic!("{error}: {sql}"),
            },
        }
    }
}

pub struct MariaDb {
    runtime: Runtime,
    connection: Conn,
}

impl MariaDb {
    pub fn new(address: &str) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let options = Opts::from_url(address).expect("an address");
        let connection = runtime.block_on(Conn::new(options)).expect("a connection");
        let mut server = Self { runtime, connection };
        let name = own_name();
        server.ask(&format!("CREATE DATABASE {name} CHARACTER SET utf8mb4"));
        server.ask(&format!("USE {name}"));
        server.ask("SET NAMES utf8mb4");
        server
    }
}

impl Server for MariaDb {
    fn ask(&mut self, sql: &str) -> Reply {
        let connection = &mut self.connection;
        let answer: Result<_, mysql_async::Error> = self.runtime.block_on(async {
            let mut result = connection.query_iter(sql).await?;
            let rows: Vec<mysql_async::Row> = result.collect().await?;
            let count = result.affected_rows();
            result.drop_result().await?;
            Ok((rows, count))
        });
        match answer {
            Ok((rows, count)) => {
                let rows = rows
                    .into_iter()
                    .map(|row| {
                        let columns = row.columns();
                        let values = row.unwrap().into_iter().zip(columns.iter());
                        values
                            .map(|(value, column)| observed(value, column.column_type()))
                            .collect()
                    })
                    .collect();
                Reply::Done { rows, count }
            }
            Err(mysql_async::Error::Server(error)) => {
                Reply::Error { code: error.code.to_string(), message: error.message }
            }
            Err(error) => panic!("{error}: {sql}"),
        }
    }
}

/// A value as a log has it: bytes that are no text are digits.
fn observed(value: mysql_async::Value, of: ColumnType) -> ObservedValue {
    match value {
        mysql_async::Value::NULL => ObservedValue::Null,
        mysql_async::Value::Bytes(bytes) => match String::from_utf8(bytes) {
            // What was a BIT may be a number behind a temporary table.
            Ok(text)
                if matches!(of, ColumnType::MYSQL_TYPE_LONG | ColumnType::MYSQL_TYPE_LONGLONG) =>
            {
                text.parse().map_or(ObservedValue::Text(text), ObservedValue::Int)
            }
            Ok(text) if of != ColumnType::MYSQL_TYPE_BIT => ObservedValue::Text(text),
            Ok(text) => ObservedValue::Text(digits(text.as_bytes())),
            Err(error) => ObservedValue::Text(digits(error.as_bytes())),
        },
        mysql_async::Value::Int(number) => ObservedValue::Int(i128::from(number)),
        mysql_async::Value::UInt(number) => ObservedValue::Int(i128::from(number)),
        mysql_async::Value::Double(double) => ObservedValue::Double(double.to_bits()),
        other => ObservedValue::Text(other.as_sql(true)),
    }
}

fn digits(bytes: &[u8]) -> String {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("\\x{digits}")
}
