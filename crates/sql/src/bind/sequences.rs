//! Definitions of sequences: `CREATE`, `ALTER` and `DROP SEQUENCE`, and the sequences of columns that count.
//!
//! Layer `bind`. The parser knows options in one order only and no `ALTER SEQUENCE`, so statements about sequences
//! are read here, token by token; those of identity columns come from the parser, which gets them in its order from
//! `parse/identity.rs`.

use sqlparser::ast::{self, CreateTableOptions, SequenceOptions, SqlOption};
use sqlparser::tokenizer::Token;

use crate::catalog::{Catalog, DefaultValue, Table};
use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::sequence::{Sequence, SequenceId};
use crate::types::Type;

use super::draft::Draft;
use super::sequence_calls::{called_sequence, first_argument};

/// What a statement says about how a sequence counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Property {
    Increment(i64),
    /// None if there is no bound but that of the type.
    Min(Option<i64>),
    Max(Option<i64>),
    Start(i64),
    /// None if it begins where it began first.
    Restart(Option<i64>),
    Cycle(bool),
    /// The largest number of its type.
    Type(i64),
}

/// A statement about sequences.
#[derive(Debug, Clone)]
pub(crate) struct SequenceChange {
    verb: Verb,
    names: Vec<String>,
    properties: Vec<Property>,
    renamed: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verb {
    Create { replace: bool, quietly: bool },
    Alter { quietly: bool },
    Drop { quietly: bool },
}

/// Reads a statement about sequences; `None` if it is about something else.
pub(crate) fn read_sequence(tokens: &[Token]) -> Option<Result<SequenceChange, String>> {
    let mut input = Reader { tokens, at: 0 };
    let verb = match input.word().as_str() {
        "CREATE" => Verb::Create { replace: input.take(&["OR", "REPLACE"]), quietly: false },
        "ALTER" => Verb::Alter { quietly: false },
        "DROP" => Verb::Drop { quietly: false },
        _ => return None,
    };
    if input.take(&["TEMPORARY"]) || input.take(&["TEMP"]) {
        return input.take(&["SEQUENCE"]).then(|| Err("a temporary sequence".to_owned()));
    }
    input.take(&["UNLOGGED"]);
    input.take(&["SEQUENCE"]).then(|| input.change(verb))
}

/// Goes through the tokens of a statement.
struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
}

impl Reader<'_> {
    fn change(&mut self, verb: Verb) -> Result<SequenceChange, String> {
        let verb = match verb {
            Verb::Create { replace, .. } => {
                Verb::Create { replace, quietly: self.take(&["IF", "NOT", "EXISTS"]) }
            }
            Verb::Alter { .. } => Verb::Alter { quietly: self.take(&["IF", "EXISTS"]) },
            Verb::Drop { .. } => Verb::Drop { quietly: self.take(&["IF", "EXISTS"]) },
        };
        let mut change = SequenceChange {
            verb,
            names: vec![self.name()?],
            properties: Vec::new(),
            renamed: None,
        };
        if matches!(verb, Verb::Drop { .. }) {
            while self.take_token(&Token::Comma) {
                change.names.push(self.name()?);
            }
            self.take(&["RESTRICT"]);
        }
        while self.at < self.tokens.len() && !self.take_token(&Token::SemiColon) {
            self.property(&mut change)?;
        }
        Ok(change)
    }

    fn property(&mut self, change: &mut SequenceChange) -> Result<(), String> {
        let property = if self.take(&["INCREMENT"]) {
            let _ = self.take(&["BY"]) || self.take_token(&Token::Eq);
            Property::Increment(self.number()?)
        } else if self.take(&["MINVALUE"]) {
            self.take_token(&Token::Eq);
            Property::Min(Some(self.number()?))
        } else if self.take(&["NO", "MINVALUE"]) || self.take(&["NOMINVALUE"]) {
            Property::Min(None)
        } else if self.take(&["MAXVALUE"]) {
            self.take_token(&Token::Eq);
            Property::Max(Some(self.number()?))
        } else if self.take(&["NO", "MAXVALUE"]) || self.take(&["NOMAXVALUE"]) {
            Property::Max(None)
        } else if self.take(&["START"]) {
            let _ = self.take(&["WITH"]) || self.take_token(&Token::Eq);
            Property::Start(self.number()?)
        } else if self.take(&["RESTART"]) {
            let with = self.take(&["WITH"]) || self.take_token(&Token::Eq);
            let number = with || matches!(self.peek(), Some(Token::Number(..) | Token::Minus));
            Property::Restart(if number { Some(self.number()?) } else { None })
        } else if self.take(&["NO", "CYCLE"]) || self.take(&["NOCYCLE"]) {
            Property::Cycle(false)
        } else if self.take(&["CYCLE"]) {
            Property::Cycle(true)
        } else if self.take(&["CACHE"]) {
            self.take_token(&Token::Eq);
            return self.number().map(drop);
        } else if self.take(&["NOCACHE"]) {
            return Ok(());
        } else if self.take(&["OWNED", "BY"]) || self.take(&["OWNER", "TO"]) {
            return self.name().map(drop);
        } else if self.take(&["RENAME", "TO"]) {
            change.renamed = Some(self.name()?);
            return Ok(());
        } else if self.take(&["AS"]) {
            Property::Type(self.largest()?)
        } else {
            return Err(format!("{} in a definition of a sequence", self.word()));
        };
        change.properties.push(property);
        Ok(())
    }

    /// The largest number of a type.
    fn largest(&mut self) -> Result<i64, String> {
        match self.word().as_str() {
            "SMALLINT" | "INT2" => Ok(i64::from(i16::MAX)),
            "INT" | "INTEGER" | "INT4" => Ok(i64::from(i32::MAX)),
            "BIGINT" | "INT8" => Ok(i64::MAX),
            other => Err(format!("a sequence of the type {other}")),
        }
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    /// The next word, in capitals.
    fn word(&mut self) -> String {
        let word = self.peek().map(|token| token.to_string().to_uppercase()).unwrap_or_default();
        self.at += 1;
        word
    }

    fn take(&mut self, words: &[&str]) -> bool {
        let rest = self.tokens.get(self.at..).unwrap_or_default();
        let there = words.len() <= rest.len()
            && words.iter().zip(rest).all(|(word, token)| {
                matches!(token, Token::Word(found) if found.quote_style.is_none() && found.value.eq_ignore_ascii_case(word))
            });
        self.at += if there { words.len() } else { 0 };
        there
    }

    fn take_token(&mut self, token: &Token) -> bool {
        let there = self.peek() == Some(token);
        self.at += usize::from(there);
        there
    }

    fn number(&mut self) -> Result<i64, String> {
        let negative = self.take_token(&Token::Minus);
        let Some(Token::Number(digits, _)) = self.peek() else {
            return Err("a sequence without a number".to_owned());
        };
        let sign = if negative { "-" } else { "" };
        let number = format!("{sign}{digits}").parse().map_err(|_| "a large number".to_owned());
        self.at += 1;
        number
    }

    /// A name, with its schema if there is one.
    fn name(&mut self) -> Result<String, String> {
        let mut name = String::new();
        loop {
            match self.peek() {
                Some(Token::Word(word)) if !word.value.contains('.') => name += &word.value,
                _ => return Err("a sequence without a name".to_owned()),
            }
            self.at += 1;
            if !self.take_token(&Token::Period) {
                return Ok(name);
            }
            name.push('.');
        }
    }
}

