//! A client of PostgreSQL in a hundred lines, just enough to run statements and write down what came back.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Instant;

use serde_json::{Value as Json, json};

/// What a statement was answered.
pub enum Answer {
    Rows(Vec<Vec<Json>>),
    Affected(u64),
    Error(String),
    Done,
}

pub struct Client {
    stream: TcpStream,
}

impl Client {
    /// Connects to `postgres://USER@HOST:PORT/DATABASE`, without a password.
    pub fn connect(url: &str) -> io::Result<Self> {
        let rest = url.split("://").last().unwrap_or(url);
        let (user, rest) = rest.split_once('@').unwrap_or(("postgres", rest));
        let (address, database) = rest.split_once('/').unwrap_or((rest, "postgres"));
        let mut stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        let mut body = 196_608u32.to_be_bytes().to_vec();
        for text in ["user", user, "database", database, ""] {
            body.extend(text.as_bytes());
            body.push(0);
        }
        stream.write_all(&u32::try_from(body.len() + 4).expect("small").to_be_bytes())?;
        stream.write_all(&body)?;
        let mut client = Self { stream };
        while client.message()?.0 != b'Z' {}
        Ok(client)
    }

    fn message(&mut self) -> io::Result<(u8, Vec<u8>)> {
        let mut head = [0; 5];
        self.stream.read_exact(&mut head)?;
        let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]) as usize - 4;
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        Ok((head[0], body))
    }

    /// Runs one statement.
    pub fn run(&mut self, sql: &str) -> io::Result<Answer> {
        let mut message = vec![b'Q'];
        message.extend(u32::try_from(sql.len() + 5).expect("small").to_be_bytes());
        message.extend(sql.as_bytes());
        message.push(0);
        self.stream.write_all(&message)?;
        let (mut numbers, mut rows, mut answer) = (Vec::new(), None, Answer::Done);
        loop {
            let (kind, body) = self.message()?;
            match kind {
                b'T' => {
                    numbers = columns(&body);
                    rows = Some(Vec::new());
                }
                b'D' => rows.get_or_insert_default().push(row(&body, &numbers)),
                b'C' => {
                    let tag = String::from_utf8_lossy(&body).trim_end_matches('\0').to_owned();
                    let count = tag.split(' ').next_back().and_then(|count| count.parse().ok());
                    answer = match (rows.take(), count) {
                        (Some(rows), _) => Answer::Rows(rows),
                        (None, Some(count)) => Answer::Affected(count),
                        _ => Answer::Done,
                    };
                }
                b'E' => answer = Answer::Error(code(&body)),
                b'Z' => return Ok(answer),
                _ => {}
            }
        }
    }
}

/// Whether each column is a whole number.
fn columns(body: &[u8]) -> Vec<bool> {
    let mut numbers = Vec::new();
    let mut rest = &body[2..];
    while let Some(end) = rest.iter().position(|byte| *byte == 0) {
        let field = &rest[end + 1..];
        let kind = u32::from_be_bytes([field[6], field[7], field[8], field[9]]);
        numbers.push(matches!(kind, 20 | 21 | 23));
        rest = &field[18..];
    }
    numbers
}

fn row(body: &[u8], numbers: &[bool]) -> Vec<Json> {
    let mut rest = &body[2..];
    let mut values = Vec::new();
    for number in numbers {
        let length = i32::from_be_bytes([rest[0], rest[1], rest[2], rest[3]]);
        rest = &rest[4..];
        let Ok(length) = usize::try_from(length) else {
            values.push(Json::Null);
            continue;
        };
        let text = String::from_utf8_lossy(&rest[..length]).into_owned();
        rest = &rest[length..];
        values.push(match (number, text.parse::<i64>()) {
            (true, Ok(whole)) => json!(whole),
            _ => json!(text),
        });
    }
    values
}

fn code(body: &[u8]) -> String {
    let fields = body.split(|byte| *byte == 0);
    let code = fields.filter_map(|field| field.strip_prefix(b"C"));
    code.map(|code| String::from_utf8_lossy(code).into_owned()).next().unwrap_or_default()
}

/// One transaction while it runs: its lines for a log.
pub struct Recorded<'a> {
    client: &'a mut Client,
    epoch: Instant,
    begin: u64,
    steps: Vec<Json>,
}

impl<'a> Recorded<'a> {
    pub fn begin(client: &'a mut Client, epoch: Instant, level: &str) -> io::Result<Self> {
        let begin = now(epoch);
        client.run(&format!("BEGIN ISOLATION LEVEL {level}"))?;
        Ok(Self { client, epoch, begin, steps: Vec::new() })
    }

    /// Runs a statement; says whether the transaction can go on.
    pub fn run(&mut self, sql: &str) -> io::Result<bool> {
        let call = now(self.epoch);
        let answer = self.client.run(sql)?;
        let mut step = json!({"sql": sql, "at": [call, now(self.epoch)]});
        match answer {
            Answer::Rows(rows) => step["rows"] = json!(rows),
            Answer::Affected(count) => step["affected"] = json!(count),
            Answer::Done => {}
            Answer::Error(_) => return Ok(false),
        }
        self.steps.push(step);
        Ok(true)
    }

    /// Ends it; gives its line if it is in the database.
    pub fn commit(self, number: u64, session: u64, go_on: bool) -> io::Result<Option<String>> {
        let call = now(self.epoch);
        let answer = self.client.run(if go_on { "COMMIT" } else { "ROLLBACK" })?;
        let end = now(self.epoch);
        if !go_on || matches!(answer, Answer::Error(_)) {
            return Ok(None);
        }
        let line = json!({
            "txn": number, "c": session, "at": [self.begin, end], "commit": [call, end], "do": self.steps,
        });
        Ok(Some(line.to_string()))
    }
}

fn now(epoch: Instant) -> u64 {
    u64::try_from(epoch.elapsed().as_nanos()).unwrap_or(u64::MAX)
}
