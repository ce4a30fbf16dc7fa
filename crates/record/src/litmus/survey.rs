//! Many cases at many levels.

use serde::Serialize;

use super::case::Case;
use super::error::PlayError;
use super::finding::{Finding, Observation};
use super::stage::Stage;
use crate::sql::{SqlDatabase, SqlLevel};

/// What to play, and what counts as a broken promise.
pub struct Survey<'a> {
    /// Where.
    pub database: &'a dyn SqlDatabase,
    /// At which levels.
    pub levels: &'a [SqlLevel],
    /// How often each case is run.
    pub repeat: usize,
    /// Whether the first level promises all that the second does, by the names that `tristan check`
    /// knows.
    pub implies: &'a dyn Fn(&str, &str) -> bool,
}

/// A case at all levels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The case's name.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// One sentence about it.
    pub meaning: String,
    /// The weakest levels that forbid it.
    pub forbidden: Vec<String>,
    /// What was seen, level by level.
    pub cells: Vec<Cell>,
}

/// A case at one level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// The level's name.
    pub level: &'static str,
    /// The level it claims to be.
    pub claims: &'static str,
    /// Whether that level forbids the anomaly.
    pub forbidden: bool,
    /// Whether it happened all the same.
    pub contradicted: bool,
    /// Every run; none if the case does not apply to this database.
    pub runs: Vec<Observation>,
}

impl Survey<'_> {
    /// Plays a case at all levels.
    ///
    /// # Errors
    /// If the database goes away or does not understand a statement.
    pub fn row(&self, stage: &mut Stage<'_>, case: &Case) -> Result<Row, PlayError> {
        let levels = self.levels.iter();
        let cells = levels.map(|level| self.cell(stage, case, level)).collect::<Result<_, _>>()?;
        Ok(Row {
            name: case.name.clone(),
            title: case.title.clone(),
            meaning: case.meaning.clone(),
            forbidden: case.forbidden.clone(),
            cells,
        })
    }

    fn cell(
        &self,
        stage: &mut Stage<'_>,
        case: &Case,
        level: &SqlLevel,
    ) -> Result<Cell, PlayError> {
        let times = if case.is_for(self.database.dialect()) { self.repeat } else { 0 };
        let runs = (0..times).map(|_| stage.play(case, level)).collect::<Result<Vec<_>, _>>()?;
        let claims = level.level.claims;
        let forbidden = case.forbidden.iter().any(|weakest| (self.implies)(claims, weakest));
        let happened = runs.iter().any(|run| run.finding == Finding::Allowed);
        Ok(Cell {
            level: level.level.name,
            claims,
            forbidden,
            contradicted: forbidden && happened,
            runs,
        })
    }
}

impl Cell {
    /// What was found, and how often, the most remarkable first.
    pub fn findings(&self) -> Vec<(Finding, usize)> {
        let count = |finding| self.runs.iter().filter(|run| run.finding == finding).count();
        let counts = Finding::ALL.map(|finding| (finding, count(finding)));
        counts.into_iter().filter(|&(_, count)| count > 0).collect()
    }
}
