//! Are limits kept? Commands with `--time`, `--memory` or `--for`, on inputs that are too large for
//! them, each in a process of its own that is measured from outside.
//!
//! ```text
//!   size ──► inputs in a scratch folder ──► one process per command ──► asked / used / kept
//! ```
//!
//! The promise: at most 20 % and 1 s more time, at most 20 % and 50 MB more resident memory, from the
//! start of the process to its end.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use tristan_formats::{self as formats, WriteForm};

use crate::measure::peak_of;
use crate::scratch::Scratch;
use crate::{BenchError, Case};

/// How often the memory of a process is looked at.
const PAUSE: Duration = Duration::from_millis(2);
/// A process that overruns its limit by so much is ended.
const TOO_LATE: Duration = Duration::from_secs(300);

/// A command and the limits it is given.
#[derive(Clone, Debug)]
pub struct LimitedCommand {
    /// What it is called in the table.
    pub name: &'static str,
    /// Its arguments, limits included.
    pub arguments: Vec<String>,
    /// The value of `--time`, if it is given.
    pub time: Option<Duration>,
    /// The memory limit in bytes.
    pub memory: Option<u64>,
}

/// What a command used.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The command that was run, with its limits.
    pub asked: LimitedCommand,
    /// From start to end.
    pub wall: Duration,
    /// The most resident memory, in bytes; 0 where the system does not tell.
    pub peak: u64,
    /// The exit code; `None` if the process was ended.
    pub code: Option<i32>,
}

impl Kept {
    /// Whether the promise was kept.
    pub fn is_kept(&self) -> bool {
        let LimitedCommand { time, memory, .. } = &self.asked;
        let in_time = |limit: Duration| self.wall <= limit + limit / 5 + Duration::from_secs(1);
        let in_memory = |limit: u64| self.peak <= limit + limit / 5 + (50 << 20);
        self.code.is_some() && time.is_none_or(in_time) && memory.is_none_or(in_memory)
    }
}

/// The inputs of the commands, in a folder that goes away with this value.
#[derive(Debug)]
pub struct Inputs {
    scratch: Scratch,
}

impl Inputs {
    /// Makes histories with so many transactions: one that is serializable, one with a long fork;
    /// and a SQL log with a fifth of them.
    ///
    /// # Errors
    /// If the files cannot be written.
    pub fn make(txns: usize) -> Result<Self, BenchError> {
        let inputs = Self { scratch: Scratch::new()? };
        for (name, anomaly) in [("trace.jsonl", None), ("fork.jsonl", Some("long-fork"))] {
            let usual = Case::new("blindw-rw", "serializable")?;
            let case = Case { txns, keys: 10_000, anomaly: anomaly.map(str::to_owned), ..usual };
            let path = inputs.path(name);
            let written = formats::write_to(&case.history()?, WriteForm::Compact, &path);
            written.map_err(BenchError::io(path.display().to_string()))?;
        }
        let path = inputs.path("log.jsonl");
        let written = write_log(&path, (txns / 5).max(1));
        written.map_err(BenchError::io(path.display().to_string()))?;
        Ok(inputs)
    }

