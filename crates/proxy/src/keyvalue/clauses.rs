//! Parts of statements: values, tables, conditions, lists of columns.

use tristan_sqltext::{TokenKind, Words, has_word};

use super::table::Table;
use crate::value::Value;

/// A value that a statement names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    /// This one.
    Value(Value),
    /// The value of a parameter.
    Param(usize),
    /// A value that the statement computes. Only what is written can be such a value, never a key.
    Computed,
}

/// Where a column of a result is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pick {
    /// At this place.
    Place(usize),
    /// Where its name is.
    Named(String),
}

/// Where key and value are in a result, if they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Picks {
    pub(super) key: Option<Pick>,
    pub(super) value: Option<Pick>,
}

/// An end of a range, and whether it belongs to it.
pub(super) type End = (Operand, bool);

/// What a statement asks of rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Conditions {
    /// Keys of which the row has one.
    pub(super) keys: Option<Vec<Operand>>,
    pub(super) lo: Option<End>,
    pub(super) hi: Option<End>,
    /// Whether there is more.
    pub(super) more: bool,
}

/// Why a statement is not understood.
pub(super) type StatementError = &'static str;

/// Where a condition ends.
const STOPS: [&str; 13] = [
    "and",
    "or",
    "order",
    "for",
    "limit",
    "returning",
    "lock",
    "group",
    "having",
    "offset",
    "fetch",
    "union",
    "on",
];

/// A value: a number, a text or a parameter, maybe with a cast.
pub(super) fn operand(words: &mut Words<'_, '_>) -> Option<Operand> {
    let mut ahead = *words;
    let mut found = if ahead.symbol("(") {
        operand(&mut ahead).filter(|_| ahead.symbol(")"))?
    } else if ahead.eat("cast") {
        ahead.symbol("(").then_some(())?;
        let inner = operand(&mut ahead).filter(|_| ahead.eat("as"))?;
        type_name(&mut ahead)?;
        ahead.symbol(")").then_some(inner)?
    } else {
        plain(&mut ahead)?
    };
    while ahead.symbol("::") {
        let name = type_name(&mut ahead)?;
        found = cast(found, &name);
    }
    *words = ahead;
    Some(found)
}

fn plain(words: &mut Words<'_, '_>) -> Option<Operand> {
    let minus = words.symbol("-");
    let _ = !minus && words.symbol("+");
    let value = match words.next()? {
        TokenKind::Number(digits) => {
            let digits = if minus { format!("-{digits}") } else { (*digits).to_owned() };
            Value::integer(digits.as_bytes())
        }
        _ if minus => return None,
        TokenKind::Text(text) => Value::Text(text.clone()),
        TokenKind::Param(number) => return Some(Operand::Param(*number)),
        TokenKind::Word(word) if word.eq_ignore_ascii_case("true") => Value::Bool(true),
        TokenKind::Word(word) if word.eq_ignore_ascii_case("false") => Value::Bool(false),
        _ => return None,
    };
    Some(Operand::Value(value))
}

/// `int`, `numeric(10, 2)`, `double precision`.
fn type_name(words: &mut Words<'_, '_>) -> Option<String> {
    let name = words.name()?;
    let _ = words.eat("precision") || words.eat("varying");
    if words.symbol("(") {
        while !words.symbol(")") {
            words.next()?;
        }
    }
    Some(name)
}

fn cast(operand: Operand, type_name: &str) -> Operand {
    match operand {
        Operand::Value(Value::Text(text)) if type_name.contains("int") => {
            Operand::Value(Value::integer(text.trim().as_bytes()))
        }
        other => other,
    }
}

/// A column, maybe with its table before it.
pub(super) fn column(words: &mut Words<'_, '_>) -> Option<String> {
    let mut name = words.name()?;
    while words.symbol(".") {
        name = words.name()?;
    }
    Some(name)
}

/// Whether two names mean the same thing.
pub(super) fn same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

/// Moves over the table and what it is called in this statement.
pub(super) fn this_table(
    words: &mut Words<'_, '_>,
    table: &Table,
    stops: &[&str],
) -> Result<(), StatementError> {
    words.eat("only");
    let name = column(words).ok_or("its table name cannot be parsed")?;
    if !same(&name, &table.name) {
        return Err("it accesses another table");
    }
    let ends = |words: &Words<'_, '_>| {
        let word = matches!(words.peek(), Some(TokenKind::Word(_) | TokenKind::Quoted(_)));
        !word || stops.iter().any(|stop| words.is(stop))
    };
    if words.eat("as") || !ends(words) {
        words.name();
    }
    Ok(())
}

