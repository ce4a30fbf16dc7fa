//! `tristan bench --suite isolde`: 46 questions about pairs of levels, with known answers.

use tristan_bench::{ISOLDE_SIZES, IsoldeTable};

use crate::args::BenchArgs;
use crate::destinations::Destinations;
use crate::exit::{CommandError, Exit, OrExit};
use crate::kinds::BenchKind;
use crate::output::Output;

/// The benchmark of Isolde. Exit code 1 says that an answer was wrong.
pub(super) fn run(args: &BenchArgs, out: &mut Output) -> Result<Exit, CommandError> {
    if !args.row.is_empty() {
        let message = "--row: the suite isolde is a single table; omit --row".to_owned();
        return Err(CommandError::new(Exit::Usage, message));
    }
    let sizes: Vec<usize> = match args.txns.is_empty() {
        true => ISOLDE_SIZES.to_vec(),
        false => args.txns.iter().map(|&txns| txns as usize).collect(),
    };
    if let Some(size) = sizes.iter().find(|size| !(1..=16).contains(*size)) {
        let message = format!("--txns {size}: the suite isolde takes 1 to 16 transactions");
        return Err(CommandError::new(Exit::Usage, message));
    }
    let mut sinks = Destinations::open(&args.output)?;
    sinks.write(out, BenchKind::Text, |_| IsoldeTable::head(&sizes))?;
    let mut written = Ok(());
    let rows = tristan_bench::isolde(&sizes, args.time, |row| {
        if written.is_ok() {
            written = sinks.write(out, BenchKind::Text, |_| IsoldeTable::row(row));
        }
    });
    written?;
    sinks.write(out, BenchKind::Text, |_| IsoldeTable::foot(&rows))?;
    let json = serde_json::to_string_pretty(&rows).or_exit(Exit::Bug)?;
    sinks.write(out, BenchKind::Json, |_| format!("{json}\n"))?;
    let right =
        |expected| rows.iter().flat_map(|row| &row.cells).any(|cell| cell.right == expected);
    Ok(match (right(Some(false)), right(None)) {
        (true, _) => Exit::Reject,
        (false, true) => Exit::Unknown,
        (false, false) => Exit::Accept,
    })
}
