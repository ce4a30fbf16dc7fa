//! Two verdicts of the folder side by side.

use tristan_report::Run;

use super::{NAV, Site, address, report};
use crate::folder::Entry;
use crate::http::{HttpError, Query, Response};

/// The page about two runs.
pub(super) fn page(site: &Site, query: &Query) -> Result<Response, HttpError> {
    let [one, other] = ["a", "b"].map(|name| chosen(site, query, name));
    let (one, other) = (one?, other?);
    let verdicts = [report::verdict(site, &one)?, report::verdict(site, &other)?];
    let addresses = [address(&one), address(&other)];
    let names = [&one.name, &other.name];
    let runs: [Run<'_>; 2] = std::array::from_fn(|place| Run {
        name: names[place],
        address: Some(&addresses[place]),
        verdict: &verdicts[place],
    });
    Ok(Response::page(tristan_report::runs(runs[0], runs[1], NAV)))
}

/// One of the two, as `number:file`.
fn chosen(site: &Site, query: &Query, name: &str) -> Result<Entry, HttpError> {
    let Some(value) = query.get(name) else {
        return Err(HttpError::new(400, "choose two verdicts in the list, one as A and one as B"));
    };
    let (number, file) = value.split_once(':').unwrap_or(("", value));
    site.found(file, number.parse().ok())
}
