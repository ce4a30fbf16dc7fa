//! Addresses and networks of PostgreSQL: `inet` and `cidr`.
//!
//! An `inet` is the address of a host together with the length of the prefix that is its network; a `cidr` is a
//! network, whose address has no bits behind the prefix.

use std::cmp::Ordering;
use std::net::{Ipv4Addr, Ipv6Addr};

/// An address and the length of its prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Network {
    sixth: bool,
    address: u128,
    length: u32,
    /// Whether it is a `cidr`, which is always written with its length.
    is_cidr: bool,
}

impl Network {
    /// Reads `10.0.0.1/8` or `2001:db8::1`. `None` if it has another form, which the server may read or not.
    pub(crate) fn parse(text: &str, is_cidr: bool) -> Option<Self> {
        let (address, length) = match text.split_once('/') {
            Some((address, length)) => (address, Some(length)),
            None => (text, None),
        };
        let (sixth, address) = match address.parse::<Ipv4Addr>() {
            Ok(address) => (false, u128::from(address.to_bits())),
            Err(_) if address.contains('.') => return None,
            Err(_) => (true, address.parse::<Ipv6Addr>().ok()?.to_bits()),
        };
        let all = if sixth { 128 } else { 32 };
        let length = match length {
            None => all,
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                digits.parse().ok().filter(|length| *length <= all)?
            }
            Some(_) => return None,
        };
        let read = Self { sixth, address, length, is_cidr };
        // Servers write an address of the fourth version inside one of the sixth in their own ways.
        let embedded = sixth && (address >> 32 == 0xffff || (0x10000..1 << 32).contains(&address));
        (!embedded).then_some(read)
    }

    /// Whether the address has no bits behind its prefix.
    pub(crate) fn is_network(self) -> bool {
        self.address & !self.mask() == 0
    }

    /// The same as a `cidr` or as an `inet`.
    pub(crate) fn as_cidr(self, is_cidr: bool) -> Self {
        Self { is_cidr, ..self }
    }

    fn bits(self) -> u32 {
        if self.sixth { 128 } else { 32 }
    }

    fn whole(self) -> u128 {
        if self.sixth { u128::MAX } else { u128::from(u32::MAX) }
    }

    fn mask(self) -> u128 {
        let behind = self.bits() - self.length;
        self.whole().checked_shr(behind).unwrap_or(0).checked_shl(behind).unwrap_or(0)
            & self.whole()
    }

    /// 4 or 6.
    pub(crate) fn family(self) -> i64 {
        if self.sixth { 6 } else { 4 }
    }

    pub(crate) fn length(self) -> i64 {
        i64::from(self.length)
    }

    /// The address without the length of its prefix.
    pub(crate) fn host(self) -> String {
        match self.sixth {
            true => Ipv6Addr::from_bits(self.address).to_string(),
            false => {
                Ipv4Addr::from_bits(u32::try_from(self.address).unwrap_or(u32::MAX)).to_string()
            }
        }
    }

    /// The network that it is in.
    pub(crate) fn network(self) -> Self {
        Self { address: self.address & self.mask(), is_cidr: true, ..self }
    }

    /// The mask of its network, as an address.
    pub(crate) fn netmask(self) -> Self {
        Self { address: self.mask(), length: self.bits(), is_cidr: false, ..self }
    }

    /// The last address of its network.
    pub(crate) fn broadcast(self) -> Self {
        Self { address: self.address | (self.whole() & !self.mask()), is_cidr: false, ..self }
    }

    /// The address with the length of its prefix in any case.
    pub(crate) fn full(self) -> String {
        format!("{}/{}", self.host(), self.length)
    }

    /// Whether it is in a network, or, if `equal`, may be that network itself.
    pub(crate) fn is_within(self, network: Self, equal: bool) -> bool {
        let longer = self.length > network.length || equal && self.length == network.length;
        self.sixth == network.sixth && longer && self.shares(network, network.length)
    }

    /// Whether one of two networks has the other one in it.
    pub(crate) fn overlaps(self, other: Self) -> bool {
        self.sixth == other.sixth && self.shares(other, self.length.min(other.length))
    }

    /// Whether the first bits are the same.
    fn shares(self, other: Self, bits: u32) -> bool {
        let behind = self.bits() - bits;
        let first = |address: u128| address.checked_shr(behind).unwrap_or(0);
        first(self.address) == first(other.address)
    }

    /// By version, network, length of the prefix and address.
    pub(crate) fn compare(self, other: Self) -> Ordering {
        let behind = self.bits().max(other.bits()) - self.length.min(other.length);
        let first = |one: Self| one.address.checked_shr(behind).unwrap_or(0);
        self.sixth.cmp(&other.sixth).then_with(|| {
            let by_network = first(self).cmp(&first(other));
            by_network.then(self.length.cmp(&other.length)).then(self.address.cmp(&other.address))
        })
    }
}

impl std::fmt::Display for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.is_cidr || self.length != self.bits() {
            true => f.write_str(&self.full()),
            false => f.write_str(&self.host()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inet(text: &str) -> Network {
        Network::parse(text, false).expect("an address")
    }

    #[test]
    fn finds_hosts_in_networks() {
        let network = Network::parse("10.0.0.0/8", true).expect("a network");
        assert!(inet("10.1.2.3").is_within(network, false));
        assert!(!inet("11.1.2.3").is_within(network, false));
        assert!(!network.is_within(network, false) && network.is_within(network, true));
        assert!(inet("::1").is_within(inet("::/0"), false));
    }

    #[test]
    fn is_written_as_the_server_writes_it() {
        for (text, written) in [
            ("10.1.2.3/32", "10.1.2.3"),
            ("192.168.0.1/24", "192.168.0.1/24"),
            ("2001:DB8::1", "2001:db8::1"),
        ] {
            assert_eq!(inet(text).to_string(), written);
        }
        assert_eq!(inet("192.168.0.1/24").network().to_string(), "192.168.0.0/24");
        assert_eq!(inet("192.168.0.1/24").broadcast().to_string(), "192.168.0.255/24");
        assert_eq!(inet("192.168.0.1/24").netmask().to_string(), "255.255.255.0");
        assert_eq!(Network::parse("::ffff:1.2.3.4", false), None);
    }
}
