//! From the text of a statement to its outcome.
//!
//! On top of all layers: reads, binds and runs. What is certain of a statement whatever rows there are is in
//! `promises.rs`.

mod promises;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use sqlparser::ast;
use tristan_sqltext::{Subject, Token, TokenKind, split, subject};

use crate::bind::{Binder, SequenceChange, define, makes_table, read_sequence};
use crate::catalog::{Catalog, Routine};
use crate::choices::{Choices, Open};
use crate::dialect::Dialect;
use crate::error::{Error, ErrorClass, Result as Bound, ServerError, fail, shorten, unsupported};
use crate::outcome::{Answer, StatementOutcome};
use crate::parse::{parse_like, parse_statement, tokens};
use crate::plan::{Expr, OnConflict, Plan};
use crate::refresh::{Refresh, read_refresh};
use crate::routine::{
    DroppedRoutine, DroppedTrigger, Interpreted, TriggerDefinition, create_trigger, drop_trigger,
    read_block, read_drop, read_drop_trigger, read_routine, read_trigger, read_variables,
};
use crate::rows::{Rows, TableId};
use crate::run::{
    Frame, Outline, Reach, Run, filled, looks_again, shown_numbers, shown_value, unsure_columns,
};
use crate::sequence::SequenceId;
use crate::special::Special;
use crate::types::Type;
use crate::value::Value;

/// A statement that was parsed.
#[derive(Debug, Clone)]
pub struct Statement {
    text: Arc<str>,
    dialect: Dialect,
    kind: Kind,
    explains: bool,
}

#[derive(Debug, Clone)]
enum Kind {
    /// Transactions, settings, nothing at all: no row is touched.
    Quiet,
    /// `SET @a = …`
    Variables(Vec<(String, ast::Expr)>),
    Routine(Box<Routine>),
    /// `DO $$ … $$`.
    Block(Arc<Routine>),
    DropRoutine(DroppedRoutine),
    /// CREATE, ALTER and DROP SEQUENCE.
    Sequence(SequenceChange),
    Trigger(Box<TriggerDefinition>),
    DropTrigger(DroppedTrigger),
    /// `REFRESH MATERIALIZED VIEW`.
    Refresh(Refresh),
    Other(Box<ast::Statement>),
}

/// A statement whose names and types are settled; it can be carried out any number of times as long as
/// the catalog does not change.
#[derive(Debug, Clone)]
pub struct Prepared {
    text: Arc<str>,
    work: Result<Work, ServerError>,
    outline: Outline,
    explains: bool,
    /// Whether triggers may change, add and remove rows besides.
    fires: bool,
    /// The columns of its answer that are masked, with the names of the blurred columns.
    masks: Vec<(usize, String)>,
}

#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant, reason = "there is one per statement")]
enum Work {
    Plan(Plan),
    Block(Arc<Routine>),
    Variables(Vec<(String, Expr)>),
    /// Transactions and settings: nothing happens to rows.
    Nothing,
}

/// What a session remembers between statements.
#[derive(Debug, Clone, Default)]
pub struct Session {
    variables: BTreeMap<String, Value>,
}

/// Everything that a statement needs to be carried out.
pub struct Context<'a> {
    /// The tables that exist, with their columns and constraints.
    pub catalog: &'a Catalog,
    /// The rows that the tables hold.
    pub rows: &'a mut dyn Rows,
    /// What the server decides.
    pub choices: &'a mut dyn Choices,
    /// What the session remembers.
    pub session: &'a mut Session,
    /// Values for `$1` or `?`.
    pub params: &'a [Value],
}

impl Statement {
    /// Reads a statement.
    pub fn prepare(text: &str, dialect: Dialect) -> Result<Self, Error> {
        let (kind, explains) = match executed(text, dialect)? {
            Some(executed) => (executed.kind(text, dialect)?, executed.explains),
            None => (Kind::Quiet, false),
        };
        Ok(Self { text: Arc::from(text), dialect, kind, explains })
    }

    /// The text that the statement was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is about transactions or the session, and touches neither rows nor tables.
    pub fn is_quiet(&self) -> bool {
        matches!(self.kind, Kind::Quiet)
    }

