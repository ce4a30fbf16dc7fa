//! A validator for the part of JSON Schema that our schemas use. It fails on keywords that it does not know, so a
//! schema cannot outgrow it unnoticed.

use serde_json::Value;

/// The only pattern that our schemas use.
const HEXADECIMAL: &str = "^([0-9a-fA-F]{2})*$";

/// Whether a value conforms to a schema; if not, which rule refuses which part of it.
pub fn check(schema: &Value, value: &Value) -> Result<(), String> {
    check_part(schema, schema, value)
}

fn check_part(root: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    for (keyword, rule) in schema.as_object().expect("a schema is an object") {
        let fine = match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" => true,
            "$ref" => return check_part(root, find(root, rule), value),
            "const" => rule == value,
            "enum" => list(rule).contains(value),
            "type" => has_type(rule, value),
            "minimum" => value.as_i64().is_none_or(|n| n >= rule.as_i64().expect("a number")),
            "maximum" => value.as_i64().is_none_or(|n| n <= rule.as_i64().expect("a number")),
            "pattern" => matches_pattern(rule, value),
            "required" => {
                list(rule).iter().all(|name| value.get(name.as_str().expect("a name")).is_some())
            }
            "properties" => {
                for (name, rule) in rule.as_object().expect("properties") {
                    value.get(name).map_or(Ok(()), |inner| check_part(root, rule, inner))?;
                }
                true
            }
            "additionalProperties" => has_only_known_properties(schema, value),
            "items" => {
                elements(value).iter().try_for_each(|item| check_part(root, rule, item))?;
                true
            }
            "prefixItems" => {
                let mut pairs = elements(value).iter().zip(list(rule));
                pairs.try_for_each(|(item, rule)| check_part(root, rule, item))?;
                true
            }
            "minItems" => elements(value).len() as u64 >= rule.as_u64().expect("a number"),
            "maxItems" => elements(value).len() as u64 <= rule.as_u64().expect("a number"),
            "oneOf" => matching(root, rule, value) == 1,
            "anyOf" => matching(root, rule, value) > 0,
            unknown => unreachable!("the schema uses {unknown}"),
        };
        if !fine {
            return Err(format!("{keyword} {rule} refuses {value}"));
        }
    }
    Ok(())
}

fn find<'a>(root: &'a Value, reference: &Value) -> &'a Value {
    let path = reference.as_str().and_then(|text| text.strip_prefix('#'));
    root.pointer(path.expect("a local reference")).expect("the reference leads somewhere")
}

fn matching(root: &Value, rules: &Value, value: &Value) -> usize {
    list(rules).iter().filter(|rule| check_part(root, rule, value).is_ok()).count()
}

fn matches_pattern(pattern: &Value, value: &Value) -> bool {
    assert_eq!(pattern, HEXADECIMAL, "the schema uses another pattern");
    let is_hexadecimal = |text: &str| {
        text.len().is_multiple_of(2) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    value.as_str().is_none_or(is_hexadecimal)
}

fn has_only_known_properties(schema: &Value, value: &Value) -> bool {
    let is_known = |name: &String| schema["properties"].get(name).is_some();
    value.as_object().is_none_or(|map| map.keys().all(is_known))
}

fn has_type(rule: &Value, value: &Value) -> bool {
    let one = |name: &Value| match name.as_str().expect("a type") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        unknown => unreachable!("the schema uses type {unknown}"),
    };
    rule.as_array().map_or_else(|| one(rule), |names| names.iter().any(one))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn elements(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
