//! A conflict in words: the numbered steps of its cycle, or the one fact it runs into.

use tristan_history::Datum;
use tristan_verdict::{Conflict, Edge, EdgeKind, Literal, Rule, Source};

use crate::Style;
use crate::layout::{count, listing, pad, paragraph, width};
use crate::names::Names;
use crate::proof::rests_on;

/// What the literals of a conflict rest on, as the argument stands.
pub(crate) struct Grounds<'a> {
    /// They are assumed in this case.
    pub(crate) assumed: &'a [Literal],
    /// They are shown further down.
    pub(crate) below: &'a [Literal],
}

impl Grounds<'_> {
    /// Why an edge may be there although the trace leaves it open, as the end of a sentence.
    fn of(&self, conflict: &Conflict, edge: &Edge) -> &'static str {
        // Which version an anti-dependency starts from is told with the case.
        let is_order = |literal: &&Literal| {
            matches!(literal, Literal::Before { .. })
                || !matches!(edge.kind, EdgeKind::Rw | EdgeKind::Prw)
        };
        let literals = || {
            let literals = conflict.literals.iter().filter(|literal| rests_on(edge, literal));
            literals.filter(is_order)
        };
        if literals().any(|literal| self.assumed.contains(literal)) {
            ", as assumed here"
        } else if literals().any(|literal| self.below.contains(literal)) {
            ", as shown below"
        } else if literals().next().is_some() {
            ", as shown above"
        } else {
            ""
        }
    }
}

/// Appends the steps of a conflict, indented.
pub(crate) fn conflict(
    out: &mut String,
    style: Style,
    names: Names<'_>,
    indent: usize,
    conflict: &Conflict,
    grounds: &Grounds<'_>,
) {
    match &conflict.rule {
        Rule::Cycle(edges) => cycle(out, style, names, indent, conflict, edges, grounds),
        _ => paragraph(out, style, &" ".repeat(indent), &sentence(names, conflict)),
    }
}

/// The one fact a conflict without a cycle runs into.
pub(crate) fn sentence(names: Names<'_>, conflict: &Conflict) -> String {
    let shown = |txn: &u32, op: &u32| lines(&[names.line(*txn, *op)]);
    match &conflict.rule {
        Rule::Cycle(_) => "These transactions depend on each other in a cycle.".to_owned(),
        Rule::InitialClash => initial_clash(names, &conflict.literals),
        Rule::NoSource(txn, op) => {
            let (deed, who, lines) = (names.deed(*txn, *op), names.txn(*txn), shown(txn, op));
            format!(
                "{deed}, but no version it could have read explains this, so {who} did not take \
                 effect.{lines}"
            )
        }
        Rule::ListOrder(txn, op) => {
            format!("{}, which contradicts this order.{}", names.deed(*txn, *op), shown(txn, op))
        }
    }
}

/// Appends one line per edge: number, arrow, kind and key, reason, trace lines.
fn cycle(
    out: &mut String,
    style: Style,
    names: Names<'_>,
    indent: usize,
    conflict: &Conflict,
    edges: &[Edge],
    grounds: &Grounds<'_>,
) {
    let arrow = |edge: &Edge| format!("{} → {}", names.txn(edge.from), names.txn(edge.to));
    let kind = |edge: &Edge| match &edge.key {
        Some(key) => format!("{} {}", kind_name(edge.kind), names.key(key)),
        None => kind_name(edge.kind).to_owned(),
    };
    let column = |text: &dyn Fn(&Edge) -> String| {
        edges.iter().map(|edge| width(&text(edge))).max().unwrap_or(0)
    };
    let (arrows, kinds) = (column(&arrow), column(&kind));
    let digits = edges.len().to_string().len();
    for (place, edge) in edges.iter().enumerate() {
        let first = format!(
            "{}{:>digits$}  {}  {}   ",
            " ".repeat(indent),
            place + 1,
            pad(&arrow(edge), arrows),
            pad(&kind(edge), kinds),
        );
        let link = match place {
            _ if place + 1 == edges.len() && place > 0 => "however,",
            0 => "because",
            _ => "and",
        };
        let ground =
            match replaced(edge).and_then(|(key, first)| names.shown_order(key, first, edge.to)) {
                Some(_) => "",
                None => grounds.of(conflict, edge),
            };
        let reason = format!("{link} {}{ground}.{}", reason(names, edge), edge_lines(names, edge));
        paragraph(out, style, &first, &reason);
    }
}

pub(crate) fn kind_name(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Wr => "wr",
        EdgeKind::Ww => "ww",
        EdgeKind::Rw => "rw",
        EdgeKind::Pwr => "pwr",
        EdgeKind::Prw => "prw",
        EdgeKind::So => "so",
        EdgeKind::Rt => "rt",
        EdgeKind::Cc => "cc",
        EdgeKind::Bc => "bc",
    }
}

