//! Texts that are equal, or in order, by one collation and not by another.

use tristan_audit::{AuditLevel, AuditOptions};

use crate::common::{judged, judged_with, unknown, word};

#[test]
fn an_order_of_texts_that_the_collation_decides_is_not_rejected_unless_it_is_known() {
    let lines = r#"
{"schema":"CREATE TABLE t (id INT PRIMARY KEY, n VARCHAR(20))"}
{"rows":"t","values":[[1,"a"],[2,"B"]]}
{"txn":1,"do":[{"sql":"SELECT n FROM t ORDER BY n","rows":[["FIRST"],["SECOND"]]}]}
"#;
    for (first, second, collation, answer) in [
        ("a", "B", "", "accept"),
        ("B", "a", "", "unknown"),
        ("B", "a", "C", "accept"),
        ("a", "B", "C", "reject"),
        ("a", "B", "en_US.UTF-8", "accept"),
        ("B", "a", "en_US.UTF-8", "unknown"),
        ("a", "B", "en-US", "accept"),
        ("B", "a", "en-US", "reject"),
        ("a", "B", "cs_CZ.UTF-8", "accept"),
        ("B", "a", "cs_CZ.UTF-8", "unknown"),
    ] {
        let lines = lines.replace("FIRST", first).replace("SECOND", second);
        let mut options = AuditOptions::new(AuditLevel::Serializable);
        options.collation = (!collation.is_empty()).then(|| collation.to_owned());
        let verdict = judged_with("postgresql", &lines, &options);
        assert!(word(&verdict).starts_with(answer), "{first} {second} {collation}: {verdict:?}");
    }
}

#[test]
fn equal_texts_that_the_collation_decides_are_not_rejected_unless_it_is_known() {
    let lines = r#"
{"schema":"CREATE TABLE t (id INT PRIMARY KEY, n VARCHAR(20) OWN, KEY (n))"}
{"rows":"t","values":[[1,"\u0160"]]}
{"txn":1,"do":[{"sql":"SELECT id FROM t WHERE n = 'S'","rows":[FOUND]}]}
"#;
    for (dialect, own, found, answer) in [
        ("mariadb", "", "[1]", "accept"),
        ("mariadb", "", "", "unknown"),
        ("mysql", "", "", "unknown"),
        ("mariadb", "COLLATE utf8mb4_general_ci", "[1]", "accept"),
        ("mariadb", "COLLATE utf8mb4_general_ci", "", "reject"),
        ("mariadb", "COLLATE utf8mb4_bin", "", "accept"),
        ("mariadb", "COLLATE utf8mb4_bin", "[1]", "reject"),
        ("mariadb", "COLLATE utf8mb4_swedish_ci", "[1]", "unknown"),
    ] {
        let lines = lines.replace("OWN", own).replace("FOUND", found);
        let verdict = judged(dialect, &lines);
        assert!(word(&verdict).starts_with(answer), "{dialect} {own} {found}: {verdict:?}");
    }
}

#[test]
fn a_duplicate_that_the_collation_decides_is_not_rejected() {
    let lines = r#"
{"schema":"CREATE TABLE w (s VARCHAR(9) PRIMARY KEY) COLLATE latin1_swedish_ci"}
{"rows":"w","values":[["bar"]]}
{"txn":1,"do":[{"sql":"INSERT INTO w VALUES ('b\u00e4r')","affected":1}]}
"#;
    let verdict = judged("mariadb", lines);
    assert!(unknown(&verdict).contains("collation"), "{verdict:?}");
}

#[test]
fn the_case_of_other_letters_depends_on_the_locale() {
    let lines = r#"
{"schema":"CREATE TABLE t (id INT PRIMARY KEY)"}
{"txn":1,"do":[{"sql":"SELECT upper('jos\u00e9')","rows":[["JOS\u00c9"]]}]}
"#;
    let verdict = judged("postgresql", lines);
    assert!(unknown(&verdict).contains("collation"), "{verdict:?}");
}

#[test]
fn expressions_over_columns_of_user_defined_collations_are_not_certain() {
    let lines = r#"
{"schema":"CREATE TABLE t (id INT PRIMARY KEY, FIRST, SECOND)"}
{"rows":"t","values":[[1,"A","A"]]}
{"txn":1,"do":[{"sql":"SELECT id FROM t WHERE e || '' = 'a'","rows":[[1]]}]}
"#;
    let (own, plain) = ("e TEXT COLLATE caseless", "n TEXT");
    for (first, second) in [(own, plain), (plain, own)] {
        let lines = lines.replace("FIRST", first).replace("SECOND", second);
        let verdict = judged("postgresql", &lines);
        let reason = unknown(&verdict);
        assert!(reason.contains("collation") && reason.contains("--collation"), "{verdict:?}");
    }
}

#[test]
fn a_collation_that_is_not_known_is_named() {
    let lines = r#"
{"schema":"CREATE TABLE t (id INT PRIMARY KEY)"}
{"txn":1,"do":[{"sql":"SELECT id FROM t","rows":[]}]}
"#;
    let mut options = AuditOptions::new(AuditLevel::Serializable);
    options.collation = Some("utf8mb4_genral_ci".to_owned());
    let warnings = judged_with("mariadb", lines, &options).warnings;
    assert!(warnings.iter().any(|one| one.contains("utf8mb4_genral_ci")), "{warnings:?}");
}
