//! Writes the text form.

use std::fmt::{self, Write as _};

use tristan_history::Datum;

use crate::ir::{
    Edge, InitialClaim, Ir, OrderId, Read, ReadKind, Reason, Source, Times, Unit, UnitInfo,
    VersionOrder,
};

/// The text form of an IR.
pub fn print(ir: &Ir) -> String {
    let mut text = String::new();
    write(ir, &mut text).expect("writing into memory does not fail");
    text
}

/// A text in quotes, on one line whatever it holds.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control if control.is_control() => out.extend(control.escape_unicode()),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

fn write(ir: &Ir, out: &mut String) -> fmt::Result {
    writeln!(out, "ir 1")?;
    writeln!(out, "{}", format!("formula {}", ir.formula).trim_end())?;
    writeln!(out, "drift {}", ir.drift)?;
    for (unit, info) in Unit::enumerate(&ir.units) {
        write_unit(unit, info, &ir.times(unit), out)?;
    }
    for (index, order) in ir.orders.iter().enumerate() {
        write_order(index, order, out)?;
    }
    for (index, read) in ir.reads.iter().enumerate() {
        write_read(index, read, out)?;
    }
    ir.edges.iter().try_for_each(|edge| write_edge(edge, out))
}

fn write_unit(unit: Unit, info: &UnitInfo, times: &Times, out: &mut String) -> fmt::Result {
    let sure = if info.sure { "sure" } else { "maybe" };
    write!(out, "unit {} txn={} {sure}", unit.0, info.txn.0)?;
    let marks = [(info.unknown, "unknown"), (info.reads, "reads"), (info.writes, "writes")];
    for (_, mark) in marks.into_iter().filter(|(set, _)| *set) {
        write!(out, " {mark}")?;
    }
    if let Some(promise) = info.promise {
        write!(out, " promise={}", promise.name())?;
    }
    write_interval("begin", times.begin_from, times.begin_by, out)?;
    write_interval("end", times.end_from, times.end_by, out)?;
    writeln!(out)
}

fn write_interval(name: &str, from: Option<i64>, by: Option<i64>, out: &mut String) -> fmt::Result {
    if from.is_none() && by.is_none() {
        return Ok(());
    }
    let instant = |at: Option<i64>| at.map_or_else(|| "_".to_owned(), |at| at.to_string());
    write!(out, " {name}=[{},{}]", instant(from), instant(by))
}

fn write_order(index: usize, order: &VersionOrder, out: &mut String) -> fmt::Result {
    match &order.key {
        Datum::Int(number) => write!(out, "order {index} {number} :")?,
        Datum::Text(text) | Datum::Json(text) => write!(out, "order {index} {} :", quoted(text))?,
        Datum::Bytes(_) => write!(out, "order {index} bytes={} :", order.key)?,
    }
    order.writers.iter().try_for_each(|writer| write!(out, " {}", writer.0))?;
    writeln!(out)
}

fn write_read(index: usize, read: &Read, out: &mut String) -> fmt::Result {
    let Read { unit: Unit(unit), op, order: OrderId(order), .. } = read;
    let kind = match read.kind {
        ReadKind::Point => "",
        ReadKind::Item => " item",
        ReadKind::Predicate => " predicate",
    };
    write!(out, "read {index} unit={unit} op={op} order={order}{kind} oneof")?;
    for source in &read.sources {
        match source {
            Source::Initial => out.push_str(" initial"),
            Source::Unit(unit) => write!(out, " {}", unit.0)?,
        }
    }
    match read.initial_claim() {
        None => {}
        Some(InitialClaim::Absent) => out.push_str(" claim=absent"),
        Some(InitialClaim::Present) => out.push_str(" claim=present"),
        Some(InitialClaim::Value(value)) => write!(out, " claim={value}")?,
    }
    if let Some(shown) = read.shows() {
        let shown: Vec<String> = shown.iter().map(|unit| unit.0.to_string()).collect();
        write!(out, " shows=[{}]", shown.join(","))?;
    }
    writeln!(out)
}

fn write_edge(edge: &Edge, out: &mut String) -> fmt::Result {
    write!(out, "edge {} -> {} {} reason=", edge.from.0, edge.to.0, edge.rel.name())?;
    match &edge.reason {
        Reason::Session => writeln!(out, "session"),
        Reason::Assumed => writeln!(out, "assumed"),
        Reason::Listed { order, reader, op } => {
            writeln!(out, "listed order={} reader={} op={op}", order.0, reader.0)
        }
        Reason::Module(name) => writeln!(out, "module {}", quoted(name)),
    }
}
