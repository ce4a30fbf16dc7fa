//! `tristan schema`: the published JSON Schemas.

use tristan_formats::TRACE_SCHEMA;
use tristan_verdict::VERDICT_SCHEMA;

use crate::args::SchemaName;
use crate::exit::{CommandError, Exit};
use crate::output::Output;

pub(super) fn run(of: SchemaName, out: &mut Output) -> Result<Exit, CommandError> {
    out.write(match of {
        SchemaName::Trace => TRACE_SCHEMA,
        SchemaName::Verdict => VERDICT_SCHEMA,
    })?;
    Ok(Exit::Accept)
}
