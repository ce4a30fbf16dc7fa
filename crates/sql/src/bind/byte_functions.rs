//! Functions of PostgreSQL's `bytea`.
//!
//! Layer `bind`; knows types and plans.

use crate::error::Result;
use crate::plan::{BytesFunction, Function};
use crate::types::Type;

use super::binder::{Binder, Typed};

impl Binder<'_> {
    /// A function by its name and types; `None` if it is not one of bytes.
    pub(super) fn bytes_function(&self, name: &str, args: &[Typed]) -> Result<Option<Typed>> {
        use BytesFunction as B;
        const BYTES: Type = Type::Bytea;
        const TEXT: Type = Type::TEXT;
        const INT: Type = Type::INT4;
        let of_bytes = args.first().is_some_and(|arg| arg.1 == BYTES);
        let call = |function, params: &[Type], result| {
            self.called(Function::Bytes(function), params, result, args.to_vec()).map(Some)
        };
        match (name, args.len()) {
            ("length" | "octet_length", 1) if of_bytes => call(B::Length, &[BYTES], INT),
            ("md5", 1) if of_bytes => call(B::Md5, &[BYTES], TEXT),
            ("substring" | "substr", 2 | 3) if of_bytes => {
                call(B::Substring, &[BYTES, INT, INT], BYTES)
            }
            ("get_byte", 2) if of_bytes => call(B::Get, &[BYTES, INT], INT),
            ("encode", 2) => call(B::Encode, &[BYTES, TEXT], TEXT),
            ("decode", 2) => call(B::Decode, &[TEXT, TEXT], BYTES),
            ("convert_from", 2) => call(B::FromUtf8, &[BYTES, TEXT], TEXT),
            ("convert_to", 2) => call(B::ToUtf8, &[TEXT, TEXT], BYTES),
            ("sha224", 1) => call(B::Sha224, &[BYTES], BYTES),
            ("sha256", 1) => call(B::Sha256, &[BYTES], BYTES),
            ("sha384", 1) => call(B::Sha384, &[BYTES], BYTES),
            ("sha512", 1) => call(B::Sha512, &[BYTES], BYTES),
            _ => Ok(None),
        }
    }
}
