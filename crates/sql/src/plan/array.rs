//! Functions of PostgreSQL's arrays.
//!
//! Layer `plan`; names of functions only.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArrayFunction {
    /// `array_position(array, element [, start])`.
    Position,
    /// `array_positions(array, element)`.
    Positions,
    /// `array_remove(array, element)`.
    Remove,
    /// `array_replace(array, from, to)`.
    Replace,
    /// `array_append(array, element)`, where NULL is an element or no array.
    Append,
    /// `array_prepend(element, array)`.
    Prepend,
    /// `array_cat(array, array)`.
    Concat,
    /// `array_upper(array, 1)`: NULL if it is empty.
    Upper,
    /// `array_lower(array, 1)`.
    Lower,
    /// `array_ndims(array)`.
    Dimensions,
    /// `trim_array(array, n)`.
    Trim,
    /// `array[a:b]`, with NULL for a bound that is left out.
    Slice,
    /// `SET array[n] = value`.
    Assign,
    /// `string_to_array(text, separator [, null])`.
    Split,
    /// `array_to_string(array, separator [, null])`.
    Join,
}

impl ArrayFunction {
    /// Whether the function can have a result if an argument is NULL.
    pub(crate) fn takes_nulls(self) -> bool {
        !matches!(self, Self::Upper | Self::Lower | Self::Dimensions | Self::Trim)
    }
}
