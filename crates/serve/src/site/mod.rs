//! The pages, one file each, and which address leads to which.

mod check;
mod compare;
mod filter;
mod groups;
mod job;
mod list;
mod report;
mod when;

use crate::folder::{Entry, Folder};
use crate::http::{HttpError, Method, Query, Request, Response, encoded};
use crate::jobs::Jobs;

/// Everything that answers need.
#[derive(Debug)]
pub(crate) struct Site {
    folder: Folder,
    jobs: Jobs,
    upload: usize,
}

/// The style of these pages, on top of that of the reports.
const STYLE: &str = include_str!("site.css");
/// The link back to the list of all verdicts.
const NAV: &str = "<nav class=\"top\"><a href=\"/\">All verdicts and traces</a>\
                   <a href=\"/check\">Check a trace</a></nav>";

impl Site {
    pub(crate) fn new(folder: Folder, jobs: Jobs, upload: usize) -> Self {
        Self { folder, jobs, upload }
    }

    pub(crate) fn folder(&self) -> &Folder {
        &self.folder
    }

    pub(crate) fn jobs(&self) -> &Jobs {
        &self.jobs
    }

    /// The largest body that is taken: a trace, and the rest of the form around it.
    pub(crate) fn upload(&self) -> usize {
        self.upload.saturating_add(16 * 1024)
    }

    /// The answer to a request.
    pub(crate) fn answer(&self, request: &Request) -> Response {
        let query = &request.query;
        let answered = match (request.method, request.path.as_str()) {
            (Method::Post, "/check") => check::start(self, request),
            (Method::Post, _) => Err(HttpError::new(405, "this page accepts no data")),
            (_, "/") => Ok(list::page(self, query)),
            (_, "/report") => report::page(self, query),
            (_, "/verdict.json") => report::json(self, query),
            (_, "/compare") => compare::page(self, query),
            (_, "/check") => check::page(self, query),
            (_, "/job") => job::page(self, query),
            (_, "/checked") => job::report(self, query),
            _ => Err(HttpError::new(404, "there is no such page")),
        };
        answered.unwrap_or_else(|error| Response::refused(&error))
    }

    /// The entry that a query names: `file` exactly as the list has it, and `n` within the file.
    fn named(&self, query: &Query) -> Result<Entry, HttpError> {
        let number = query.get("n").map_or(Some(0), |number| number.parse().ok());
        self.found(query.get("file").unwrap_or_default(), number)
    }

    fn found(&self, name: &str, number: Option<usize>) -> Result<Entry, HttpError> {
        let entry = number.and_then(|number| self.folder.find(name, number));
        entry.ok_or_else(|| HttpError::new(404, "there is no such verdict or trace in the folder"))
    }
}

/// The address of an entry's report.
fn address(entry: &Entry) -> String {
    format!("/report?file={}&n={}", encoded(&entry.name), entry.number)
}
