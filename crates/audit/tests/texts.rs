//! Statements that say something else than their first letters: comments, explanations, schemas.

use tristan_audit::{AuditLevel, AuditOptions};
use tristan_verdict::audit::{AuditAnswer, AuditVerdict};

use crate::common::{judged, judged_with, unknown, word};

#[test]
fn a_comment_before_delete_hides_nothing() {
    let lines = r#"
{"schema":"CREATE TABLE t (id INT PRIMARY KEY, v INT); CREATE TABLE s (id INT PRIMARY KEY, k INT)"}
{"rows":"t","values":[[6,60]]}
{"rows":"s","values":[[1,5]]}
{"txn":1,"c":1,"at":[0,50],"commit":[40,50],"do":[{"sql":"INSERT INTO t VALUES (5,50)","affected":1,"at":[1,2]},{"sql":"/* app */ DELETE FROM t WHERE id = (SELECT k FROM s WHERE id = 1)","affected":1,"at":[30,35]}]}
{"txn":2,"c":2,"at":[5,60],"commit":[45,60],"do":[{"sql":"UPDATE s SET k = 6 WHERE id = 1","affected":1,"at":[6,8]}]}
{"txn":3,"c":3,"at":[100,110],"commit":[105,110],"do":[{"sql":"SELECT id FROM t ORDER BY id","rows":[[5]],"at":[101,102]}]}
"#;
    assert_eq!(word(&judged("postgresql", lines)), "accept");
}

#[test]
fn explain_analyze_executes_the_statement() {
    let lines = r#"
{"schema":"CREATE TABLE t (id INT PRIMARY KEY, v INT)"}
{"rows":"t","values":[[1,10]]}
{"txn":1,"do":[{"sql":"EXPLAIN STATEMENT","rows":[["Update on t"]]}]}
{"txn":2,"do":[{"sql":"SELECT v FROM t","rows":[[11]]}]}
"#;
    let update = "UPDATE t SET v = 11 WHERE id = 1";
    for (dialect, explain, answer) in [
        ("postgresql", "EXPLAIN ANALYZE", "accept"),
        ("postgresql", "EXPLAIN (ANALYZE, BUFFERS)", "accept"),
        ("postgresql", "EXPLAIN", "reject"),
        ("postgresql", "EXPLAIN (ANALYZE off)", "reject"),
        ("mariadb", "ANALYZE FORMAT=JSON", "accept"),
        ("mariadb", "EXPLAIN", "reject"),
    ] {
        let lines = lines.replace("EXPLAIN STATEMENT", &format!("{explain} {update}"));
        assert!(word(&judged(dialect, &lines)).starts_with(answer), "{dialect}: {explain}");
    }
}

#[test]
fn a_rollback_behind_a_comment_rolls_back() {
    let lines = r#"
{"schema":"CREATE TABLE t (id INT PRIMARY KEY, v INT)"}
{"rows":"t","values":[[1,10]]}
{"txn":1,"do":[{"sql":"SAVEPOINT a"},{"sql":"UPDATE t SET v = 11 WHERE id = 1","affected":1},{"sql":"ROLLBACK STATEMENT"}]}
{"txn":2,"do":[{"sql":"SELECT v FROM t","rows":[[10]]}]}
"#;
    for (dialect, rollback) in [
        ("mysql", r"# tag\nROLLBACK TO a"),
        ("mysql", "/*!50001 ROLLBACK TO */ SAVEPOINT `A`"),
        ("mariadb", "/*M! rollback */ work to a -- b"),
        ("postgresql", "/* a /* b */ c */ ROLLBACK TO a;"),
    ] {
        let lines = lines.replace("ROLLBACK STATEMENT", rollback);
        assert_eq!(word(&judged(dialect, &lines)), "accept", "{rollback}");
    }
}

#[test]
fn a_locking_clause_in_a_text_locks_nothing() {
    let lines = r#"
{"schema":"CREATE TABLE t (id INT PRIMARY KEY, v TEXT)"}
{"txn":1,"do":[{"sql":"INSERT INTO t VALUES (1, 'for update; -- x')","affected":1}]}
{"txn":2,"do":[{"sql":"SELECT id FROM t WHERE v = 'for update; -- x' /* ' */","rows":[[1]]}]}
"#;
    assert_eq!(word(&judged("postgresql", lines)), "accept");
}

