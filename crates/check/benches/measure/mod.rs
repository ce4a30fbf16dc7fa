//! What every benchmark needs: a line of a table, and the memory it took.

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
