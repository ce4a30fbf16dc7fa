//! What a form sends: plain pairs, or parts with a file among them.

use super::{HttpError, Query, Request};

/// The longest line of separation between parts.
const LONGEST_BOUNDARY: usize = 200;

/// The fields of a form, and its file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Form {
    fields: Vec<(String, String)>,
    /// The file's name on the other side, and its content.
    pub(crate) file: Option<(String, Vec<u8>)>,
}

impl Form {
    /// Reads the body of a request.
    pub(crate) fn of(request: &Request) -> Result<Self, HttpError> {
        let kind = request.headers("content-type").next().unwrap_or_default();
        let (media, rest) = kind.split_once(';').unwrap_or((kind, ""));
        match media.trim().to_ascii_lowercase().as_str() {
            "application/x-www-form-urlencoded" => Ok(Self::plain(&request.body)),
            "multipart/form-data" => boundary(rest)
                .and_then(|boundary| Self::parts(&request.body, &boundary))
                .ok_or_else(|| HttpError::new(400, "the form data has no valid boundary")),
            _ => Err(HttpError::new(400, "not a valid form submission")),
        }
    }

    /// A field that is not empty.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let known = self.fields.iter().find(|(known, _)| known == name);
        known.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    fn plain(body: &[u8]) -> Self {
        let query = Query::parse(&String::from_utf8_lossy(body));
        Self { fields: query.into_pairs(), file: None }
    }

    /// Parts between lines `--boundary`, the last of which ends with two more dashes.
    fn parts(body: &[u8], boundary: &str) -> Option<Self> {
        let mut form = Self::default();
        let line = format!("--{boundary}");
        let between = format!("\r\n{line}");
        let mut rest = body.strip_prefix(line.as_bytes())?;
        loop {
            if rest.starts_with(b"--") {
                return Some(form);
            }
            rest = rest.strip_prefix(b"\r\n")?;
            let end = find(rest, between.as_bytes())?;
            form.part(&rest[..end])?;
            rest = &rest[end + between.len()..];
        }
    }

    fn part(&mut self, part: &[u8]) -> Option<()> {
        let end = find(part, b"\r\n\r\n")?;
        let head = String::from_utf8_lossy(&part[..end]).into_owned();
        let content = &part[end + 4..];
        let is_disposition =
            |line: &&str| line.to_ascii_lowercase().starts_with("content-disposition:");
        let disposition = head.split("\r\n").find(is_disposition)?;
        let name = parameter(disposition, "name")?;
        match parameter(disposition, "filename") {
            // A form whose file was not chosen sends an empty one without a name.
            Some(file) if file.is_empty() && content.is_empty() => {}
            Some(file) => self.file = Some((last_part(&file), content.to_vec())),
            None => self.fields.push((name, String::from_utf8_lossy(content).into_owned())),
        }
        Some(())
    }
}

/// The name of a file without folders, whichever way they are separated.
fn last_part(name: &str) -> String {
    name.rsplit(['/', '\\']).next().unwrap_or(name).to_owned()
}

fn boundary(parameters: &str) -> Option<String> {
    let values = parameters.split(';').filter_map(|part| part.trim().strip_prefix("boundary="));
    let boundary = values.map(|value| value.trim_matches('"').to_owned()).next()?;
    (!boundary.is_empty() && boundary.len() <= LONGEST_BOUNDARY).then_some(boundary)
}

/// `name="value"` in a line; browsers write quotes within as `%22`.
fn parameter(line: &str, name: &str) -> Option<String> {
    let start = format!(" {name}=\"");
    let (_, rest) = line.split_once(&start)?;
    rest.split_once('"').map(|(value, _)| value.replace("%22", "\""))
}

/// Where some bytes begin.
fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    let first = *wanted.first()?;
    let mut from = 0;
    while let Some(step) = bytes[from..].iter().position(|&byte| byte == first) {
        let at = from + step;
        if bytes[at..].starts_with(wanted) {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = "--B\r\nContent-Disposition: form-data; name=\"level\"\r\n\r\nsi\r\n--B\r\n\
                        content-disposition: form-data; name=\"trace\"; filename=\"C:\\\\a\\\\t \u{fc}%22.jsonl\"\r\n\
                        Content-Type: text/plain\r\n\r\na\r\n--b\r\n\r\nc\r\n--B--\r\n";

    #[test]
    fn parts_are_told_apart() {
        let form = Form::parts(BODY.as_bytes(), "B").expect("a form");
        assert_eq!((form.get("level"), form.get("trace")), (Some("si"), None));
        let (name, content) = form.file.expect("a file");
        assert_eq!(
            (name.as_str(), content.as_slice()),
            ("t \u{fc}\".jsonl", &b"a\r\n--b\r\n\r\nc"[..])
        );
    }

    #[test]
    fn every_beginning_of_a_form_is_refused_or_read() {
        let whole = Form::parts(BODY.as_bytes(), "B");
        for end in 0..BODY.len() {
            let cut = Form::parts(&BODY.as_bytes()[..end], "B");
            assert!(cut.is_none() || cut == whole, "{end}");
        }
        assert!(Form::parts(b"", "B").is_none() && Form::parts(b"--B\r\n\r\n--B--", "B").is_none());
    }

    #[test]
    fn no_file_is_no_file() {
        let body =
            "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"\"\r\n\r\n\r\n--B--";
        assert_eq!(Form::parts(body.as_bytes(), "B"), Some(Form::default()));
        assert_eq!(boundary(" charset=x; boundary=\"a b\"").as_deref(), Some("a b"));
        assert_eq!((boundary(""), boundary("boundary=")), (None, None));
    }
}
