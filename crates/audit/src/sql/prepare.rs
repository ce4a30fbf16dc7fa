//! From the statements of a log to steps.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use tristan_sql::{ErrorClass, Prepared, ServerError, Statement as Text, Type};
use tristan_sqltext::{Effects, Words, locks_rows, tokens};

use super::json::value;
use super::machine::Sql;
use super::refused::RefusedError;
use super::variables::variables;
use crate::level::Kind;
use crate::model::{Call, Control, Observed, Outcome, Txn};
use crate::statement::{
    Around, Expected, Plan, Reach, Statement, Step, UnsupportedError, depends_on_no_rows,
};
use crate::world::Value;

/// How many statements are kept ready. Logs with values in their texts have a new one every time.
const MOST_PLANS: usize = 4096;

/// Why a query is not judged that shows a value of the server's own.
pub(crate) const RETURNS_OPEN: &str =
    "it returns a value that only the server knows, such as the time";

impl Sql {
    /// The steps of a transaction. Tables that it makes are there from now on.
    ///
    /// # Errors
    /// If a statement cannot be carried out. The tables that it may have changed are then in `lost`; it is
    /// `hopeless` to go on without them if it may have changed anything.
    pub(crate) fn prepare(&mut self, txn: &Txn) -> Result<Vec<Step>, UnsupportedError> {
        match (self.steps(txn), self.failure.take()) {
            (Ok(steps), None) => Ok(steps),
            (Ok(_), Some(error)) => Err(error),
            (Err(error), _) => {
                self.hopeless = true;
                Err(error)
            }
        }
    }

    fn steps(&mut self, txn: &Txn) -> Result<Vec<Step>, UnsupportedError> {
        if let Some(name) = self.settings.first() {
            return Err(UnsupportedError(format!("the setting {name} is not supported")));
        }
        self.begin_definitions();
        let zone_before = self.zones.of(txn.session);
        let path = self.paths.chosen(txn.session);
        let mut steps = Vec::new();
        // What was chosen since the transaction began, even if it was taken back.
        let (mut other_path, mut other_zone) = (false, false);
        for (place, call) in txn.calls.iter().enumerate() {
            other_path |= self.paths.chosen(txn.session) != path;
            other_zone |= self.zones.of(txn.session) != zone_before;
            let around = self.around(txn, call);
            match &call.control {
                _ if call.observed == Observed::Skipped => {}
                Control::Other => {
                    let dialect = self.catalog.dialect().text();
                    if succeeded(call)
                        && self.zones.are_known()
                        && !self.zones.choose(txn.session, call, dialect)
                    {
                        let problem = "a time zone other than the one in the first line of the log";
                        return Err(UnsupportedError(format!("{problem}: {}", call.sql)));
                    }
                    self.note_answer(call);
                    self.discard(txn, call);
                }
                Control::Unclear => {
                    let start: String = call.sql.chars().take(60).collect();
                    let problem = "the log has only the beginning of a statement";
                    return Err(UnsupportedError(format!("{problem}: {start} …")));
                }
                Control::Setting(_) if !succeeded(call) => {}
                Control::Setting(name) => {
                    let problem = format!("the setting {name} is not supported");
                    return Err(UnsupportedError(format!("{problem}: {}", call.sql)));
                }
                Control::Path(path) => {
                    self.paths.choose(txn, call, path)?;
                    // `DISCARD ALL` and `RESET ALL` are about the time zone, too.
                    if succeeded(call) {
                        self.zones.choose(txn.session, call, self.catalog.dialect().text());
                    }
                    self.discard(txn, call);
                }
                // One that was refused has no effect.
                Control::Savepoint(_) | Control::RollbackTo(_) if !succeeded(call) => {}
                Control::Savepoint(name) => {
                    self.mark_definitions(name);
                    steps.push(Step::Savepoint(name.clone()));
                }
                Control::RollbackTo(_) if other_path => {
                    let problem = "a search path that a savepoint may undo is not supported";
                    return Err(UnsupportedError(format!("{problem}: {}", call.sql)));
                }
                Control::RollbackTo(_) if other_zone => {
                    let problem = "a time zone that a savepoint may undo is not supported";
                    return Err(UnsupportedError(format!("{problem}: {}", call.sql)));
                }
                Control::RollbackTo(name) => {
                    self.undo_definitions(name);
                    steps.push(Step::RollbackTo(name.clone()));
                }
                Control::Statement => {
                    self.enter_session(txn.session)?;
                    self.enter_zone(txn.session);
                    if let Some(refused) = self.forgets(call, &txn.calls[..place]) {
                        self.leave_unjudged(call, refused)?;
                        continue;
                    }
                    let mut statement = self.statement(call, place)?;
                    self.pass_barriers(txn, call);
                    if let Some(statement) = &mut statement {
                        statement.around = around;
                        self.touch(txn, call, statement);
                    }
                    steps.extend(statement.map(|statement| Step::Run(Box::new(statement))));
                }
            }
        }
        self.end_definitions(txn);
        self.end_temporaries(txn);
        if txn.outcome == Outcome::Aborted {
            self.zones.restore(txn.session, zone_before);
            if self.undoes_settings() {
                self.paths.restore(txn.session, path);
            }
        }
        Ok(steps)
    }

