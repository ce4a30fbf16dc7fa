//! A verdict of the folder, opened: on a trace or on a SQL log.

use tristan_report::audit;
use tristan_verdict::Verdict;

use super::{NAV, Site};
use crate::folder::{Entry, Kind};
use crate::http::{HttpError, Query, Response, encoded};
use crate::sql_log;

/// The page with the report of one verdict.
pub(super) fn page(site: &Site, query: &Query) -> Result<Response, HttpError> {
    let entry = site.named(query)?;
    let json = format!("/verdict.json?file={}&n={}", encoded(&entry.name), entry.number);
    let json = format!("<a href=\"{}\">JSON</a></nav>", json.replace('&', "&amp;"));
    let nav = NAV.replace("</nav>", &json);
    let page = match entry.kind {
        Kind::Audit(_) => {
            let verdict = site.folder().audit(&entry).map_err(|why| HttpError::new(422, why))?;
            audit::html_among(&[verdict], &nav)
        }
        _ => tristan_report::html_among(&[verdict(site, &entry)?], &nav),
    };
    Ok(Response::page(page))
}

/// The verdict for machines.
pub(super) fn json(site: &Site, query: &Query) -> Result<Response, HttpError> {
    let entry = site.named(query)?;
    let json = match entry.kind {
        Kind::Audit(_) => {
            let verdict = site.folder().audit(&entry).map_err(|why| HttpError::new(422, why))?;
            audit::json(&verdict)
        }
        _ => tristan_report::json(&verdict(site, &entry)?),
    };
    Ok(Response::json(json))
}

/// The verdict on a trace behind an entry.
pub(super) fn verdict(site: &Site, entry: &Entry) -> Result<Verdict, HttpError> {
    match &entry.kind {
        Kind::Verdict(_) => {}
        Kind::Audit(_) => {
            let why = "this is a verdict on a SQL log; only verdicts on traces can be compared";
            return Err(HttpError::new(422, why));
        }
        Kind::Trace => return Err(HttpError::new(404, "this trace has not been checked yet")),
        Kind::SqlLog => return Err(HttpError::new(404, sql_log::advice(&entry.name))),
        Kind::Broken(why) => return Err(HttpError::new(422, why.as_str())),
    }
    site.folder().verdict(entry).map_err(|why| HttpError::new(422, why))
}
