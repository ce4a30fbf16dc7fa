//! The names that PL/pgSQL has for errors.
//!
//! Layer `routine`, the half that reads. `OTHERS` is not among them: it also catches errors that no state of the rows
//! explains, such as a deadlock.

/// The SQLSTATE of an error by the name that PL/pgSQL has for it.
pub(super) fn condition(name: &str) -> Option<&'static str> {
    let known = [
        ("unique_violation", "23505"),
        ("not_null_violation", "23502"),
        ("check_violation", "23514"),
        ("division_by_zero", "22012"),
        ("numeric_value_out_of_range", "22003"),
        ("invalid_text_representation", "22P02"),
        ("string_data_right_truncation", "22001"),
        ("no_data_found", "P0002"),
        ("too_many_rows", "P0003"),
        ("raise_exception", "P0001"),
    ];
    let mut known = known.iter();
    known.find(|(one, _)| one.eq_ignore_ascii_case(name)).map(|(_, state)| *state)
}