    /// Whether it changes tables, not rows: [`Statement::define`] carries it out.
    pub fn is_definition(&self) -> bool {
        match &self.kind {
            Kind::Routine(_)
            | Kind::DropRoutine(_)
            | Kind::Sequence(_)
            | Kind::Refresh(_)
            | Kind::Trigger(_)
            | Kind::DropTrigger(_) => true,
            Kind::Other(statement) if self.makes_table(statement) => true,
            Kind::Other(statement) => matches!(
                **statement,
                ast::Statement::CreateTable(_)
                    | ast::Statement::Drop { .. }
                    | ast::Statement::CreateIndex(_)
                    | ast::Statement::CreateView(_)
                    | ast::Statement::AlterIndex { .. }
                    | ast::Statement::AlterTable(_)
                    | ast::Statement::CreateType { .. }
                    | ast::Statement::AlterType(_)
                    | ast::Statement::CreateDomain(_)
                    | ast::Statement::RenameTable(_)
                    | ast::Statement::CreateSchema { .. }
            ),
            _ => false,
        }
    }

    /// Whether it is a query of PostgreSQL whose rows become a table.
    fn makes_table(&self, statement: &ast::Statement) -> bool {
        let strict = self.dialect.is_strictly_typed();
        strict && matches!(statement, ast::Statement::Query(query) if makes_table(query))
    }

    /// Whether it may change what the name of a table means that was there before, or the rows of it.
    pub fn is_alteration(&self) -> bool {
        let statement = match &self.kind {
            Kind::Other(statement) => statement,
            Kind::Trigger(_) | Kind::DropTrigger(_) | Kind::DropRoutine(_) | Kind::Refresh(_) => {
                return true;
            }
            Kind::Routine(_) => return self.text.to_ascii_uppercase().contains("OR REPLACE"),
            _ => return false,
        };
        match &**statement {
            ast::Statement::AlterTable(_) | ast::Statement::RenameTable(_) => true,
            ast::Statement::Query(_) => self.makes_table(statement),
            ast::Statement::Drop { object_type, .. } => {
                matches!(object_type, ast::ObjectType::Index | ast::ObjectType::Schema)
            }
            ast::Statement::CreateIndex(index) => index.unique,
            ast::Statement::CreateTable(create) => {
                create.query.is_some()
                    || create.or_replace
                    || create.temporary
                    || create.partition_of.is_some()
            }
            ast::Statement::CreateView(create) => create.or_replace || create.materialized,
            _ => false,
        }
    }

    /// Whether it replaces or drops a routine that is there, or adds another one of its name.
    pub fn redefines(&self, catalog: &Catalog) -> bool {
        match &self.kind {
            Kind::Routine(routine) => catalog.has_routine(&routine.name),
            Kind::DropRoutine(dropped) => catalog.has_routine(&dropped.name),
            _ => false,
        }
    }

    /// Carries out a statement that changes tables. Returns what it does to rows, if there is something, which is
    /// to be executed with the catalog as it is then.
    #[allow(clippy::type_complexity, reason = "what a server refuses, and what we do")]
    pub fn define(
        &self,
        catalog: &mut Catalog,
    ) -> Result<Result<Option<Prepared>, ServerError>, Error> {
        let done = match &self.kind {
            Kind::Routine(routine) => {
                catalog.add_routine((**routine).clone());
                Ok(None)
            }
            Kind::DropRoutine(dropped) if catalog.fires(&dropped.name) => {
                unsupported(format!("DROP of the trigger function {}", dropped.name))
            }
            Kind::Sequence(change) => change.apply(catalog).map(|()| None),
            Kind::DropRoutine(DroppedRoutine { name, schema, if_exists }) => {
                match catalog.remove_routine(name, schema.as_deref()) {
                    None => unsupported(format!("DROP of {name}, one of several routines")),
                    Some(there) if there || *if_exists => Ok(None),
                    Some(_) => fail(
                        ErrorClass::UndefinedFunction,
                        format!("routine {name} does not exist"),
                    ),
                }
            }
            Kind::Trigger(definition) => create_trigger(catalog, definition).map(|()| None),
            Kind::DropTrigger(dropped) => drop_trigger(catalog, dropped).map(|()| None),
            Kind::Refresh(refresh) => refresh.carry_out(catalog),
            Kind::Other(statement) => define(catalog, statement),
            _ => unsupported("this statement as a definition"),
        };
        match done {
            Ok(work) => Ok(Ok(work.map(|mut plan| {
                let outline = Outline::of_plan(catalog, &mut plan);
                let text = Arc::clone(&self.text);
                Prepared {
                    text,
                    work: Ok(Work::Plan(plan)),
                    outline,
                    explains: false,
                    fires: false,
                    masks: Vec::new(),
                }
            }))),
            Err(error) => Ok(Err(error.into_server_error(&self.text)?)),
        }
    }

