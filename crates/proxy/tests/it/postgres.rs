//! PostgreSQL through the proxy: psql, pgbench, and clients that do unusual things.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use crate::common::pg::{Pg, bind, describe, execute, parse, query, sync};
use crate::common::{
    Running, closed, finished, folder, outcome, proxy, server, start, start_with_tables, statement,
    wait, with,
};
use serde_json::json;
use tristan_history::{OpKind, Outcome};
use tristan_record::Url;
use tristan_testkit::{found, wait_until};

fn tool(name: &str, running: &Running, url: &Url) -> Command {
    let mut command = Command::new(name);
    command
        .env("PGHOST", running.address.ip().to_string())
        .env("PGPORT", running.address.port().to_string())
        .env("PGUSER", url.user().unwrap_or("postgres"))
        .env("PGDATABASE", "postgres")
        .env("PGSSLMODE", "prefer");
    command
}

/// What a program said; `None` if it is not installed.
fn said(mut command: Command, input: &str) -> Option<Output> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = found(&name, command.spawn().ok())?;
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{output:?}");
    Some(output)
}

fn connect(running: &Running, url: &Url) -> Pg {
    Pg::connect(running.address, url.user().unwrap_or("postgres"), &[]).expect("a connection")
}

#[test]
fn a_script_in_psql_is_in_the_log() {
    let Some((url, place)) = server("TRISTAN_POSTGRES") else { return };
    let running = start(proxy(&folder("psql"), &place, None));
    let script = r"
        create temp table t (id int primary key, b bool, f float8, n numeric, x bytea, v text);
        insert into t values (1, true, 0.1, 1.50, '\x00ff', 'é'), (2, null, null, null, null, null);
        select * from t order by id;
        begin isolation level serializable;
        update t set v = 'w' where id = 1;
        savepoint s;
        select 1/0;
        rollback to s;
        commit;
        begin;
        select nothing;
        commit;
        copy t (id) from stdin;
3
4
\.
        copy t to stdout;
        select 1 \; select 2 \; select 3;
    ";
    if said(tool("psql", &running, &url), script).is_none() {
        return;
    }
    let log = closed(&running.log);
    let (_, end) = statement(&log, "select * from t order by id");
    let end = end.expect("an end");
    let rows =
        json!([[1, true, "0.1", "1.50", {"hex":"00ff"}, "é"], [2, null, null, null, null, null]]);
    assert_eq!(end["rows"], rows);
    let types: Vec<_> =
        ["int4", "bool", "float8", "numeric", "bytea", "text"].map(|name| json!(name)).to_vec();
    let columns = end["columns"].as_array().expect("columns");
    assert_eq!(columns.iter().map(|column| column[1].clone()).collect::<Vec<_>>(), types);
    let (call, end) = statement(&log, "update t set v = 'w' where id = 1");
    assert_eq!(call["level"], "serializable");
    assert_eq!(end.expect("an end")["tag"], "UPDATE 1");
    assert_eq!(outcome(&log, "update t set v = 'w' where id = 1"), Some("committed"));
    let (_, end) = statement(&log, "select 1/0");
    assert_eq!(end.expect("an end")["error"]["code"], "22012");
    assert_eq!(outcome(&log, "select nothing"), Some("aborted"));
    assert_eq!(statement(&log, "copy t (id) from stdin").1.expect("an end")["tag"], "COPY 2");
    assert_eq!(statement(&log, "copy t to stdout").1.expect("an end")["affected"], 4);
    for (sql, row) in [("select 1", 1), ("select 2", 2), ("select 3", 3)] {
        assert_eq!(statement(&log, sql).1.expect("an end")["rows"], json!([[row]]));
    }
    assert_eq!(with(&log, "call").len(), with(&log, "end").len());
    assert_eq!(with(&log, "close")[0]["by"], "client");
}

/// A number behind some words in what pgbench says.
fn number(output: &Output, words: &str) -> usize {
    let text = String::from_utf8_lossy(&output.stdout);
    let rest = text.split(words).nth(1).expect("pgbench counts");
    let digits: String = rest.trim_start().chars().take_while(char::is_ascii_digit).collect();
    digits.parse().expect("a number")
}

