//! The flags of `tristan proxy`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use tristan_proxy::{Protocol, Proxy, Table};
use tristan_record::Url;

const PROXY_HELP: &str = "\
Examples:
  tristan proxy --listen 127.0.0.1:6432 --upstream 127.0.0.1:5432 -o log.jsonl
  tristan proxy --listen 127.0.0.1:6432 --upstream 127.0.0.1:5432 \\
      --from-server postgres://me:secret@127.0.0.1:5432/shop
  tristan proxy --listen 127.0.0.1:3307 --upstream 127.0.0.1:3306 \\
      --trace trace.jsonl --table accounts:id:balance

Let the application connect to the --listen address instead of the --upstream address; nothing else \
changes. The proxy forwards passwords without recording them, and declines encryption. The log contains \
statements and their results, so protect it as you protect the database. You can stop the proxy with \
Ctrl-C or kill it at any time: an answer is written to the log before the client receives it.
Next: tristan check trace.jsonl";

/// `tristan proxy`
#[derive(Debug, Args)]
#[command(after_help = PROXY_HELP)]
pub(crate) struct ProxyArgs {
    /// The address for the application to connect to, for example 127.0.0.1:6432; port 0 picks a free one
    #[arg(long, value_name = "HOST:PORT")]
    pub(crate) listen: String,
    /// The address of the database, for example 127.0.0.1:5432
    #[arg(long, value_name = "HOST:PORT")]
    pub(crate) upstream: String,
    /// The same database as a URL: its tables and rows are read in one transaction and written to the log,
    /// so that it can be audited without --schema
    #[arg(long, value_name = "URL")]
    pub(crate) from_server: Option<Url>,
    /// The wire protocol [default: detected from the server]
    #[arg(long, value_name = "NAME", value_parser = protocols())]
    pub(crate) protocol: Option<Protocol>,
    /// The SQL log to write
    #[arg(long, short, value_name = "FILE", default_value = "log.jsonl")]
    pub(crate) output: PathBuf,
    /// Also write a trace of keys and values for the tables named by --table
    #[arg(long, value_name = "FILE", requires = "table")]
    pub(crate) trace: Option<PathBuf>,
    /// A table with its key and value columns, for example accounts:id:balance; can be repeated
    #[arg(long, value_name = "TABLE:KEY:VALUE", requires = "trace")]
    pub(crate) table: Vec<Table>,
    /// The level to record in log and trace for transactions that do not set one
    #[arg(long, short, value_name = "NAME")]
    pub(crate) level: Option<String>,
    /// Maximum number of rows to record per result; further rows are only counted
    #[arg(long, value_name = "NUMBER", default_value_t = Proxy::MAX_ROWS)]
    pub(crate) max_rows: u64,
}

fn protocols() -> impl TypedValueParser<Value = Protocol> {
    let names = PossibleValuesParser::new(Protocol::ALL.map(Protocol::name));
    names.try_map(|name| Protocol::from_name(&name).ok_or("not a known protocol"))
}
