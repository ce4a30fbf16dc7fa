//! What the page on level files shows is right.

use tristan_spec::iso::{Form, Library, format};

fn page() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/iso.md");
    std::fs::read_to_string(path).expect("the page can be read")
}

/// The blocks of one language on the page.
fn blocks(language: &str) -> Vec<String> {
    let (page, start) = (page(), format!("```{language}\n"));
    let starts = page.split(&start).skip(1);
    starts.map(|rest| rest.split("```").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn the_levels_on_the_page_are_right_and_laid_out() {
    let mut library = Library::default();
    for (number, block) in blocks("iso").iter().enumerate() {
        let file = format!("{number}.iso");
        library.add(&file, block).expect(block);
        assert_eq!(&format(&file, block).expect(block), block);
        assert!(library.lint(&file).is_empty(), "{block}");
    }
    let form = |name: &str| library.find(name).expect(name).form();
    assert_eq!(form("writer-snapshots"), Form::Dependency);
    assert_eq!(form("my-strict-serializability"), Form::Order);
    assert_eq!(form("my-writers"), Form::LeastWitness);
}

#[test]
fn the_mistake_on_the_page_is_told_like_that() {
    let text = "level a : dependency {\n    acyclic rww | so\n}\n";
    let error = Library::default().add("mine.iso", text).expect_err("nobody knows rww");
    assert!(blocks("text").contains(&format!("{error}\n")), "{error}");
}

#[test]
fn the_page_names_every_framework_and_only_known_levels() {
    let page = page();
    for framework in Library::standard().frameworks() {
        assert!(page.contains(&format!("| `{}` |", framework.name)), "{}", framework.name);
    }
    let table = page
        .split("defined in several frameworks")
        .nth(1)
        .and_then(|rest| rest.split("\n\n").nth(1));
    let rows = table.expect("a table of equal levels").lines().skip(2);
    let names: Vec<&str> = rows.flat_map(|row| row.split('`').skip(1).step_by(2)).collect();
    assert!(names.len() > 20, "{names:?}");
    for name in names {
        assert!(Library::standard().find(name).is_ok(), "{name}");
    }
}
