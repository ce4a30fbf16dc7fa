//! What a trace says its database promised, as a level that can be judged.
//!
//! ```text
//!   header "level", begin "level" ──► one name, or several (mixed)
//!                                        │
//!   header "database" ────────────► vendor's meaning of the name ──► level, semantics, why
//! ```
//!
//! Databases use the names of the SQL standard for different things. Where a vendor documents what
//! its level is, that is what is judged, and the verdict says so. `docs/vendor-semantics.md` lists
//! the names.

use tristan_check::Semantics;
use tristan_history::{History, Outcome};
use tristan_spec::Promise;
use tristan_verdict::{Asked, AskedBy};

use crate::exit::{CommandError, Exit};
use crate::output::printable;

/// A level that a trace claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    /// The name to look up: the claimed one, or that of the level the vendor means by it.
    pub(super) level: String,
    /// The vendor semantics that belong to it.
    pub(super) semantics: Option<Semantics>,
    /// What the verdict says about the claim.
    pub(super) asked: Asked,
}

/// What a vendor means by the name of a level.
struct Meaning {
    /// A word in the name of the database, in lower case.
    database: &'static str,
    claimed: &'static str,
    level: &'static str,
    semantics: Option<Semantics>,
    because: &'static str,
}

const MARIADB_RR: &str = "InnoDB's REPEATABLE READ answers plain reads from a snapshot while locking \
    reads and writes see the latest rows, so this level with mariadb-rr was checked; --level \
    repeatable-read checks Adya's PL-2.99";

/// The names that mean something else than in the literature.
const MEANINGS: [Meaning; 4] = [
    Meaning {
        database: "postgres",
        claimed: "repeatable-read",
        level: "snapshot-isolation",
        semantics: None,
        because: "PostgreSQL's REPEATABLE READ is snapshot isolation, so that level was checked; \
            --level repeatable-read checks Adya's PL-2.99",
    },
    Meaning {
        database: "postgres",
        claimed: "read-uncommitted",
        level: "read-committed",
        semantics: None,
        because: "PostgreSQL runs READ UNCOMMITTED as READ COMMITTED, so that level was checked",
    },
    Meaning {
        database: "mariadb",
        claimed: "repeatable-read",
        level: "strong-session-repeatable-read",
        semantics: Some(Semantics::MariadbRepeatableRead),
        because: MARIADB_RR,
    },
    Meaning {
        database: "mysql",
        claimed: "repeatable-read",
        level: "strong-session-repeatable-read",
        semantics: Some(Semantics::MariadbRepeatableRead),
        because: MARIADB_RR,
    },
];

/// The level that a trace claims; `None` if it claims none.
///
/// # Errors
/// If its transactions were promised different levels that cannot be judged together.
pub(super) fn claim(history: &History) -> Result<Option<Claim>, CommandError> {
    let names = names(history);
    match names.as_slice() {
        [] => Ok(None),
        [name] => Ok(Some(single(history, name))),
        several => mixed(history, several).map(Some),
    }
}

/// The names that the transactions of the trace go by, each once: a transaction without a level of
/// its own goes by that of the header. Aborted transactions were promised nothing.
fn names(history: &History) -> Vec<String> {
    let header = history.header.level.as_deref();
    let alive = history.txns.iter().filter(|txn| txn.outcome != Outcome::Aborted);
    let mut names: Vec<String> = Vec::new();
    for name in alive.filter_map(|txn| txn.level.as_deref().or(header)) {
        let alike = |other: &String| normal(other) == normal(name);
        if !names.iter().any(alike) {
            names.push(name.to_owned());
        }
    }
    if names.is_empty() {
        names.extend(header.map(str::to_owned));
    }
    names
}

fn single(history: &History, name: &str) -> Claim {
    let asked = |because: Option<&str>| Asked {
        name: name.to_owned(),
        by: AskedBy::Trace,
        because: because.map(str::to_owned),
    };
    match meaning(history, name) {
        Some(meaning) => Claim {
            level: meaning.level.to_owned(),
            semantics: meaning.semantics,
            asked: asked(Some(meaning.because)),
        },
        None => Claim { level: name.to_owned(), semantics: None, asked: asked(None) },
    }
}

