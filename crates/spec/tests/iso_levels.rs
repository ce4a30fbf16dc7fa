//! The library as a whole: names, forms, and what it says about itself.

use tristan_formats as formats;
use tristan_spec::iso::{Definition, DependencyFormError, Form, Library, format};
use tristan_spec::{Catalog, Strength};

fn definition(name: &str) -> &'static Definition {
    Library::standard().find_definition(name).expect(name).0
}

#[test]
fn every_level_says_what_it_is() {
    for level in Library::standard().definitions() {
        let name = level.name();
        assert!(!level.title().is_empty() && !level.doc().is_empty(), "{name}");
        let trace = level.smallest_rejected();
        let history = formats::read(trace.as_bytes(), name, None);
        assert!(history.is_ok_and(|history| history.txns.len() > 1), "{name}");
        assert!(level.doc().contains("Smallest history it rejects: "), "{name}");
    }
}

#[test]
fn the_files_are_laid_out_and_free_of_remarks() {
    for (file, text) in Library::standard().files() {
        let laid_out = format(file, text).expect(file);
        assert!(laid_out == text, "{file} should be laid out like this:\n{laid_out}");
        let remarks = Library::standard().lint(file);
        let remarks: Vec<String> = remarks.iter().map(ToString::to_string).collect();
        assert!(remarks.is_empty(), "{}", remarks.join("\n"));
    }
}

#[test]
fn every_full_name_finds_its_own_level() {
    let library = Library::standard();
    for name in library.names() {
        assert_eq!(library.find(&name).expect(&name).name, name);
    }
    for (asked, found) in [
        ("BE_RA", "be-ra"),
        ("plain-be-ra", "plain-be-ra"),
        ("strong-session-cerone-si", "cerone-si"),
        ("ss-si", "strong-session-snapshot-isolation"),
        ("pl-2+", "consistent-view"),
        ("SSER", "strong-serializable"),
        ("crooks-si", "crooks-si"),
        ("mixed", "mixed"),
    ] {
        assert_eq!(library.find(asked).expect(asked).name, found);
    }
    let unknown = library.find("cerone-sii").expect_err("no such level");
    assert_eq!(unknown.nearest[0], "cerone-si");
    assert!(library.find("strong-crooks-si").is_err(), "it has one form only");
}

#[test]
fn the_catalog_holds_the_levels_with_dependency_form() {
    let catalog = Catalog::default();
    let by_form = Library::standard().definitions();
    let by_form = by_form.filter(|one| one.itself().form() == Form::Dependency);
    let names: Vec<&str> = by_form.map(Definition::name).filter(|name| *name != "mixed").collect();
    let families: Vec<&str> = catalog.families().iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, families);
    for family in catalog.families() {
        for &strength in family.strengths() {
            let engine = family.level(strength).expect("a formula");
            let level = definition(&family.name).level(strength);
            assert_eq!((&level.name, level.strength), (&engine.name, engine.strength));
            assert_eq!((level.reads, &level.title), (engine.reads, &engine.title));
            assert_eq!(level.to_formula(), Ok(engine.formula));
        }
    }
}

#[test]
fn every_level_has_the_form_its_framework_suggests() {
    for level in Library::standard().definitions() {
        let expected = match level.framework() {
            "" => Form::HistoryOnly,
            "dependency" if level.name() == "monotonic-view" => Form::Order,
            "dependency" => Form::Dependency,
            "commit-order" | "patterns" => Form::Order,
            "external-reads" | "visibility" => Form::LeastWitness,
            "states" if level.name().ends_with("si") && level.name() != "crooks-psi" => {
                Form::LeastWitness
            }
            "states" => Form::Order,
            other => panic!("framework {other} is new here"),
        };
        for strength in level.levels() {
            assert_eq!(strength.form(), expected, "{}", strength.name);
        }
    }
}

