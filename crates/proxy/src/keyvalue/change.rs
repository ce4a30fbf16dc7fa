//! `UPDATE`, `INSERT` and `DELETE` as operations on keys.

use tristan_sqltext::{Token, Words};

use super::clauses::{
    Conditions, Operand, Picks, StatementError, column, conditions, operand, picks, same,
    this_table,
};
use super::pattern::{Mode, Pattern};
use super::table::Table;

const ODD_ASSIGNMENT: StatementError = "it assigns an expression that is not supported";
const NOT_ONE_KEY: StatementError = "it does not select a single key";

/// What is assigned to the value.
enum Assigned<'t, 'a> {
    /// A value.
    Operand(Operand),
    /// What was to be inserted.
    Same,
    /// Something that the database computes.
    Expression(&'t [Token<'a>]),
}

pub(super) fn update(mut words: Words<'_, '_>, table: &Table) -> Result<Pattern, StatementError> {
    this_table(&mut words, table, &["set"])?;
    if !words.eat("set") {
        return Err(ODD_ASSIGNMENT);
    }
    let assigned = assignments(&mut words, table)?;
    let found = where_clause(&mut words, table)?;
    let returned = returning(&mut words, table)?;
    if !words.is_empty() {
        return Err("it is more than a simple update");
    }
    let Some(assigned) = assigned else { return Ok(Pattern::Harmless) };
    let (key, more) = one_key(found)?;
    match (assigned, returned) {
        (Assigned::Operand(value), _) => Ok(Pattern::Update { key, value, more }),
        (Assigned::Expression(tokens), Some(picks)) if picks.value.is_some() => {
            Ok(Pattern::Derived { key, delta: delta(Words::new(tokens), table), picks, more })
        }
        (Assigned::Expression(_), _) => Ok(Pattern::Update { key, value: Operand::Computed, more }),
        (Assigned::Same, _) => Err(ODD_ASSIGNMENT),
    }
}

pub(super) fn delete(mut words: Words<'_, '_>, table: &Table) -> Result<Pattern, StatementError> {
    this_table(&mut words, table, &["where", "returning"])?;
    let found = where_clause(&mut words, table)?;
    returning(&mut words, table)?;
    if !words.is_empty() {
        return Err("it is more than a simple delete");
    }
    let (key, more) = one_key(found)?;
    Ok(Pattern::Delete { key, more })
}

fn where_clause(words: &mut Words<'_, '_>, table: &Table) -> Result<Conditions, StatementError> {
    match words.eat("where") {
        true => conditions(words, table),
        false => Ok(Conditions::default()),
    }
}

fn returning(words: &mut Words<'_, '_>, table: &Table) -> Result<Option<Picks>, StatementError> {
    match words.eat("returning") {
        true => picks(words, table, &[]).map(Some),
        false => Ok(None),
    }
}

fn one_key(found: Conditions) -> Result<(Operand, bool), StatementError> {
    let more = found.more || found.lo.is_some() || found.hi.is_some();
    let mut keys = found.keys.ok_or(NOT_ONE_KEY)?;
    match (keys.pop(), keys.is_empty()) {
        (Some(key), true) => Ok((key, more)),
        _ => Err(NOT_ONE_KEY),
    }
}

/// What is assigned to the value, if anything; assignments to other columns do not matter.
fn assignments<'t, 'a>(
    words: &mut Words<'t, 'a>,
    table: &Table,
) -> Result<Option<Assigned<'t, 'a>>, StatementError> {
    let mut found = None;
    loop {
        let name = column(words).ok_or(ODD_ASSIGNMENT)?;
        if !words.symbol("=") || same(&name, &table.key) {
            return Err(ODD_ASSIGNMENT);
        }
        let tokens = words.skip_expression(&["where", "returning", "from"]);
        if tokens.is_empty() {
            return Err(ODD_ASSIGNMENT);
        }
        if same(&name, &table.value) {
            found = Some(assigned(tokens, table));
        }
        if !words.symbol(",") {
            return Ok(found);
        }
    }
}

fn assigned<'t, 'a>(tokens: &'t [Token<'a>], table: &Table) -> Assigned<'t, 'a> {
    let mut words = Words::new(tokens);
    if let Some(operand) = operand(&mut words).filter(|_| words.is_empty()) {
        return Assigned::Operand(operand);
    }
    let mut words = Words::new(tokens);
    let same_value =
        |words: &mut Words<'_, '_>| column(words).is_some_and(|name| same(&name, &table.value));
    let called =
        words.eat("values") && words.symbol("(") && same_value(&mut words) && words.symbol(")");
    let mut again = Words::new(tokens);
    let excluded =
        (again.eat("excluded") || again.eat("new")) && again.symbol(".") && same_value(&mut again);
    match called && words.is_empty() || excluded && again.is_empty() {
        true => Assigned::Same,
        false => Assigned::Expression(tokens),
    }
}

