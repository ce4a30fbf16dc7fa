//! `tristan levels --list`: every level with its names and definition.

use tristan_spec::{Catalog, Family, Strength};

use crate::exit::{CommandError, Exit};
use crate::output::Output;

pub(super) fn run(out: &mut Output) -> Result<Exit, CommandError> {
    for family in Catalog::default().families() {
        out.write(&entry(family))?;
    }
    out.write(
        "wr, ww and rw are dependencies; so is session order and rt is real time. The prefixes plain-,\n\
         strong-session- and strong- state explicitly which of these two orders count.\n\n\
         If every transaction of a trace states its own level, --level mixed checks each transaction\n\
         against that level.\n",
    )?;
    Ok(Exit::Accept)
}

fn entry(family: &Family) -> String {
    let mut text = format!("{}: {}\n", family.name, family.title);
    if !family.aliases.is_empty() {
        text.push_str(&format!("    also    {}\n", family.aliases.join(", ")));
    }
    for &strength in family.strengths() {
        let formula = match family.level(strength) {
            Ok(level) => level.formula.to_string(),
            Err(_) => family.formula.to_string(),
        };
        let name = match (family.natural, strength) {
            (Some(natural), _) if natural == strength => "itself",
            (None, _) => "itself",
            (_, Strength::Plain) => "plain-",
            (_, Strength::Session) => "strong-session-",
            (_, Strength::Strong) => "strong-",
        };
        text.push_str(&format!("    {name:15} {formula}\n"));
    }
    text.push('\n');
    text
}
