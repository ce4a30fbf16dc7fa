//! A place to drop a trace on, and the beginning of its check.

use tristan_report::page::{Frame, escaped, fold};
use tristan_spec::Catalog;

use super::when::size;
use super::{NAV, STYLE, Site};
use crate::folder::{Entry, Kind};
use crate::http::{Form, HttpError, Query, Request, Response};
use crate::jobs::{Question, Source};
use crate::sql_log;

/// Lets files be dropped; without it they can still be chosen.
pub(super) const SCRIPT: &str = include_str!("drop.js");
/// The levels that are offered first.
const USUAL: [&str; 5] = [
    "serializable",
    "snapshot-isolation",
    "repeatable-read",
    "read-committed",
    "strong-serializable",
];

/// The page with nothing but the form, for a trace of the folder or for one of the reader's own.
pub(super) fn page(site: &Site, query: &Query) -> Result<Response, HttpError> {
    let entry = query.get("file").map(|_| trace(site, query)).transpose()?;
    let mut out = String::from("<h1>Check a trace</h1>\n");
    form(&mut out, entry.as_ref(), site);
    let frame = Frame {
        title: "Check a trace",
        nav: NAV,
        style: STYLE,
        script: SCRIPT,
        forms: true,
        ..Frame::default()
    };
    Ok(Response::page(frame.around(&out)))
}

fn trace(site: &Site, query: &Query) -> Result<Entry, HttpError> {
    let entry = site.named(query)?;
    match entry.kind {
        Kind::Trace => Ok(entry),
        Kind::SqlLog => Err(HttpError::new(422, sql_log::advice(&entry.name))),
        _ => Err(HttpError::new(404, "not a trace")),
    }
}

/// The form that asks which trace to check, and for which level.
pub(super) fn form(out: &mut String, entry: Option<&Entry>, site: &Site) {
    out.push_str(
        "<form class=\"drop\" method=\"post\" action=\"/check\" enctype=\"multipart/form-data\">\n",
    );
    match entry {
        Some(entry) => {
            let name = escaped(&entry.name);
            out.push_str(&format!(
                "<p><code>{name}</code><input type=\"hidden\" name=\"file\" value=\"{name}\"></p>\n"
            ));
        }
        None => out.push_str(&format!(
            "<p class=\"target\"><label>Drop a trace here, or choose one \
             <input type=\"file\" name=\"trace\" required></label>\
             <span class=\"meta\">any format that tristan reads, up to {}; it stays in memory</span></p>\n",
            size(site.upload as u64)
        )),
    }
    out.push_str("<p><label>Level <select name=\"level\">");
    for level in offered() {
        out.push_str(&format!("<option>{}</option>", escaped(&level)));
    }
    out.push_str("<option value=\"every\">every level</option></select></label> ");
    out.push_str("<button>Check</button></p>\n</form>\n");
}

/// The usual levels, then all others.
fn offered() -> Vec<String> {
    let catalog = Catalog::default();
    let mut names: Vec<String> =
        USUAL.iter().filter_map(|name| catalog.find(name).ok()).map(|level| level.name).collect();
    for level in catalog.levels() {
        if !names.contains(&level.name) {
            names.push(level.name);
        }
    }
    names
}

/// Takes a trace in and leads to the page that shows how far its check is.
pub(super) fn start(site: &Site, request: &Request) -> Result<Response, HttpError> {
    let form = Form::of(request)?;
    let level = match form.get("level") {
        None | Some("every") => None,
        Some(name) => {
            let level = Catalog::default().find(name);
            Some(level.map_err(|unknown| HttpError::new(422, unknown.to_string()))?.name)
        }
    };
    let source = source(site, form)?;
    let id = site.jobs().ask(Question { source, level });
    let id =
        id.ok_or_else(|| HttpError::new(503, "too many traces are waiting; try again later"))?;
    Ok(Response::elsewhere(format!("/job?id={id}")))
}

fn source(site: &Site, form: Form) -> Result<Source, HttpError> {
    if let Some(name) = form.get("file") {
        let entry = site.found(name, Some(0))?;
        let path = site.folder().path(&entry);
        return match (&entry.kind, path) {
            (Kind::Trace, Some(path)) => Ok(Source::Stored(entry.name, path)),
            (Kind::SqlLog, _) => Err(HttpError::new(422, sql_log::advice(&entry.name))),
            _ => Err(HttpError::new(404, "there is no such trace in the folder")),
        };
    }
    let Some((name, content)) = form.file else {
        return Err(HttpError::new(400, "the form contains no trace"));
    };
    if content.len() > site.upload {
        let most = size(site.upload as u64);
        return Err(HttpError::new(
            413,
            format!("the trace is larger than {most}; raise the limit with --upload"),
        ));
    }
    let name = if name.is_empty() { "trace".to_owned() } else { fold(&name, 120) };
    Ok(Source::Dropped(name, content))
}
