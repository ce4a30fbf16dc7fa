//! What benchmarks need: a line of a table, the memory it took, and where the time went.

#![allow(dead_code, reason = "no benchmark needs everything")]

use tristan_check::Report;

/// Prints a line of the table.
#[expect(clippy::print_stdout, reason = "a benchmark prints its table")]
pub fn say(line: &str) {
    println!("{line}");
}

/// Peak resident memory of this process, from the kernel; 0 where it does not tell.
pub fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or_default();
    let kilobytes = line.split_whitespace().nth(1).and_then(|text| text.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}

/// How many seconds each stage took.
pub fn stages(report: &Report) -> String {
    let stage =
        |(name, took): &(&str, std::time::Duration)| format!("{name} {:.2}", took.as_secs_f64());
    report.stages.iter().map(stage).collect::<Vec<_>>().join(", ")
}
