//! The elements of a JSON list, one after the other, where each place has its own meaning.

use serde::de::{self, Deserialize, SeqAccess};

/// The next element of a list that is an operation.
pub(crate) fn next<'de, A: SeqAccess<'de>, T: Deserialize<'de>>(
    list: &mut A,
    what: &str,
) -> Result<T, A::Error> {
    let missing =
        || de::Error::custom(format_args!("an operation that ends too early, expected {what}"));
    list.next_element()?.ok_or_else(missing)
}

/// Complains about elements after the last one that has a meaning.
pub(crate) fn nothing_more<'de, A: SeqAccess<'de>>(
    list: &mut A,
    length: usize,
    expected: &dyn de::Expected,
) -> Result<(), A::Error> {
    match list.next_element::<de::IgnoredAny>()? {
        None => Ok(()),
        Some(_) => Err(de::Error::invalid_length(length + 1, expected)),
    }
}
