//! Plays a case on a database: one step at a time, in the order of the case.
//!
//! ```text
//!   A: UPDATE …      done
//!   B: UPDATE …      waits for A ─────┐
//!   B: SELECT …      stays behind     │
//!   A: commit        done ────────────┴──► B's UPDATE is done, B's SELECT is next
//! ```
//!
//! After each step everything settles: every session has answered, or waits for one that has.
//! Only then comes the next step. So the order of events is the same on every machine.

use std::collections::BTreeMap;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::actor::{Actor, Fate, Reply, Work};
use super::case::{Action, Case, Step};
use super::condition::Observations;
use super::error::PlayError;
use super::finding::{Answer, Finding, Observation, Told};
use crate::DatabaseError;
use crate::sql::{LockWatch, Scratch, SqlClient, SqlDatabase, SqlLevel, StatementResult};

/// If no session answers and none waits for a lock for this long, something is wrong.
const LIMIT: Duration = Duration::from_secs(60);
/// How long to listen before asking who waits, at first and at most.
const PAUSES: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(20));

/// A place in a database where cases are played.
pub struct Stage<'a> {
    database: &'a dyn SqlDatabase,
    place: Scratch<'a>,
    watch: Option<Box<dyn LockWatch>>,
    patience: Duration,
}

impl<'a> Stage<'a> {
    /// Sets up a stage. If the database does not report which session waits for a lock, a step waits for one if
    /// it has not answered within `patience`.
    ///
    /// # Errors
    /// If the database cannot be reached.
    pub fn new(database: &'a dyn SqlDatabase, patience: Duration) -> Result<Self, DatabaseError> {
        Ok(Self { database, place: Scratch::new(database), watch: database.watch()?, patience })
    }

    /// Whether the database reports which session waits for a lock.
    pub fn is_watched(&self) -> bool {
        self.watch.is_some()
    }

    /// Plays a case at a level.
    ///
    /// # Errors
    /// If the database goes away or does not understand a statement.
    pub fn play(&mut self, case: &Case, level: &SqlLevel) -> Result<Observation, PlayError> {
        self.place.clear()?;
        self.set_up(case)?;
        let dialect = self.database.dialect();
        let (sender, replies) = mpsc::channel();
        let mut actors = Vec::new();
        for (number, name) in case.sessions_in(dialect).into_iter().enumerate() {
            actors.push(Actor::new(number, name, self.place.connect()?, sender.clone()));
        }
        let steps: Vec<&Step> = case.steps_in(dialect).collect();
        let mut play = Play {
            case,
            level,
            steps: &steps,
            actors,
            replies,
            watch: self.watch.as_deref_mut(),
            patience: self.patience,
            answers: BTreeMap::new(),
            sent: Vec::new(),
            waited: vec![false; steps.len()],
        };
        play.perform()?;
        let (mut observed, mut told, hindrance) = play.end();
        self.look(case, &mut observed, &mut told)?;
        let finding = if case.anomaly.holds(&observed) { Finding::Allowed } else { hindrance };
        Ok(Observation { finding, steps: told })
    }

    /// Removes the stage from the database.
    ///
    /// # Errors
    /// If the database does not do it.
    pub fn close(self) -> Result<(), DatabaseError> {
        self.place.remove()
    }

    fn set_up(&self, case: &Case) -> Result<(), PlayError> {
        let mut client = self.place.connect()?;
        for setup in &case.setup {
            if setup.dialects.contains(&self.database.dialect()) {
                ask(client.as_mut(), case, setup.line, &setup.sql)?;
            }
        }
        Ok(())
    }

    /// Looks at what is left.
    fn look(
        &self,
        case: &Case,
        observed: &mut Observations,
        told: &mut Vec<Told>,
    ) -> Result<(), PlayError> {
        let mut client = self.place.connect()?;
        for query in &case.after {
            if !query.dialects.contains(&self.database.dialect()) {
                continue;
            }
            let outcome = ask(client.as_mut(), case, query.line, &query.sql)?;
            told.push(Told {
                session: None,
                label: Some(query.label.clone()),
                statement: query.sql.clone(),
                waited: false,
                answer: answer(&outcome),
            });
            observed.answers.insert(query.label.clone(), outcome);
        }
        Ok(())
    }
}

