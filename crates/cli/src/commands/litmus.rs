//! `tristan litmus`: small interleavings that show what a database really allows.

use serde_json::json;
use tristan_record::Url;
use tristan_record::databases::OpenError;
use tristan_record::litmus::{self, Case, PlayError, Row, Stage, Survey, Table};
use tristan_record::sql::{self, SqlDatabase, SqlLevel};
use tristan_spec::Catalog;
use tristan_spec::lattice::Lattice;

use crate::args::LitmusArgs;
use crate::complain;
use crate::exit::{CommandError, Exit, OrExit};
use crate::input;
use crate::output::Output;

pub(super) fn run(args: &LitmusArgs, out: &mut Output) -> Result<Exit, CommandError> {
    let cases = cases(args)?;
    match &args.url {
        Some(url) => play(args, url, &cases, out),
        None => list(&cases, out),
    }
}

fn play(
    args: &LitmusArgs,
    url: &Url,
    cases: &[Case],
    out: &mut Output,
) -> Result<Exit, CommandError> {
    let database = sql::open(url).map_err(|error| {
        let exit = match error {
            OpenError::Url(_) => Exit::Usage,
            OpenError::Database(_) => Exit::MissingInput,
        };
        CommandError::new(exit, format!("{url}: {error}"))
    })?;
    let database = database.as_ref();
    let levels = levels(args, database)?;
    let lost = |failure| CommandError::new(Exit::MissingInput, format!("{url}: {failure}"));
    let mut stage = Stage::new(database, args.patience).map_err(lost)?;
    if !stage.is_watched() {
        let patience = args.patience;
        complain(&format!(
            "{url}: the database does not report lock waits; a step counts as blocked after {patience:?} without an answer"
        ));
    }
    let repeat = usize::from(args.repeat);
    let survey = Survey { database, levels: &levels, repeat, implies: &implies };
    let table = Table::new(cases, &levels);
    if !args.json {
        out.write(&format!("{}\n\n{}", database.describe(), table.head(&levels)))?;
    }
    let mut rows: Vec<Row> = Vec::new();
    for case in cases {
        let row = survey.row(&mut stage, case).map_err(|trouble| failed(url, &trouble))?;
        if !args.json {
            out.write(&table.row(&row))?;
        }
        rows.push(row);
    }
    stage.close().map_err(lost)?;
    match args.json {
        true => out.write(&as_json(database, &rows)?)?,
        false => out.write(&Table::foot(&rows))?,
    }
    if args.steps {
        out.write(&steps(&rows))?;
    }
    let contradicted = rows.iter().flat_map(|row| &row.cells).any(|cell| cell.contradicted);
    Ok(if contradicted { Exit::Reject } else { Exit::Accept })
}

fn failed(url: &Url, trouble: &PlayError) -> CommandError {
    match trouble {
        PlayError::Statement { .. } => CommandError::new(Exit::BadInput, trouble.to_string()),
        _ => CommandError::new(Exit::MissingInput, format!("{url}: {trouble}")),
    }
}

/// Whether one level promises all that another does.
fn implies(stronger: &str, weaker: &str) -> bool {
    let catalog = Catalog::default();
    match (catalog.find(stronger), catalog.find(weaker)) {
        (Ok(stronger), Ok(weaker)) => Lattice::library().implies(&stronger.name, &weaker.name),
        _ => false,
    }
}

/// The cases that were asked for: of the user's files, or of those that come with us.
fn cases(args: &LitmusArgs) -> Result<Vec<Case>, CommandError> {
    let mut cases = Vec::new();
    for file in &args.file {
        let case = litmus::parse(&file.display().to_string(), &input::text(file)?);
        cases.push(check_levels(case.or_exit(Exit::BadInput)?)?);
    }
    if args.file.is_empty() {
        cases = litmus::catalogue().or_exit(Exit::Bug)?;
    }
    if args.case.is_empty() {
        return Ok(cases);
    }
    let find = |name: &String| {
        let found = cases.iter().find(|case| case.name.eq_ignore_ascii_case(name));
        found
            .cloned()
            .ok_or_else(|| unknown("case", name, cases.iter().map(|case| case.name.as_str())))
    };
    args.case.iter().map(find).collect()
}

