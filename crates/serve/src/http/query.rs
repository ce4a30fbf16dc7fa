//! What stands behind the `?` of an address, and in the body of a plain form: pairs of names and values.

/// Names and values, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    /// Reads `a=1&b=two+words`. What is wrong is read as it stands.
    pub(crate) fn parse(text: &str) -> Self {
        let pair = |part: &str| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            (decoded(name), decoded(value))
        };
        Self(text.split('&').filter(|part| !part.is_empty()).map(pair).collect())
    }

    /// The first value with this name, unless it is empty.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let known = self.0.iter().find(|(known, _)| known == name);
        known.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    /// All parameters, in their order.
    pub(crate) fn into_pairs(self) -> Vec<(String, String)> {
        self.0
    }

    /// The same query with a value replaced; an empty one is left out.
    pub(crate) fn with(&self, name: &str, value: &str) -> String {
        let others = self.0.iter().filter(|(known, value)| known != name && !value.is_empty());
        let others = others.map(|(name, value)| (name.as_str(), value.as_str()));
        let own = (!value.is_empty()).then_some((name, value));
        let parts =
            others.chain(own).map(|(name, value)| format!("{}={}", encoded(name), encoded(value)));
        parts.collect::<Vec<String>>().join("&")
    }
}

/// Text from an address: `%41` and `+` mean what they mean in forms.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = bytes.get(at + 1..at + 3).and_then(hex);
        match (bytes[at], code) {
            (b'%', Some(byte)) => {
                out.push(byte);
                at += 3;
                continue;
            }
            (b'+', _) => out.push(b' '),
            (byte, _) => out.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn hex(digits: &[u8]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let [high, low] = digits else { return None };
    u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()
}

/// Text as a part of an address.
pub(crate) fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_decoded() {
        for text in ["", "a b&c=d", "ü/%41+", "..\u{0}", "100%"] {
            let query = Query::parse(&format!("q={}", encoded(text)));
            assert_eq!(query.get("q").unwrap_or_default(), text);
        }
        let query = Query::parse("a=1&&b=x+y&a=2&c=%4&d=%zz&e");
        assert_eq!(
            (query.get("a"), query.get("b"), query.get("c")),
            (Some("1"), Some("x y"), Some("%4"))
        );
        assert_eq!((query.get("d"), query.get("e"), query.get("f")), (Some("%zz"), None, None));
    }

    #[test]
    fn one_value_is_replaced() {
        let query = Query::parse("level=si&page=3&q=");
        assert_eq!(query.with("page", "4"), "level=si&page=4");
        assert_eq!(query.with("page", ""), "level=si");
    }
}
