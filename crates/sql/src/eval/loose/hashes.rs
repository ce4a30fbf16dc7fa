//! Sums of bytes, written as texts or numbers.
//!
//! Layer `eval`; knows nothing of SQL.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha224, Sha256, Sha384, Sha512};

/// Letters in a line of Base64.
const LINE: usize = 76;

/// The bytes in hexadecimal digits.
pub(super) fn hex(bytes: &[u8], upper: bool) -> String {
    let digit = |byte: &u8| if upper { format!("{byte:02X}") } else { format!("{byte:02x}") };
    bytes.iter().map(digit).collect()
}

pub(super) fn md5(bytes: &[u8]) -> String {
    hex(&Md5::digest(bytes), false)
}

pub(super) fn sha1(bytes: &[u8]) -> String {
    hex(&<Sha1 as sha1::Digest>::digest(bytes), false)
}

/// `None` if there is no such length.
pub(super) fn sha2(bytes: &[u8], bits: i128) -> Option<String> {
    Some(match bits {
        224 => hex(&Sha224::digest(bytes), false),
        0 | 256 => hex(&Sha256::digest(bytes), false),
        384 => hex(&Sha384::digest(bytes), false),
        512 => hex(&Sha512::digest(bytes), false),
        _ => return None,
    })
}

/// The checksum of ISO 3309, as in zip files.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _| if sum & 1 == 1 { (sum >> 1) ^ 0xEDB8_8320 } else { sum >> 1 };
    !bytes.iter().fold(!0, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), step))
}

/// In lines of 76 letters, as MySQL writes it.
pub(super) fn base64(bytes: &[u8]) -> String {
    let letters = STANDARD.encode(bytes);
    let lines: Vec<&str> = (0..letters.len())
        .step_by(LINE)
        .map(|start| &letters[start..letters.len().min(start + LINE)])
        .collect();
    lines.join("\n")
}