/// A case that speaks only of levels that exist.
fn check_levels(case: Case) -> Result<Case, CommandError> {
    for name in &case.forbidden {
        if let Err(error) = Catalog::default().find(name) {
            let message = format!("{}: forbidden at: {error}", case.file);
            return Err(CommandError::new(Exit::BadInput, message));
        }
    }
    Ok(case)
}

/// The levels that were asked for, all of them if none was.
fn levels(args: &LitmusArgs, database: &dyn SqlDatabase) -> Result<Vec<SqlLevel>, CommandError> {
    let all = database.levels();
    if args.level.is_empty() {
        return Ok(all.to_vec());
    }
    let find = |name: &String| {
        let found = all.iter().find(|level| level.level.name.eq_ignore_ascii_case(name));
        found
            .copied()
            .ok_or_else(|| unknown("level", name, all.iter().map(|level| level.level.name)))
    };
    args.level.iter().map(find).collect()
}

fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> CommandError {
    let known: Vec<&str> = known.collect();
    let message = format!("found {what} \"{name}\", expected one of {}", known.join(", "));
    CommandError::new(Exit::Usage, message)
}

fn list(cases: &[Case], out: &mut Output) -> Result<Exit, CommandError> {
    for case in cases {
        let Case { name, title, meaning, .. } = case;
        out.write(&format!("{name}: {title}\n    {meaning}\n"))?;
        if !case.forbidden.is_empty() {
            out.write(&format!("    forbidden at  {}\n", case.forbidden.join(", ")))?;
        }
        out.write("\n")?;
    }
    out.write(
        "Levels that are stronger than a named one forbid the anomaly as well; tristan levels --list\n\
         describes the levels.\n",
    )?;
    Ok(Exit::Accept)
}

/// Every run of every case.
fn steps(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows {
        for cell in &row.cells {
            for run in &cell.runs {
                let head = format!("\n{} at {}: {}\n", row.name, cell.level, run.finding);
                text += &head;
                text += &litmus::transcript(run);
            }
        }
    }
    text
}

fn as_json(database: &dyn SqlDatabase, rows: &[Row]) -> Result<String, CommandError> {
    let report = json!({
        "tristan": "litmus/1",
        "database": database.describe(),
        "cases": rows,
    });
    Ok(serde_json::to_string_pretty(&report).or_exit(Exit::Bug)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forbidding(level: &str) -> Vec<String> {
        let cases = litmus::catalogue().expect("cases that can be read");
        let forbids = |case: &Case| case.forbidden.iter().any(|weakest| implies(level, weakest));
        cases.into_iter().filter(forbids).map(|case| case.name).collect()
    }

    #[test]
    fn every_case_is_forbidden_somewhere_and_all_are_by_serializability() {
        let cases = litmus::catalogue().expect("cases that can be read");
        let names: Vec<String> = cases.iter().map(|case| case.name.clone()).collect();
        for case in cases {
            assert!(!case.forbidden.is_empty(), "{}", case.name);
            check_levels(case).map_err(|failure| failure.error).expect("levels that exist");
        }
        assert_eq!(forbidding("serializable"), names);
    }

    #[test]
    fn levels_forbid_what_their_definitions_say() {
        assert_eq!(forbidding("read-uncommitted"), ["G0", "MDEV-26642", "PK-twice"]);
        let committed = forbidding("read-committed");
        assert!(["G0", "G1a", "G1b", "G1c"].iter().all(|name| committed.contains(&(*name).into())));
        assert_eq!(committed.len(), 6);
        let snapshot = forbidding("snapshot-isolation");
        let skews = ["read-only", "G2-item", "G2"];
        assert_eq!(snapshot.len(), 23 - skews.len());
        assert!(skews.iter().all(|name| !snapshot.contains(&(*name).into())));
        let phantoms = ["OTV", "PMP", "G2", "own-update-phantom", "delete-unseen"];
        let repeatable = forbidding("repeatable-read");
        assert!(phantoms.iter().all(|name| !repeatable.contains(&(*name).into())));
        assert_eq!(repeatable.len(), 23 - phantoms.len());
    }
}
