//! Lets other checkers check the history of a case, and watches them.

use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tristan_formats::WriteForm;

use crate::measure::{cpu_of_children, family, peak_of};
use crate::scratch::Scratch;
use crate::{BenchError, Case, Order, Peer, PeerRow, Runner};

/// How often a running checker is looked at.
const GLANCE: Duration = Duration::from_millis(5);

/// Lets a checker check the history of a case. `ours` is the time that we took, from a file if we
/// read one.
pub(crate) fn run_peer(
    runner: &Runner,
    peer: &Peer,
    case: &Case,
    ours: Option<f64>,
) -> Result<PeerRow, BenchError> {
    let level = case.level()?.name;
    let Some(level) = peer.level(&level) else {
        return Ok(PeerRow::skipped(&peer.name, format!("does not check {level}")));
    };
    let scratch = Scratch::new()?;
    let mut words = peer.words.clone();
    let out = scratch.folder("out")?;
    fill(&mut words, "{level}", level);
    fill(&mut words, "{model}", model(case));
    fill(&mut words, "{out}", &out.to_string_lossy());
    for form in WriteForm::ALL {
        if let Err(died) = write(runner, case, form, &scratch, &mut words)? {
            let note = format!("the history could not be written: {died}");
            return Ok(PeerRow::skipped(&peer.name, note));
        }
    }
    let limit = case.time.map(Duration::from_millis);
    measure(&peer.name, &words, scratch.path(), limit, ours)
}

/// Writes the history in a form, if the command asks for it.
fn write(
    runner: &Runner,
    case: &Case,
    form: WriteForm,
    scratch: &Scratch,
    words: &mut [String],
) -> Result<Result<(), String>, BenchError> {
    let name = form.name();
    let (hole, folder_hole) = (format!("{{{name}}}"), format!("{{{name}-folder}}"));
    if form == WriteForm::Simple {
        fill(words, "{file}", &hole);
    }
    if !words.iter().any(|word| word.contains(&hole) || word.contains(&folder_hole)) {
        return Ok(Ok(()));
    }
    let folder = scratch.folder(name)?;
    let path = folder.join(file_name(form));
    fill(words, &hole, &path.to_string_lossy());
    fill(words, &folder_hole, &folder.to_string_lossy());
    let order = Order::Write { case: case.clone(), form: name.to_owned(), path };
    Ok(runner.order(&order)?.map(drop))
}

/// Runs a checker, whose command line is `words`, in the folder `place`.
fn measure(
    name: &str,
    words: &[String],
    place: &Path,
    limit: Option<Duration>,
    ours: Option<f64>,
) -> Result<PeerRow, BenchError> {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).current_dir(place);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let (started, cpu_before) = (Instant::now(), cpu_of_children());
    let child = command.spawn().map_err(BenchError::io(format!("{name}: {}", words[0])))?;
    let (status, peak) = watch(child, limit).map_err(BenchError::io(name))?;
    let wall = started.elapsed().as_secs_f64();
    Ok(PeerRow {
        name: name.to_owned(),
        note: status.map_or("gave up".to_owned(), |status| status.to_string()),
        exit: status.and_then(|status| status.code()),
        wall: Some(wall),
        cpu: Some(cpu_of_children() - cpu_before),
        peak: Some(peak).filter(|peak| *peak > 0),
        times_ours: ours.filter(|ours| *ours > 0.0 && status.is_some()).map(|ours| wall / ours),
    })
}

/// Waits for a process, or ends it when there is no time left. Returns how it ended, if it did so by
/// itself, and the most memory of it and of those it started.
fn watch(mut child: Child, limit: Option<Duration>) -> io::Result<(Option<ExitStatus>, u64)> {
    let started = Instant::now();
    let mut peak = 0;
    loop {
        let peaks = family(child.id()).into_iter().filter_map(|process| peak_of(&process));
        peak = peaks.fold(peak, u64::max);
        if let Some(status) = child.try_wait()? {
            return Ok((Some(status), peak));
        }
        if limit.is_some_and(|limit| started.elapsed() > limit) {
            child.kill()?;
            child.wait()?;
            return Ok((None, peak));
        }
        thread::sleep(GLANCE);
    }
}

fn fill(words: &mut [String], hole: &str, with: &str) {
    for word in words {
        *word = word.replace(hole, with);
    }
}

/// What Elle calls a workload.
fn model(case: &Case) -> &'static str {
    if case.workload == "list-append" { "list-append" } else { "rw-register" }
}

/// The name that checkers expect a history to have.
fn file_name(form: WriteForm) -> &'static str {
    match form {
        WriteForm::Events | WriteForm::Compact | WriteForm::Simple => "history.jsonl",
        WriteForm::Elle => "history.json",
        WriteForm::Dbcop => "history.bincode",
        WriteForm::Plume => "history.txt",
        _ => "history",
    }
}