#[test]
fn tables_of_two_schemas_are_two_tables() {
    let lines = r#"
{"schema":"CREATE TABLE a.t (id INT PRIMARY KEY, v INT); CREATE TABLE b.t (id INT PRIMARY KEY, v INT)"}
{"rows":"b.t","values":[[2,2]]}
{"txn":1,"do":[{"sql":"INSERT INTO a.t VALUES (1,1)","affected":1},{"sql":"INSERT INTO b.t VALUES (1,3)","affected":1}]}
{"txn":2,"do":[{"sql":"SELECT v, t.id, a.t.v FROM a.t","rows":[[1,1,1]]},{"sql":"SELECT v FROM b.t ORDER BY v","rows":[[2],[3]]}]}
"#;
    for dialect in ["postgresql", "mysql", "mariadb"] {
        assert_eq!(word(&judged(dialect, lines)), "accept", "{dialect}");
    }
}

#[test]
fn a_table_that_the_log_does_not_define_is_named() {
    let lines = r#"
{"schema":"CREATE TABLE a.t (id INT PRIMARY KEY, v INT)"}
{"txn":1,"do":[{"sql":"INSERT INTO a.t VALUES (1,1)","affected":1},{"sql":"INSERT INTO b.t VALUES (1,1)","affected":1}]}
"#;
    let verdict = judged("postgresql", lines);
    assert!(unknown(&verdict).starts_with("table b.t does not exist in the schema"), "{verdict:?}");
}

#[test]
fn names_without_a_schema_are_looked_up_where_the_session_says() {
    let lines = r#"
{"schema":"CREATE TABLE t (id INT PRIMARY KEY, v INT)"}
{"txn":1,"c":1,"do":[{"sql":"FIRST"},{"sql":"INSERT INTO t VALUES (1,1)","affected":1}]}
{"txn":2,"c":2,"do":[{"sql":"SECOND"},{"sql":"SELECT v FROM t","rows":[[1]]}]}
{"txn":3,"c":1,"do":[{"sql":"SELECT v FROM QUALIFIED","rows":[[1]]}]}
"#;
    for (dialect, first, second, qualified, answer) in [
        ("postgresql", "SET search_path = a", "SET search_path TO 'a'", "a.t", "accept"),
        ("postgresql", "SELECT 1", "SET search_path = \\\"$user\\\", public", "public.t", "accept"),
        ("postgresql", "SET search_path = a", "SET search_path = b", "a.t", "unknown"),
        ("postgresql", "SET search_path = a", "SHOW search_path", "a.t", "unknown"),
        ("postgresql", "SHOW search_path", "SET LOCAL search_path = a", "t", "unknown"),
        ("mysql", "USE a", "use `a`", "a.t", "accept"),
        ("mysql", "USE a", "USE b", "a.t", "unknown"),
        // What is not known here is only which table the last query reads.
        ("mysql", "SHOW TABLES", "SHOW TABLES", "a.t", "accept, 1 not judged"),
    ] {
        let lines = lines.replace("FIRST", first).replace("SECOND", second);
        let verdict = judged(dialect, &lines.replace("QUALIFIED", qualified));
        let said = match verdict.log.unjudged.len() {
            0 => word(&verdict),
            some => format!("{}, {some} not judged", word(&verdict)),
        };
        let fits = said == answer || answer == "unknown" && said.starts_with("unknown: ");
        assert!(fits, "{first}, {second}: {verdict:?}");
    }
}

#[test]
fn several_statements_in_one_call_are_refused() {
    let lines = r#"
{"schema":"CREATE TABLE t (id INT PRIMARY KEY, v INT)"}
{"txn":1,"do":[{"sql":"SAVEPOINT a; INSERT INTO t VALUES (1,1)","affected":1}]}
"#;
    let verdict = judged("postgresql", lines);
    assert!(unknown(&verdict).starts_with("a text with several statements"), "{verdict:?}");
}

