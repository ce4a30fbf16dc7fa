//! Questions as text: `si & be-update-ser & !ser`.

use tristan_spec::UnknownLevelError;
use tristan_spec::iso::{IsoLevel, Library};

/// The levels that allow a history and those that forbid it.
#[derive(Clone, Debug)]
pub struct Question {
    /// Levels that allow it.
    pub allowing: Vec<IsoLevel>,
    /// Levels that forbid it.
    pub forbidding: Vec<IsoLevel>,
}

/// A question that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QuestionError {
    /// Nothing stands where a level should.
    #[error("a level is missing {0}; a question looks like 'si & !ser'")]
    Missing(&'static str),
    /// An unknown name.
    #[error(transparent)]
    Unknown(#[from] UnknownLevelError),
}

impl Question {
    /// Reads a question: levels divided by `&`, with `!` before those that forbid.
    ///
    /// # Errors
    /// If a level is missing or not in the library.
    pub fn parse(text: &str, library: &Library) -> Result<Self, QuestionError> {
        let mut question = Self { allowing: Vec::new(), forbidding: Vec::new() };
        for part in text.split('&').map(str::trim) {
            let (name, side) = match part.strip_prefix('!') {
                Some(rest) => (rest.trim(), &mut question.forbidding),
                None => (part, &mut question.allowing),
            };
            match (name.is_empty(), part.is_empty()) {
                (true, true) => return Err(QuestionError::Missing("beside '&'")),
                (true, false) => return Err(QuestionError::Missing("after '!'")),
                (false, _) => side.push(library.find(name)?),
            }
        }
        Ok(question)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(levels: &[IsoLevel]) -> Vec<&str> {
        levels.iter().map(|level| level.name.as_str()).collect()
    }

    #[test]
    fn levels_allow_or_forbid() {
        let question = Question::parse("si & be-ra&! ser", Library::standard()).expect("it is one");
        assert_eq!(names(&question.allowing), ["snapshot-isolation", "be-ra"]);
        assert_eq!(names(&question.forbidding), ["serializable"]);
    }

    #[test]
    fn what_is_missing_is_said() {
        let wrong = |text| Question::parse(text, Library::standard()).expect_err("it is wrong");
        assert_eq!(wrong("si & "), QuestionError::Missing("beside '&'"));
        assert_eq!(wrong("si & !"), QuestionError::Missing("after '!'"));
        assert!(wrong("serr").to_string().contains("did you mean ser"));
    }
}