    /// A transaction is not tried, but it may have chosen where its session looks up names.
    pub(crate) fn leave_out(&mut self, txn: &Txn) {
        let undone = txn.outcome == Outcome::Aborted && self.undoes_settings();
        for call in &txn.calls {
            self.around(txn, call);
        }
        for call in txn.calls.iter().filter(|_| !undone) {
            match &call.control {
                // A path that is not clear ends with this transaction.
                Control::Path(path) => {
                    drop(self.paths.choose(txn, call, path));
                    if succeeded(call) {
                        self.zones.choose(txn.session, call, self.catalog.dialect().text());
                    }
                }
                Control::Setting(name) if succeeded(call) => self.settings.push(name.clone()),
                Control::Other if succeeded(call) && self.zones.are_known() => {
                    self.zones.choose_or_forget(txn.session, call, self.catalog.dialect().text());
                }
                _ => {}
            }
        }
    }

    /// The statements that follow are of this session.
    fn enter_zone(&mut self, session: u64) {
        if !self.zones.are_known() {
            return;
        }
        let zone = self.zones.of(session);
        if self.catalog.zone() != zone {
            Rc::make_mut(&mut self.catalog).set_zone(zone);
            self.plans.clear();
        }
    }

    /// Why a statement is not judged that reads a variable of its session: another transaction may have set it.
    fn forgets(&self, call: &Call, before: &[Call]) -> Option<RefusedError> {
        if self.undoes_settings() || !call.sql.contains('@') {
            return None;
        }
        let dialect = self.catalog.dialect().text();
        let named = |call: &Call| variables(&tokens(&call.sql, dialect));
        let set = before.iter().filter(|call| succeeded(call)).flat_map(named);
        let set: Vec<String> = set.filter(|one| one.filled).map(|one| one.name).collect();
        let mut read = named(call).into_iter().filter(|one| !one.filled).map(|one| one.name);
        let name = read.find(|name| !set.contains(name))?;
        let reason = format!("the variable {name}, which another transaction may have set");
        Some(RefusedError::because(format!("{reason}, is not supported")))
    }

    /// Whether a call is judged, or is about transactions.
    pub(crate) fn is_judged(&mut self, call: &Call) -> bool {
        call.control != Control::Statement || matches!(self.statement(call, 0), Ok(Some(_)))
    }