    /// Settles names and types. Parameters whose type is not known may be [`Type::Unknown`].
    pub fn plan(&self, catalog: &Catalog, params: &[Type]) -> Result<Prepared, Error> {
        debug_assert_eq!(catalog.dialect(), self.dialect, "one dialect for all");
        let (mut work, masks) = match self.work(catalog, params) {
            Ok((work, masks)) => (Ok(work), masks),
            Err(error) => (Err(error.into_server_error(&self.text)?), Vec::new()),
        };
        let outline = match &mut work {
            Ok(Work::Plan(plan)) => Outline::of_plan(catalog, plan),
            Ok(Work::Variables(all)) => Outline::of_exprs(all.iter_mut().map(|(_, expr)| expr)),
            Ok(Work::Block(_)) => Outline::of_block(),
            Ok(Work::Nothing) | Err(_) => Outline::default(),
        };
        let fires = matches!(&work, Ok(Work::Plan(plan)) if fires(catalog, plan));
        let (text, explains) = (Arc::clone(&self.text), self.explains);
        Ok(Prepared { text, work, outline, explains, fires, masks })
    }

    /// What is done, and the columns of the answer that are masked.
    fn work(&self, catalog: &Catalog, params: &[Type]) -> Bound<(Work, Vec<(usize, String)>)> {
        let mut binder = Binder::new(catalog, params, &[]);
        binder.masks = Some(Vec::new());
        let work = self.bound(&mut binder)?;
        Ok((work, binder.masks.unwrap_or_default()))
    }

    fn bound(&self, binder: &mut Binder<'_>) -> Bound<Work> {
        match &self.kind {
            Kind::Quiet => Ok(Work::Nothing),
            Kind::Variables(assignments) => {
                let mut bound = Vec::new();
                for (name, expr) in assignments {
                    bound.push((name.clone(), binder.lone_expr(expr, None)?.0));
                }
                Ok(Work::Variables(bound))
            }
            Kind::Block(routine) => Ok(Work::Block(Arc::clone(routine))),
            Kind::Routine(_)
            | Kind::DropRoutine(_)
            | Kind::Sequence(_)
            | Kind::Refresh(_)
            | Kind::Trigger(_)
            | Kind::DropTrigger(_) => unsupported("a definition in this place"),
            Kind::Other(statement) => match binder.statement(statement)? {
                Some(plan) => Ok(Work::Plan(plan)),
                None => unsupported("this kind of statement"),
            },
        }
    }
}

impl Prepared {
    /// Whether it can do nothing but read.
    pub fn is_query(&self) -> bool {
        matches!(self.work, Ok(Work::Plan(Plan::Query(_)) | Work::Nothing))
            && self.outline.only_reads()
    }

    /// Whether it names a value that only the server knows, such as the time.
    pub fn is_open(&self) -> bool {
        self.outline.opens()
    }

    /// Whether a column of its answer shows a blurred column. It is NULL then.
    pub fn is_masked(&self, column: usize) -> bool {
        self.masks.iter().any(|(place, _)| *place == column)
    }

    /// The blurred columns, with their tables, that its answer shows or that decide how many rows it changed.
    pub fn blurred_columns(&self, catalog: &Catalog) -> BTreeSet<String> {
        let counted = match &self.work {
            Ok(Work::Plan(plan)) => unsure_columns(catalog, plan),
            _ => Vec::new(),
        };
        self.masks.iter().map(|(_, column)| column.clone()).chain(counted).collect()
    }

    /// The columns that it fills with values that only the server knows, such as the time; `None` if it is not clear
    /// which ones depend on them.
    pub fn fills(&self, catalog: &Catalog) -> Option<Vec<(TableId, usize)>> {
        match &self.work {
            Ok(Work::Plan(plan)) if !self.fires => filled(catalog, plan),
            _ => None,
        }
    }

    /// Where an INSERT shows a column of its own rows; `None` if it does not, or not as it is.
    pub fn shows(&self, table: TableId, column: usize) -> Option<usize> {
        match &self.work {
            Ok(Work::Plan(plan)) if !self.fires => plan.shows(table, column),
            _ => None,
        }
    }