/// Why the edge is there, as a clause.
pub(crate) fn reason(names: Names<'_>, edge: &Edge) -> String {
    let (from, to) = (names.txn(edge.from), names.txn(edge.to));
    let key = edge.key.as_ref().map_or("a key".to_owned(), |key| names.key(key));
    match edge.kind {
        EdgeKind::Pwr => {
            let op = edge.read_op.unwrap_or_default();
            format!("{}, which {from} had deleted", names.saw(edge.to, op, edge.key.as_ref()))
        }
        EdgeKind::Prw => {
            let op = edge.read_op.unwrap_or_default();
            let saw = names.saw(edge.from, op, edge.key.as_ref());
            match edge.over {
                Some(Source::Txn(writer)) => {
                    format!("{saw}: it read {}'s version, which {to} replaced", names.txn(writer))
                }
                _ => format!("{saw}: it read the initial version, which {to} replaced"),
            }
        }
        EdgeKind::Wr => match edge.read_op {
            Some(op) => {
                format!("{}, which {from} wrote", names.saw(edge.to, op, edge.key.as_ref()))
            }
            None => format!("{to} read the {key} that {from} wrote"),
        },
        EdgeKind::Rw => {
            let deed = match edge.read_op {
                Some(op) => names.saw(edge.from, op, edge.key.as_ref()),
                None => format!("{from} read {key}"),
            };
            let own = edge.read_op.map_or(0, |op| names.own_elements(edge.from, op));
            match edge.over {
                Some(source) if own > 0 => {
                    let version = match source {
                        Source::Initial => "the initial version".to_owned(),
                        Source::Txn(writer) => format!("{}'s version", names.txn(writer)),
                    };
                    let own = count(own, "element");
                    format!("{deed}: {version}, which {to} replaced, and {own} of its own")
                }
                Some(Source::Initial) => {
                    format!("{deed}, the initial version, which {to} replaced")
                }
                Some(Source::Txn(writer)) => {
                    let shown =
                        edge.key.as_ref().and_then(|key| names.shown_order(key, writer, edge.to));
                    let shown = shown.map_or(String::new(), |(shown, _)| format!(": {shown}"));
                    format!("{deed}, {}'s version, which {to} replaced{shown}", names.txn(writer))
                }
                None => format!("{deed}, which {to} replaced"),
            }
        }
        EdgeKind::Ww => {
            match edge.key.as_ref().and_then(|key| names.shown_order(key, edge.from, edge.to)) {
                Some((shown, _)) => shown,
                None => format!("{from}'s version of {key} came before {to}'s"),
            }
        }
        EdgeKind::So => match names.session(edge.from) {
            Some(session) => format!("session {session} ran {from} before {to}"),
            None => format!("the same session ran {from} before {to}"),
        },
        EdgeKind::Rt => format!("{from} had ended before {to} began"),
        EdgeKind::Cc => format!("{from} had committed before {to} could commit"),
        EdgeKind::Bc => format!("{from} had begun before {to} could commit"),
    }
}

pub(crate) fn edge_lines(names: Names<'_>, edge: &Edge) -> String {
    let read = |txn| edge.read_op.and_then(|op| names.line(txn, op));
    let write = |txn| edge.key.as_ref().and_then(|key| names.line_of_write(txn, key));
    let whole = |txn: u32| names.card(txn).map(|card| card.lines);
    let order = replaced(edge).and_then(|(key, first)| names.shown_order(key, first, edge.to));
    let shown = order.and_then(|(_, line)| line);
    match edge.kind {
        EdgeKind::Wr | EdgeKind::Pwr => lines(&[write(edge.from), read(edge.to)]),
        EdgeKind::Rw | EdgeKind::Prw => lines(&[read(edge.from), write(edge.to), shown]),
        EdgeKind::Ww => lines(&[write(edge.from), write(edge.to), shown]),
        EdgeKind::So | EdgeKind::Rt | EdgeKind::Cc => {
            lines(&[whole(edge.from).map(|pair| pair.1), whole(edge.to).map(|pair| pair.0)])
        }
        EdgeKind::Bc => {
            lines(&[whole(edge.from).map(|pair| pair.0), whole(edge.to).map(|pair| pair.1)])
        }
    }
}

/// The key and the transaction whose version the second transaction of an edge replaced.
fn replaced(edge: &Edge) -> Option<(&Datum, u32)> {
    let first = match (edge.kind, edge.over) {
        (EdgeKind::Ww, _) => edge.from,
        (EdgeKind::Rw | EdgeKind::Prw, Some(Source::Txn(over))) => over,
        _ => return None,
    };
    edge.key.as_ref().map(|key| (key, first))
}

/// ` (lines 4, 6)`, or nothing.
pub(crate) fn lines(numbers: &[Option<u32>]) -> String {
    let known: Vec<String> = numbers.iter().flatten().map(ToString::to_string).collect();
    // A no-break space keeps the number with its word.
    match known.as_slice() {
        [] => String::new(),
        [one] => format!(" (line\u{a0}{one})"),
        many => format!(" (lines\u{a0}{})", many.join(",\u{a0}")),
    }
}

fn initial_clash(names: Names<'_>, literals: &[Literal]) -> String {
    let mut places = Vec::new();
    let mut deeds = Vec::new();
    for literal in literals {
        if let Literal::Reads { txn, op, key, from: Source::Initial } = literal {
            deeds.push(names.saw(*txn, *op, key.as_ref()));
            places.push(names.line(*txn, *op));
        }
    }
    let deeds = listing(&deeds, "and");
    format!("{deeds}, but there is only one initial state.{}", lines(&places))
}