    /// A statement with its parameters. Returns `None` if it touches no rows, or is not judged.
    fn statement(
        &mut self,
        call: &Call,
        place: usize,
    ) -> Result<Option<Statement>, UnsupportedError> {
        if let Some(reason) = self.unsupported.get(&*call.sql) {
            let refused = RefusedError::because(reason.clone());
            return self.leave_unjudged(call, refused).map(|()| None);
        }
        let plan =
            match self.plans.get(&(self.sessions.number, call.sql.clone(), call.types.clone())) {
                Some(plan) => Rc::clone(plan),
                None => match self.plan(call) {
                    Ok(Some(plan)) => plan,
                    Ok(None) => return Ok(None),
                    // What a variable holds then is not known.
                    Err(refused) if !self.blurred.is_empty() && self.remembers(&call.sql) => {
                        return Err(refused.error);
                    }
                    Err(refused) => return self.leave_unjudged(call, refused).map(|()| None),
                },
            };
        let params: Vec<Value> = call.params.iter().map(value).collect();
        let reach = plan.prepared.reach(&self.catalog, &params);
        let refused = self
            .undefined(&plan.prepared, call)
            .or_else(|| self.unseen_failure(call, &reach))
            .or_else(|| not_there(&plan.prepared, call));
        if let Some(refused) = refused {
            return self.leave_unjudged(call, refused).map(|()| None);
        }
        debug_assert!(self.covers(&call.sql, &reach), "{}", call.sql);
        if self.leave_unfollowed(call, &reach)? {
            return Ok(None);
        }
        let refused = matches!(Expected::of(&call.observed), Expected::Refused);
        if refused && reach.anything && !self.undoes_settings() {
            // The statements of a routine that came before the one that failed have done their work.
            return Err(UnsupportedError(format!(
                "a routine that failed after some of its statements had run: {}",
                call.sql
            )));
        }
        let expected = match plan.prepared.is_explanation() {
            true => Expected::of_explanation(&call.observed),
            false if has_bytes(&call.observed, &plan.prepared) => {
                self.count_unjudged("the log contains a result value only as raw bytes".to_owned());
                Expected::of(&Observed::Done)
            }
            false => Expected::of(&call.observed),
        };
        let Some(expected) = self.judged_part(call, &plan, &reach, expected)? else {
            return Ok(None);
        };
        let reach = match expected {
            Expected::Error(_) => Reach::of_failed(&reach),
            _ => Reach::of(&reach),
        };
        Ok(Some(Statement {
            plan,
            params,
            expected,
            reach,
            only: None,
            is_part: false,
            call: place,
            around: Around::default(),
        }))
    }

    /// Why a statement that fails regardless of the rows is not judged: a table that it names is unknown, is excluded
    /// from the audit and may look different by now, or the server did not fail with that error. No isolation level
    /// promises anything about an error that does not depend on rows.
    fn undefined(&self, prepared: &Prepared, call: &Call) -> Option<RefusedError> {
        let failure = prepared.failure()?;
        let unfollowed = self.unfollowed_name(&call.sql);
        if unfollowed.is_none() && agrees(failure, &call.observed) {
            return None;
        }
        let names_unknown = names_unknown(failure, &call.observed);
        let reason = || match names_unknown {
            true => format!("{} in the schema of the log", failure.detail),
            false => format!("the server did not fail where the audit expects: {}", failure.detail),
        };
        let error = UnsupportedError(format!("{}: {}", reason(), call.sql));
        Some(RefusedError {
            undefined: names_unknown || unfollowed.is_some(),
            feature: unfollowed.unwrap_or_else(reason),
            error,
            only_reads: false,
        })
    }

    /// Whether the words of a statement name everything that its plan may change.
    fn covers(&self, sql: &str, reach: &tristan_sql::Reach) -> bool {
        let named = |region: &tristan_sql::Region, names: &[String]| {
            let table = self.catalog.by_id(region.table);
            table.is_none_or(|table| names.contains(&table.short_name().to_lowercase()))
        };
        if self.defined.is_altering() {
            return true;
        }
        match self.effects(sql) {
            Effects::Anything => true,
            Effects::Nothing => reach.writes.is_empty() && !reach.anything,
            Effects::Tables(names) => {
                !reach.anything && reach.writes.iter().all(|region| named(region, &names))
            }
        }
    }

    /// The types of parameters. Those that the log does not state follow from the statement.
    fn types(&self, call: &Call) -> Result<Vec<Type>, RefusedError> {
        if !self.catalog.dialect().is_strictly_typed() || call.types.is_empty() {
            return Ok(vec![Type::Unknown; call.params.len()]);
        }
        let named = |name: &String| {
            let unknown = || format!("a parameter of the type {name} is not supported");
            Type::named(name).ok_or_else(|| RefusedError::because(unknown()))
        };
        call.types.iter().map(named).collect()
    }

