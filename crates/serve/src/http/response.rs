//! Answers.

use std::io::{self, Write};

use tristan_report::page::{Frame, escaped};

use super::HttpError;

/// An HTTP response.
#[derive(Clone, Debug)]
pub(crate) struct Response {
    status: u16,
    media: &'static str,
    /// Where to look instead.
    location: Option<String>,
    body: Vec<u8>,
}

/// What every answer says: keep nothing, guess nothing, show it in no other page, send no referrer.
const ALWAYS: &str = "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\
                      X-Frame-Options: DENY\r\nReferrer-Policy: same-origin\r\n\
                      Cross-Origin-Resource-Policy: same-origin\r\n\
                      Cross-Origin-Opener-Policy: same-origin\r\nConnection: close\r\n";

impl Response {
    /// An HTML page with status 200.
    pub(crate) fn page(markup: String) -> Self {
        let media = "text/html; charset=utf-8";
        Self { status: 200, media, location: None, body: markup.into_bytes() }
    }

    /// A verdict for machines.
    pub(crate) fn json(text: String) -> Self {
        let media = "application/json; charset=utf-8";
        Self { status: 200, media, location: None, body: text.into_bytes() }
    }

    /// The way to another page of ours.
    pub(crate) fn elsewhere(address: String) -> Self {
        let body = Vec::new();
        Self { status: 303, media: "text/plain; charset=utf-8", location: Some(address), body }
    }

    /// A page that says why not.
    pub(crate) fn refused(error: &HttpError) -> Self {
        let title = phrase(error.status);
        let body = format!(
            "<header class=\"banner unknown\"><h1><b>{}</b> {title}</h1>\
             <p class=\"sentence\">{}</p></header>\n<p><a href=\"/\">All verdicts and traces</a></p>\n",
            error.status,
            escaped(&error.words)
        );
        let page = Self::page(Frame { title, ..Frame::default() }.around(&body));
        Self { status: error.status, ..page }
    }

    /// Sends it; without its body if only the head was asked for.
    pub(super) fn write(&self, out: &mut impl Write, head_only: bool) -> io::Result<()> {
        let location = match &self.location {
            Some(address) => format!("Location: {address}\r\n"),
            None => String::new(),
        };
        let head = format!(
            "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{location}{ALWAYS}\r\n",
            self.status,
            phrase(self.status),
            self.media,
            self.body.len(),
        );
        out.write_all(head.as_bytes())?;
        if !head_only {
            out.write_all(&self.body)?;
        }
        out.flush()
    }
}

fn phrase(status: u16) -> &'static str {
    match status {
        200 => "OK",
        303 => "See Other",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        411 => "Length Required",
        413 => "Too Large",
        421 => "Misdirected Request",
        422 => "Unprocessable",
        431 => "Head Too Large",
        503 => "Busy",
        _ => "Internal Error",
    }
}