#[test]
fn every_transaction_of_pgbench_is_in_the_log() {
    let Some((url, place)) = server("TRISTAN_POSTGRES") else { return };
    let running = start(proxy(&folder("pgbench"), &place, None));
    let mut initialise = tool("pgbench", &running, &url);
    initialise.args(["-i", "-q"]);
    if said(initialise, "").is_none() {
        return;
    }
    closed(&running.log);
    for mode in ["simple", "extended", "prepared"] {
        for script in ["select-only", "tpcb-like"] {
            let running = start(proxy(&folder(&format!("pgbench-{mode}-{script}")), &place, None));
            let mut bench = tool("pgbench", &running, &url);
            bench.args(["-n", "-c", "4", "-t", "100", "-M", mode, "-b", script]);
            let output = said(bench, "").expect("pgbench starts");
            let count = number(&output, "actually processed:");
            assert_eq!(count, 400);
            let log = closed(&running.log);
            // Transactions of pgbench's clients are on connections of their own; the first one asks
            // how large the tables are.
            let firsts: Vec<_> = with(&log, "call")
                .iter()
                .filter(|line| line["c"] == 1)
                .map(|line| line["txn"].clone())
                .collect();
            let ours = with(&log, "finish")
                .iter()
                .filter(|line| !firsts.contains(&line["finish"]))
                .count();
            assert_eq!(ours, count, "{mode} {script}");
            assert_eq!(finished(&log, "committed"), with(&log, "finish").len());
            assert_eq!(with(&log, "call").len(), with(&log, "end").len());
            assert!(with(&log, "note").is_empty());
            if mode != "simple" {
                assert!(with(&log, "params").len() >= count, "parameters are there");
            }
        }
    }
}

#[test]
fn parameters_are_decoded_by_their_types() {
    let Some((url, place)) = server("TRISTAN_POSTGRES") else { return };
    let running = start(proxy(&folder("parameters"), &place, None));
    let mut client = connect(&running, &url);
    let sql = "select $1, $2::int8, $3::text, $4::bytea, $5::numeric, $6::float8, $7::bool";
    client.send(&[parse("s", sql, &[23]), describe(b'S', "s"), sync()]).expect("it is sent");
    client.until_ready().expect("an answer");
    let params: [(bool, Option<&[u8]>); 7] = [
        (true, Some(&[0, 0, 0, 7])),
        (false, Some(b"-8")),
        (true, Some("é".as_bytes())),
        (true, Some(&[0, 255])),
        (false, Some(b"1.50")),
        (true, Some(&[0x3f, 0xe0, 0, 0, 0, 0, 0, 0])),
        (true, None),
    ];
    for binary in [false, true] {
        client.send(&[bind("s", &params, binary), execute(), sync()]).expect("it is sent");
        client.until_ready().expect("an answer");
    }
    let log = wait(&running.log, |log| with(log, "end").len() == 2);
    let expected = json!([7, -8, "é", {"hex":"00ff"}, "1.50", "0.5", null]);
    for call in with(&log, "call") {
        assert_eq!(call["params"], expected);
        assert_eq!(
            call["types"],
            json!(["int4", "int8", "text", "bytea", "numeric", "float8", "bool"])
        );
    }
    for end in with(&log, "end") {
        assert_eq!(end["rows"], json!([expected]));
    }
}

#[test]
fn pipelines_are_told_apart() {
    let Some((url, place)) = server("TRISTAN_POSTGRES") else { return };
    let running = start(proxy(&folder("pipelines"), &place, None));
    let mut client = connect(&running, &url);
    let run = |sql: &str| [parse("", sql, &[]), bind("", &[], false), execute()];
    let mut messages = Vec::new();
    // One transaction that nobody began.
    messages.extend(
        [run("create temp table p (x int primary key)"), run("insert into p values (1)")].concat(),
    );
    messages.push(sync());
    // One that fails in the middle: the rest is skipped.
    messages.extend(
        [
            run("insert into p values (2)"),
            run("insert into p values (1)"),
            run("insert into p values (3)"),
        ]
        .concat(),
    );
    messages.push(sync());
    // One that was begun and committed, with an end of a batch in between.
    messages.extend([run("begin"), run("insert into p values (4)")].concat());
    messages.push(sync());
    messages.extend([run("commit"), run("select count(*) from p")].concat());
    messages.push(sync());
    // A text that cannot be parsed.
    messages.extend([parse("", "nonsense", &[]), sync(), query("select 5")]);
    client.send(&messages).expect("it is sent");
    for _ in 0..6 {
        client.until_ready().expect("an answer");
    }
    let log = wait(&running.log, |log| with(log, "end").len() == 11);
    let txn = |sql: &str| statement(&log, sql).1.expect("an end")["txn"].clone();
    assert_eq!(txn("create temp table p (x int primary key)"), txn("insert into p values (1)"));
    assert_eq!(outcome(&log, "insert into p values (2)"), Some("aborted"));
    assert_eq!(statement(&log, "insert into p values (3)").1.expect("an end")["skipped"], true);
    assert_eq!(txn("begin"), txn("commit"));
    assert_eq!(outcome(&log, "insert into p values (4)"), Some("committed"));
    assert_ne!(txn("commit"), txn("select count(*) from p"));
    assert_eq!(
        statement(&log, "select count(*) from p").1.expect("an end")["rows"],
        json!([["2"]])
    );
    assert_eq!(statement(&log, "nonsense").1.expect("an end")["error"]["code"], "42601");
    assert_eq!(outcome(&log, "select 5"), Some("committed"));
    assert!(with(&log, "note").is_empty());
}

