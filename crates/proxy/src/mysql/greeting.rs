//! The first words of both sides, in which they agree on how to talk.
//!
//! What would hide the rest (encryption, compression), or change its form in ways that bring clients
//! nothing they would miss, is taken out of the server's offer. Everything else stays as it is.

use crate::bytes::Bytes;

/// Capabilities of clients and servers.
pub(super) const CONNECT_WITH_DB: u32 = 1 << 3;
const COMPRESS: u32 = 1 << 5;
const SSL: u32 = 1 << 11;
const SECURE_CONNECTION: u32 = 1 << 15;
pub(super) const MULTI_STATEMENTS: u32 = 1 << 16;
const AUTH_IS_COUNTED: u32 = 1 << 21;
pub(super) const SESSION_TRACK: u32 = 1 << 23;
const DEPRECATE_EOF: u32 = 1 << 24;
const OPTIONAL_METADATA: u32 = 1 << 25;
const ZSTD: u32 = 1 << 26;
const QUERY_ATTRIBUTES: u32 = 1 << 27;
/// What is taken out.
const STRIPPED: u32 = COMPRESS | SSL | DEPRECATE_EOF | OPTIONAL_METADATA | ZSTD | QUERY_ATTRIBUTES;

/// The version of the protocol that is spoken here.
const VERSION: u8 = 10;

/// Who the client is and what it can do.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Client {
    pub(super) can: u32,
    pub(super) user: String,
    pub(super) database: Option<String>,
}

/// Takes out of a server's greeting (without the packet's head) what would hide the rest. Returns the
/// server's version; `None` if this is no greeting.
pub(crate) fn strip(greeting: &mut [u8]) -> Option<String> {
    let mut rest = Bytes(greeting);
    if rest.u8()? != VERSION {
        return None;
    }
    let version = rest.text_until_zero()?;
    // MariaDB puts this before its version, for the sake of old clients.
    let version = version.strip_prefix("5.5.5-").map_or(version.clone(), str::to_owned);
    // A number of the connection, eight bytes of a challenge, a zero.
    rest.take(13)?;
    let low = greeting.len() - rest.0.len();
    // Low capabilities (2), character set (1), status (2), high capabilities (2), length of the
    // challenge (1), unused (6), capabilities of MariaDB (4).
    let high = low + 5;
    let mut clear = |place: usize, bits: u32| {
        if let Some(pair) = greeting.get_mut(place..place + 2) {
            let [first, second, ..] = bits.to_le_bytes();
            pair[0] &= !first;
            pair[1] &= !second;
        }
    };
    clear(low, STRIPPED);
    clear(high, STRIPPED >> 16);
    clear(high + 9, u32::MAX);
    clear(high + 11, u32::MAX);
    Some(version)
}

/// What a client is told if the server cannot be reached.
pub(crate) fn refusal(reason: &str) -> Vec<u8> {
    // Error 2003: can't connect to server.
    let mut body = vec![0xff, 0xd3, 0x07];
    body.extend_from_slice(reason.as_bytes());
    let [a, b, c, ..] = (body.len() as u32).to_le_bytes();
    let mut packet = vec![a, b, c, 0];
    packet.extend(body);
    packet
}

impl Client {
    /// From the client's answer; `None` if it makes no sense, or insists on what it was not offered.
    pub(super) fn read(mut body: Bytes<'_>) -> Option<Self> {
        let can = body.u32_le().filter(|can| can & STRIPPED == 0)?;
        // Longest packet, character set, unused.
        body.take(28)?;
        let user = body.text_until_zero()?;
        let skipped = if can & AUTH_IS_COUNTED != 0 {
            body.counted()
        } else if can & SECURE_CONNECTION != 0 {
            body.u8().and_then(|length| body.take(length.into()))
        } else {
            body.until_zero()
        };
        let database = match can & CONNECT_WITH_DB != 0 && skipped.is_some() {
            true => body.text_until_zero(),
            false => None,
        };
        Some(Self { can, user, database })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_would_hide_the_rest_is_taken_out() {
        let mut greeting = vec![10];
        greeting.extend(b"10.11.6-MariaDB\0\x07\0\0\0abcdefgh\0");
        let low = greeting.len();
        greeting.extend([0xff, 0xff, 45, 2, 0, 0xff, 0xff, 21]);
        greeting.extend([0; 6]);
        greeting.extend([0x1f, 0, 0, 0]);
        greeting.extend(b"ijklmnopqrst\0mysql_native_password\0");
        let before = greeting.clone();
        assert_eq!(strip(&mut greeting).as_deref(), Some("10.11.6-MariaDB"));
        assert_eq!(greeting[low..low + 2], [0xdf, 0xf7]);
        assert_eq!(greeting[low + 5..low + 7], [0xff, 0xf0]);
        assert_eq!(greeting[low + 14..low + 18], [0; 4]);
        assert_eq!(greeting[low + 18..], before[low + 18..]);
        for length in 0..before.len() {
            strip(&mut before[..length].to_vec());
        }
    }

    #[test]
    fn clients_say_who_they_are() {
        let mut body =
            (CONNECT_WITH_DB | AUTH_IS_COUNTED | MULTI_STATEMENTS).to_le_bytes().to_vec();
        body.extend([0; 28]);
        body.extend(b"me\0\x03pwdshop\0");
        let client = Client::read(Bytes(&body)).expect("a client");
        assert_eq!((client.user.as_str(), client.database.as_deref()), ("me", Some("shop")));
        body[1] |= 0x08;
        assert_eq!(Client::read(Bytes(&body)), None, "it insists on encryption");
        for length in 0..body.len() {
            Client::read(Bytes(&body[..length]));
        }
    }
}
