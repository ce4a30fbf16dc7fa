//! The flags of `tristan proxy`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use tristan_proxy::{Protocol, Proxy, Table};

const PROXY_HELP: &str = "\
Examples:
  tristan proxy --listen 127.0.0.1:6432 --upstream 127.0.0.1:5432 -o log.jsonl
  tristan proxy --listen 127.0.0.1:3307 --upstream 127.0.0.1:3306 \\
      --trace trace.jsonl --table accounts:id:balance

Let the application connect to the first address instead of the second; nothing else changes. Passwords
are passed on and not written down, encryption is politely refused. The log holds what statements
say and return, so keep it as safe as the database. Stop the proxy with Ctrl-C or kill it at any moment:
what anybody was told is in the log before.
Then: tristan check trace.jsonl";

/// `tristan proxy`
#[derive(Debug, Args)]
#[command(after_help = PROXY_HELP)]
pub(crate) struct ProxyArgs {
    /// Where the application connects, as in 127.0.0.1:6432; port 0 is any that is free
    #[arg(long, value_name = "HOST:PORT")]
    pub(crate) listen: String,
    /// Where the database is, as in 127.0.0.1:5432
    #[arg(long, value_name = "HOST:PORT")]
    pub(crate) upstream: String,
    /// What they speak [default: the server is asked]
    #[arg(long, value_name = "NAME", value_parser = protocols())]
    pub(crate) protocol: Option<Protocol>,
    /// The log of statements to write
    #[arg(long, short, value_name = "FILE", default_value = "log.jsonl")]
    pub(crate) output: PathBuf,
    /// Also write a trace of keys and values, of the tables that --table names
    #[arg(long, value_name = "FILE", requires = "table")]
    pub(crate) trace: Option<PathBuf>,
    /// A table with a key and a value, as in accounts:id:balance; may be given several times
    #[arg(long, value_name = "TABLE:KEY:VALUE", requires = "trace")]
    pub(crate) table: Vec<Table>,
    /// The level of transactions that ask for none, to be noted in log and trace
    #[arg(long, short, value_name = "NAME")]
    pub(crate) level: Option<String>,
    /// Of results with more rows than this, only so many are written down; the others are counted
    #[arg(long, value_name = "NUMBER", default_value_t = Proxy::MAX_ROWS)]
    pub(crate) max_rows: u64,
}

fn protocols() -> impl TypedValueParser<Value = Protocol> {
    let names = PossibleValuesParser::new(Protocol::ALL.map(Protocol::name));
    names.try_map(|name| Protocol::from_name(&name).ok_or("it is not a protocol"))
}
