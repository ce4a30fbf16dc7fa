//! Where a database is: `scheme://user:password@host:port/name?option=value`, or `scheme:path`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A database's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Url {
    /// Which kind of database.
    pub scheme: String,
    /// The rest, as it was given.
    text: String,
    /// `user:password`, if there is one.
    user: Option<(String, Option<String>)>,
    host: Option<String>,
    port: Option<u16>,
    /// What comes after the host: a database's name, or a path.
    path: String,
    options: Vec<(String, String)>,
}

/// An address that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("found {found}, expected {expected}")]
pub struct UrlError {
    /// What was there.
    pub found: String,
    /// What should have been.
    pub expected: String,
}

impl UrlError {
    /// Something else was expected.
    pub fn new(found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { found: found.into(), expected: expected.into() }
    }
}

impl Url {
    /// The user's name.
    pub fn user(&self) -> Option<&str> {
        self.user.as_ref().map(|(name, _)| name.as_str())
    }

    /// The user's password.
    pub fn password(&self) -> Option<&str> {
        self.user.as_ref().and_then(|(_, password)| password.as_deref())
    }

    /// The host; `127.0.0.1` if none is given.
    pub fn host(&self) -> &str {
        self.host.as_deref().unwrap_or("127.0.0.1")
    }

    /// The port, if one is given.
    pub fn port(&self) -> Option<u16> {
        self.port
    }

    /// The database's name or its path, if one is given.
    pub fn path(&self) -> Option<&str> {
        Some(self.path.as_str()).filter(|path| !path.is_empty())
    }

    /// The value of an option.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Refuses options that are left over.
    ///
    /// # Errors
    /// Names the first one.
    pub fn only_options(&self, known: &[&str]) -> Result<(), UrlError> {
        let odd = self.options.iter().find(|(name, _)| !known.contains(&name.as_str()));
        odd.map_or(Ok(()), |(name, _)| {
            let known = if known.is_empty() { "no option".into() } else { known.join(" or ") };
            Err(UrlError::new(format!("the option \"{name}\""), known))
        })
    }

    /// The same address, but at another place.
    #[must_use]
    pub fn moved_to(&self, host: &str, port: u16) -> Self {
        Self { host: Some(host.into()), port: Some(port), ..self.clone() }
    }
}

impl FromStr for Url {
    type Err = UrlError;

    fn from_str(text: &str) -> Result<Self, UrlError> {
        let (scheme, rest) = text
            .split_once(':')
            .filter(|(scheme, _)| !scheme.is_empty() && !scheme.contains(['/', '.', '@']))
            .ok_or_else(|| UrlError::new(format!("\"{text}\""), "an address like scheme:…"))?;
        let (rest, options) = match rest.split_once('?') {
            Some((rest, options)) => (rest, read_options(options)?),
            None => (rest, Vec::new()),
        };
        let url = Self {
            scheme: scheme.to_ascii_lowercase(),
            text: text.into(),
            user: None,
            host: None,
            port: None,
            path: rest.into(),
            options,
        };
        match rest.strip_prefix("//") {
            Some(place) => read_place(url, place),
            None => Ok(url),
        }
    }
}

fn read_place(url: Url, place: &str) -> Result<Url, UrlError> {
    let (place, path) = place.split_once('/').unwrap_or((place, ""));
    let (user, place) = match place.rsplit_once('@') {
        Some((user, place)) => (Some(read_user(user)?), place),
        None => (None, place),
    };
    let (host, port) = match place.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => {
            let wrong = || UrlError::new(format!("the port \"{port}\""), "a number up to 65535");
            (host, Some(port.parse().map_err(|_| wrong())?))
        }
        _ => (place, None),
    };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let host = Some(decode(host)?).filter(|host| !host.is_empty());
    Ok(Url { user, host, port, path: decode(path)?, ..url })
}

fn read_user(text: &str) -> Result<(String, Option<String>), UrlError> {
    match text.split_once(':') {
        Some((name, password)) => Ok((decode(name)?, Some(decode(password)?))),
        None => Ok((decode(text)?, None)),
    }
}

fn read_options(text: &str) -> Result<Vec<(String, String)>, UrlError> {
    let pair = |part: &str| {
        let (name, value) = part
            .split_once('=')
            .ok_or_else(|| UrlError::new(format!("\"{part}\""), "option=value"))?;
        Ok((decode(name)?, decode(value)?))
    };
    text.split('&').filter(|part| !part.is_empty()).map(pair).collect()
}

/// Replaces `%41` by `A`.
fn decode(text: &str) -> Result<String, UrlError> {
    let wrong = || UrlError::new(format!("\"{text}\""), "text with %XX for special characters");
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || rest.next().and_then(|digit| char::from(digit).to_digit(16));
        let (high, low) = (digit().ok_or_else(wrong)?, digit().ok_or_else(wrong)?);
        bytes.push((high * 16 + low) as u8);
    }
    String::from_utf8(bytes).map_err(|_| wrong())
}

impl fmt::Display for Url {
    /// As it was given, without the password.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.text.split_once("://"), self.text.rsplit_once('@'), self.password()) {
            (Some((scheme, _)), Some((_, place)), Some(_)) => {
                write!(out, "{scheme}://{}@{place}", self.user().unwrap_or_default())
            }
            _ => out.write_str(&self.text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        text.parse().expect("an address")
    }

    #[test]
    fn parts_are_told_apart() {
        let all = url("postgres://me:s%40crew@db.example:5433/test?sslmode=disable");
        assert_eq!(
            (all.scheme.as_str(), all.host(), all.port()),
            ("postgres", "db.example", Some(5433))
        );
        assert_eq!(
            (all.user(), all.password(), all.path()),
            (Some("me"), Some("s@crew"), Some("test"))
        );
        assert_eq!(all.option("sslmode"), Some("disable"));
        assert_eq!(all.to_string(), "postgres://me@db.example:5433/test?sslmode=disable");
        assert_eq!(url("sqlite:/tmp/a.db").path(), Some("/tmp/a.db"));
        assert_eq!(url("mysql://[::1]:3306/x").host(), "::1");
        assert_eq!(url("memory:").path(), None);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "test.db", "postgres://a:b:c@h:99999/x", "fjall:x?y", "mysql://%4/x"] {
            assert!(text.parse::<Url>().is_err(), "{text}");
        }
    }
}