#[test]
fn a_query_that_is_not_supported_and_changes_nothing_is_not_judged() {
    let lines = r#"
{"schema":"CREATE TABLE t (id INT PRIMARY KEY, v INT)"}
{"rows":"t","values":[[1,10]]}
{"txn":1,"do":[{"sql":"SELECT relname FROM pg_catalog.pg_class","rows":[["t"]]},{"sql":"SELECT rank(1) WITHIN GROUP (ORDER BY v) FROM t","rows":[[1]]},{"sql":"SELECT rank(1) WITHIN GROUP (ORDER BY id) FROM t","rows":[[1]]}]}
{"txn":2,"do":[{"sql":"SELECT v FROM t","rows":[[SEEN]]}]}
"#;
    for (seen, answer) in [("10", "accept"), ("11", "reject")] {
        let verdict = judged("postgresql", &lines.replace("SEEN", seen));
        assert!(word(&verdict).starts_with(answer), "{seen}: {verdict:?}");
        let unjudged: Vec<String> = verdict.log.unjudged.iter().map(ToString::to_string).collect();
        assert_eq!((unjudged.len(), verdict.log.questions), (1, 1), "{verdict:?}");
        assert!(unjudged.iter().any(|some| some.starts_with("2 statements: ")), "{unjudged:?}");
    }
    for effect in ["SELECT pay(1)", "SELECT 1; TRUNCATE t", "CALL pay(1)"] {
        let lines = lines.replace("SELECT relname FROM pg_catalog.pg_class", effect);
        let verdict = judged("postgresql", &lines.replace("SEEN", "10"));
        assert_ne!(unknown(&verdict), "", "{effect}: {verdict:?}");
    }
}

/// What a verdict says about statements that were not judged.
fn left_out(verdict: &AuditVerdict) -> Vec<String> {
    verdict.log.unjudged.iter().map(ToString::to_string).collect()
}

#[test]
fn a_write_that_is_not_supported_takes_its_table_and_what_depends_on_it() {
    let lines = r#"
{"schema":"CREATE TABLE stock (id INT PRIMARY KEY, n INT); CREATE TABLE report (id INT PRIMARY KEY, n INT); CREATE TABLE account (id INT PRIMARY KEY, v INT)"}
{"rows":"stock","values":[[1,5]]}
{"rows":"account","values":[[1,10]]}
{"txn":1,"do":[{"sql":"SELECT n FROM stock","rows":[[99]]},{"sql":"UPDATE account SET v = v + 1","affected":1}]}
{"txn":2,"do":[{"sql":"UPDATE stock SET n = (SELECT rank(1) WITHIN GROUP (ORDER BY 1))","affected":1}]}
{"txn":3,"do":[{"sql":"INSERT INTO report SELECT id, n FROM stock","affected":7}]}
{"txn":4,"do":[{"sql":"SELECT n FROM report","rows":[[7]]}]}
{"txn":5,"do":[{"sql":"SELECT v FROM account","rows":[[SEEN]]}]}
"#;
    for (seen, answer) in [("11", "accept"), ("10", "reject")] {
        let verdict = judged("postgresql", &lines.replace("SEEN", seen));
        assert!(word(&verdict).starts_with(answer), "{seen}: {verdict:?}");
        assert_eq!((verdict.log.transactions, verdict.log.partly), (5, 4), "{verdict:?}");
        let left_out = left_out(&verdict);
        assert!(left_out.iter().any(|some| some.contains("window")), "{left_out:?}");
        assert!(
            left_out.iter().any(|some| some.contains("table stock is excluded from the audit"))
        );
        assert!(
            left_out.iter().any(|some| some.contains("table report is excluded from the audit"))
        );
        if let AuditAnswer::Reject { rejection } = &verdict.answer {
            let small = rejection.shrunk.join("\n");
            assert!(!small.contains("rank") && small.contains("SELECT v FROM account"), "{small}");
        }
    }
}

