//! Were the results of SQL statements right?

use std::path::Path;

use tristan_audit::log::{FileSource, LogSource, TextSource};
use tristan_audit::{AuditLevel, AuditOptions};
use tristan_verdict::audit::AuditVerdict;

use crate::Error;

/// Audits a SQL log: a file with the statements of every client and their results.
///
/// # Errors
/// If there is no such level, or if the log cannot be read. A wrong result is a verdict.
pub fn audit(log: impl AsRef<Path>, level: &str) -> Result<AuditVerdict, Error> {
    judged(&FileSource::new(log.as_ref().to_path_buf()), level)
}

/// The same for a log in memory; `name` is what messages call it.
///
/// ```
/// let log = r#"{"tristan":"sql-log/1","dialect":"postgresql"}
/// {"call":1,"c":1,"txn":1,"auto":true,"sql":"create table t (id int primary key)","at":1}
/// {"end":1,"txn":1,"tag":"CREATE TABLE","at":2}
/// {"finish":1,"c":1,"outcome":"committed","at":3}
/// {"call":2,"c":1,"txn":2,"auto":true,"sql":"select count(*) from t","at":4}
/// {"end":2,"txn":2,"rows":[[7]],"tag":"SELECT 1","affected":1,"at":5}
/// {"finish":2,"c":1,"outcome":"committed","at":6}
/// "#;
/// let verdict = tristan::audit_text("log", log, "serializable")?;
/// assert!(matches!(verdict.answer, tristan::AuditAnswer::Reject { .. }));
/// # Ok::<(), tristan::Error>(())
/// ```
///
/// # Errors
/// If there is no such level, or if the log cannot be read. A wrong result is a verdict.
pub fn audit_text(name: &str, log: &str, level: &str) -> Result<AuditVerdict, Error> {
    judged(&TextSource::new(name, log.as_bytes()), level)
}

fn judged(source: &dyn LogSource, level: &str) -> Result<AuditVerdict, Error> {
    let level: AuditLevel = level.parse().map_err(Error::AuditLevel)?;
    Ok(tristan_audit::audit(source, &AuditOptions::new(level))?)
}
