use tristan_sqltext::{Dialect, tokens};

use super::clauses::{Operand, Pick, Picks};
use super::pattern::{Mode, Pattern};
use super::recognise::{named_table, recognise};
use super::table::Table;
use crate::value::Value;

fn table() -> Table {
    "accounts:id:balance".parse().expect("a table")
}

fn of(text: &str) -> Result<Pattern, &'static str> {
    recognise(&tokens(text, Dialect::PostgreSql), &table(), Dialect::PostgreSql)
}

fn int(number: i128) -> Operand {
    Operand::Value(Value::Int(number))
}

fn at(place: usize) -> Option<Pick> {
    Some(Pick::Place(place))
}

#[test]
fn reads_of_a_key() {
    let get = |keys: Vec<Operand>, picks: Picks, lock: bool, more: bool| {
        Ok(Pattern::Get { keys, picks, lock, more, limit: None })
    };
    let value = |place| Picks { key: None, value: at(place) };
    assert_eq!(
        of("select balance from accounts where id = 7"),
        get(vec![int(7)], value(0), false, false)
    );
    assert_eq!(
        of(
            r#"SELECT a.filler, a."balance"::text AS b FROM public.accounts AS a WHERE (a.id=$1::int) FOR UPDATE NOWAIT"#
        ),
        get(vec![Operand::Param(0)], value(1), true, false)
    );
    assert_eq!(
        of("select balance from accounts where id = -7 and owner = 'x'"),
        get(vec![int(-7)], value(0), false, true)
    );
    let named =
        Picks { key: Some(Pick::Named("id".into())), value: Some(Pick::Named("balance".into())) };
    assert_eq!(
        of("select * from accounts where id in (1, 2)"),
        get(vec![int(1), int(2)], named, false, false)
    );
    assert!(matches!(
        of("select balance from accounts where id = 7 limit 1"),
        Ok(Pattern::Get { limit: Some(_), .. })
    ));
}

#[test]
fn reads_of_a_range() {
    for text in [
        "select id, balance from accounts",
        "select id, balance from accounts where id >= 3 and id < 9 order by id",
        "select balance, id from accounts where id between $1 and $2 for share",
        "select * from accounts a where a.id > 3",
    ] {
        assert!(matches!(of(text), Ok(Pattern::Scan { .. })), "{text}: {:?}", of(text));
    }
}

#[test]
fn writes() {
    assert_eq!(
        of("update accounts set balance = 5, changed = now() where id = 7"),
        Ok(Pattern::Update { key: int(7), value: int(5), more: false })
    );
    assert_eq!(
        of(
            "update accounts set balance = balance - 5 where id = 7 and balance >= 5 returning id, balance"
        ),
        Ok(Pattern::Derived {
            key: int(7),
            delta: Some((int(5), true)),
            picks: Picks { key: at(0), value: at(1) },
            more: true
        })
    );
    assert_eq!(
        of("delete from accounts where id = 7"),
        Ok(Pattern::Delete { key: int(7), more: false })
    );
    for text in [
        "update accounts set balance = balance - 5 where id = 7",
        "update accounts set balance = (select max(x) from limits) where id = 7",
        "update accounts set balance = balance - 5 where id = 7 returning id",
    ] {
        let update = Pattern::Update { key: int(7), value: Operand::Computed, more: false };
        assert_eq!(of(text), Ok(update), "{text}");
    }
    assert_eq!(of("update accounts set filler = 'x' where id = 7"), Ok(Pattern::Harmless));
    let insert = |mode| Ok(Pattern::Insert { rows: vec![(int(7), int(5))], mode });
    for (text, mode) in [
        ("insert into accounts (id, balance) values (7, 5)", Mode::Fail),
        (
            "insert into accounts (filler, balance, id) values (f(1, 2), 5, 7) returning id",
            Mode::Fail,
        ),
        ("insert into accounts (id, balance) values (7, 5) on conflict do nothing", Mode::Leave),
        (
            "insert into accounts (id, balance) values (7, 5) on conflict (id) do update set balance = excluded.balance",
            Mode::Replace,
        ),
        (
            "insert into accounts (id, balance) values (7, 5) on duplicate key update balance = values(balance)",
            Mode::Replace,
        ),
        (
            "insert into accounts (id, balance) values (7, 5) on duplicate key update balance = 5",
            Mode::Replace,
        ),
        ("replace into accounts (id, balance) values (7, 5)", Mode::Replace),
        ("insert ignore into accounts (id, balance) values (7, 5)", Mode::Leave),
    ] {
        assert_eq!(of(text), insert(mode), "{text}");
    }
    for (text, mode) in [
        ("insert into accounts (id, balance) values (7, default)", Mode::Fail),
        (
            "insert into accounts (id, balance) values (7, 5) on conflict (id) do update set balance = accounts.balance + 1",
            Mode::Replace,
        ),
        (
            "insert into accounts (id, balance) values (7, 5) on duplicate key update balance = 6",
            Mode::Replace,
        ),
    ] {
        let rows = vec![(int(7), Operand::Computed)];
        assert_eq!(of(text), Ok(Pattern::Insert { rows, mode }), "{text}");
    }
}