#[test]
fn a_table_that_cannot_be_defined_is_not_followed() {
    let odd = "CREATE TABLE odd (id INT PRIMARY KEY, at tstzmultirange)";
    for start in [
        format!(
            r#"{{"schema":"CREATE TABLE t (id INT PRIMARY KEY, v INT); {odd}; INSERT INTO odd VALUES (1, 'empty')"}}"#
        ),
        format!(
            r#"{{"schema":"CREATE TABLE t (id INT PRIMARY KEY, v INT)"}}
{{"txn":1,"do":[{{"sql":"{odd}","ok":true}}]}}"#
        ),
        r#"{"schema":"CREATE TABLE t (id INT PRIMARY KEY, v INT); CREATE TABLE odd (id INT)"}
{"txn":1,"do":[{"sql":"ALTER TABLE odd ADD COLUMN at tstzmultirange","ok":true}]}"#
            .to_owned(),
    ] {
        for (seen, answer) in [("", "accept"), ("[1]", "reject")] {
            let lines = format!(
                r#"{start}
{{"txn":2,"do":[{{"sql":"INSERT INTO odd VALUES (2, 'empty')","affected":1}},{{"sql":"SELECT id FROM odd","rows":[[1],[2]]}}]}}
{{"txn":3,"do":[{{"sql":"SELECT id FROM t","rows":[{seen}]}}]}}
{{"txn":4,"do":[{{"sql":"DROP TABLE odd","ok":true}}]}}"#
            );
            let verdict = judged("postgresql", &lines);
            assert!(word(&verdict).starts_with(answer), "{lines}: {verdict:?}");
            let left_out = left_out(&verdict);
            assert!(
                left_out.iter().any(|some| some.contains("odd is excluded from the audit")),
                "{left_out:?}"
            );
        }
    }
}

#[test]
fn values_that_only_the_server_knows_keep_nothing_else_from_being_rejected() {
    let lines = r#"
{"schema":"CREATE TABLE account (id INT PRIMARY KEY, v INT); CREATE TABLE history (id SERIAL, v INT, at TIMESTAMP)"}
{"rows":"account","values":[[1,10]]}
{"txn":1,"do":[{"sql":"SELECT now()","rows":[["2026-11-17 12:00:00+00"]]},{"sql":"UPDATE account SET v = v + 1","affected":1},{"sql":"INSERT INTO history (v, at) VALUES (1, CURRENT_TIMESTAMP)","affected":1}]}
{"txn":2,"do":[{"sql":"SELECT count(*) FROM history WHERE at < now()","rows":[[1]]},{"sql":"SELECT v FROM history","rows":[[ITEM]]}]}
{"txn":3,"do":[{"sql":"SELECT v FROM account","rows":[[SEEN]]}]}
"#;
    for (item, seen, answer, unjudged) in
        [("1", "11", "accept", 1), ("1", "10", "reject", 2), ("2", "11", "reject", 1)]
    {
        let verdict = judged("postgresql", &lines.replace("SEEN", seen).replace("ITEM", item));
        assert!(word(&verdict).starts_with(answer), "{item}, {seen}: {verdict:?}");
        let left_out: u64 = verdict.log.unjudged.iter().map(|some| some.statements).sum();
        assert_eq!(left_out, unjudged, "{item}, {seen}: {verdict:?}");
    }
}

#[test]
fn a_lost_table_of_the_start_takes_what_is_filled_from_it() {
    let lines = r#"
{"schema":"CREATE TABLE a (id INT PRIMARY KEY, v INT); CREATE TABLE b (id INT PRIMARY KEY, v INT); INSERT INTO a SELECT 1, rank(1) WITHIN GROUP (ORDER BY 1); INSERT INTO b SELECT id, v FROM a"}
{"txn":1,"do":[{"sql":"SELECT count(*) FROM b","rows":[[3]]}]}
"#;
    let verdict = judged("postgresql", lines);
    assert_eq!((word(&verdict).as_str(), verdict.log.partly), ("accept", 1), "{verdict:?}");
    assert_eq!(verdict.warnings.len(), 2, "{verdict:?}");
}

#[test]
fn a_statement_that_is_not_complete_may_have_done_anything() {
    let lines = r#"
{"schema":"CREATE TABLE t (id INT PRIMARY KEY, v INT)"}
{"call":1,"c":1,"txn":1,"sql":"WITH input AS (VALUES (1),","text_cut":true,"at":1}
{"end":1,"affected":7,"at":2}
{"finish":1,"c":1,"outcome":"committed","at":3}
"#;
    assert!(unknown(&judged("postgresql", lines)).contains("only the beginning"));
}

