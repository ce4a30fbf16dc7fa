//! What the server answers, to friends and to others.

#![allow(clippy::panic)]

use std::net::TcpStream;

use crate::common::{
    SECRET, SQL_LOG, TRACE, UPLOAD, drop_trace, followed, get, inventory, send, served, stocked,
};
use tristan_testkit::Random;

#[test]
fn the_list_has_everything_and_filters_take_away() {
    let address = served(&stocked("list"));
    let all = get(&address, "/");
    assert_eq!(all.status, 200);
    for words in [
        "monday/skew.json",
        "tuesday.json",
        "fork.json",
        "fine.json",
        "open.json",
        "many.json #2",
        "broken.json",
        "&lt;b&gt;odd &amp; &#39;name&#39;.jsonl",
        "11 entries",
    ] {
        assert!(all.body.contains(words), "{words}: {}", all.body);
    }
    for absent in ["readme.txt", "link.json", ".hidden", "up/", SECRET] {
        assert!(!all.body.contains(absent), "{absent}");
    }
    for (query, count) in [
        ("verdict=reject", "5 entries"),
        ("verdict=unknown", "1 entry"),
        ("verdict=trace", "1 entry"),
        ("level=snapshot-isolation", "2 entries"),
        ("name=MONDAY", "1 entry"),
        ("q=write+skew", "2 entries"),
        ("q=write+skew&name=tues", "1 entry"),
        ("q=%3Cscript%3E", "0 entries"),
    ] {
        let reply = get(&address, &format!("/?{query}"));
        assert!(reply.body.contains(count), "{query}: {}", reply.body);
        assert!(!reply.body.contains("<script>x") && !reply.body.contains("value=\"<script"));
    }
}

#[test]
fn the_same_bug_is_one_line() {
    let address = served(&stocked("groups"));
    let all = get(&address, "/").body;
    let (_, groups) = all.split_once("by fingerprint").expect("groups");
    let (groups, _) = groups.split_once("</section>").expect("an end");
    assert_eq!(groups.matches("<tr>").count(), 3, "a head and two anomalies: {groups}");
    assert!(
        groups.contains("A ─rw x→ B ─rw y→ A") && groups.contains("data-of=\"verdicts\">2<"),
        "{groups}"
    );
    let (_, code) = groups.split_once("/?print=").expect("a link");
    let own = get(&address, &format!("/?print={}", &code[..8])).body;
    assert!(own.contains("2 entries"), "{own}");
}

#[test]
fn reports_open_and_machines_get_json() {
    let address = served(&stocked("open"));
    let reply = get(&address, "/report?file=monday/skew.json&n=0");
    assert_eq!(reply.status, 200);
    for words in ["REJECT", "write skew", "href=\"/\"", "fingerprint"] {
        assert!(reply.body.contains(words), "{words}");
    }
    assert!(get(&address, "/report?file=many.json&n=1").body.contains("long fork"));
    assert!(get(&address, "/report?file=open.json").body.contains("UNKNOWN"));
    let json = get(&address, "/verdict.json?file=fine.json");
    assert_eq!(json.header("Content-Type"), Some("application/json; charset=utf-8"));
    assert!(json.body.starts_with('{') && json.body.contains("\"accept\""));
    for (target, status) in [
        ("/report?file=broken.json", 422),
        ("/report?file=fine.json&n=1", 404),
        ("/report?file=fine.json&n=-1", 404),
        ("/report", 404),
        ("/nothing", 404),
        ("//", 404),
        ("/check?file=fine.json", 404),
        ("/job?id=1", 404),
        ("/compare", 400),
        ("/compare?a=0:fine.json&b=7:fine.json", 404),
    ] {
        assert_eq!(get(&address, target).status, status, "{target}");
    }
}

