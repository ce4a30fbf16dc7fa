//! The first bytes of a trace, from which its format is detected.

use std::io::{self, Read};

/// How many bytes are looked at.
const HEAD: u64 = 1 << 16;

/// Reads the first bytes of a trace.
pub(crate) fn read(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    input.take(HEAD).read_to_end(&mut head)?;
    Ok(head)
}