#[test]
fn transactions_and_levels_are_followed() {
    let Some((url, place)) = server("TRISTAN_POSTGRES") else { return };
    let running = start(proxy(&folder("levels"), &place, None));
    let options = [("options", "-c default_transaction_isolation=repeatable\\ read")];
    let user = url.user().unwrap_or("postgres");
    let mut client = Pg::connect(running.address, user, &options).expect("a connection");
    for sql in [
        "select 1",
        "set session characteristics as transaction isolation level serializable",
        "select 2",
        "begin",
        "set transaction isolation level read committed",
        "select 3",
        "commit and chain",
        "select 4",
        "rollback",
        "begin; select 5; end; select 6",
    ] {
        client.query(sql).expect("an answer");
    }
    drop(client);
    let log = closed(&running.log);
    for (sql, level, outcome_) in [
        ("select 1", json!("repeatable-read"), "committed"),
        ("select 2", json!("serializable"), "committed"),
        ("select 3", json!("read-committed"), "committed"),
        ("select 4", json!("serializable"), "aborted"),
        ("select 5", json!("serializable"), "committed"),
        ("select 6", json!("serializable"), "committed"),
    ] {
        assert_eq!(statement(&log, sql).0["level"], level, "{sql}");
        assert_eq!(outcome(&log, sql), Some(outcome_), "{sql}");
    }
    assert_ne!(statement(&log, "select 5").0["txn"], statement(&log, "select 6").0["txn"]);
    assert_eq!(with(&log, "open")[0]["user"], user);
    assert!(with(&log, "open")[0]["server"].is_string());
}

#[test]
fn long_results_are_cut_and_counted() {
    let Some((url, place)) = server("TRISTAN_POSTGRES") else { return };
    let mut short = proxy(&folder("cut"), &place, None);
    short.max_rows = 3;
    let running = start(short);
    let mut client = connect(&running, &url);
    let messages = client.query("select generate_series(1, 1000)").expect("an answer");
    assert_eq!(
        messages.iter().filter(|(kind, _)| *kind == b'D').count(),
        1000,
        "the client gets all"
    );
    let log = wait(&running.log, |log| with(log, "end").len() == 1);
    let end = with(&log, "end")[0];
    assert_eq!((&end["rows"], &end["cut"]), (&json!([[1], [2], [3]]), &json!(997)));
    assert_eq!(end["affected"], 1000);
}

#[test]
fn a_query_can_be_cancelled() {
    let Some((url, place)) = server("TRISTAN_POSTGRES") else { return };
    let running = start(proxy(&folder("cancel"), &place, None));
    let mut client = connect(&running, &url);
    let rows = client.query("select pg_backend_pid()").expect("an answer");
    assert!(rows.iter().any(|(kind, _)| *kind == b'D'));
    let mut command = tool("psql", &running, &url);
    // psql passes an interrupt on as a cancel request of its own.
    command.args(["-c", "select pg_sleep(60)"]).stdout(Stdio::null()).stderr(Stdio::null());
    let Some(mut child) = found("psql", command.spawn().ok()) else { return };
    wait(&running.log, |log| log.iter().any(|line| line["sql"] == "select pg_sleep(60)"));
    // The server has to be at it before it can be stopped.
    let busy = "select 1 from pg_stat_activity where query = 'select pg_sleep(60)' and state = 'active' and pid <> pg_backend_pid()";
    let mut direct = Pg::direct(&place, url.user().unwrap_or("postgres")).expect("a connection");
    let is_busy = || direct.query(busy).expect("an answer").iter().any(|(kind, _)| *kind == b'D');
    wait_until("the server executes the statement", is_busy);
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill starts").success());
    child.wait().expect("psql ends");
    let log = wait(&running.log, |log| with(log, "end").len() == 2);
    let (_, end) = statement(&log, "select pg_sleep(60)");
    assert_eq!(end.expect("an end")["error"]["code"], "57014");
}