#[test]
fn heads_have_no_body_and_every_answer_is_careful() {
    let address = served(&stocked("heads"));
    let request = format!("HEAD / HTTP/1.1\r\nHost: {address}\r\n\r\n");
    let reply = send(&address, request.as_bytes()).expect("an answer");
    assert_eq!((reply.status, reply.body.as_str()), (200, ""));
    for target in ["/", "/nothing", "/report?file=fine.json"] {
        let reply = get(&address, target);
        for (name, value) in [
            ("X-Content-Type-Options", "nosniff"),
            ("X-Frame-Options", "DENY"),
            ("Cache-Control", "no-store"),
            ("Connection", "close"),
        ] {
            assert_eq!(reply.header(name), Some(value), "{target}");
        }
        assert!(reply.body.contains("default-src 'none'"), "{target}");
    }
}

#[test]
fn two_runs_stand_side_by_side() {
    let address = served(&stocked("compare"));
    for (a, b, words) in [
        ("0:monday/skew.json", "0:tuesday.json", "The same anomaly"),
        ("0:monday/skew.json", "0:fork.json", "Two different anomalies"),
        ("0:fork.json", "0:fine.json", "Gone in B"),
        ("0:fine.json", "1:many.json", "New in B"),
        ("0:fine.json", "0:many.json", "Both hold"),
        ("0:open.json", "0:fine.json", "Not decided"),
    ] {
        let reply = get(&address, &format!("/compare?a={a}&b={b}"));
        assert_eq!(reply.status, 200);
        assert!(reply.body.contains(words), "{a} {b}: {}", reply.body);
    }
}

#[test]
fn a_dropped_trace_is_checked_and_nothing_is_written() {
    let folder = stocked("drop");
    let before = inventory(&folder);
    let address = served(&folder);
    for (level, words) in [
        ("serializable", &["REJECT", "write skew", "dropped.jsonl"][..]),
        ("si", &["ACCEPT", "snapshot-isolation"]),
        ("every", &["verdicts</h1>", "ACCEPT", "REJECT"]),
    ] {
        let reply = drop_trace(&address, level, TRACE.as_bytes());
        assert_eq!(reply.status, 303, "{level}");
        let report = followed(&address, &reply);
        assert_eq!(report.status, 200, "{level}");
        for word in words {
            assert!(report.body.contains(word), "{level}: {word}");
        }
    }
    assert_eq!(inventory(&folder), before);
}

