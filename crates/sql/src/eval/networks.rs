//! Functions and operators of PostgreSQL's addresses and networks. No argument is NULL.
//!
//! Layer `eval`; knows values and the names of functions.

use crate::error::{Result, unsupported};
use crate::plan::NetworkFunction;
use crate::value::Value;

pub(super) fn network_call(function: NetworkFunction, args: &[Value]) -> Result<Value> {
    use NetworkFunction as N;
    Ok(match (function, args) {
        (N::Host, [Value::Network(one)]) => Value::text(&one.host()),
        (N::Text, [Value::Network(one)]) => Value::text(&one.full()),
        (N::Length, [Value::Network(one)]) => Value::Int(one.length()),
        (N::Family, [Value::Network(one)]) => Value::Int(one.family()),
        (N::Network, [Value::Network(one)]) => Value::Network(one.network()),
        (N::Netmask, [Value::Network(one)]) => Value::Network(one.netmask()),
        (N::Broadcast, [Value::Network(one)]) => Value::Network(one.broadcast()),
        (N::Within { equal }, [Value::Network(a), Value::Network(b)]) => {
            Value::Bool(a.is_within(*b, equal))
        }
        (N::Overlaps, [Value::Network(a), Value::Network(b)]) => Value::Bool(a.overlaps(*b)),
        _ => return unsupported("this function of addresses"),
    })
}
