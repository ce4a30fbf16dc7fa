//! `docs/levels.md` is what the library says: every level with its definition, its meaning, its names
//! and what it forbids.

use std::fmt::Write;

use tristan_spec::iso::{Definition, Library};
use tristan_spec::{Catalog, Strength};

const START: &str = "# The levels

This page lists all built-in isolation levels. Names are case-insensitive, and spaces or underscores may
replace hyphens; for an unknown name, Tristan suggests similar ones. You can define your own level in a
few lines: see [Adding a level or a module](extending.md).

If a definition mentions `b` or `o`, the level exists in three strengths. The prefixes `plain-`,
`strong-session-` and `strong-` (before the name or an alias) select one:

| strength | `o` | `b` |
|---|---|---|
| plain | nothing | `wr` |
| strong-session | `so` | `wr \\| so` |
| strong | `so \\| rt` | `wr \\| so \\| rt` |

The column *default* shows the strength that the bare name means. Read uncommitted is the only level
that allows a read to return a version that was never committed.

## Levels defined by dependencies

These levels are formulas over the dependencies of a trace, which are defined in [How a trace is
interpreted](semantics.md). A history is accepted if some choice of read sources and version orders makes
the formula true. `tristan check` checks traces of any size against these levels, and `tristan levels`
checks all of them.
";

const AXIOMS: &str = "
## Levels defined by axioms

These are published definitions, [written](iso.md) as by their authors, so that they can be
[compared](compare.md) with the levels above and with each other. `tristan check` checks small traces
directly against the axioms. `tristan spec show NAME` prints a definition with its framework.
";

const MIXED: &str = "
## Mixed levels

If every transaction of a trace states the level it was promised, `mixed` checks each transaction
against that level; see [How a trace is interpreted](semantics.md#mixed-levels). It is not part of
`tristan levels`.
";

const FIXED: &str = "
## Other names

Some names stand for one level at one strength:

| name | level |
|---|---|
";

const REFUSED: &str = "
`strong-si` and `strong-session-si` are errors, because sources use them for different levels. Daudjee
and Salem, Crooks et al. and Viper mean `strong-generalized-snapshot-isolation` (`strong-gsi`) and
`strong-session-generalized-snapshot-isolation` (`session-si`, `pc-si`), where commits follow the clock.
Elle means `strong-snapshot-isolation` and `strong-session-snapshot-isolation` (`ss-si`), which add the
order of sessions or real time to Adya's snapshot isolation and let concurrent transactions commit
against the clock. For the names that vendors use, see [What vendors promise](vendor-semantics.md).
";

fn page() -> String {
    let library = Library::standard();
    let named = |wanted: &'static str| library.definitions().filter(move |one| kind(one) == wanted);
    let mut page = START.to_owned();
    table(&mut page, named("dependency"));
    named("dependency").for_each(|one| section(&mut page, one));
    page += AXIOMS;
    table(&mut page, named("axioms"));
    named("axioms").for_each(|one| section(&mut page, one));
    page += MIXED;
    named("mixed").for_each(|one| section(&mut page, one));
    page += FIXED;
    for name in
        ["strict-serializable", "sser", "pl-ss", "prefix-consistent-si", "pc-si", "session-si"]
    {
        let level = Catalog::default().find(name).expect(name);
        writeln!(page, "| `{name}` | `{}` |", level.name).expect("memory does not fail");
    }
    page + REFUSED
}

/// What judges a level.
fn kind(definition: &Definition) -> &'static str {
    match definition.family() {
        Ok(_) if definition.itself().name.contains("mixed") => "mixed",
        Ok(_) => "dependency",
        Err(_) => "axioms",
    }
}

fn table<'d>(page: &mut String, definitions: impl Iterator<Item = &'d Definition>) {
    *page += "\n| level | default | also called | meaning |\n|---|---|---|---|\n";
    for one in definitions {
        let alone = match one.natural() {
            None => "one form",
            Some(Strength::Plain) => "plain",
            Some(Strength::Session) => "strong-session",
            Some(Strength::Strong) => "strong",
        };
        let aliases: Vec<String> = one.aliases().iter().map(|name| format!("`{name}`")).collect();
        let (name, aliases, title) = (one.name(), aliases.join(", "), one.title());
        writeln!(page, "| [`{name}`](#{}) | {alone} | {aliases} | {title} |", anchor(name))
            .expect("memory does not fail");
    }
}

/// The place of a section: letters, digits and hyphens of its heading.
fn anchor(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric() || *letter == '-').collect()
}

/// The definition as the program uses it or, if it has axioms, as its file has it; then what its
/// author says about it.
fn section(page: &mut String, one: &Definition) {
    let definition = match one.family() {
        Ok(family) => family.formula,
        Err(_) => body(Library::standard().source(one)),
    };
    let framework = match one.framework() {
        "" => String::new(),
        framework => format!("Framework: `{framework}`\n\n"),
    };
    let framework = if one.family().is_ok() { String::new() } else { framework };
    let doc = one.doc().trim();
    write!(page, "\n### {}\n\n{framework}```text\n{definition}\n```\n\n{doc}\n", one.name())
        .expect("memory does not fail");
}

/// The axioms of a level: its block without documentation, header, title and example.
fn body(source: &str) -> String {
    let mut lines = Vec::new();
    let mut in_example = false;
    for line in source.lines().map(str::trim).filter(|line| !line.starts_with("///")) {
        let starts = line.starts_with("rejects \"\"\"");
        let ends = in_example && line.starts_with("\"\"\"");
        let aside =
            ["title ", "also ", "strength ", "reads "].iter().any(|it| line.starts_with(it));
        if !in_example && !starts && !aside && line != "}" {
            lines.push(line);
        }
        in_example = (in_example || starts) && !ends;
    }
    lines.join("\n").replace(" {", ":").trim_end().to_owned()
}

#[test]
fn the_page_of_levels_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/levels.md");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, page()).expect("the page can be written");
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    let update = "UPDATE_EXPECT=1 cargo test -p tristan-spec --test it levels_page";
    assert!(found == page(), "docs/levels.md is out of date; run {update}");
}

#[test]
fn every_level_says_what_it_forbids() {
    let page = page();
    for one in Library::standard().definitions() {
        assert!(page.contains(&format!("\n### {}\n", one.name())), "{} is missing", one.name());
        let doc = one.doc();
        let forbids = doc.contains("Forbids:") || doc.contains("Smallest history it rejects:");
        assert!(forbids, "{} does not say what it forbids", one.name());
    }
}