    /// The columns of its only row in which it shows the next numbers of a sequence.
    pub fn shows_numbers(&self, sequence: SequenceId) -> Vec<usize> {
        match &self.work {
            Ok(Work::Plan(plan)) => shown_numbers(plan, sequence),
            _ => Vec::new(),
        }
    }

    /// A column in which all of its rows show a value that only the server knows.
    pub fn shows_value(&self, catalog: &Catalog, what: &Open) -> Option<usize> {
        match &self.work {
            Ok(Work::Plan(plan)) if !self.fires => shown_value(catalog, plan, what),
            _ => None,
        }
    }

    /// Whether a column that it shows is of bytes.
    pub fn shows_bytes(&self, column: usize) -> bool {
        let output = match &self.work {
            Ok(Work::Plan(plan)) => plan.output(),
            _ => None,
        };
        let column = output.and_then(|output| output.get(column));
        column.is_some_and(|column| {
            let special =
                matches!(column.ty, Type::Special(Special::Bytes { .. } | Special::Bits(_)));
            column.ty == Type::Bytea || special
        })
    }

    /// Whether it may remove rows, its own or those of others.
    pub fn may_delete(&self) -> bool {
        match &self.work {
            Ok(Work::Plan(plan)) => self.fires || plan.may_delete(),
            Ok(Work::Block(_)) => true,
            _ => false,
        }
    }

    /// Whether it is a query that locks rows and looks at them again if it had to wait for them.
    pub fn looks_again(&self) -> bool {
        match &self.work {
            Ok(Work::Plan(Plan::Query(query))) => looks_again(query),
            _ => false,
        }
    }

    /// Whether it inserts the rows of a query and changes no others.
    pub fn inserts_rows_of_a_query(&self) -> bool {
        matches!(&self.work, Ok(Work::Plan(Plan::Insert(insert))) if insert.copies())
    }

    /// The table whose rows it updates, if it finds them in that table alone.
    pub fn updates(&self) -> Option<TableId> {
        match &self.work {
            Ok(Work::Plan(Plan::Update(update))) => update.locate.single_table(),
            _ => None,
        }
    }

    /// Whether it is an INSERT that leaves out rows whose keys are taken.
    pub fn may_skip(&self) -> bool {
        matches!(&self.work, Ok(Work::Plan(plan)) if plan.may_skip())
    }

    /// Whether it may leave out rows whose keys are taken and do something else besides.
    pub fn may_skip_some(&self) -> bool {
        matches!(&self.work, Ok(Work::Plan(plan)) if plan.may_skip_some())
    }

    /// Whether it inserts rows or fails, instead of leaving out or changing others when keys are taken.
    pub fn inserts_or_fails(&self) -> bool {
        matches!(&self.work, Ok(Work::Plan(Plan::Insert(insert))) if insert.conflict == OnConflict::Fail)
    }

    /// Whether it is an INSERT or a REPLACE.
    pub fn is_insert(&self) -> bool {
        matches!(&self.work, Ok(Work::Plan(Plan::Insert(_))))
    }

    /// Whether it answers how a statement was executed, and not what that statement answers.
    pub fn is_explanation(&self) -> bool {
        self.explains
    }

    /// The error that it ends in whatever rows there are: it names what does not exist, or types do not
    /// fit.
    pub fn failure(&self) -> Option<&ServerError> {
        self.work.as_ref().err()
    }

    /// Which rows it may look at and write with these parameters, whatever rows there are.
    pub fn reach(&self, catalog: &Catalog, params: &[Value]) -> Reach {
        self.outline.reach(catalog, params)
    }

    /// Carries it out.
    pub fn execute(&self, context: Context<'_>) -> Result<StatementOutcome, Error> {
        let work = match &self.work {
            Ok(work) => work,
            Err(error) => {
                return Ok(StatementOutcome { answer: Err(error.clone()), effects: Vec::new() });
            }
        };
        let Context { catalog, rows, choices, session, params } = context;
        let mut run =
            Run::new(catalog, rows, choices, &Interpreted, params, &mut session.variables);
        let done = match work {
            Work::Plan(plan) => run.statement(plan),
            Work::Variables(assignments) => assign(&mut run, assignments),
            Work::Block(routine) => run.call_routine(routine, Vec::new()).map(|_| Answer::done()),
            Work::Nothing => Ok(Answer::done()),
        };
        match done {
            Ok(answer) => Ok(StatementOutcome { answer: Ok(answer), effects: run.into_effects() }),
            Err(error) => {
                let error = error.into_server_error(&self.text)?;
                let kept = catalog.dialect().statements_fail_alone();
                let effects = if kept { run.into_effects() } else { Vec::new() };
                Ok(StatementOutcome { answer: Err(error), effects })
            }
        }
    }
}