#[test]
fn what_is_not_understood_is_said_so() {
    for text in [
        "select sum(balance) from accounts",
        "select balance from accounts where id = 7 or id = 8",
        "select balance from accounts a join owners o on a.id = o.id where a.id = 7",
        "select id, balance from accounts where balance > 5",
        "select id, balance from accounts limit 3",
        "select id, balance from accounts for update skip locked",
        "select distinct balance from accounts where id = 7",
        "select balance from accounts where id = (select max(id) from accounts)",
        "select balance from accounts where id = 7 + 1 or true",
        "update accounts set balance = 5",
        "update accounts set balance = balance + 5",
        "update accounts set id = 5 where id = 7",
        "update accounts set balance = b.x from b where id = 7",
        "update accounts set (balance, x) = (1, 2) where id = 7",
        "insert into accounts values (7, 5)",
        "insert into accounts (id) values (7)",
        "insert into accounts (id, balance) select 1, 2",
        "insert into accounts (id, balance) values (default, 7)",
        "insert into accounts (id, balance) values (7, 5) on conflict (id) do update set owner = 'x'",
        "insert into accounts (id, balance) values (7, 5) on conflict (id) do update set balance = 6 where false",
        "delete from accounts",
        "delete from accounts where id > 5",
        "truncate accounts",
        "drop table accounts",
        "copy accounts from stdin",
        "with x as (select 1) select balance from accounts where id = 7",
        "create table x as select * from accounts",
        "prepare p as update accounts set balance = 1 where id = 7",
        "merge into accounts using x on true when matched then delete",
    ] {
        assert!(of(text).is_err(), "{text}: {:?}", of(text));
    }
    assert_eq!(of("create index i on accounts (balance)"), Ok(Pattern::Harmless));
}

#[test]
fn other_tables_are_not_looked_at() {
    let tables = [table()];
    let named = |text| named_table(&tokens(text, Dialect::PostgreSql), &tables).is_some();
    assert!(named("select 1 from public.\"accounts\""));
    assert!(named("TRUNCATE Accounts"));
    assert!(named("prepare p from 'delete from accounts'"));
    assert!(!named("select 'accounts' -- accounts"));
}

#[test]
fn what_mariadb_executes_is_not_harmless() {
    let of = |text, dialect| recognise(&tokens(text, dialect), &table(), dialect);
    let harmless = |text, dialect| matches!(of(text, dialect), Ok(Pattern::Harmless));
    assert!(harmless("analyze table accounts", Dialect::MySql));
    assert!(harmless("analyze table accounts", Dialect::MariaDb));
    assert!(!harmless("analyze update accounts set balance = 1", Dialect::MariaDb));
    let hidden = "/*M! update accounts set balance = 1 where id = 7 */";
    assert!(matches!(of(hidden, Dialect::MariaDb), Ok(Pattern::Update { .. })));
}