    /// Reads a statement. Returns `None` if it only changes tables, which is done at once.
    fn plan(&mut self, call: &Call) -> Result<Option<Rc<Plan>>, RefusedError> {
        let dialect = self.catalog.dialect();
        let statement = Text::prepare(&call.sql, dialect)?;
        if statement.is_quiet() {
            return Ok(None);
        }
        self.look_up(statement.is_definition());
        if statement.is_definition() {
            return match succeeded(call) {
                true => self.define(call, &statement),
                false => Ok(None),
            };
        }
        let types = self.types(call)?;
        let catalog = self.bound_to(call);
        let prepared = statement.plan(&catalog, &types)?;
        if prepared.is_query() && prepared.is_open() && !self.predicts {
            let reason = RETURNS_OPEN.to_owned();
            return Err(RefusedError { only_reads: true, ..RefusedError::because(reason) });
        }
        let words = tokens(&call.sql, self.catalog.dialect().text());
        let locks = locks_rows(&words);
        // `FOR UPDATE` locks nothing of a query inside, of a view, or of a table that `OF` leaves out.
        let count = |word: &str| {
            (0..words.len()).filter(|&place| Words::new(&words[place..]).is(word)).count()
        };
        let nested = count("select") > 1 || count("of") > 0 || self.catalog.has_views();
        let kind = match prepared.is_query() {
            true if locks => Kind::LockingRead,
            true => Kind::Read,
            false => Kind::Write,
        };
        let (sql, filled) = (Arc::clone(&call.sql), OnceCell::new());
        let displays = prepared.displayed().is_some();
        let planned =
            Rc::new(Plan { sql, prepared, catalog, kind, locks, nested, displays, filled });
        if self.plans.len() >= MOST_PLANS {
            self.plans.clear();
        }
        let key = (self.sessions.number, call.sql.clone(), call.types.clone());
        self.plans.insert(key, Rc::clone(&planned));
        Ok(Some(planned))
    }
}

/// Whether the server carried out what names something that the log does not define.
fn names_unknown(failure: &ServerError, observed: &Observed) -> bool {
    let undefined = matches!(
        failure.class,
        ErrorClass::UndefinedTable | ErrorClass::UndefinedColumn | ErrorClass::UndefinedFunction
    );
    undefined && matches!(observed, Observed::Rows { .. } | Observed::Affected(_) | Observed::Done)
}

/// Whether the server failed as expected, or for a reason that has nothing to do with the statement.
fn agrees(failure: &ServerError, observed: &Observed) -> bool {
    match (observed, Expected::of(observed)) {
        (Observed::Nothing | Observed::Skipped, _) | (_, Expected::Refused) => true,
        (_, Expected::Error(code)) => failure.has_code(&code),
        _ => false,
    }
}

/// Why a statement is not judged that failed with an error that does not depend on rows, which the audit does not
/// expect: another transaction may have made a table a moment later, not every server has every function, and servers
/// refuse more than the audit knows.
fn not_there(prepared: &Prepared, call: &Call) -> Option<RefusedError> {
    let Observed::Error(code) = &call.observed else { return None };
    let reason = match code.as_str() {
        "42P01" | "1146" => "a table was missing that is there in the schema of the log",
        // Extensions bring functions with them.
        "42883" => "a function was missing that the audit knows",
        code if depends_on_no_rows(code) => "the server refused a statement that the audit accepts",
        _ => return None,
    };
    prepared.failure().is_none().then(|| RefusedError::because(reason.to_owned()))
}

/// Whether a statement had an effect, as far as the log shows.
fn succeeded(call: &Call) -> bool {
    !matches!(call.observed, Observed::Error(_) | Observed::Skipped)
}

/// Whether a result has a value that the log does not show as the server writes it, `{"hex":"…"}`, although it is
/// compared and not of the type BYTEA, which is written like that.
fn has_bytes(observed: &Observed, prepared: &Prepared) -> bool {
    let Observed::Rows { rows, .. } = observed else { return false };
    let raw = |row: &Vec<serde_json::Value>| {
        let mut values = row.iter().enumerate();
        let compared = |place| !prepared.shows_bytes(place) && !prepared.is_masked(place);
        values.any(|(place, value)| value.is_object() && compared(place))
    };
    rows.iter().any(raw)
}