#[test]
fn operations_on_keys_become_a_trace() {
    let Some((url, place)) = server("TRISTAN_POSTGRES") else { return };
    let running = start_with_tables("keys", &place, &["proxy_bank:id:balance"]);
    let mut client = connect(&running, &url);
    client.query("drop table if exists proxy_bank").expect("an answer");
    client
        .query("create table proxy_bank (id int primary key, balance numeric(10, 2))")
        .expect("an answer");
    for sql in [
        "insert into proxy_bank (id, balance) values (1, 100), (2, 50)",
        "begin isolation level repeatable read",
        "select balance from proxy_bank where id = 1 for update",
        "update proxy_bank set balance = 70 where id = 1",
        "update proxy_bank set balance = balance + 30 where id = 2 returning balance",
        "commit",
        "select * from proxy_bank",
        "insert into proxy_bank (id, balance) values (1, 0)",
        "update proxy_bank set balance = 0 where id = 1 and balance > 1000",
        "delete from proxy_bank where id = 1",
        "select balance from proxy_bank where id = 1",
        "select sum(balance) from proxy_bank",
        "drop table proxy_bank",
    ] {
        client.query(sql).expect("an answer");
    }
    drop(client);
    closed(&running.log);
    let history = tristan_formats::open(&running.trace, None).expect("a trace");
    let committed = history.txns.iter().filter(|txn| txn.outcome == Outcome::Committed).count();
    let aborted = history.txns.iter().filter(|txn| txn.outcome == Outcome::Aborted).count();
    assert_eq!((committed, aborted), (6, 1));
    let count = |fits: fn(&OpKind) -> bool| history.ops.iter().filter(|op| fits(&op.kind)).count();
    assert_eq!(count(|kind| matches!(kind, OpKind::Scan { .. })), 1);
    assert_eq!(count(|kind| matches!(kind, OpKind::ReadModifyWrite { .. })), 1);
    let text = std::fs::read_to_string(&running.trace).expect("a trace");
    assert_eq!(text.matches("omitted: ").count(), 2, "the first DROP and a sum: {text}");
    assert_eq!(text.matches("the trace ends here: ").count(), 1, "the last DROP: {text}");
    assert!(
        text.contains(r#""items":[[2,80],[1,70]]"#) || text.contains(r#""items":[[1,70],[2,80]]"#),
        "{text}"
    );
}

#[test]
fn clients_that_get_in_each_others_way_become_a_trace() {
    let Some((url, place)) = server("TRISTAN_POSTGRES") else { return };
    let running = start_with_tables("contention", &place, &["proxy_load:id:v"]);
    let mut client = connect(&running, &url);
    client.query("drop table if exists proxy_load").expect("an answer");
    client.query("create table proxy_load (id int primary key, v int)").expect("an answer");
    client
        .query("insert into proxy_load (id, v) values (1, 0), (2, 0), (3, 0), (4, 0)")
        .expect("an answer");
    let script = running.log.with_file_name("script.sql");
    let text = "\\set a random(1, 4)
        \\set b random(1, 4)
        \\set v random(1, 1000000000)
        begin isolation level repeatable read;
        select v from proxy_load where id = :a;
        update proxy_load set v = :v where id = :b;
        commit;
        select id, v from proxy_load;";
    std::fs::write(&script, text).expect("a script");
    for mode in ["simple", "prepared"] {
        let before = committed(&running);
        let mut bench = tool("pgbench", &running, &url);
        bench
            .args(["-n", "-c", "8", "-t", "50", "--max-tries=1000", "-M", mode, "-f"])
            .arg(&script);
        let Some(output) = said(bench, "") else { return };
        let count = number(&output, "actually processed:");
        assert_eq!((count, number(&output, "number of failed transactions:")), (400, 0));
        closed_but(&running, 1);
        // Each of them has a transaction and a query on its own.
        assert_eq!(committed(&running) - before, 2 * count, "{mode}");
    }
    let text = std::fs::read_to_string(&running.trace).expect("a trace");
    assert!(text.contains("40001"), "clients got in each other's way");
    assert_eq!(text.matches("omitted: ").count(), 1, "only the DROP");
    assert!(!text.contains("the trace ends here"), "all was told");
}

/// Waits until only so many connections are open.
fn closed_but(running: &Running, open: usize) {
    wait(&running.log, |log| with(log, "open").len() == with(log, "close").len() + open);
}

/// How many transactions of a trace committed.
fn committed(running: &Running) -> usize {
    let history = tristan_formats::open(&running.trace, None).expect("a trace");
    history.txns.iter().filter(|txn| txn.outcome == Outcome::Committed).count()
}
