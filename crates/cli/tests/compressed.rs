//! Traces, logs and dumps that are compressed with gzip.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::common::{file, folder, run};

const TRACE: &str = "examples-traces/mariadb-lost-update.jsonl";
const LOG: &str = r#"{"tristan":"sql-log/1","dialect":"postgresql"}
{"txn":1,"c":1,"at":[0,10],"commit":[8,10],"do":[{"sql":"SELECT n FROM t WHERE id = 1","rows":[[5]],"at":[1,2]}]}
"#;
const DUMP: &str =
    "CREATE TABLE t (id integer PRIMARY KEY, n integer);\nINSERT INTO t VALUES (1, 5);\n";

fn zipped(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).expect("memory does not run out");
    encoder.finish().expect("memory does not run out")
}

fn trace() -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(TRACE)).expect("an example")
}

#[test]
fn a_compressed_trace_is_the_trace() {
    let path = file(&folder("gzip-trace"), "trace.jsonl.gz", &zipped(&trace()));
    let plain = run(&["check", TRACE, "--level", "rr"]);
    let packed = run(&["check", &path, "--level", "rr"]);
    assert_eq!((plain.code, packed.code), (1, 1), "{packed:?}");
    // Lines break elsewhere, as the names differ in length.
    let words = |text: &str, name: &str| -> Vec<String> {
        text.replace(name, "FILE").split_whitespace().map(str::to_owned).collect()
    };
    assert_eq!(words(&plain.out, TRACE), words(&packed.out, &path));
}

#[test]
fn a_compressed_log_and_a_compressed_dump_are_audited() {
    let folder = folder("gzip-log");
    let log = file(&folder, "log.jsonl.gz", &zipped(LOG.as_bytes()));
    let dump = file(&folder, "dump.sql.gz", &zipped(DUMP.as_bytes()));
    let accepted = run(&["audit", &log, "--schema", &dump]);
    assert_eq!(accepted.code, 0, "{accepted:?}");
    let wrong = file(&folder, "wrong.jsonl.gz", &zipped(LOG.replace("[[5]]", "[[6]]").as_bytes()));
    assert_eq!(run(&["audit", &wrong, "--schema", &dump]).code, 1);
}

#[test]
fn a_cut_or_damaged_file_is_bad_input() {
    let folder = folder("gzip-cut");
    let whole = zipped(&trace());
    let cut = file(&folder, "cut.jsonl.gz", &whole[..whole.len() / 2]);
    let told = run(&["check", &cut]);
    assert_eq!(told.code, 65, "{told:?}");
    assert!(told.err.contains("cut.jsonl.gz: the gzip data ends early"), "{told:?}");
    let log = zipped(LOG.as_bytes());
    let cut = file(&folder, "cut-log.jsonl.gz", &log[..log.len() - 10]);
    assert_eq!(run(&["audit", &cut]).code, 65);
    let followed = run(&["audit", "--follow", &cut]);
    assert_eq!(followed.code, 65, "{followed:?}");
    assert!(followed.err.contains("is compressed"), "{followed:?}");
}
