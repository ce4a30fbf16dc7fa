//! The simple form.

use tristan_history::formats::{self, Format};
use tristan_history::{Datum, History, Initial, Observed, OpKind};

fn read(text: &str) -> History {
    formats::read(text.as_bytes(), "t", Some(Format::Simple)).expect(text)
}

#[test]
fn initial_keys_cover_all_64_bits_signed_or_not() {
    for key in ["9223372036854775808", "18446744073709551615", "-9223372036854775808", "7"] {
        let text = format!(
            "{{\"initial\":{{\"{key}\":\"init\"}}}}\n{{\"s\":1,\"st\":\"c\",\"ops\":[[\"r\",{key},\"init\"]]}}\n"
        );
        let history = read(&text);
        let OpKind::Get { key: id, seen, .. } = history.ops[0].kind else {
            unreachable!("the trace has one read");
        };
        assert_eq!(history.initial_of(id), Some(seen), "{key}");
    }
}

#[test]
fn an_initial_key_that_is_no_integer_stays_a_text() {
    let history =
        read("{\"initial\":{\"018\":1}}\n{\"s\":1,\"st\":\"c\",\"ops\":[[\"r\",\"018\",1]]}\n");
    let Initial::Given(given) = &history.header.initial else {
        unreachable!("the trace gives an initial state");
    };
    let (&key, &value) = given.iter().next().expect("one key");
    assert_eq!(history.key(key), &Datum::from("018"));
    assert_eq!(history.initial_of(key), Some(Observed::Value(value)));
}
