//! The table of levels, word for word.

use tristan_report::Style;
use tristan_report::levels::{Cell, Row, Table, table};

#[test]
fn the_table_is_aligned_and_marks_the_frontier() {
    let violated = || Cell::Violated("G2-item".to_owned());
    let rows = vec![
        Row { family: "read-your-writes".to_owned(), cells: vec![(Cell::Holds, false)] },
        Row {
            family: "snapshot-isolation".to_owned(),
            cells: vec![(Cell::Holds, false), (Cell::Holds, true), (Cell::Unknown, false)],
        },
        Row {
            family: "serializable".to_owned(),
            cells: vec![(violated(), true), (violated(), false), (violated(), false)],
        },
    ];
    let whole = Table {
        columns: ["plain", "strong-session", "strong"].map(str::to_owned).to_vec(),
        rows,
        strongest_satisfied: vec!["strong-session-snapshot-isolation".to_owned()],
        weakest_violated: vec!["serializable".to_owned()],
    };
    let expected = "
                      plain           strong-session  strong
  read-your-writes    holds
  snapshot-isolation  holds           holds *         unknown
  serializable        ✗ G2-item *     ✗ G2-item       ✗ G2-item
  * strongest that hold: strong-session-snapshot-isolation
  * weakest violated:    serializable
";
    assert_eq!(format!("\n{}", table(&whole, Style::default())), expected);
}

#[test]
fn nothing_violated_is_said_in_words() {
    let text = table(&Table::default(), Style::default());
    assert!(text.contains("weakest violated:    none"), "{text}");
}
