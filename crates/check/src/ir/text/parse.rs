//! Reads the text form.

use tristan_history::{Datum, TxnId};
use tristan_spec::{Formula, Promise, Rel};

use super::IrTextError;
use super::token::Line;
use crate::ir::{
    Edge, InitialClaim, Ir, More, OrderId, Read, ReadKind, Reason, Source, Sources, Times, Unit,
    UnitInfo, VersionOrder,
};

/// Reads the text form of an IR.
///
/// # Errors
/// At the first line that does not fit; the module `ir::text` describes what fits.
pub fn parse(text: &str) -> Result<Ir, IrTextError> {
    let mut lines = text.lines().enumerate().map(|(index, text)| (index + 1, text));
    let mut next = || lines.find(|(_, text)| !is_blank(text));
    let end = (text.lines().count() + 1, "");
    read_version(next().unwrap_or(end))?;
    let mut ir = Ir {
        formula: read_formula(next().unwrap_or(end))?,
        units: Vec::new(),
        times: Vec::new(),
        edges: Vec::new(),
        reads: Vec::new(),
        orders: Vec::new(),
        drift: read_drift(next().unwrap_or(end))?,
        merged: false,
    };
    while let Some((number, text)) = next() {
        read_line(&mut ir, Line::split(number, text)?)?;
    }
    if !ir.times.is_empty() {
        ir.times.resize(ir.units.len(), Times::default());
    }
    Ok(ir)
}

fn is_blank(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with(';')
}

fn read_version((number, text): (usize, &str)) -> Result<(), IrTextError> {
    let mut line = Line::split(number, text)?;
    line.keyword("ir")?;
    line.keyword("1")?;
    line.end()
}

fn read_drift((number, text): (usize, &str)) -> Result<i64, IrTextError> {
    let mut line = Line::split(number, text)?;
    line.keyword("drift")?;
    let drift = line.number("nanoseconds")?;
    line.end()?;
    Ok(drift)
}

/// Not split into tokens: `;` is composition here.
fn read_formula((line, text): (usize, &str)) -> Result<Formula, IrTextError> {
    let start = text.trim_start();
    let word = start.split_whitespace().next().unwrap_or("");
    if word != "formula" {
        let found = if word.is_empty() { "the end".to_owned() } else { format!("'{word}'") };
        return Err(IrTextError { line, found, expected: "'formula'".to_owned() });
    }
    let rest = &start["formula".len()..];
    if rest.trim().is_empty() {
        return Ok(Formula { constraints: Vec::new() });
    }
    rest.parse().map_err(|error: tristan_spec::FormulaError| {
        let column = text.len() - rest.len() + error.column;
        let found = format!("{} in column {column}", error.found);
        IrTextError { line, found, expected: error.expected.to_owned() }
    })
}

fn read_line(ir: &mut Ir, mut line: Line<'_>) -> Result<(), IrTextError> {
    match line.word("'unit', 'order', 'read' or 'edge'")? {
        "unit" => {
            line.index(ir.units.len())?;
            let (unit, times) = read_unit(&mut line)?;
            if times != Times::default() {
                ir.times.resize(ir.units.len(), Times::default());
                ir.times.push(times);
            }
            ir.units.push(unit);
        }
        "order" => {
            line.index(ir.orders.len())?;
            ir.orders.push(read_order(&mut line)?);
        }
        "read" => {
            line.index(ir.reads.len())?;
            ir.reads.push(read_read(&mut line)?);
        }
        "edge" => ir.edges.push(read_edge(&mut line)?),
        other => return Err(line.error(format!("'{other}'"), "'unit', 'order', 'read' or 'edge'")),
    }
    line.end()
}