    /// The place of a file.
    pub fn path(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    /// The command without limits that makes the input of another: a verdict to certify.
    pub fn before(&self) -> Vec<String> {
        self.words("check {trace.jsonl} --level read-committed -o json={verdict.json}")
    }

    /// The commands that are measured.
    pub fn commands(&self) -> Vec<LimitedCommand> {
        let fork = "{fork.jsonl} --level snapshot-isolation";
        [
            ("check", "check {trace.jsonl} --level serializable", "--time 2s"),
            ("check", "check {trace.jsonl} --level serializable", "--memory 200M"),
            ("check, page", &format!("check {fork} -o html={{page.html}}"), "--time 5s"),
            ("levels", "levels {trace.jsonl}", "--time 5s"),
            ("levels", "levels {trace.jsonl}", "--memory 400M"),
            ("shrink", &format!("shrink {fork}"), "--time 3s"),
            ("certify", "certify {verdict.json} {trace.jsonl}", "--time 2s"),
            ("stats", "stats {trace.jsonl}", "--time 1s"),
            ("convert", "convert {trace.jsonl} {out.arrow} --to arrow", "--time 1s"),
            ("convert", "convert {trace.jsonl} {out.arrow} --to arrow", "--memory 150M"),
            ("compare", "compare psi si --no-proof --txns 9 --keys 6", "--time 3s"),
            ("find", "find psi&!causal --txns 9 --keys 6", "--time 3s"),
            ("lattice", "lattice --txns 5 --keys 4", "--time 5s"),
            ("audit", "audit {log.jsonl} --level ser", "--time 3s"),
            ("hunt", "hunt sqlite: -o {hunt} --txns 20K", "--for 5s"),
        ]
        .map(|(name, command, limit)| self.asked(name, command, limit))
        .to_vec()
    }

    fn asked(&self, name: &'static str, command: &str, limit: &str) -> LimitedCommand {
        let number = |suffix: char| {
            let text = limit.rsplit(' ').next().and_then(|text| text.strip_suffix(suffix));
            text.and_then(|text| text.parse::<u64>().ok())
        };
        LimitedCommand {
            name,
            arguments: self.words(&format!("{command} {limit}")),
            time: number('s').map(Duration::from_secs),
            memory: number('M').map(|megabytes| megabytes << 20),
        }
    }

    /// The words of a command, with the places of files for their names in braces.
    fn words(&self, text: &str) -> Vec<String> {
        let placed = |word: &str| match (word.find('{'), word.find('}')) {
            (Some(from), Some(to)) => {
                let place = self.path(&word[from + 1..to]);
                format!("{}{}{}", &word[..from], place.display(), &word[to + 1..])
            }
            _ => word.to_owned(),
        };
        text.split_whitespace().map(placed).collect()
    }
}

/// A log of transactions that count in rows, one after the other, all of it right.
fn write_log(path: &Path, txns: usize) -> io::Result<()> {
    const ROWS: usize = 100;
    let mut out = BufWriter::new(File::create(path)?);
    let rows: Vec<String> = (0..ROWS).map(|key| format!("({key}, 0)")).collect();
    let rows = rows.join(", ");
    let schema = format!("CREATE TABLE t (k INT PRIMARY KEY, v INT); INSERT INTO t VALUES {rows}");
    writeln!(out, "{}", json!({ "tristan": "sql-log/1", "dialect": "postgresql" }))?;
    writeln!(out, "{}", json!({ "schema": schema }))?;
    for number in 1..=txns {
        let (key, count, at) = (number % ROWS, number.div_ceil(ROWS), 10 * number);
        let txn = json!({
            "txn": number, "c": number % 24, "at": [at, at + 9], "commit": [at + 8, at + 9],
            "do": [
                { "sql": format!("UPDATE t SET v = v + 1 WHERE k = {key}"), "affected": 1,
                  "at": [at + 1, at + 2] },
                { "sql": format!("SELECT v FROM t WHERE k = {key}"), "rows": [[count]],
                  "at": [at + 3, at + 4] },
            ],
        });
        writeln!(out, "{txn}")?;
    }
    out.flush()
}

/// Runs a command in a process of its own and measures it.
///
/// # Errors
/// If the process cannot be started.
pub fn keep(program: &Path, asked: LimitedCommand) -> Result<Kept, BenchError> {
    let failed = || BenchError::io(program.display().to_string());
    let started = Instant::now();
    let mut command = Command::new(program);
    command.args(&asked.arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(failed())?;
    let process = child.id().to_string();
    let give_up = asked.time.unwrap_or_default() + TOO_LATE;
    let mut peak = 0;
    loop {
        peak = peak.max(peak_of(&process).unwrap_or(0));
        if let Some(status) = child.try_wait().map_err(failed())? {
            return Ok(Kept { asked, wall: started.elapsed(), peak, code: status.code() });
        }
        if started.elapsed() > give_up {
            // The process is reaped by the wait, whether or not it was still there to be ended.
            let _ = child.kill();
            let _ = child.wait();
            return Ok(Kept { asked, wall: started.elapsed(), peak, code: None });
        }
        thread::sleep(PAUSE);
    }
}

/// The table of limits asked for and kept.
pub fn limits_table(rows: &[Kept]) -> String {
    let mut text = format!(
        "{:<12} {:>8} {:>9} {:>9} {:>10} {:>5}  kept\n",
        "command", "time", "used", "memory", "used", "exit"
    );
    for row in rows {
        let LimitedCommand { name, time, memory, .. } = &row.asked;
        let time = time.map_or("-".to_owned(), |limit| format!("{} s", limit.as_secs()));
        let memory = memory.map_or("-".to_owned(), |limit| format!("{} MB", limit >> 20));
        let code = row.code.map_or("-".to_owned(), |code| code.to_string());
        let (wall, peak) = (row.wall.as_secs_f64(), row.peak >> 20);
        let kept = if row.is_kept() { "yes" } else { "NO" };
        let _ = writeln!(
            text,
            "{name:<12} {time:>8} {wall:>7.2} s {memory:>9} {peak:>7} MB {code:>5}  {kept}"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(wall: u64, peak: u64, code: Option<i32>) -> Kept {
        let time = Some(Duration::from_secs(5));
        let asked =
            LimitedCommand { name: "check", arguments: vec![], time, memory: Some(100 << 20) };
        Kept { asked, wall: Duration::from_secs(wall), peak: peak << 20, code }
    }

    #[test]
    fn the_promise_is_a_fifth_and_a_second_or_50_mb() {
        assert!(row(7, 170, Some(2)).is_kept());
        assert!(!row(8, 170, Some(2)).is_kept());
        assert!(!row(7, 171, Some(2)).is_kept());
        assert!(!row(1, 1, None).is_kept());
    }

    #[test]
    fn limits_are_read_from_the_commands_they_are_given_to() {
        let inputs = Inputs::make(20).expect("files");
        let commands = inputs.commands();
        assert!(commands.len() >= 10);
        for asked in &commands {
            assert!(asked.time.is_some() != asked.memory.is_some(), "{asked:?}");
            assert!(!asked.arguments.iter().any(|word| word.contains('{')), "{asked:?}");
        }
        assert!(inputs.path("trace.jsonl").is_file() && inputs.path("fork.jsonl").is_file());
    }

    #[test]
    fn the_table_says_what_was_asked_and_what_was_kept() {
        let table = limits_table(&[row(7, 120, Some(2)), row(9, 120, Some(0))]);
        assert_eq!(
            table,
            "command          time      used    memory       used  exit  kept\n\
             check             5 s    7.00 s    100 MB     120 MB     2  yes\n\
             check             5 s    9.00 s    100 MB     120 MB     0  NO\n"
        );
    }
}
