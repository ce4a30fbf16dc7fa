//! Memory and processor time, as the system tells. Where it does not, they are 0.
//!
//! On Linux `/proc/PID/status` has the memory now (`VmRSS`) and the most so far (`VmHWM`), which
//! can be reset for oneself; `/proc/self/stat` counts processor time in hundredths of a second.

use std::fs;

/// Hundredths of a second: Linux shows them whatever it counts in.
const TICKS_PER_SECOND: f64 = 100.0;

/// Memory of this process now, in bytes.
pub(crate) fn memory_now() -> u64 {
    status("self", "VmRSS:").unwrap_or(0)
}

/// The most memory of this process since [`reset_peak`], in bytes.
pub(crate) fn peak() -> u64 {
    peak_of("self").unwrap_or(0)
}

/// The most memory of another process so far, in bytes.
pub(crate) fn peak_of(process: &str) -> Option<u64> {
    status(process, "VmHWM:")
}

/// Forgets the peak so far. If the system does not allow it, the peak is that of the whole run.
pub(crate) fn reset_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// Processor time of this process, in seconds.
pub(crate) fn cpu() -> f64 {
    ticks([13, 14])
}

/// Processor time of the processes it has waited for, in seconds.
pub(crate) fn cpu_of_children() -> f64 {
    ticks([15, 16])
}

/// A process and those it started.
pub(crate) fn family(process: u32) -> Vec<String> {
    let mut all = vec![process.to_string()];
    let mut seen = 0;
    while let Some(parent) = all.get(seen) {
        let path = format!("/proc/{parent}/task/{parent}/children");
        let children = fs::read_to_string(path).unwrap_or_default();
        all.extend(children.split_whitespace().map(str::to_owned));
        seen += 1;
    }
    all
}

fn status(process: &str, field: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with(field))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

fn ticks(fields: [usize; 2]) -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The second field, the name of the program in parentheses, may have spaces in it.
    let after = stat.rsplit_once(')').map_or("", |(_, after)| after);
    let words: Vec<&str> = after.split_whitespace().collect();
    let tick = |field: usize| words.get(field - 2).and_then(|word| word.parse::<f64>().ok());
    fields.into_iter().filter_map(tick).sum::<f64>() / TICKS_PER_SECOND
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_system_tells() {
        assert!(memory_now() > 100_000 && peak() >= memory_now() / 2);
        let mut sum = 0u64;
        while cpu() < 0.02 {
            sum = (0..1_000_000u64).fold(sum, |sum, next| sum.wrapping_mul(31) ^ next);
        }
        assert_eq!(family(std::process::id())[0], std::process::id().to_string());
    }
}