/// A statement with which nothing can go wrong unless the case is wrong.
fn ask(
    client: &mut dyn SqlClient,
    case: &Case,
    line: usize,
    sql: &str,
) -> Result<StatementResult, PlayError> {
    client.execute(sql).map_err(|failure| match failure {
        DatabaseError::Lost(_) => PlayError::Database(failure),
        other => misunderstood(case, line, other),
    })
}

fn misunderstood(case: &Case, line: usize, failure: DatabaseError) -> PlayError {
    PlayError::Statement { file: case.file.clone(), line, message: failure.to_string() }
}

fn answer(outcome: &StatementResult) -> Answer {
    match outcome.columns {
        0 => Answer::Done(outcome.affected),
        _ => Answer::Rows(outcome.rows.clone()),
    }
}

/// One run of a case.
struct Play<'a> {
    case: &'a Case,
    level: &'a SqlLevel,
    steps: &'a [&'a Step],
    actors: Vec<Actor>,
    replies: Receiver<Reply>,
    watch: Option<&'a mut (dyn LockWatch + 'static)>,
    patience: Duration,
    /// What the steps were answered, by number.
    answers: BTreeMap<usize, Result<StatementResult, DatabaseError>>,
    /// The steps that were sent, in order.
    sent: Vec<usize>,
    /// The steps that had to wait.
    waited: Vec<bool>,
}

impl Play<'_> {
    fn perform(&mut self) -> Result<(), PlayError> {
        for (number, step) in self.steps.iter().enumerate() {
            let actor = self.actors.iter_mut().find(|actor| actor.name == step.session);
            if let Some(actor) = actor {
                actor.queue.push_back(number);
            }
            self.advance()?;
        }
        Ok(())
    }

    /// Lets all sessions go on as far as possible, those that are behind first.
    fn advance(&mut self) -> Result<(), PlayError> {
        loop {
            self.settle()?;
            let free = self.actors.iter().enumerate().filter(|(_, actor)| actor.work.is_none());
            let next = free.filter_map(|(place, actor)| Some((*actor.queue.front()?, place))).min();
            let Some((number, place)) = next else { return Ok(()) };
            let actor = &mut self.actors[place];
            actor.queue.pop_front();
            let is_over = matches!(actor.fate, Fate::Refused);
            if !is_over {
                self.sent.push(number);
                actor.start(Work::Step(number), statements(self.steps[number], self.level))?;
            }
        }
    }

    /// Listens until every session has answered or waits for one that has.
    fn settle(&mut self) -> Result<(), PlayError> {
        let mut pause = PAUSES.0;
        let mut quiet = Instant::now();
        while self.actors.iter().any(|actor| actor.work.is_some()) {
            match self.replies.recv_timeout(pause) {
                Ok(reply) => {
                    self.hear(reply)?;
                    (pause, quiet) = (PAUSES.0, Instant::now());
                }
                Err(RecvTimeoutError::Timeout) if self.all_wait(quiet)? => return Ok(()),
                Err(_) if quiet.elapsed() > LIMIT => return Err(self.silence()),
                Err(_) => pause = PAUSES.1.min(pause * 2),
            }
        }
        Ok(())
    }

    fn hear(&mut self, reply: Reply) -> Result<(), PlayError> {
        let actor = &mut self.actors[reply.actor];
        let Some(Work::Step(number)) = actor.work.take() else {
            // The transaction was over before; all the same to us what the rollback answered.
            return Ok(());
        };
        let step = self.steps[number];
        match &reply.result {
            Ok(_) => actor.fate = fate(&step.action),
            Err(DatabaseError::Refused(_) | DatabaseError::Failed(_)) => {
                actor.fate = Fate::Refused;
                actor.start(Work::CleanUp, vec!["ROLLBACK".into()])?;
            }
            Err(failure @ DatabaseError::Lost(_)) => return Err(failure.clone().into()),
            Err(failure) => return Err(misunderstood(self.case, step.line, failure.clone())),
        }
        self.answers.insert(number, reply.result);
        Ok(())
    }

    /// Whether all sessions that have not answered wait for one that has; if so, they are remembered.
    fn all_wait(&mut self, quiet: Instant) -> Result<bool, DatabaseError> {
        let busy: Vec<usize> =
            (0..self.actors.len()).filter(|&place| self.actors[place].work.is_some()).collect();
        let held = match &mut self.watch {
            None => {
                // As long as no session holds a lock, two wait for each other or one is slow.
                quiet.elapsed() >= self.patience && self.actors.iter().any(Actor::is_holding)
            }
            Some(watch) => {
                let mut waits = Vec::new();
                for &place in &busy {
                    let Some(blockers) = watch.waits(self.actors[place].id)? else {
                        return Ok(false);
                    };
                    waits.push((place, blockers));
                }
                all_are_held(&self.actors, waits)
            }
        };
        for &place in busy.iter().filter(|_| held) {
            if let Some(Work::Step(number)) = self.actors[place].work {
                self.waited[number] = true;
            }
        }
        Ok(held)
    }

    fn silence(&self) -> PlayError {
        let busy = self.actors.iter().filter(|actor| actor.work.is_some());
        let names: Vec<&str> = busy.map(|actor| actor.name.as_str()).collect();
        PlayError::Silence {
            file: self.case.file.clone(),
            seconds: LIMIT.as_secs(),
            sessions: names.join(", "),
        }
    }

    /// What was seen, what every step answered, and what came in the way of the anomaly.
    fn end(mut self) -> (Observations, Vec<Told>, Finding) {
        let refused = self.actors.iter().any(|actor| actor.fate == Fate::Refused);
        let hindrance = match (refused, self.waited.contains(&true)) {
            (true, _) => Finding::Aborted,
            (false, true) => Finding::Blocked,
            (false, false) => Finding::Prevented,
        };
        let told = self.told();
        let mut observed = Observations::default();
        for actor in self.actors.drain(..) {
            observed.committed.insert(actor.name.clone(), actor.fate == Fate::Committed);
            actor.close();
        }
        for (number, result) in self.answers {
            let Action::Sql { label: Some(label), .. } = &self.steps[number].action else {
                continue;
            };
            if let Ok(outcome) = result {
                observed.answers.insert(label.clone(), outcome);
            }
        }
        (observed, told, hindrance)
    }

    /// The steps as they were sent, then those that never were.
    fn told(&self) -> Vec<Told> {
        let skipped = (0..self.steps.len()).filter(|number| !self.sent.contains(number));
        let told = |number: usize| {
            let step = self.steps[number];
            let label = match &step.action {
                Action::Sql { label, .. } => label.clone(),
                _ => None,
            };
            Told {
                session: Some(step.session.clone()),
                label,
                statement: step.action.text().to_owned(),
                waited: self.waited[number],
                answer: match self.answers.get(&number) {
                    Some(Ok(outcome)) => answer(outcome),
                    Some(Err(failure)) => Answer::Refused(failure.to_string()),
                    None => Answer::Skipped,
                },
            }
        };
        self.sent.iter().copied().chain(skipped).map(told).collect()
    }
}