/// Whether a change of rows fires triggers, of a table or of a view.
fn fires(catalog: &Catalog, plan: &Plan) -> bool {
    match plan {
        Plan::Doubtful(_, plan) => fires(catalog, plan),
        plan => plan.change().is_some_and(|(table, _)| {
            catalog.by_id(table).is_none_or(|table| table.calls_routines())
        }),
    }
}

fn assign(run: &mut Run<'_>, assignments: &[(String, Expr)]) -> Bound<Answer> {
    for (name, expr) in assignments {
        let value = run.eval(expr, &Frame::EMPTY)?;
        run.session.insert(name.clone(), value);
    }
    Ok(Answer::done())
}

/// What of a text is executed.
struct Executed<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
    /// Whether only how that is done is answered.
    explains: bool,
}

/// What of a text is executed. Returns `None` if no row is touched.
fn executed(text: &str, dialect: Dialect) -> Result<Option<Executed<'_>>, Error> {
    let mut parts = split(text, dialect.text());
    if parts.len() > 1 {
        let feature = "a text with several statements".to_owned();
        return Err(Error::Unsupported { feature, statement: shorten(text) });
    }
    let Some(mut part) = parts.pop() else { return Ok(None) };
    Ok(match subject(&part.tokens, dialect.text()) {
        Subject::Data => Some(Executed { text: part.text, tokens: part.tokens, explains: false }),
        Subject::Explanation { runs: true, at } => {
            part.tokens.retain(|token| token.start >= at);
            Some(Executed { text: &text[at..], tokens: part.tokens, explains: true })
        }
        _ => None,
    })
}

impl Executed<'_> {
    fn kind(&self, text: &str, dialect: Dialect) -> Result<Kind, Error> {
        match self.tokens.first() {
            None => Ok(Kind::Quiet),
            Some(first) if is_about_rows(first) => {
                parse_like(dialect, text, self.text, &self.tokens).map(Kind::Other)
            }
            Some(_) => read_kind(self.text, dialect),
        }
    }
}

/// Whether a statement that begins with this reads or writes rows, and is neither a definition nor a `SET`.
fn is_about_rows(first: &Token<'_>) -> bool {
    const WORDS: [&str; 5] = ["select", "insert", "update", "delete", "with"];
    matches!(first.kind, TokenKind::Word(word) if WORDS.iter().any(|other| word.eq_ignore_ascii_case(other)))
}

fn read_kind(text: &str, dialect: Dialect) -> Result<Kind, Error> {
    let tokens = tokens(dialect, text)?;
    if let Some(routine) = read_routine(dialect, text, &tokens)? {
        return Ok(Kind::Routine(Box::new(routine)));
    }
    if let Some(trigger) = read_trigger(dialect, text, &tokens)? {
        return Ok(Kind::Trigger(Box::new(trigger)));
    }
    if let Some(dropped) = read_drop_trigger(&tokens) {
        return Ok(Kind::DropTrigger(dropped));
    }
    if let Some(block) = read_block(dialect, text, &tokens)? {
        return Ok(Kind::Block(Arc::new(block)));
    }
    if let Some(dropped) = read_drop(&tokens) {
        return Ok(Kind::DropRoutine(dropped));
    }
    if let Some(change) = read_sequence(&tokens) {
        let unsupported = |feature| Error::Unsupported { feature, statement: shorten(text) };
        return Ok(Kind::Sequence(change.map_err(unsupported)?));
    }
    if let Some(refresh) = read_refresh(dialect, &tokens) {
        return Ok(Kind::Refresh(refresh));
    }
    if let Some(variables) = read_variables(dialect, &tokens) {
        let unreadable = |reason| Error::Unreadable { reason, statement: shorten(text) };
        return Ok(Kind::Variables(variables.map_err(unreadable)?));
    }
    Ok(Kind::Other(Box::new(parse_statement(dialect, text)?)))
}