/// `balance + 5` or `balance - 5`.
fn delta(mut words: Words<'_, '_>, table: &Table) -> Option<(Operand, bool)> {
    column(&mut words).filter(|name| same(name, &table.value))?;
    let minus = words.symbol("-");
    (minus || words.symbol("+")).then_some(())?;
    let by = operand(&mut words)?;
    words.is_empty().then_some((by, minus))
}

pub(super) fn insert(
    mut words: Words<'_, '_>,
    table: &Table,
    mut mode: Mode,
) -> Result<Pattern, StatementError> {
    if words.eat("ignore") {
        mode = Mode::Leave;
    }
    words.eat("into");
    this_table(&mut words, table, &["values", "value", "select", "default", "set"])?;
    let (key, value) = columns(&mut words, table)?;
    if !(words.eat("values") || words.eat("value")) {
        return Err("the values that it writes are not in the statement");
    }
    let mut rows = Vec::new();
    loop {
        rows.push(row(&mut words, key, value)?);
        if !words.symbol(",") {
            break;
        }
    }
    words.eat("as new");
    if words.eat("on conflict") || words.eat("on duplicate key") {
        mode = conflict(&mut words, table, &mut rows)?;
    }
    returning(&mut words, table)?;
    match words.is_empty() {
        true => Ok(Pattern::Insert { rows, mode }),
        false => Err("it is more than a simple insert"),
    }
}

/// The places of key and value among the columns.
fn columns(words: &mut Words<'_, '_>, table: &Table) -> Result<(usize, usize), StatementError> {
    const UNNAMED: StatementError = "it does not name the columns of key and value";
    let (mut key, mut value) = (None, None);
    if !words.symbol("(") {
        return Err(UNNAMED);
    }
    for place in 0.. {
        let name = words.name().ok_or(UNNAMED)?;
        if same(&name, &table.key) {
            key = Some(place);
        } else if same(&name, &table.value) {
            value = Some(place);
        }
        if !words.symbol(",") {
            break;
        }
    }
    match (key, value, words.symbol(")")) {
        (Some(key), Some(value), true) => Ok((key, value)),
        _ => Err(UNNAMED),
    }
}

/// Key and value of one row.
fn row(
    words: &mut Words<'_, '_>,
    key: usize,
    value: usize,
) -> Result<(Operand, Operand), StatementError> {
    const ODD_ROW: StatementError = "it inserts a row that is not supported";
    if !words.symbol("(") {
        return Err(ODD_ROW);
    }
    let (mut the_key, mut the_value) = (None, None);
    for place in 0.. {
        let mut tokens = Words::new(words.skip_expression(&[]));
        if tokens.is_empty() {
            return Err(ODD_ROW);
        }
        let found = operand(&mut tokens).filter(|_| tokens.is_empty());
        if place == key {
            the_key = found;
        } else if place == value {
            the_value = Some(found.unwrap_or(Operand::Computed));
        }
        if !words.symbol(",") {
            break;
        }
    }
    match (the_key, the_value, words.symbol(")")) {
        (Some(key), Some(value), true) => Ok((key, value)),
        _ => Err(ODD_ROW),
    }
}

/// What happens to keys that are there.
fn conflict(
    words: &mut Words<'_, '_>,
    table: &Table,
    rows: &mut [(Operand, Operand)],
) -> Result<Mode, StatementError> {
    const ODD_CONFLICT: StatementError = "its handling of existing keys is not supported";
    if words.symbol("(") {
        words.skip_expression(&[]);
        words.symbol(")").then_some(()).ok_or(ODD_CONFLICT)?;
    }
    if words.eat("on constraint") {
        words.name();
    }
    if words.eat("do nothing") {
        return Ok(Mode::Leave);
    }
    if !(words.eat("do update set") || words.eat("update")) {
        return Err(ODD_CONFLICT);
    }
    match assignments(words, table)? {
        Some(Assigned::Same) => {}
        Some(Assigned::Operand(value)) if rows.iter().all(|row| row.1 == value) => {}
        // A new row gets one value, a row that is there another.
        Some(_) => rows.iter_mut().for_each(|row| row.1 = Operand::Computed),
        None => return Err(ODD_CONFLICT),
    }
    Ok(Mode::Replace)
}