impl SequenceChange {
    /// Carries it out.
    pub(crate) fn apply(&self, catalog: &mut Catalog) -> Result<()> {
        for name in &self.names {
            let known = catalog.sequence_named(name).cloned();
            match (self.verb, known) {
                (Verb::Create { quietly: true, .. }, Some(_)) => {}
                (Verb::Create { replace: false, .. }, Some(_)) => {
                    return fail(ErrorClass::DuplicateTable, format!("{name} already exists"));
                }
                (Verb::Create { .. }, _) => {
                    let most = catalog.dialect().is_strictly_typed();
                    let max = if most { i64::MAX } else { i64::MAX - 1 };
                    let id = catalog.next_sequence();
                    let mut sequence = Sequence::plain(id, name.clone(), max);
                    shape(&mut sequence, &self.properties, true);
                    catalog.put_sequence(sequence);
                }
                (Verb::Alter { .. }, Some(mut sequence)) => {
                    shape(&mut sequence, &self.properties, false);
                    if let Some(name) = &self.renamed {
                        sequence.name.clone_from(name);
                    }
                    catalog.put_sequence(sequence);
                }
                (Verb::Drop { .. }, Some(_)) => drop(catalog.remove_sequence(name)),
                (Verb::Alter { quietly } | Verb::Drop { quietly }, None) => {
                    if !quietly {
                        let missing = format!("sequence {name} does not exist");
                        return fail(ErrorClass::UndefinedTable, missing);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Gives a sequence its properties. A new one begins at one of its bounds, if nothing else is said.
fn shape(sequence: &mut Sequence, properties: &[Property], new: bool) {
    let find =
        |wanted: &dyn Fn(Property) -> Option<i64>| properties.iter().find_map(|one| wanted(*one));
    let largest = find(&|one| if let Property::Type(max) = one { Some(max) } else { None });
    if let Some(increment) =
        find(&|one| if let Property::Increment(by) = one { Some(by) } else { None })
    {
        sequence.increment = increment;
    }
    let down = sequence.increment < 0;
    let bound = largest.unwrap_or(if down && new { i64::MAX } else { sequence.max });
    if let Some(max) = largest.filter(|_| !down) {
        sequence.max = max;
    }
    if down && new {
        (sequence.min, sequence.max) = (-bound, -1);
    }
    for property in properties {
        match property {
            Property::Min(Some(min)) => sequence.min = *min,
            Property::Max(Some(max)) => sequence.max = *max,
            Property::Min(None) => sequence.min = if down { -bound } else { 1 },
            Property::Max(None) => sequence.max = if down { -1 } else { bound },
            Property::Cycle(cycle) => sequence.cycle = *cycle,
            _ => {}
        }
    }
    let start = find(&|one| if let Property::Start(start) = one { Some(start) } else { None });
    if new {
        sequence.start = start.unwrap_or(if down { sequence.max } else { sequence.min });
        sequence.restart = sequence.start;
    } else if let Some(start) = start {
        sequence.start = start;
    }
    for property in properties {
        if let Property::Restart(with) = property {
            sequence.restart_with(with.unwrap_or(sequence.start));
        }
    }
}

impl Draft<'_> {
    /// A column counts with a sequence of its own.
    pub(super) fn count(
        &mut self,
        catalog: &Catalog,
        index: usize,
        always: bool,
        options: &[SequenceOptions],
    ) -> Result<()> {
        let id = SequenceId::of_column(self.table.id, index);
        let column = &mut self.table.columns[index];
        column.default = DefaultValue::Sequence { always, sequence: id };
        let max = match column.ty {
            Type::Int(ty) if ty.bytes < 8 => (1 << (u32::from(ty.bytes) * 8 - 1)) - 1,
            _ => i64::MAX,
        };
        let name = format!("{}_{}_seq", self.table.name, column.name);
        let mut sequence = Sequence::plain(id, name, max);
        sequence.follows = !catalog.dialect().is_strictly_typed();
        let properties = options.iter().map(property).collect::<Result<Vec<_>>>()?;
        shape(&mut sequence, &properties, true);
        self.sequences.push(sequence);
        Ok(())
    }

    /// A column counts with the sequence that its default names.
    pub(super) fn count_with(
        &mut self,
        catalog: &Catalog,
        index: usize,
        default: &ast::Expr,
    ) -> Result<()> {
        let named = first_argument(default).and_then(|arg| called_sequence(catalog, arg));
        match named {
            Some(sequence) => {
                let sequence = sequence.id;
                self.table.columns[index].default =
                    DefaultValue::Sequence { always: false, sequence };
                Ok(())
            }
            // The sequence was there before the log.
            None => self.count(catalog, index, false, &[]),
        }
    }

    /// `AUTO_INCREMENT = n` behind the columns of a new table.
    pub(super) fn count_from_option(
        &mut self,
        catalog: &Catalog,
        options: &CreateTableOptions,
    ) -> Result<()> {
        let CreateTableOptions::Plain(options) = options else { return Ok(()) };
        for option in options {
            if let SqlOption::KeyValue { key, value: ast::Expr::Value(value) } = option
                && key.value.eq_ignore_ascii_case("AUTO_INCREMENT")
            {
                self.count_from(catalog, &value.value)?;
            }
        }
        Ok(())
    }

    /// `AUTO_INCREMENT = n`.
    pub(super) fn count_from(&mut self, catalog: &Catalog, value: &ast::Value) -> Result<()> {
        let Ok(number) = value.to_string().parse() else {
            return unsupported("AUTO_INCREMENT = something that is no number");
        };
        for column in &self.table.columns {
            let DefaultValue::Sequence { sequence: id, .. } = column.default else { continue };
            match self.sequences.iter_mut().find(|sequence| sequence.id == id) {
                Some(sequence) => sequence.restart_with(number),
                None => {
                    if let Some(mut sequence) = catalog.sequence(id).cloned() {
                        sequence.restart_with(number);
                        self.sequences.push(sequence);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Sequences of its own for a table that was made like another one.
pub(super) fn own_sequences(catalog: &Catalog, table: &mut Table) -> Vec<Sequence> {
    let mut own = Vec::new();
    let id = table.id;
    for (index, column) in table.columns.iter_mut().enumerate() {
        if let DefaultValue::Sequence { sequence, .. } = &mut column.default
            && let Some(model) = catalog.sequence(*sequence)
        {
            *sequence = SequenceId::of_column(id, index);
            let (start, restart) = (model.start, model.start);
            own.push(Sequence { id: *sequence, start, restart, restarts: 0, ..model.clone() });
        }
    }
    own
}

/// An option of an identity column. The parser says of CYCLE whether there is a NO in front of it.
fn property(option: &SequenceOptions) -> Result<Property> {
    let number = |expr: &ast::Expr| match expr.to_string().replace(' ', "").parse::<i64>() {
        Ok(number) => Ok(number),
        Err(_) => unsupported(format!("the number {expr} in a sequence")),
    };
    Ok(match option {
        SequenceOptions::IncrementBy(by, _) => Property::Increment(number(by)?),
        SequenceOptions::MinValue(min) => Property::Min(min.as_ref().map(number).transpose()?),
        SequenceOptions::MaxValue(max) => Property::Max(max.as_ref().map(number).transpose()?),
        SequenceOptions::StartWith(start, _) => Property::Start(number(start)?),
        SequenceOptions::Cycle(not) => Property::Cycle(!not),
        SequenceOptions::Cache(_) => Property::Cycle(false),
    })
}
