//! The history that tells levels apart as a drawing: its transactions as cards, and the steps into
//! which the stricter level runs as arrows between their operations.

use super::{Separation, Step};
use crate::figure::{Arrow, Card, Figure, Port, Row};

/// The drawing of a history with the steps of one level that forbids it.
pub(super) fn figure(separation: &Separation, steps: &[Step]) -> Figure {
    let mut order: Vec<&str> = steps.iter().map(|step| step.from.as_str()).collect();
    let sessions = separation.sessions.iter().enumerate();
    let all: Vec<(usize, &str, &str)> = sessions
        .flat_map(|(session, txns)| txns.iter().map(move |(name, ops)| (session, &**name, &**ops)))
        .collect();
    order.extend(all.iter().map(|(_, name, _)| *name));
    let mut cards: Vec<Card> = Vec::new();
    for name in order {
        let known = all.iter().find(|(_, known, _)| *known == name);
        let Some((session, name, ops)) = known else { continue };
        if !cards.iter().any(|card| card.title == *name) {
            let number = u32::try_from(cards.len()).ok();
            cards.push(card(number, *session, name, ops));
        }
    }
    let arrows = (1..).zip(steps).filter_map(|(number, step)| arrow(&cards, number, step));
    let arrows = arrows.collect();
    Figure { cards, arrows }
}

fn card(number: Option<u32>, session: usize, name: &str, ops: &str) -> Card {
    let row = |(place, op): (u32, &str)| {
        let text = words(op);
        Row { op: Some(place), full: text.clone(), text, range: false, wrong: false }
    };
    Card {
        txn: number,
        title: name.to_owned(),
        note: format!("session {}", session + 1),
        rows: (0..).zip(ops.split_whitespace()).map(row).collect(),
    }
}

/// `r(x,2)` and `w(x)` in words: who is read from has the number behind the comma.
fn words(op: &str) -> String {
    let inside = |verb: &str| op.strip_prefix(verb)?.strip_prefix('(')?.strip_suffix(')');
    if let Some((key, from)) = inside("r").and_then(|inside| inside.split_once(',')) {
        return match from {
            "0" => format!("read {key}, initial"),
            from => format!("read {key} from T{from}"),
        };
    }
    inside("w").map_or_else(|| op.to_owned(), |key| format!("write {key}"))
}

fn arrow(cards: &[Card], number: usize, step: &Step) -> Option<Arrow> {
    let place = |name: &str| cards.iter().position(|card| card.title == name);
    let (from, to) = (place(&step.from)?, place(&step.to)?);
    if from == to {
        return None;
    }
    let (leaves, reaches) = match step.relation.as_str() {
        "wr" => ("write", "read"),
        "rw" => ("read", "write"),
        "ww" => ("write", "write"),
        _ => ("", ""),
    };
    let row = |card: usize, verb: &str| {
        let start = format!("{verb} {}", step.key.as_deref()?);
        let is_it = |row: &Row| {
            let rest = row.text.strip_prefix(&start);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([',', ' ']))
        };
        cards[card].rows.iter().position(is_it)
    };
    let key = step.key.as_ref().map(|key| format!(" {key}")).unwrap_or_default();
    Some(Arrow {
        step: number,
        from: Port { card: from, row: row(from, leaves) },
        to: Port { card: to, row: row(to, reaches) },
        kind: kind(&step.relation),
        label: format!("{}{key}", step.relation),
        derived: false,
        title: format!("{number}: {} {}{key} {}", step.from, step.relation, step.to),
    })
}

/// The class of style for a relation; those without one of their own look like the clock's.
fn kind(relation: &str) -> &'static str {
    let known = ["wr", "ww", "rw", "so", "rt"];
    known.into_iter().find(|name| *name == relation).unwrap_or("rt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_words_and_arrows_join_them() {
        assert_eq!(words("r(x,0)"), "read x, initial");
        assert_eq!(words("r(x,12)"), "read x from T12");
        assert_eq!(words("w(y)"), "write y");
        assert_eq!(words("scan"), "scan");
        let step = |from: &str, to: &str, key: &str| Step {
            from: from.to_owned(),
            to: to.to_owned(),
            relation: "rw".to_owned(),
            key: Some(key.to_owned()),
        };
        let txn = |name: &str, ops: &str| vec![(name.to_owned(), ops.to_owned())];
        let separation = Separation {
            sessions: vec![
                txn("T1", "r(xy,0) r(x,0) w(y)"),
                txn("T2", "r(y,0) w(x)"),
                txn("T3", "w(z)"),
            ],
            line: String::new(),
            clock: None,
            size: String::new(),
            allowed: Vec::new(),
            forbidden: Vec::new(),
        };
        let steps = [step("T2", "T1", "y"), step("T1", "T2", "x"), step("T1", "T9", "x")];
        let figure = figure(&separation, &steps);
        let titles: Vec<&str> = figure.cards.iter().map(|card| card.title.as_str()).collect();
        assert_eq!(titles, ["T2", "T1", "T3"]);
        let ports: Vec<_> = figure.arrows.iter().map(|arrow| (arrow.from, arrow.to)).collect();
        let port = |card, row| Port { card, row: Some(row) };
        assert_eq!(ports, [(port(0, 0), port(1, 2)), (port(1, 1), port(0, 1))]);
    }
}
