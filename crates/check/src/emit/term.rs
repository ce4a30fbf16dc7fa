//! Boolean terms, with what is known folded away.

/// A Boolean term in SMT-LIB's notation.
pub(super) type Term = String;

pub(super) const TRUE: &str = "true";
pub(super) const FALSE: &str = "false";

pub(super) fn and(parts: impl IntoIterator<Item = Term>) -> Term {
    joined("and", TRUE, FALSE, parts)
}

pub(super) fn or(parts: impl IntoIterator<Item = Term>) -> Term {
    joined("or", FALSE, TRUE, parts)
}

pub(super) fn not(term: Term) -> Term {
    match term.as_str() {
        TRUE => FALSE.to_owned(),
        FALSE => TRUE.to_owned(),
        _ => format!("(not {term})"),
    }
}

pub(super) fn implies(condition: Term, consequence: Term) -> Term {
    match (condition.as_str(), consequence.as_str()) {
        (TRUE, _) => consequence,
        (FALSE, _) | (_, TRUE) => TRUE.to_owned(),
        (_, FALSE) => not(condition),
        _ => format!("(=> {condition} {consequence})"),
    }
}

fn joined(
    operator: &str,
    neutral: &str,
    absorbing: &str,
    parts: impl IntoIterator<Item = Term>,
) -> Term {
    let mut kept: Vec<Term> = Vec::new();
    for part in parts {
        if part == absorbing {
            return part;
        }
        if part != neutral && !kept.contains(&part) {
            kept.push(part);
        }
    }
    match kept.len() {
        0 => neutral.to_owned(),
        1 => kept.remove(0),
        _ => format!("({operator} {})", kept.join(" ")),
    }
}