/// What is behind `WHERE`.
pub(super) fn conditions(
    words: &mut Words<'_, '_>,
    table: &Table,
) -> Result<Conditions, StatementError> {
    let mut found = Conditions::default();
    loop {
        term(words, table, &mut found)?;
        if words.is("or") {
            return Err("it has a condition with OR");
        }
        if !words.eat("and") {
            return Ok(found);
        }
    }
}

fn term(
    words: &mut Words<'_, '_>,
    table: &Table,
    found: &mut Conditions,
) -> Result<(), StatementError> {
    let (mut ahead, mut tried) = (*words, found.clone());
    if comparison(&mut ahead, table, &mut tried).is_some() && is_over(ahead) {
        (*words, *found) = (ahead, tried);
        return Ok(());
    }
    let mut ahead = *words;
    if ahead.symbol("(")
        && let Ok(inner) = conditions(&mut ahead, table)
        && ahead.symbol(")")
        && is_over(ahead)
        && !inner.more
    {
        merge(found, inner);
        *words = ahead;
        return Ok(());
    }
    let other = words.skip_expression(&STOPS);
    if other.is_empty() || has_word(other, "select") {
        return Err("its condition is not supported");
    }
    found.more = true;
    Ok(())
}

fn merge(found: &mut Conditions, inner: Conditions) {
    found.more |= found.keys.is_some() && inner.keys.is_some();
    found.keys = found.keys.take().or(inner.keys);
    found.lo = found.lo.take().or(inner.lo);
    found.hi = found.hi.take().or(inner.hi);
}

fn is_over(words: Words<'_, '_>) -> bool {
    match words.peek() {
        None | Some(TokenKind::Symbol(")")) => true,
        Some(_) => STOPS.iter().any(|stop| words.is(stop)),
    }
}

/// A comparison of the key with something.
fn comparison(words: &mut Words<'_, '_>, table: &Table, found: &mut Conditions) -> Option<()> {
    column(words).filter(|name| same(name, &table.key))?;
    if words.eat("between") {
        found.lo = Some((operand(words)?, true));
        words.eat("and").then_some(())?;
        found.hi = Some((operand(words)?, true));
    } else if words.eat("in") {
        words.symbol("(").then_some(())?;
        let mut keys = vec![operand(words)?];
        while words.symbol(",") {
            keys.push(operand(words)?);
        }
        words.symbol(")").then_some(())?;
        add_keys(found, keys);
    } else if words.symbol("=") {
        add_keys(found, vec![operand(words)?]);
    } else if words.symbol(">") {
        let inclusive = words.symbol("=");
        found.lo = Some((operand(words)?, inclusive));
    } else {
        words.symbol("<").then_some(())?;
        let inclusive = words.symbol("=");
        found.hi = Some((operand(words)?, inclusive));
    }
    Some(())
}

fn add_keys(found: &mut Conditions, keys: Vec<Operand>) {
    found.more |= found.keys.is_some();
    found.keys.get_or_insert(keys);
}

/// The columns behind `SELECT` or `RETURNING`, up to one of the keywords.
pub(super) fn picks(
    words: &mut Words<'_, '_>,
    table: &Table,
    stops: &[&str],
) -> Result<Picks, StatementError> {
    let mut found = Picks::default();
    let mut all = false;
    for place in 0.. {
        let item = words.skip_expression(stops);
        if item.is_empty() || has_word(item, "select") {
            return Err("it returns something that is not supported");
        }
        all |= matches!(item.last().map(|token| &token.kind), Some(TokenKind::Symbol("*")));
        match simple_column(Words::new(item)) {
            Some(name) if same(&name, &table.key) => found.key = Some(Pick::Place(place)),
            Some(name) if same(&name, &table.value) => found.value = Some(Pick::Place(place)),
            _ => {}
        }
        if !words.symbol(",") {
            break;
        }
    }
    if all {
        let named = |name: &str| Some(Pick::Named(name.to_owned()));
        found = Picks { key: named(&table.key), value: named(&table.value) };
    }
    Ok(found)
}

/// The column that an item is, whatever it is called in the result.
fn simple_column(mut item: Words<'_, '_>) -> Option<String> {
    let name = column(&mut item)?;
    while item.symbol("::") {
        type_name(&mut item)?;
    }
    if item.eat("as") || !item.is_empty() {
        item.name()?;
    }
    item.is_empty().then_some(name)
}
