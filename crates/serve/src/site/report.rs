//! A verdict of the folder, opened.

use tristan_verdict::Verdict;

use super::{NAV, Site};
use crate::folder::{Entry, Kind};
use crate::http::{Query, Refusal, Response, encoded};

/// The report.
pub(super) fn page(site: &Site, query: &Query) -> Result<Response, Refusal> {
    let entry = site.named(query)?;
    let verdict = verdict(site, &entry)?;
    let json = format!("/verdict.json?file={}&n={}", encoded(&entry.name), entry.number);
    let json = format!("<a href=\"{}\">JSON</a></nav>", json.replace('&', "&amp;"));
    let nav = NAV.replace("</nav>", &json);
    Ok(Response::page(tristan_report::html_among(&[verdict], &nav)))
}

/// The verdict for machines.
pub(super) fn json(site: &Site, query: &Query) -> Result<Response, Refusal> {
    let entry = site.named(query)?;
    Ok(Response::json(tristan_report::json(&verdict(site, &entry)?)))
}

/// The verdict behind an entry.
pub(super) fn verdict(site: &Site, entry: &Entry) -> Result<Verdict, Refusal> {
    match &entry.kind {
        Kind::Verdict(_) => {}
        Kind::Trace => return Err(Refusal::new(404, "this is a trace and not yet judged")),
        Kind::Broken(why) => return Err(Refusal::new(422, why.as_str())),
    }
    site.folder().verdict(entry).map_err(|why| Refusal::new(422, why))
}
