//! Fields of a verdict: each one is true, refused, or noted as not checked.

use crate::error::CertifyError;

/// A field that no check stands behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unchecked {
    /// The field, as a path in the JSON of the verdict: `anomaly.title`, `transactions[0].ops[1].text`.
    pub field: String,
    /// Why it matters that it was not checked, where that is not plain.
    pub why: Option<String>,
}

/// The fields that were not checked so far.
#[derive(Default)]
pub(crate) struct Open(pub(crate) Vec<Unchecked>);

impl Open {
    /// Notes a field that no check stands behind.
    pub(crate) fn field(&mut self, field: impl Into<String>) {
        self.0.push(Unchecked { field: field.into(), why: None });
    }

    /// The same, with a reason.
    pub(crate) fn because(&mut self, field: impl Into<String>, why: impl Into<String>) {
        self.0.push(Unchecked { field: field.into(), why: Some(why.into()) });
    }
}

/// The refusal of a field.
pub(crate) fn refuse(field: impl Into<String>, problem: impl Into<String>) -> CertifyError {
    CertifyError::Field { field: field.into(), problem: problem.into() }
}

/// Refuses a field that does not say what it should.
pub(crate) fn expect<T: PartialEq + std::fmt::Display>(
    field: &str,
    found: &T,
    expected: &T,
) -> Result<(), CertifyError> {
    match found == expected {
        true => Ok(()),
        false => Err(refuse(field, format!("found {found}, expected {expected}"))),
    }
}
