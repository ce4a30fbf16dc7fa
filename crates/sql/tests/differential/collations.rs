//! Collations compare as servers do, wherever they are certain.

use std::cmp::Ordering;
use std::sync::Arc;

use tristan_sql::{Asked, Collation, Dialect, ObservedValue};

use crate::differential::server::{MariaDb, Postgres, Reply, Server};
use crate::differential::{number, server_at};
use tristan_testkit::Random;

/// Texts that are compared with each other in one statement.
const BATCH: usize = 200;

const POSTGRES: [&str; 9] = ["C", "en", "de", "fr", "es", "it", "nl", "pt", "und"];

const MARIADB: [&str; 8] = [
    "utf8mb4_general_ci",
    "utf8mb4_general_nopad_ci",
    "utf8mb4_unicode_ci",
    "utf8mb4_unicode_520_ci",
    "utf8mb4_unicode_nopad_ci",
    "utf8mb4_uca1400_ai_ci",
    "utf8mb4_bin",
    "utf8mb4_nopad_bin",
];

/// A short text. Letters are few, so that texts often differ only in case, accents or spaces.
fn text(random: &mut Random) -> String {
    const PLAIN: [char; 12] = ['a', 'A', 'b', 'B', 'c', 'h', 'l', 'z', 'Z', '1', '2', '9'];
    const OTHER: [char; 12] = [' ', '_', '-', '.', '\t', 'é', 'Š', 'ß', 'ä', 'Æ', 'я', '😀'];
    let others = random.below(4);
    let letter = |random: &mut Random| match random.below(4) < others && random.once_in(2) {
        true => *random.pick(&OTHER),
        false => *random.pick(&PLAIN),
    };
    (0..random.below(5)).map(|_| letter(random)).collect()
}

/// What a server says of two texts: their order.
fn order(row: &[ObservedValue]) -> Ordering {
    let truth = |value: &ObservedValue| {
        matches!(value, ObservedValue::Int(1))
            || *value == ObservedValue::Text("t".to_owned())
            || *value == ObservedValue::Text("1".to_owned())
    };
    match (truth(&row[0]), truth(&row[1])) {
        (true, _) => Ordering::Less,
        (_, true) => Ordering::Equal,
        _ => Ordering::Greater,
    }
}

/// Compares many pairs; says of how many orders a collation was certain.
fn compare(
    server: &mut dyn Server,
    collation: Collation,
    random: &mut Random,
    comparison: impl Fn(&str, &str) -> String,
) -> u64 {
    let pairs: Vec<(String, String)> = (0..BATCH).map(|_| (text(random), text(random))).collect();
    let queries = pairs.iter().enumerate();
    let queries = queries.map(|(place, (a, b))| format!("SELECT {}, {place}", comparison(a, b)));
    let all = queries.collect::<Vec<_>>().join(" UNION ALL ") + " ORDER BY 3";
    let Reply::Done { rows, .. } = server.ask(&all) else { panic!("no answer: {all}") };
    let mut certain = 0;
    for ((a, b), row) in pairs.iter().zip(&rows) {
        let (said, ours) = (order(row), collation.compare(a, b));
        if collation.is_certain(Asked::Order, a, b) {
            certain += 1;
            assert_eq!(ours, said, "the order of {a:?} and {b:?}, {collation:?}");
        }
        if collation.is_certain(Asked::Equality, a, b) {
            assert_eq!(ours.is_eq(), said.is_eq(), "{a:?} and {b:?}, {collation:?}");
        }
        let form = |text: &str| collation.canonical(&Arc::from(text));
        if collation.is_certain_of(a) && collation.is_certain_of(b) {
            assert_eq!(form(a) == form(b), said.is_eq(), "{a:?} and {b:?}, {collation:?}");
        }
    }
    certain
}

/// Compares random texts under some collations; `comparison` asks the server about two texts under one of them.
fn explore(
    dialect: Dialect,
    server: &mut dyn Server,
    names: &[&str],
    comparison: impl Fn(&str, &str, &str) -> String,
) {
    let seed = number("TRISTAN_SQL_SEED", 1);
    for name in names {
        let collation = dialect.collation_named(name);
        let mut random = Random::new(seed);
        let mut certain = 0;
        for _ in 0..10 {
            certain += compare(server, collation, &mut random, |a, b| comparison(name, a, b));
        }
        println!("{name}: certain of {certain} orders, seed {seed}");
        assert!(certain > 500, "{name}: certain of {certain} orders only");
    }
}

#[test]
fn postgresql_orders_texts_in_the_same_way() {
    let Some(address) = server_at("TRISTAN_POSTGRES") else { return };
    let ask = |name: &str, a: &str, b: &str| {
        let own = if name == "C" { name.to_owned() } else { format!("{name}-x-icu") };
        format!("'{a}' COLLATE \"{own}\" < '{b}', '{a}' COLLATE \"{own}\" = '{b}'")
    };
    explore(Dialect::PostgreSql, &mut Postgres::new(&address), &POSTGRES, ask);
}

#[test]
fn mariadb_orders_texts_in_the_same_way() {
    let Some(address) = server_at("TRISTAN_MARIADB") else { return };
    let ask = |name: &str, a: &str, b: &str| {
        format!("'{a}' < '{b}' COLLATE {name}, '{a}' = '{b}' COLLATE {name}")
    };
    explore(Dialect::MariaDb, &mut MariaDb::new(&address), &MARIADB, ask);
}

#[test]
fn mariadb_gives_every_letter_the_same_weight() {
    let Some(address) = server_at("TRISTAN_MARIADB") else { return };
    let mut server = MariaDb::new(&address);
    let general = Collation::General { padded: false };
    let letters: Vec<char> = ('\u{20}'..='\u{ffff}').collect();
    for some in letters.chunks(2000) {
        let weights = some.iter().map(|letter| {
            let number = u32::from(*letter);
            format!(
                "SELECT {number}, CONV(HEX(WEIGHT_STRING(CONVERT(CHAR({number} USING utf32) USING utf8mb4) \
                 COLLATE utf8mb4_general_ci)), 16, 10)"
            )
        });
        let all = weights.collect::<Vec<_>>().join(" UNION ALL ") + " ORDER BY 1";
        let Reply::Done { rows, .. } = server.ask(&all) else { panic!("no answer") };
        assert_eq!(rows.len(), some.len());
        for (letter, row) in some.iter().zip(rows) {
            let ours = general.canonical(&Arc::from(letter.to_string()));
            let ours = ours.chars().next().map(|weight| u32::from(weight).to_string());
            let said = match &row[1] {
                ObservedValue::Text(text) => Some(text.clone()),
                _ => None,
            };
            assert_eq!(ours, said, "the weight of {letter:?}");
        }
    }
}