#[test]
fn a_trace_of_the_folder_is_checked() {
    let address = served(&stocked("stored"));
    let page = get(&address, "/check?file=%3Cb%3Eodd%20%26%20%27name%27.jsonl");
    assert!(page.status == 200 && page.body.contains("type=\"hidden\""), "{}", page.body);
    let post = |body: &str| {
        let request = format!(
            "POST /check HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/x-www-form-urlencoded\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        send(&address, request.as_bytes()).expect("an answer")
    };
    let reply = post("level=serializable&file=%3Cb%3Eodd+%26+%27name%27.jsonl");
    let report = followed(&address, &reply);
    assert!(report.body.contains("write skew"), "{}", report.body);
    for (body, status) in [
        ("level=serializable&file=fine.json", 404),
        ("level=serializable&file=../secret.json", 404),
        ("level=nonsense&file=x", 422),
        ("level=serializable", 400),
    ] {
        assert_eq!(post(body).status, status, "{body}");
    }
}

#[test]
fn what_is_no_trace_is_told_so() {
    let address = served(&stocked("no-trace"));
    for trace in
        [&b""[..], b"hello", b"{\"s\":1,\"st\":\"c\",\"ops\":[[\"jump\",\"x\",1]]}\n", &[0xff; 99]]
    {
        let reply = drop_trace(&address, "si", trace);
        let end = followed(&address, &reply);
        assert_eq!(end.status, 422, "{trace:?}");
        assert!(end.body.contains("could not be checked"), "{}", end.body);
    }
}

#[test]
fn nothing_outside_of_the_folder_is_served() {
    let folder = stocked("traversal");
    let address = served(&folder);
    let outside = folder.parent().expect("a parent").join("secret.json");
    let outside = outside.to_str().expect("a path in UTF-8");
    let names = [
        "../secret.json",
        "%2e%2e/secret.json",
        "%2e%2e%2fsecret.json",
        "..%5csecret.json",
        "%252e%252e%252fsecret.json",
        "monday/../../secret.json",
        "./../secret.json",
        "link.json",
        "up/secret.json",
        ".hidden.json",
        "monday/../fine.json",
        "./fine.json",
        "/fine.json",
        "fine.json%00",
        "fine.json/",
        "monday//skew.json",
        outside,
        "file:///etc/passwd",
        "/etc/passwd",
        "..%c0%afsecret.json",
    ];
    for name in names {
        for target in [
            format!("/report?file={name}"),
            format!("/verdict.json?file={name}"),
            format!("/check?file={name}"),
            format!("/compare?a=0:{name}&b=0:fine.json"),
        ] {
            let reply = get(&address, &target);
            assert_eq!(reply.status, 404, "{target}");
            assert!(!reply.body.contains(SECRET), "{target}");
        }
    }
    for path in [
        "/../secret.json",
        "/%2e%2e/secret.json",
        "/..%2fsecret.json",
        "/served/../../secret.json",
        "/fine.json",
        "/etc/passwd",
    ] {
        let reply = get(&address, path);
        assert!(reply.status == 404 && !reply.body.contains(SECRET), "{path}");
    }
    let absolute = format!("GET http://{address}/report HTTP/1.1\r\nHost: {address}\r\n\r\n");
    assert_eq!(send(&address, absolute.as_bytes()).expect("an answer").status, 400);
}

/// A file that becomes a link after it was listed leads nowhere.
#[cfg(unix)]
#[test]
fn a_file_that_becomes_a_link_is_gone() {
    let folder = stocked("swap");
    let address = served(&folder);
    assert_eq!(get(&address, "/report?file=fine.json").status, 200);
    std::fs::remove_file(folder.join("fine.json")).expect("it was there");
    std::os::unix::fs::symlink("../secret.json", folder.join("fine.json")).expect("a link");
    let reply = get(&address, "/report?file=fine.json");
    assert!(reply.status == 404 && !reply.body.contains(SECRET), "{reply:?}");
}

#[test]
fn only_local_names_and_our_own_pages_are_answered() {
    let address = served(&stocked("hosts"));
    let port = address.rsplit(':').next().expect("a port");
    let ask = |head: &str| {
        let request = format!("GET / HTTP/1.1\r\n{head}\r\n");
        send(&address, request.as_bytes()).expect("an answer").status
    };
    for host in [format!("localhost:{port}"), "127.0.0.1".to_owned(), format!("[::1]:{port}")] {
        assert_eq!(ask(&format!("Host: {host}\r\n")), 200, "{host}");
    }
    for host in ["evil.example", "localhost.evil.example", "127.0.0.1.nip.io:80", "x"] {
        assert_eq!(ask(&format!("Host: {host}\r\n")), 421, "{host}");
    }
    assert_eq!(ask(""), 400);
    assert_eq!(ask("Host: localhost\r\nHost: evil.example\r\n"), 400);
    let post = |header: &str| {
        let request = format!(
            "POST /check HTTP/1.1\r\nHost: {address}\r\n{header}\r\nContent-Length: 0\r\n\r\n"
        );
        send(&address, request.as_bytes()).expect("an answer").status
    };
    for header in ["Origin: http://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site"] {
        assert_eq!(post(header), 403, "{header}");
    }
    assert_eq!(post("Sec-Fetch-Site: same-origin"), 400, "an empty form");
}

#[test]
fn everything_has_an_end() {
    let address = served(&stocked("limits"));
    let large = vec![b'x'; UPLOAD + 1];
    assert_eq!(drop_trace(&address, "si", &large).status, 413);
    let head = |length: &str| {
        format!("POST /check HTTP/1.1\r\nHost: {address}\r\nContent-Length: {length}\r\n\r\nabc")
    };
    assert_eq!(send(&address, head("99999999999999").as_bytes()).expect("an answer").status, 413);
    assert_eq!(send(&address, head("9").as_bytes()).expect("an answer").status, 400);
    let long = format!("GET /{} HTTP/1.1\r\nHost: {address}\r\n\r\n", "a".repeat(20_000));
    assert_eq!(send(&address, long.as_bytes()).expect("an answer").status, 431);
    let chunked = format!(
        "POST /check HTTP/1.1\r\nHost: {address}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    );
    assert_eq!(send(&address, chunked.as_bytes()).expect("an answer").status, 411);
    let elsewhere = format!("POST / HTTP/1.1\r\nHost: {address}\r\nContent-Length: 0\r\n\r\n");
    assert_eq!(send(&address, elsewhere.as_bytes()).expect("an answer").status, 405);
}

/// Those who connect and say nothing do not keep others from being answered.
#[test]
fn silent_visitors_do_not_block() {
    let address = served(&stocked("silent"));
    let silent: Vec<TcpStream> =
        (0..7).map(|_| TcpStream::connect(&address).expect("a connection")).collect();
    assert_eq!(get(&address, "/").status, 200);
    drop(silent);
}

/// Requests with random bytes in them, and random bytes alone.
#[test]
fn garbage_is_survived() {
    const SEED: u64 = 20_261_115;
    let address = served(&stocked("garbage"));
    let valid = format!(
        "POST /check?file=%41 HTTP/1.1\r\nHost: {address}\r\nContent-Type: multipart/form-data; boundary=B\r\n\
         Content-Length: 72\r\n\r\n--B\r\nContent-Disposition: form-data; name=\"level\"\r\n\r\nsi\r\n--B--\r\n"
    );
    let mut random = Random::new(SEED);
    let mut below = |limit: usize| random.below(limit);
    for round in 0..300 {
        let mut bytes = match round % 4 {
            0 => (0..below(300)).map(|_| below(256) as u8).collect(),
            _ => valid.clone().into_bytes(),
        };
        for _ in 0..below(6) {
            let place = below(bytes.len().max(1));
            match below(3) {
                0 => bytes.truncate(place),
                1 => bytes.insert(place.min(bytes.len()), below(256) as u8),
                _ => bytes.iter_mut().skip(place).take(1).for_each(|byte| *byte = below(256) as u8),
            }
        }
        if let Some(reply) = send(&address, &bytes) {
            let told = String::from_utf8_lossy(&bytes).into_owned();
            assert!(reply.status != 500, "seed {SEED}, round {round}: {told}");
        }
    }
    assert_eq!(get(&address, "/").status, 200);
}

#[test]
fn audits_are_listed_and_opened() {
    let address = served(&stocked("audits"));
    let list = get(&address, "/?q=wrong+answer").body;
    assert!(list.contains("1 entry") && list.contains("wrong answer (transaction 4)"), "{list}");
    let page = get(&address, "/report?file=audit.json");
    assert_eq!(page.status, 200);
    for words in ["<b>REJECT</b> not serializable", "420.00", "410.00", "All verdicts and traces"] {
        assert!(page.body.contains(words), "{words}: {}", page.body);
    }
    let json = get(&address, "/verdict.json?file=audit.json").body;
    assert!(json.contains("tristan/audit/1"), "{json}");
    let compared = get(&address, "/compare?a=0:audit.json&b=0:fine.json");
    assert_eq!(compared.status, 422);
    assert!(compared.body.contains("only verdicts on traces can be compared"), "{}", compared.body);
}

#[test]
fn a_sql_log_is_known_from_a_trace() {
    let address = served(&stocked("sql-logs"));
    let advice = "shop.jsonl is a SQL log, not a trace. Run: tristan audit shop.jsonl";
    let list = get(&address, "/?verdict=SQL+log").body;
    assert!(list.contains("1 entry") && list.contains(advice), "{list}");
    let page = get(&address, "/check?file=shop.jsonl");
    assert_eq!(page.status, 422);
    assert!(page.body.contains(advice), "{}", page.body);
    let dropped = drop_trace(&address, "serializable", SQL_LOG.as_bytes());
    let failed = followed(&address, &dropped);
    assert_eq!(failed.status, 422);
    let advice = "dropped.jsonl is a SQL log, not a trace. Run: tristan audit dropped.jsonl";
    assert!(failed.body.contains(advice), "{}", failed.body);
}
