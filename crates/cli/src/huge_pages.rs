//! Large pages of memory for large traces.
//!
//! A check looks up things all over its memory. With pages of 4 KB the processor forgets where
//! they are; with pages of 2 MB a million transactions at read committed took 2.4 s instead of 3.8.
//! The C library asks Linux for them if the environment says so when the program starts. So the
//! program starts itself once more, when the traces are large enough to make it worth while.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::args;

/// Traces of so many bytes are large.
const LARGE: u64 = 16 << 20;

/// What the environment has to say.
const NAME: &str = "GLIBC_TUNABLES";
const VALUE: &str = "glibc.malloc.hugetlb=1";

/// Goes on with large pages, if a command is going to read large traces and nobody has said
/// otherwise. Returns if not, or if that does not work: it makes no difference but in time.
pub(crate) fn ask(command: &args::Command) {
    let traces: &[PathBuf] = match command {
        args::Command::Check(args) => &args.input.traces,
        args::Command::Levels(args) => &args.input.traces,
        _ => return,
    };
    let size = |path: &PathBuf| fs::metadata(path).map_or(0, |file| file.len());
    if cfg!(not(target_env = "gnu")) || env::var_os(NAME).is_some() {
        return;
    }
    if traces.iter().map(size).sum::<u64>() >= LARGE {
        start_again();
    }
}

#[cfg(unix)]
fn start_again() {
    use std::os::unix::process::CommandExt;
    if let Ok(program) = env::current_exe() {
        let _ = Command::new(program).args(env::args_os().skip(1)).env(NAME, VALUE).exec();
    }
}

#[cfg(not(unix))]
fn start_again() {}

/// The same for a process that is started on purpose; nothing if somebody has said otherwise.
pub(crate) fn environment() -> Option<(&'static str, &'static str)> {
    env::var_os(NAME).is_none().then_some((NAME, VALUE))
}