/// What `pg_dump` writes, in small.
const DUMP: &str = r"--
-- PostgreSQL database dump
--

\restrict x

SET client_encoding = 'UTF8';
SELECT pg_catalog.set_config('search_path', '', false);

CREATE TYPE public.mood AS ENUM ('good', 'bad');
ALTER TYPE public.mood OWNER TO app;

CREATE FUNCTION public.twice(a integer) RETURNS integer
    LANGUAGE sql
    AS $$
SELECT a * 2;
$$;

CREATE TABLE public.person (
    id integer NOT NULL,
    name character varying(9)
);
ALTER TABLE public.person OWNER TO app;

ALTER TABLE public.person ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.person_id_seq
    START WITH 1
    INCREMENT BY 1
    CACHE 1
);

CREATE TABLE public.visit (
    person_id integer NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    address macaddr,
    CONSTRAINT visit_check CHECK ((person_id > 0))
);

CREATE VIEW public.names (name) AS
 SELECT person.name FROM public.person;

COPY public.person (id, name) FROM stdin;
1	one
2	\N
\.

COPY public.visit (person_id, at, address) FROM stdin;
1	2026-11-17 12:00:00+00	08:00:2b:01:02:03
\.

SELECT pg_catalog.setval('public.person_id_seq', 2, true);

ALTER TABLE ONLY public.person
    ADD CONSTRAINT person_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.visit
    ADD CONSTRAINT visit_person FOREIGN KEY (person_id) REFERENCES public.person(id);
";

#[test]
fn an_audit_starts_from_a_dump() {
    let lines = r#"
{"txn":1,"do":[{"sql":"SELECT name FROM person ORDER BY id","rows":[["one"],[null]]}]}
{"txn":2,"do":[{"sql":"INSERT INTO person (name) VALUES ('x') RETURNING id","rows":[[3]]},{"sql":"SELECT count(*) FROM visit","rows":[[7]]}]}
{"txn":3,"do":[{"sql":"SELECT count(*) FROM public.person","rows":[[SEEN]]}]}
"#;
    for (seen, answer) in [("3", "accept"), ("2", "reject")] {
        let mut options = AuditOptions::new(AuditLevel::Serializable);
        options.schema = Some(DUMP.to_owned());
        let verdict = judged_with("postgresql", &lines.replace("SEEN", seen), &options);
        assert!(word(&verdict).starts_with(answer), "{seen}: {verdict:?}");
        assert_eq!((verdict.log.partly, verdict.warnings.len()), (1, 1), "{verdict:?}");
    }
}

#[test]
fn what_only_the_server_knows_of_the_start_is_not_rejected() {
    for (schema, seen) in [
        (
            "CREATE TABLE t (id INT, at TIMESTAMP DEFAULT now()); INSERT INTO t (id) VALUES (1)",
            "at",
        ),
        ("CREATE TABLE t (id INT UNIQUE NULLS NOT DISTINCT)", "id"),
        ("CREATE TEMPORARY TABLE t (id INT)", "id"),
    ] {
        let lines = format!(
            r#"{{"schema":"{schema}"}}
{{"txn":1,"do":[{{"sql":"SELECT {seen} FROM t","rows":[["2026-11-17 12:00:00"]]}}]}}"#
        );
        let verdict = judged("postgresql", &lines);
        assert_eq!((word(&verdict).as_str(), verdict.log.partly), ("accept", 1), "{verdict:?}");
    }
}

#[test]
fn a_default_that_calls_a_routine_may_change_anything() {
    let lines = r#"
{"schema":"CREATE TABLE n (v INT)"}
{"schema":"CREATE FUNCTION next_id() RETURNS INT LANGUAGE plpgsql AS $$ BEGIN UPDATE n SET v = v + 1; RETURN 1; END $$"}
{"schema":"CREATE TABLE t (id INT DEFAULT next_id(), v INT)"}
{"txn":1,"do":[{"sql":"INSERT INTO t (v) SELECT rank(1) WITHIN GROUP (ORDER BY 1)","affected":1}]}
{"txn":2,"do":[{"sql":"SELECT count(*) FROM n","rows":[[7]]}]}
"#;
    assert_ne!(unknown(&judged("postgresql", lines)), "");
}