/// Several names are Adya's mixed levels, if they are among those and the vendor means the same.
fn mixed(history: &History, names: &[String]) -> Result<Claim, CommandError> {
    let told = names.iter().map(|name| printable(name)).collect::<Vec<_>>().join(", ");
    let refused = |why: &str| {
        let message = format!(
            "the trace claims several levels ({told}), and {why}; --level NAME checks all transactions \
             against one level"
        );
        Err(CommandError::new(Exit::BadInput, message))
    };
    if names.iter().any(|name| Promise::named(name).is_none()) {
        return refused(
            "only read-uncommitted, read-committed, repeatable-read and serializable can be mixed",
        );
    }
    if let Some(meaning) = names.iter().find_map(|name| meaning(history, name)) {
        let vendor = meaning.because.split(", so ").next().unwrap_or_default();
        return refused(&format!("{vendor}, which cannot be mixed with others"));
    }
    let because = format!("each transaction was checked against its own level: {told}");
    let asked = Asked { name: told, by: AskedBy::Trace, because: Some(because) };
    Ok(Claim { level: "mixed".to_owned(), semantics: None, asked })
}

fn meaning(history: &History, name: &str) -> Option<&'static Meaning> {
    let database = history.header.database.as_deref()?.to_lowercase();
    let promise = Promise::named(name)?.name();
    MEANINGS
        .iter()
        .find(|meaning| database.contains(meaning.database) && meaning.claimed == promise)
}

fn normal(name: &str) -> String {
    Promise::named(name).map_or_else(|| name.trim().to_lowercase(), |one| one.name().to_owned())
}

#[cfg(test)]
mod tests {
    use tristan_history::HistoryBuilder;

    use super::*;

    fn history(database: &str, header: Option<&str>, txns: &[Option<&str>]) -> History {
        let mut builder = HistoryBuilder::default();
        for level in txns {
            builder.begin("a").put("x", 1).end(Outcome::Committed);
            let txn = builder.history_mut().txns.last_mut().expect("a transaction");
            txn.level = level.map(Into::into);
        }
        builder.history_mut().header.database = Some(database.to_owned());
        builder.history_mut().header.level = header.map(str::to_owned);
        builder.finish()
    }

    fn judged(history: &History) -> Option<(String, Option<Semantics>)> {
        claim(history).expect("one level").map(|claim| (claim.level, claim.semantics))
    }

    #[test]
    fn a_claim_means_what_its_vendor_documents() {
        let mariadb = Some(Semantics::MariadbRepeatableRead);
        for (database, claimed, level, semantics) in [
            ("PostgreSQL 15.4", "REPEATABLE READ", "snapshot-isolation", None),
            ("postgres", "Read Uncommitted", "read-committed", None),
            ("PostgreSQL 15", "serializable", "serializable", None),
            ("MariaDB 10.11", "repeatable-read", "strong-session-repeatable-read", mariadb),
            ("10.11.19-MariaDB", "rr", "strong-session-repeatable-read", mariadb),
            ("MySQL 9.7", "REPEATABLE READ", "strong-session-repeatable-read", mariadb),
            ("MariaDB 11.8", "snapshot-isolation", "snapshot-isolation", None),
            ("a store", "repeatable-read", "repeatable-read", None),
            ("a store", "anything", "anything", None),
        ] {
            let history = history(database, Some(claimed), &[None, None]);
            assert_eq!(
                judged(&history),
                Some((level.to_owned(), semantics)),
                "{database} {claimed}"
            );
        }
    }

    #[test]
    fn transactions_may_have_claims_of_their_own() {
        let (rc, ser) = (Some("READ COMMITTED"), Some("serializable"));
        assert_eq!(judged(&history("a", None, &[None, None])), None);
        let same = history("a", None, &[rc, Some("read-committed")]);
        assert_eq!(judged(&same), Some(("READ COMMITTED".to_owned(), None)));
        let overruled = history("a", Some("causal"), &[rc, rc]);
        assert_eq!(judged(&overruled), Some(("READ COMMITTED".to_owned(), None)));
        let both = history("a", ser, &[rc, None]);
        assert_eq!(judged(&both), Some(("mixed".to_owned(), None)));
        let refused = claim(&history("a", Some("causal"), &[rc, None])).expect_err("not mixed");
        assert!(refused.error.to_string().contains("READ COMMITTED, causal"));
        let rr = Some("repeatable-read");
        let refused = claim(&history("PostgreSQL", rr, &[rc, None])).expect_err("not PL-2.99");
        assert!(refused.error.to_string().contains("snapshot isolation"), "{refused:?}");
    }
}
