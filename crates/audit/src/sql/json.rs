//! Values of the log, as SQL has them.

use serde_json::Value as Json;

use crate::world::Value;

/// A parameter or a value of the start.
pub(super) fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(truth) => Value::Bool(*truth),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => Value::Int(whole),
            None => {
                match number.as_u64().and_then(|whole| Value::from_integer(i128::from(whole))) {
                    Some(large) => large,
                    None => Value::text(&number.to_string()),
                }
            }
        },
        Json::String(text) => Value::text(text),
        // Bytes, as PostgreSQL writes them.
        Json::Object(bytes) if let Some(Json::String(digits)) = bytes.get("hex") => {
            Value::text(&format!("\\x{digits}"))
        }
        other => Value::text(&other.to_string()),
    }
}
