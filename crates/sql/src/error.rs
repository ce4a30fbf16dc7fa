//! What can go wrong: the server's errors, and ours.
//!
//! A [`ServerError`] is what the server answers: a duplicate key, a division by zero. It is part of an
//! outcome and can be compared with what was observed. An [`Error`] says that this crate cannot tell
//! what the server answers. Inside the crate, binding and running end in an [`ExecutionError`], which
//! is one of both.
//!
//! Ground: knows nothing else of the crate.

use std::sync::Arc;

/// Why there is no outcome.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The text cannot be read at all.
    #[error("cannot parse this SQL: {reason}: {statement}")]
    Unreadable {
        /// What the parser says, with the place.
        reason: String,
        /// The statement, shortened.
        statement: String,
    },
    /// It uses a blurred column ([`crate::Catalog::blurred`]).
    #[error("the values of the column {column} are not known: {statement}")]
    Blurred {
        /// The column, with its table.
        column: String,
        /// The statement, shortened.
        statement: String,
    },
    /// The text says something that is not carried out here.
    #[error("{feature} is not supported: {statement}")]
    Unsupported {
        /// What it is that is not supported.
        feature: String,
        /// The statement, shortened.
        statement: String,
    },
}

/// An error that the server answers with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {detail}", class.sqlstate())]
pub struct ServerError {
    /// The kind of error.
    pub class: ErrorClass,
    /// More about it, in our words.
    pub detail: String,
}

impl ServerError {
    /// Whether this is the error that a client was told: an SQLSTATE of PostgreSQL, or a number of MySQL.
    pub fn has_code(&self, code: &str) -> bool {
        self.class.sqlstate() == code
            || code.parse().is_ok_and(|number| self.class.numbers().contains(&number))
    }
}

macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident $state:literal [$($number:literal),*];)*) => {
        /// Kinds of errors that servers answer with.
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ErrorClass {
            $($(#[$doc])* $name,)*
            /// An error that a routine raises, with its SQLSTATE.
            Raised(Arc<str>),
        }

        impl ErrorClass {
            /// PostgreSQL's code.
            pub fn sqlstate(&self) -> &str {
                match self {
                    $(Self::$name => $state,)*
                    Self::Raised(state) => state,
                }
            }

            /// The numbers that MySQL and MariaDB use for it.
            pub fn numbers(&self) -> &'static [u16] {
                match self {
                    $(Self::$name => &[$($number),*],)*
                    Self::Raised(_) => &[1644],
                }
            }
        }
    };
}