#[test]
fn a_relation_that_has_no_smallest_choice_must_be_searched() {
    for (check, form) in [
        ("vis in ar", Form::LeastWitness),
        ("ar in vis | vis^-1, vis in ar", Form::LeastWitness),
        ("ar in vis^-1 | vis, vis in ar", Form::LeastWitness),
        ("ar in vis | vis^-1", Form::Search),
        ("total vis", Form::Search),
        ("total vis, vis in ar", Form::LeastWitness),
        ("ar \\ vis in vis, vis in ar", Form::Search),
        ("vis ; (ar \\ vis) in ar", Form::Search),
        ("empty ar \\ vis", Form::Search),
        ("not empty vis", Form::Search),
        ("not empty so, so in vis", Form::LeastWitness),
        ("(acyclic vis or empty vis & so)", Form::LeastWitness),
        ("(so in vis or rt in vis)", Form::Search),
        ("(so in vis and rt in vis)", Form::LeastWitness),
        ("vis in vis | so", Form::Search),
    ] {
        let mut library = Library::default();
        let text = format!("level mine {{ witness ar : order witness vis : relation {check} }}");
        library.add("mine.iso", &text).expect(check);
        assert_eq!(library.find("mine").expect("just added").form(), form, "{check}");
    }
}

#[test]
fn levels_without_dependency_form_say_why() {
    for (text, why) in [
        (
            "level a : commit-order { arb(so) }",
            "it is written in framework `commit-order`, not in `dependency`",
        ),
        (
            "framework f : dependency { } level a : f { acyclic so }",
            "it is written in framework `f`, not in `dependency`",
        ),
        ("level a { acyclic so }", "it is written in no framework, not in `dependency`"),
        ("level a : dependency { }", "it has no checks"),
        (
            "level a : dependency { ww in ww | so }",
            "it uses checks other than `acyclic` and `irreflexive`",
        ),
        (
            "level a : dependency { acyclic ww \\ so }",
            "`\\` cannot be expressed with dependencies alone",
        ),
        (
            "level a : dependency { acyclic U x. vo[x] }",
            "`U` cannot be expressed with dependencies alone",
        ),
        (
            "level a : dependency { acyclic [Update] ; ww }",
            "a set other than R, W, C, I and S cannot be expressed with dependencies alone",
        ),
    ] {
        let mut library = Library::default();
        library.add("mine.iso", text).expect(text);
        let why_not: DependencyFormError =
            library.find("a").expect("just added").to_formula().expect_err(text);
        assert_eq!(why_not.to_string(), why);
    }
}

#[test]
fn definitions_and_groups_of_checks_become_part_of_the_formula() {
    let mut library = Library::default();
    let text = "level a : dependency {
        let both = b | ww
        (acyclic both and irreflexive both+ ; rw)
        acyclic none | rt
    }";
    library.add("mine.iso", text).expect("it is right");
    let (definition, strength) = library.find_definition("A").expect("just added");
    assert_eq!((definition.natural(), strength), (Some(Strength::Plain), Strength::Plain));
    let family = definition.family().expect("dependency form");
    assert_eq!(family.formula, "acyclic(b | ww), irreflexive((b | ww)+ ; rw), acyclic(none | rt)");
}

#[test]
fn a_level_extends_another_with_everything_it_has() {
    let mut library = Library::default();
    let text =
        "level mine : be-ser { rt in co } level yours : mine { let late = cc \\ rt late in co }";
    library.add("mine.iso", text).expect("it is right");
    let [ser, mine, yours] =
        ["be-ser", "mine", "yours"].map(|name| library.find(name).expect(name));
    assert_eq!(mine.witnesses, ser.witnesses);
    assert_eq!(
        (mine.checks.len(), yours.checks.len()),
        (ser.checks.len() + 1, ser.checks.len() + 2)
    );
    assert_eq!(yours.checks[..mine.checks.len()], mine.checks);
    assert_eq!(yours.framework, "commit-order");
    assert_eq!(yours.strength, Some(Strength::Session), "what `be-ser` means by itself");
    assert_eq!(library.find("plain-yours").expect("as `be-ser`").strength, Some(Strength::Plain));
}

#[test]
fn a_file_sees_earlier_files_and_not_later_ones() {
    let mut library = Library::default();
    library
        .add("one.iso", "let mine = so | wr\nlevel one : dependency { acyclic mine }")
        .expect("right");
    library.add("two.iso", "level two : one { acyclic mine | ww }").expect("it sees the first");
    let error = library.add("three.iso", "let mine = so").expect_err("the name is taken");
    assert!(error.to_string().contains("it is defined at one.iso:1"), "{error}");
    library.add("four.iso", "let rw = so").expect("no framework of this file has that name");
    assert!(library.find("si").is_ok_and(|level| level.to_formula().is_ok()), "si is what it was");
}