fn statements(step: &Step, level: &SqlLevel) -> Vec<String> {
    match &step.action {
        Action::Begin => level.begin.iter().map(|&sql| sql.to_owned()).collect(),
        Action::Commit => vec!["COMMIT".to_owned()],
        Action::Rollback => vec!["ROLLBACK".to_owned()],
        Action::Sql { sql, .. } => vec![sql.clone()],
    }
}

fn fate(action: &Action) -> Fate {
    match action {
        Action::Commit => Fate::Committed,
        Action::Rollback => Fate::RolledBack,
        Action::Begin | Action::Sql { .. } => Fate::Open,
    }
}

/// Whether every session that waits does so, in the end, for one that waits for its next step.
/// Otherwise two wait for each other, and the database is about to notice.
fn all_are_held(actors: &[Actor], mut waits: Vec<(usize, Vec<u64>)>) -> bool {
    let holding = |id: &u64| actors.iter().any(|actor| actor.id == *id && actor.is_holding());
    let mut held: Vec<u64> = Vec::new();
    loop {
        let before = waits.len();
        waits.retain(|(place, blockers)| {
            let is_held = match blockers.is_empty() {
                true => actors.iter().any(Actor::is_holding),
                false => blockers.iter().any(|id| holding(id) || held.contains(id)),
            };
            if is_held {
                held.push(actors[*place].id);
            }
            !is_held
        });
        if waits.is_empty() || waits.len() == before {
            return waits.is_empty();
        }
    }
}