#[test]
fn a_lost_table_may_be_a_view_later() {
    let lines = r#"
{"schema":"CREATE TABLE t (id INT PRIMARY KEY, v INT); CREATE TABLE u (id INT PRIMARY KEY, v INT)"}
{"txn":1,"do":[{"sql":"ALTER TABLE t ADD COLUMN r tstzmultirange","ok":true}]}
{"txn":2,"do":[{"sql":"DROP TABLE t","ok":true}]}
{"txn":3,"do":[{"sql":"CREATE VIEW t AS SELECT id, v FROM u","ok":true}]}
{"txn":4,"do":[{"sql":"INSERT INTO t VALUES (1, 10)","affected":1}]}
{"txn":5,"do":[{"sql":"SELECT v FROM u","rows":[[10]]}]}
"#;
    assert_eq!(word(&judged("postgresql", lines)), "accept");
}

#[test]
fn foreign_keys_and_constraints_that_are_added_later_are_followed() {
    let lines = r#"
{"schema":"CREATE TABLE author (id integer NOT NULL, name varchar(9)); ALTER TABLE author OWNER TO app; ALTER TABLE ONLY author ADD CONSTRAINT author_pkey PRIMARY KEY (id); ALTER TABLE author ALTER COLUMN id SET DEFAULT nextval('author_id_seq'::regclass)"}
{"schema":"CREATE TABLE book (id integer NOT NULL PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY, author_id integer NOT NULL)"}
{"rows":"author","values":[[1,"a"]]}
{"txn":1,"do":[{"sql":"ALTER TABLE book ADD CONSTRAINT book_author FOREIGN KEY (author_id) REFERENCES author (id) DEFERRABLE INITIALLY DEFERRED","ok":true}]}
{"txn":2,"do":[{"sql":"INSERT INTO author (id, name) VALUES (1, 'b')","error":{"code":"23505"}}],"outcome":"aborted"}
{"txn":3,"do":[{"sql":"INSERT INTO author (name) VALUES ('b') RETURNING id","rows":[[2]]},{"sql":"SAVEPOINT a","ok":true},{"sql":"DELETE FROM author WHERE id = 1","error":{"code":"23503"}},{"sql":"ROLLBACK TO SAVEPOINT a","ok":true}]}
{"txn":4,"do":[{"sql":"SELECT id FROM author ORDER BY id","rows":[SEEN]}]}
"#;
    for (seen, answer) in [("[1],[2]", "accept"), ("[2]", "reject")] {
        let verdict = judged("postgresql", &lines.replace("SEEN", seen));
        assert!(word(&verdict).starts_with(answer), "{seen}: {verdict:?}");
        assert_eq!(left_out(&verdict), Vec::<String>::new());
        assert!(verdict.assumptions.iter().any(|one| one.what.contains("foreign keys")));
    }
    let cascade = lines.replace("DEFERRABLE", "ON DELETE CASCADE DEFERRABLE");
    let verdict = judged("postgresql", &cascade.replace("SEEN", "[2]"));
    assert!(word(&verdict).starts_with("reject"), "{verdict:?}");
}

#[test]
fn nothing_is_judged_if_a_lost_value_can_go_anywhere() {
    let lines = r#"
{"schema":"CREATE TABLE s (id INT PRIMARY KEY, n INT); CREATE TABLE t (id INT PRIMARY KEY, v INT)"}
{"txn":1,"do":[{"sql":"UPDATE s SET n = (SELECT rank(1) WITHIN GROUP (ORDER BY 1))","affected":1}]}
{"txn":2,"do":[{"sql":"EFFECT"}]}
{"txn":3,"do":[{"sql":"SELECT v FROM t","rows":[[1]]}]}
"#;
    for (dialect, effect) in [
        ("mariadb", "SET @a = (SELECT n FROM s)"),
        ("mariadb", "SET @a = 1"),
        ("postgresql", "INSERT INTO a_view VALUES (1, 1)"),
        ("postgresql", "CREATE TABLE a AS WITH w AS (DELETE FROM t RETURNING *) SELECT * FROM w"),
        ("postgresql", "CREATE TRIGGER x BEFORE UPDATE ON s EXECUTE FUNCTION f()"),
    ] {
        let verdict = judged(dialect, &lines.replace("EFFECT", effect));
        assert_ne!(unknown(&verdict), "", "{effect}: {verdict:?}");
    }
}

