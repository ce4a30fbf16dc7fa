//! Which clients may ask.
//!
//! A page from elsewhere can make a browser talk to this machine: it gives its own name this
//! machine's address, and the browser takes us for a part of that page. Such a request names the
//! foreign host, so only addresses and `localhost`, which cannot be pointed elsewhere, are accepted.
//! Requests that start work must come from our own pages: browsers say so.

use std::net::{IpAddr, Ipv6Addr};

use super::{HttpError, Method, Request};

/// Refuses requests that do not come from our own pages or from a user who typed the address.
pub(super) fn admit(request: &Request) -> Result<(), HttpError> {
    let mut hosts = request.headers("host");
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return Err(HttpError::new(400, "a request must have exactly one Host header"));
    };
    if !is_local(host) {
        let told = "this server only answers requests for localhost or its own address";
        return Err(HttpError::new(421, told));
    }
    if request.method == Method::Post && is_foreign(request, host) {
        return Err(HttpError::new(403, "only our own pages may start a check"));
    }
    Ok(())
}

/// Whether a host is named in a way that cannot be pointed elsewhere.
fn is_local(host: &str) -> bool {
    let bare = |text: &str| {
        text.eq_ignore_ascii_case("localhost")
            || text.parse::<IpAddr>().is_ok_and(|ip| ip.is_ipv4())
    };
    let bracketed = |text: &str| {
        let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        inner.is_some_and(|inner| inner.parse::<Ipv6Addr>().is_ok())
    };
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let name = match host.rsplit_once(':') {
        Some((name, port)) if is_port(port) && !name.ends_with(':') => name,
        _ => host,
    };
    bare(name) || bracketed(name)
}

/// Whether a browser says that another site sent the request.
fn is_foreign(request: &Request, host: &str) -> bool {
    let own = format!("http://{host}");
    let other_origin = |origin: &str| !origin.eq_ignore_ascii_case(&own);
    let other_site = |site: &str| !matches!(site, "same-origin" | "none");
    request.headers("origin").any(other_origin) || request.headers("sec-fetch-site").any(other_site)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_cannot_be_pointed_elsewhere_are_ours() {
        for host in [
            "localhost",
            "LocalHost:80",
            "127.0.0.1",
            "127.0.0.1:8080",
            "[::1]",
            "[::1]:99",
            "10.0.0.7:1",
        ] {
            assert!(is_local(host), "{host}");
        }
        for host in [
            "",
            ":80",
            "evil.example",
            "evil.example:80",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "localhost:",
            "localhost:80:90",
            "::1",
            "[::1",
            "127.1",
            "0x7f000001",
            "localhost@evil",
            " localhost",
        ] {
            assert!(!is_local(host), "{host}");
        }
    }
}
