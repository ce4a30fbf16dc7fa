//! Functions of PostgreSQL's `bytea`.
//!
//! Layer `plan`; names of functions only.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BytesFunction {
    /// `length(bytes)`, `octet_length(bytes)`.
    Length,
    /// `encode(bytes, format)`.
    Encode,
    /// `decode(text, format)`.
    Decode,
    /// `bytes || bytes`.
    Append,
    /// `md5(bytes)`.
    Md5,
    Sha224,
    Sha256,
    Sha384,
    Sha512,
    /// `convert_from(bytes, 'UTF8')`.
    FromUtf8,
    /// `convert_to(text, 'UTF8')`.
    ToUtf8,
    /// `substring(bytes, start [, length])`.
    Substring,
    /// `get_byte(bytes, place)`.
    Get,
}
