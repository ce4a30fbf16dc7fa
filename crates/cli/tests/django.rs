//! `docs/audit-django.md`: the page is a script, and the script is run.

use std::fs;
use std::path::Path;
use std::process::Command;

use tristan_testkit::{django, free_port, program};

use crate::common::{folder, root, server_at};

/// All commands of the page, one after the other.
fn commands(page: &str) -> String {
    let blocks = page.split("```sh\n").skip(1);
    blocks.filter_map(|block| block.split("```").next()).collect()
}

#[test]
fn the_page_about_django_does_what_it_says() {
    let Some(server) = server_at("TRISTAN_POSTGRES") else { return };
    // The page creates the database with the programs that come with psql.
    let Some(_) = program("psql") else { return };
    let Some(django) = django(env!("CARGO_TARGET_TMPDIR")) else { return };
    let place = server.split_once("://").map_or(server.as_str(), |(_, rest)| rest);
    let (user, place) = place.split_once('@').expect("a user");
    let place = place.split('/').next().expect("a host and a port");
    let (host, port) = place.split_once(':').expect("a port");
    let listen = format!("127.0.0.1:{}", free_port());
    let page = fs::read_to_string(root().join("docs/audit-django.md")).expect("the page");
    // The proxy is there before a person has typed the next line.
    let waits = "&\nuntil (: < /dev/tcp/${PROXY/:/\\/}) 2>/dev/null; do sleep 0.1; done\n";
    let script = commands(&page)
        .lines()
        .filter(|line| !line.starts_with("pip install"))
        .map(|line| format!("{line}\n"))
        .collect::<String>()
        .replace("&\n", waits)
        .replace("kill %1\n", "kill %1\nwait %1 || true\n")
        .replace("127.0.0.1:5432", place)
        .replace("127.0.0.1:6432", &listen)
        .replace("examples/", &format!("{}/examples/", root().display()));
    let tools = Path::new(env!("CARGO_BIN_EXE_tristan")).parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut bash = Command::new("bash");
    bash.args(["-euc", &script]).current_dir(folder("django-page"));
    bash.env("PATH", format!("{}:{path}", tools.display())).env("PROXY", &listen);
    bash.env("PYTHONPATH", django).env("PYTHONDONTWRITEBYTECODE", "1");
    bash.env("PGHOST", host).env("PGPORT", port).env("PGUSER", user);
    let output = bash.output().expect("bash starts");
    let dropped = Command::new("dropdb")
        .args(["-h", host, "-p", port, "-U", user, "--if-exists", "--force", "shop"])
        .status();
    assert!(dropped.is_ok_and(|status| status.success()), "the database is dropped");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("ACCEPT"), "{script}\n{output:?}");
    assert!(said.contains("explains every answer"), "{said}");
}