classes! {
    /// The text is no statement.
    Syntax "42601" [1064, 1149, 1235];
    /// There is no such table.
    UndefinedTable "42P01" [1146, 1051, 1109];
    /// There is no such column.
    UndefinedColumn "42703" [1054];
    /// A name could mean several columns.
    AmbiguousColumn "42702" [1052];
    /// There is no such function, or not for arguments of these types.
    UndefinedFunction "42883" [1305, 1318, 1582, 1630];
    /// Several operators or functions would fit.
    AmbiguousFunction "42725" [1582];
    /// A column is neither grouped nor aggregated, or an aggregate is where none may be.
    Grouping "42803" [1140, 1055, 1111];
    /// The types do not fit.
    TypeMismatch "42804" [1366];
    /// There is no such cast.
    CannotCast "42846" [];
    /// The type of a parameter cannot be told.
    IndeterminateType "42P18" [];
    /// An ORDER BY that is not possible here.
    InvalidColumnReference "42P10" [1054];
    /// The table is already there.
    DuplicateTable "42P07" [1050];
    /// A type or a label is already there.
    DuplicateObject "42710" [];
    /// A table is named twice.
    DuplicateAlias "42712" [1066];
    /// A column is named twice.
    DuplicateColumn "42701" [1060, 1110];
    /// More values than columns, or the other way round.
    ColumnCount "42601" [1136, 1241, 1222, 1058];
    /// A value for a column that only the server fills.
    GeneratedAlways "428C9" [1906, 3105];
    /// A key that is already there.
    DuplicateKey "23505" [1062];
    /// NULL where it may not be.
    NotNull "23502" [1048];
    /// No value, and no default.
    NoDefault "23502" [1364];
    /// A CHECK does not hold.
    Check "23514" [4025, 3819];
    /// Two rows that a constraint excludes beside each other.
    Exclusion "23P01" [];
    /// A range whose ends or parts do not fit together.
    InvalidRange "22000" [];
    /// A row that is written through a view would not be in it.
    ViewCheck "44000" [1369];
    /// A row that another one refers to is missing or would be.
    ForeignKey "23503" [1452, 1451];
    /// Division by zero.
    DivisionByZero "22012" [1365];
    /// The result of an expression does not fit its type.
    OutOfRange "22003" [1690];
    /// A value does not fit its column.
    FieldOutOfRange "22003" [1264];
    /// A text that is no value of the type.
    InvalidText "22P02" [1366, 1292];
    /// A text of which only the beginning is a value of the type.
    Truncated "22P02" [1265, 1366];
    /// A text that is too long for its column.
    TooLong "22001" [1406];
    /// A text that is no date.
    InvalidDate "22007" [1292];
    /// A date that does not exist.
    DateOutOfRange "22008" [1292, 1441];
    /// More rows or columns than one.
    Cardinality "21000" [1242];
    /// A row would be changed twice by one ON CONFLICT DO UPDATE.
    ChangedTwice "21000" [];
    /// A LIMIT below zero.
    InvalidLimit "2201W" [];
    /// An OFFSET below zero.
    InvalidOffset "2201X" [];
    /// An argument that the function cannot take.
    InvalidArgument "22023" [];
    /// A substring of negative length.
    InvalidSubstring "22011" [];
    /// An ESCAPE that is not one character, or an escape at the end of a pattern.
    InvalidEscape "22025" [1210];
    /// There is no such constraint for ON CONFLICT.
    NoConstraint "42P10" [];
    /// There is no such constraint.
    UndefinedObject "42704" [];
    /// A table that is changed is also read.
    ChangedTableIsRead "0A000" [1093];
    /// A query that must find a row finds none.
    NoData "P0002" [1329];
    /// A query that must find one row finds several.
    TooManyRows "P0003" [1172];
    /// There is no such cursor.
    UndefinedCursor "34000" [1324];
    /// The cursor is open, or is not.
    CursorState "24000" [1326, 1325];
    /// A function ends without a result.
    NoReturn "2F005" [1321];
    /// Functions call each other too deeply.
    TooDeep "54001" [1456, 1424];
    /// A sequence has no number left.
    SequenceEnd "2200H" [4084];
    /// A sequence has given the session no number yet.
    NoNumberYet "55000" [];
    /// Something that the server knows but does not do.
    NotImplemented "0A000" [1235];
}

/// Why a statement could not be carried out to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ExecutionError {
    /// The server refuses, and says so.
    Server(ServerError),
    /// What it is that is not supported here.
    Unsupported(String),
    /// The blurred column that it uses.
    Blurred(String),
}

/// The result of binding or running.
pub(crate) type Result<T, E = ExecutionError> = std::result::Result<T, E>;

/// Fails with an error of the server.
pub(crate) fn fail<T>(class: ErrorClass, detail: impl Into<String>) -> Result<T> {
    Err(server_error(class, detail))
}

pub(crate) fn server_error(class: ErrorClass, detail: impl Into<String>) -> ExecutionError {
    ExecutionError::Server(ServerError { class, detail: detail.into() })
}

/// Fails because of something that is not supported here.
pub(crate) fn unsupported<T>(feature: impl Into<String>) -> Result<T> {
    Err(ExecutionError::Unsupported(feature.into()))
}

/// A number of arguments in a message: `1 argument`, `2 arguments`.
pub(crate) fn arguments(count: usize) -> String {
    match count {
        1 => "1 argument".to_owned(),
        _ => format!("{count} arguments"),
    }
}

impl ExecutionError {
    /// The server's error; if it is ours, an [`Error`] with the statement.
    pub(crate) fn into_server_error(
        self,
        statement: &str,
    ) -> std::result::Result<ServerError, Error> {
        match self {
            Self::Server(error) => Ok(error),
            Self::Unsupported(feature) => {
                Err(Error::Unsupported { feature, statement: shorten(statement) })
            }
            Self::Blurred(column) => Err(Error::Blurred { column, statement: shorten(statement) }),
        }
    }
}

/// The beginning of a statement, on one line.
pub(crate) fn shorten(statement: &str) -> String {
    let line: String = statement.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= 120 {
        return line;
    }
    line.chars().take(119).chain(['…']).collect()
}