#[test]
fn an_empty_log_is_no_silent_accept() {
    let warnings = judged("postgresql", "").warnings;
    assert_eq!(warnings, ["the log contains no transactions"]);
}

#[test]
fn what_returning_shows_need_not_be_the_number_of_the_row() {
    for (insert, shown) in [
        ("INSERT INTO parent (name) VALUES ('x') RETURNING length(name)", "1"),
        (
            "WITH p AS (INSERT INTO parent (name) VALUES ('x') RETURNING id) INSERT INTO child (pid, n) SELECT id, 5 FROM p RETURNING n",
            "5",
        ),
        (
            "WITH p AS (INSERT INTO parent (name) VALUES ('x') RETURNING id) SELECT count(*) FROM p",
            "1",
        ),
    ] {
        let lines = r#"
{"schema":"CREATE TABLE parent (id SERIAL PRIMARY KEY, name TEXT); CREATE TABLE child (pid INT, n INT)"}
{"txn":1,"do":[{"sql":"INSERT","rows":[[SHOWN]]}]}
{"txn":2,"do":[{"sql":"SELECT id FROM parent","rows":[[7]]}]}
"#;
        let lines = lines.replace("\"INSERT\"", &format!("\"{insert}\"")).replace("SHOWN", shown);
        let verdict = judged("postgresql", &lines);
        assert!(!word(&verdict).starts_with("reject"), "{insert}: {verdict:?}");
    }
    let lines = r#"
{"schema":"CREATE TABLE t (v INT, id SERIAL PRIMARY KEY)"}
{"txn":1,"do":[{"sql":"INSERT INTO t (v) VALUES (5) RETURNING v, id","rows":[[5,7]]}]}
{"txn":2,"do":[{"sql":"SELECT id FROM t","rows":[[SEEN]]}]}
"#;
    for (seen, answer) in [("7", "accept"), ("5", "reject")] {
        let verdict = judged("postgresql", &lines.replace("SEEN", seen));
        assert!(word(&verdict).starts_with(answer), "{seen}: {verdict:?}");
    }
}

#[test]
fn a_variable_of_another_transaction_is_not_known() {
    let lines = r#"
{"txn":1,"c":1,"do":[{"sql":"SET @x = 5"}]}
{"txn":2,"c":1,"do":[{"sql":"SELECT @x","rows":[[5]]},{"sql":"SELECT @x","rows":[[5]]},{"sql":"SET @x = 6"},{"sql":"SELECT @x","rows":[[SEEN]]}]}
"#;
    for (seen, answer) in [("6", "accept"), ("5", "reject")] {
        let verdict = judged("mariadb", &lines.replace("SEEN", seen));
        assert!(word(&verdict).starts_with(answer), "{seen}: {verdict:?}");
        assert_eq!(verdict.log.unjudged.iter().map(|one| one.statements).sum::<u64>(), 2);
    }
}

#[test]
fn a_view_that_is_redefined_in_an_unsupported_way_is_not_used() {
    let lines = r#"
{"schema":"CREATE TABLE t (id INT PRIMARY KEY, v INT); CREATE VIEW w AS SELECT v FROM t"}
{"rows":"t","values":[[1,10]]}
{"txn":1,"do":[{"sql":"STATEMENT","ok":true}]}
{"txn":2,"do":[{"sql":"SELECT v FROM w","rows":[[11]]}]}
"#;
    for statement in [
        "CREATE OR REPLACE VIEW w AS SELECT strange(v) AS v FROM t",
        "ALTER VIEW w RENAME TO x",
        "CREATE TEMP VIEW w AS SELECT v + 1 AS v FROM t",
    ] {
        let lines = lines.replace("STATEMENT", statement);
        assert!(word(&judged("postgresql", &lines)).starts_with("unknown"), "{statement}");
    }
    let lines = lines.replace("STATEMENT", "ALTER VIEW w OWNER TO ada");
    assert!(word(&judged("postgresql", &lines)).starts_with("reject"));
}
