//! A check under way. The page asks for itself again every second until there is a report.

use tristan_report::page::{Frame, escaped, fold};

use super::{NAV, STYLE, Site};
use crate::http::{HttpError, Query, Response};
use crate::jobs::{Job, State};

/// How far a check is, or the way to its report.
pub(super) fn page(site: &Site, query: &Query) -> Result<Response, HttpError> {
    let (id, job) = asked(site, query)?;
    let (words, part) = match &job.state {
        State::Done(_) => return Ok(Response::elsewhere(format!("/checked?id={id}"))),
        State::Failed(why) => return Err(failed(&job, why)),
        State::Waiting(0) => ("Next in the queue.".to_owned(), None),
        State::Waiting(before) => (format!("Waiting; {before} ahead of it in the queue."), None),
        State::Running(stage, _, 0) => (format!("{stage} …"), None),
        State::Running(stage, done, total) => {
            (format!("{stage}: {done} of {total}"), Some((*done, *total)))
        }
    };
    let level = job.level.as_deref().unwrap_or("every level");
    let bar = part.map(|(done, total)| format!(" value=\"{done}\" max=\"{total}\""));
    let body = format!(
        "<h1>Checking {}</h1>\n<p>at {}</p>\n<progress{}></progress>\n<p class=\"stage\">{}</p>\n\
         <p class=\"meta\">This page refreshes every second.</p>\n",
        escaped(&fold(&job.trace, 80)),
        escaped(level),
        bar.unwrap_or_default(),
        escaped(&words)
    );
    let frame =
        Frame { title: "Checking", nav: NAV, style: STYLE, again: true, ..Frame::default() };
    Ok(Response::page(frame.around(&body)))
}

/// What came out.
pub(super) fn report(site: &Site, query: &Query) -> Result<Response, HttpError> {
    let (id, job) = asked(site, query)?;
    match &job.state {
        State::Done(verdicts) => Ok(Response::page(tristan_report::html_among(verdicts, NAV))),
        State::Failed(why) => Err(failed(&job, why)),
        State::Waiting(_) | State::Running(..) => Ok(Response::elsewhere(format!("/job?id={id}"))),
    }
}

fn asked(site: &Site, query: &Query) -> Result<(u64, Job), HttpError> {
    let id = query.get("id").and_then(|id| id.parse().ok());
    let job = id.and_then(|id| site.jobs().find(id).map(|job| (id, job)));
    job.ok_or_else(|| HttpError::new(404, "there is no such check, or its result was discarded"))
}

fn failed(job: &Job, why: &str) -> HttpError {
    HttpError::new(422, format!("{} could not be checked: {why}", fold(&job.trace, 80)))
}
