//! Functions that build, change and take apart PostgreSQL's JSON.
//!
//! Layer `plan`; names of functions only.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JsonFunction {
    /// `to_jsonb(value)`.
    Of,
    /// `to_json(value)`: a text.
    TextOf,
    /// `jsonb_build_object(name, value, …)`.
    Object,
    /// `jsonb_build_array(value, …)`.
    Array,
    /// `json_build_object(name, value, …)`: a text.
    ObjectText,
    /// `json_build_array(value, …)`: a text.
    ArrayText,
    /// `row_to_json(row)`: a text, from names and values.
    RowText,
    /// `?|`, or `?&` for all.
    HasAny {
        all: bool,
    },
    /// `#-`.
    RemovePath,
    /// `- names`.
    RemoveNames,
    /// `jsonb_set(json, path, new [, create])`.
    Set,
    /// `jsonb_insert(json, path, new [, after])`.
    Insert,
    /// `json['a']['b'] = new`.
    Assign,
    StripNulls,
    Pretty,
    /// The elements of an array, as an array of values.
    Elements {
        text: bool,
    },
    /// The names of an object, as an array of texts.
    Names,
    /// The values of an object, as an array.
    Members {
        text: bool,
    },
    /// A member of each object of an array, as an array of texts; NULL where there is none.
    Column,
    /// `jsonb_path_query_array(json, path)`.
    PathAll,
    /// `jsonb_path_query_first(json, path)`.
    PathFirst,
    /// `jsonb_path_exists(json, path)`, `@?`.
    PathExists,
    /// `jsonb_path_match(json, path)`, `@@`.
    PathMatch,
}

impl JsonFunction {
    /// Whether the function can have a result if an argument is NULL.
    pub(crate) fn takes_nulls(self) -> bool {
        matches!(
            self,
            Self::Object
                | Self::Array
                | Self::ObjectText
                | Self::ArrayText
                | Self::RowText
                | Self::Assign
        )
    }

    /// Whether the result may depend on settings of the session, so that the server does not compute it early.
    pub(crate) fn depends_on_session(self) -> bool {
        matches!(
            self,
            Self::Of
                | Self::TextOf
                | Self::Object
                | Self::Array
                | Self::ObjectText
                | Self::ArrayText
                | Self::RowText
        )
    }
}