fn read_unit(line: &mut Line<'_>) -> Result<(UnitInfo, Times), IrTextError> {
    let txn = TxnId(line.field("txn")?);
    let sure = match line.word("'sure' or 'maybe'")? {
        "sure" => true,
        "maybe" => false,
        other => return Err(line.error(format!("'{other}'"), "'sure' or 'maybe'")),
    };
    let unknown = line.eat("unknown");
    let reads = line.eat("reads");
    let writes = line.eat("writes");
    let promise = match line.optional("promise") {
        None => None,
        Some(name) => {
            let expected = "read-uncommitted, read-committed, repeatable-read or serializable";
            let promise = Promise::ALL.into_iter().find(|promise| promise.name() == name);
            Some(promise.ok_or_else(|| line.error(format!("'{name}'"), expected))?)
        }
    };
    let (begin_from, begin_by) = line.interval("begin")?;
    let (end_from, end_by) = line.interval("end")?;
    let times = Times { begin_from, begin_by, end_from, end_by };
    Ok((UnitInfo { txn, sure, unknown, reads, writes, promise }, times))
}

fn read_order(line: &mut Line<'_>) -> Result<VersionOrder, IrTextError> {
    let key = match line.text() {
        Some(text) => Datum::Text(text.into()),
        None => match line.optional("bytes").and_then(|bytes| bytes.strip_prefix("0x")) {
            Some(digits) => {
                Datum::from_hex(digits).ok_or_else(|| line.unexpected("hexadecimal digits"))?
            }
            None => Datum::Int(line.number("a key")?),
        },
    };
    line.keyword(":")?;
    let mut writers = Vec::new();
    while !line.is_empty() {
        writers.push(Unit(line.number("a unit")?));
    }
    Ok(VersionOrder { key, writers: writers.into_iter().collect() })
}

fn read_read(line: &mut Line<'_>) -> Result<Read, IrTextError> {
    let unit = Unit(line.field("unit")?);
    let op = line.field("op")?;
    let order = OrderId(line.field("order")?);
    let kind = match (line.eat("item"), line.eat("predicate")) {
        (true, _) => ReadKind::Item,
        (_, true) => ReadKind::Predicate,
        _ => ReadKind::Point,
    };
    line.keyword("oneof")?;
    let mut sources = Vec::new();
    while !line.is_empty() && !line.at_field() {
        let initial = line.eat("initial");
        sources.push(match initial {
            true => Source::Initial,
            false => Source::Unit(Unit(line.number("'initial' or a unit")?)),
        });
    }
    let initial_claim = match line.optional("claim") {
        None => None,
        Some("absent") => Some(InitialClaim::Absent),
        Some("present") => Some(InitialClaim::Present),
        Some(value) => {
            let expected = "'absent', 'present' or the number of a value";
            Some(InitialClaim::Value(line.convert(value, expected)?))
        }
    };
    let shown = line.bracketed("shows")?;
    let shows = shown.map(|units| units.into_iter().map(Unit).collect());
    let more = More { initial_claim, shows }.kept();
    Ok(Read { unit, op, order, kind, sources: Sources::from(sources.as_slice()), more })
}

fn read_edge(line: &mut Line<'_>) -> Result<Edge, IrTextError> {
    let from = Unit(line.number("a unit")?);
    line.keyword("->")?;
    let to = Unit(line.number("a unit")?);
    let name = line.word("a relation")?;
    let Some((rel, _)) = Rel::ALL.into_iter().find(|(_, known)| *known == name) else {
        return Err(line.error(format!("'{name}'"), "a relation"));
    };
    let kinds = "reason=session, reason=listed, reason=assumed or reason=module";
    let reason = match line.optional("reason") {
        Some("session") => Reason::Session,
        Some("assumed") => Reason::Assumed,
        Some("listed") => Reason::Listed {
            order: OrderId(line.field("order")?),
            reader: TxnId(line.field("reader")?),
            op: line.field("op")?,
        },
        Some("module") => match line.text() {
            Some(name) => Reason::Module(name),
            None => return Err(line.unexpected("the name of a module, in quotes")),
        },
        Some(other) => return Err(line.error(format!("'{other}'"), kinds)),
        None => return Err(line.unexpected(kinds)),
    };
    Ok(Edge { from, to, rel, reason })
}
