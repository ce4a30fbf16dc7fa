//! `tristan record --list`: what can be recorded.

use tristan_generate::Workload;
use tristan_record::applications;
use tristan_record::databases::KINDS;

use crate::exit::{CommandError, Exit};
use crate::output::Output;

pub(super) fn run(out: &mut Output) -> Result<Exit, CommandError> {
    let mut text = String::from("databases\n");
    for kind in KINDS {
        text += &format!("  {:<50} {}\n", kind.example, kind.about);
    }
    text += "workloads\n";
    for name in Workload::names() {
        let usual = Workload::named(name)
            .map(|workload| format!("{} operations, {} keys", workload.ops, workload.keys));
        text += &format!("  {name:<50} {}\n", usual.unwrap_or_default());
    }
    for kind in applications::KINDS {
        let scale = kind.usual().scale;
        text += &format!("  {:<50} in SQL: {}, {scale} {}\n", kind.name, kind.about, kind.counts);
    }
    text += &format!("  {:<50} your own transactions\n", "FILE.toml");
    out.write(&text)?;
    Ok(Exit::Accept)
}
