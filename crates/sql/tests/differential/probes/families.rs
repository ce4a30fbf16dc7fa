//! Expressions of intervals, times, JSON, arrays and bytes with random values, each asked of the server and of us.
//!
//! An expression is a template whose holes are filled at random: `{i}` with an interval, `{t}` with a timestamp, and so
//! on. Whatever is not refused must be answered as the server answers, errors included.

use tristan_sql::Dialect;
use tristan_testkit::Random;

use crate::differential::judge::{Judge, Tally, Verdict};
use crate::differential::number;
use crate::differential::server::Server;

const TEMPLATES: &[&str] = &[
    // Intervals and moments.
    "{i}",
    "{i} + {i}",
    "{i} - {i}",
    "-{i}",
    "{i} * {f}",
    "{f} * {i}",
    "{i} / {f}",
    "{i} < {i}, {i} = {i}",
    "greatest({i}, {i}), least({i}, {i})",
    "{t} + {i}",
    "{t} - {i}",
    "{d} + {i}",
    "{d} - {i}",
    "{t} - {t}",
    "{t} - {d}, {d} - {t}",
    "{d} - {d}",
    "{d} + {c}",
    "{c} + {i}, {c} - {i}",
    "{c} - {c}, {c} < {c}",
    "{t}::time, {c}::time(2), {c}::interval",
    "age({t}, {t})",
    "age({d}, {d})",
    "justify_days({i}), justify_hours({i}), justify_interval({i})",
    "make_interval({n}, {n}, {n}, {n}, {n}, {n}, {f})",
    "make_interval(days => {n}, secs => {f})",
    "make_time(abs({n}), abs({n}), abs({n}))",
    "date_bin({i}, {t}, {t})",
    "date_bin('15 minutes', {t}, TIMESTAMP '2001-01-01')",
    "EXTRACT(EPOCH FROM {i}), EXTRACT(DAY FROM {i}), EXTRACT(SECOND FROM {i})",
    "EXTRACT(YEAR FROM {i}), EXTRACT(MONTH FROM {i}), EXTRACT(HOUR FROM {i}), EXTRACT(MINUTE FROM {i})",
    "EXTRACT(EPOCH FROM {c}), EXTRACT(HOUR FROM {c}), EXTRACT(MICROSECONDS FROM {c})",
    "date_part('epoch', {i}), date_part('day', {i}), date_part('hour', {c})",
    "({t}, {t}) OVERLAPS ({t}, {t})",
    "({d}, {i}) OVERLAPS ({d}, {i})",
    "{d} BETWEEN SYMMETRIC {d} AND {d}",
    // JSON.
    "{j} ?| {x}, {j} ?& {x}",
    "{j} - {x}",
    "{j} #- {p}",
    "jsonb_set({j}, {p}, {j})",
    "jsonb_set({j}, {p}, {j}, false)",
    "jsonb_insert({j}, {p}, {j})",
    "jsonb_insert({j}, {p}, {j}, true)",
    "jsonb_strip_nulls({j})",
    "jsonb_pretty({j})",
    "jsonb_build_object({s}, {n}, {s}, {j}, {s}, {a})",
    "jsonb_build_array({n}, {s}, {j}, {f}, {d}, {t}, NULL, true)",
    "json_build_object({s}, {n}, {s}, {j}, {s}, {a})",
    "json_build_array({n}, {s}, {j}, {f}, {d}, {t}, NULL, true, {x})",
    "to_jsonb({a}), to_jsonb({n}), to_jsonb({t}), to_jsonb({f}::numeric)",
    "to_json({x}), to_json({n}), to_json({d})",
    "to_json({f}::float8), to_jsonb({f}::float8), json_build_array(1e20::float8, 1.5e-7::float8)",
    "to_jsonb(1e20::float8), to_jsonb('infinity'::timestamp), to_jsonb('infinity'::timestamptz)",
    "to_jsonb({t}::timestamptz), json_build_array({t}::timestamptz, {c})",
    "jsonb_path_query_array({j}, {q})",
    "jsonb_path_exists({j}, {q})",
    "{j} @? {q}, {j} @@ {q}",
    "({j})['a'], ({j})['b']['a'], ({j})[0]",
    "{j}::json, {j}::json::jsonb",
    "(SELECT jsonb_agg(value ORDER BY ordinality DESC) FROM (SELECT e AS value, 1 AS ordinality FROM jsonb_array_elements({j}) AS e LIMIT 1) AS w)",
    "(SELECT count(*) FROM jsonb_each({j}))",
    "(SELECT string_agg(key || '=' || COALESCE(value, 'NULL'), ';' ORDER BY key) FROM jsonb_each_text({j}))",
    "(SELECT string_agg(k, ';' ORDER BY k) FROM jsonb_object_keys({j}) AS k)",
    // Arrays.
    "array_position({a}, {n}), array_positions({a}, {n})",
    "array_position({a}, NULL), array_remove({a}, NULL), array_replace({a}, NULL, {n})",
    "array_remove({a}, {n}), array_replace({a}, {n}, {n})",
    "array_append({a}, {n}), array_prepend({n}, {a}), array_cat({a}, {a})",
    "{a} || {n}, {n} || {a}, {a} || {a}",
    "array_append({a}, NULL), {a} || NULL",
    "({a})[{n}:{n}], ({a})[:{n}], ({a})[{n}:]",
    "array_upper({a}, 1), array_lower({a}, 1), array_ndims({a}), array_length({a}, 1)",
    "trim_array({a}, 1)",
    "array_to_string({a}, {s}), array_to_string({a}, '-', '?'), array_to_string({x}, {s})",
    "string_to_array({s}, 'a'), string_to_array({s}, NULL), string_to_array({s}, '', 'a')",
    "string_to_array({s}, 'b', '')",
    "{x} || {s}::text, array_position({x}, {s})",
    "(SELECT array_agg(e ORDER BY e) FROM unnest({a}) AS e)",
    "ARRAY(SELECT e FROM unnest({a}) AS e ORDER BY e DESC)",
    "(SELECT json_agg(e ORDER BY e) FROM unnest({a}) AS e)",
    "(SELECT jsonb_object_agg(e, -e) FROM unnest({a}) AS e WHERE e IS NOT NULL)",
    // Statistics.
    "(SELECT var_pop(e) FROM unnest({a}) AS e)",
    "(SELECT variance(e) FROM unnest({a}) AS e)",
    "(SELECT stddev(e) FROM unnest({a}) AS e), (SELECT stddev_pop(e) FROM unnest({a}) AS e)",
    "(SELECT stddev(e) FROM unnest({m}) AS e), (SELECT var_samp(e) FROM unnest({m}) AS e)",
    "(SELECT stddev_pop(e) FROM unnest({m}) AS e), (SELECT var_pop(e) FROM unnest({m}) AS e)",
    "(SELECT bit_and(e) FROM unnest({a}) AS e), (SELECT bit_or(e) FROM unnest({a}) AS e)",
    "(SELECT bit_xor(e) FROM unnest({a}) AS e)",
    "(SELECT percentile_cont(0.3) WITHIN GROUP (ORDER BY e) FROM unnest({a}) AS e)",
    "(SELECT percentile_disc(0.7) WITHIN GROUP (ORDER BY e DESC) FROM unnest({a}) AS e)",
    "(SELECT mode() WITHIN GROUP (ORDER BY e) FROM unnest({a}) AS e)",
    "(SELECT count(DISTINCT (e, e % 2)) FROM unnest({a}) AS e)",
    // Bytes.
    "{b}, length({b}), octet_length({b})",
    "encode({b}, 'hex'), encode({b}, 'base64'), md5({b})",
    "decode(encode({b}, 'base64'), 'base64'), decode(encode({b}, 'hex'), 'hex')",
    "sha256({b}), sha224({b}), sha384({b}), sha512({b})",
    "{b} || {b}, {b} < {b}, {b} = {b}",
    "substring({b} FROM {n}), substring({b} FROM {n} FOR 2)",
    "convert_from(convert_to({s}, 'UTF8'), 'UTF8'), {s}::bytea",
    // Patterns.
    "regexp_match({s}, '(a+)(b*)'), regexp_match({s}, 'b')",
    "regexp_split_to_array({s}, 'a+'), regexp_split_to_array({s}, '[bc]')",
    "(SELECT count(*) FROM regexp_matches({s}, 'a(b?)', 'g'))",
    "to_char({u}, {o})",
    "to_char({n}, {o}), to_char({n} * 1000, {o})",
    "to_number('1,234.50', '9,999.99'), to_number('-12', '99'), to_number('12.5', '99.99')",
    // Rows and NULL.
    "ROW({a}, NULL) IS NULL, ROW(NULL, NULL) IS NULL, ROW({n}, {s}) IS NOT NULL",
    "num_nulls({n}, NULL, {a}), num_nonnulls(NULL, {s})",
    "pg_typeof({i}), pg_typeof({a}), pg_typeof({j}), pg_typeof({c}), pg_typeof({b})",
    "trim(LEADING FROM {s}), trim(BOTH 'a' FROM {s}), trim(TRAILING FROM ' x ')",
];

/// Asks many expressions; tells those that are answered in another way.
pub fn explore(server: &mut dyn Server) {
    let cases = number("TRISTAN_SQL_CASES", 1000) * 4;
    let first = number("TRISTAN_SQL_SEED", 1);
    let mut tally = Tally::default();
    server.ask("SET TIME ZONE 'UTC'");
    let mut judge = Judge::new(Dialect::PostgreSql, server, &mut tally);
    let (mut wrong, mut refused) = (Vec::new(), 0);
    for seed in first..first + cases {
        let mut random = Random::new(seed);
        let template = TEMPLATES[usize::try_from(seed).expect("a seed") % TEMPLATES.len()];
        let text = format!("SELECT {}", filled(template, &mut random));
        match judge.probe(&text) {
            Verdict::Agrees => {}
            Verdict::Refused(_) => refused += 1,
            Verdict::Differs(how) => wrong.push(format!("{text}\n  {how}")),
        }
    }
    println!("{cases} expressions of newer types, {refused} refused");
    assert!(wrong.is_empty(), "{} of {cases}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(refused * 4 < cases, "too many are refused: {refused} of {cases}");
}

fn filled(template: &str, random: &mut Random) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let Some((hole, behind)) = after.split_once('}') else { break };
        text.push_str(&value(hole, random));
        rest = behind;
    }
    text + rest
}

fn value(hole: &str, random: &mut Random) -> String {
    match hole {
        "i" => format!("INTERVAL '{}'", interval(random)),
        "t" => format!("TIMESTAMP '{} {}'", day(random), clock(random)),
        "d" => format!("DATE '{}'", day(random)),
        "c" => format!("TIME '{}'", clock(random)),
        "f" => pick(random, &["2", "3", "0.5", "-1.5", "7", "1.1", "-3", "0.25", "1e2", "10"]),
        "n" => (random.below(12) as i64 - 3).to_string(),
        "a" => format!("'{{{}}}'::int[]", list(random, &["1", "2", "3", "NULL", "-4", "7", "5"])),
        "m" => format!(
            "'{{{}}}'::numeric[]",
            list(random, &["1.5", "2.25", "0.001", "NULL", "-4", "1e3", "12345.678"])
        ),
        "x" => {
            format!("'{{{}}}'::text[]", list(random, &["a", "b", "NULL", "0", "\"b c\"", "\"\""]))
        }
        "s" => format!(
            "'{}'",
            (0..random.below(6))
                .map(|_| pick(random, &["a", "b", "c", " ", "ab"]))
                .collect::<String>()
        ),
        "b" => {
            let bytes = (0..random.below(90)).map(|_| format!("{:02x}", random.below(256)));
            format!("'\\x{}'::bytea", bytes.collect::<String>())
        }
        "j" => format!("'{}'::jsonb", json(random, 3)),
        "p" => format!("'{{{}}}'", list(random, &["a", "b", "0", "1", "-1", "-7", "9"])),
        "q" => pick(
            random,
            &[
                "'$'",
                "'$.a'",
                "'$.a.b'",
                "'$[*]'",
                "'$.b[*].a'",
                "'$.*'",
                "'$[0]'",
                "'$.a[1]'",
                "'$.b[*] ? (@.a > 1)'",
                "'$[*] ? (@ == 2)'",
                "'$.a > 1'",
                "'$.a == \"x\"'",
                "'$.b ? (@.a == null || @.b < 3)'",
                "'$ ? (exists (@.a))'",
                "'$.a != $.b'",
                "'$[*] ? (!(@.a == 1) && @.b >= 0)'",
                "'$.* ? (@ >= \"a\")'",
            ],
        ),
        "u" => {
            let most = 10_u64.pow(random.below(8) as u32);
            format!("{}{}.{}", pick(random, &["", "-"]), random.below(most), random.below(10_000))
        }
        "o" => pick(
            random,
            &[
                "'999'",
                "'9990'",
                "'0000'",
                "'FM999'",
                "'9,999,990.00'",
                "'FM9,999,990.00'",
                "'S0000000'",
                "'9999999.9'",
                "'FM9999999.99'",
                "'S9999'",
                "'FMS9999.0'",
                "'99,999'",
                "'FM0,000.999'",
                "'999.'",
            ],
        ),
        other => panic!("no hole {other}"),
    }
}

fn pick(random: &mut Random, values: &[&str]) -> String {
    values[random.below(values.len() as u64) as usize].to_owned()
}

fn list(random: &mut Random, values: &[&str]) -> String {
    (0..random.below(5)).map(|_| pick(random, values)).collect::<Vec<_>>().join(",")
}

fn interval(random: &mut Random) -> String {
    let units = ["years", "mons", "weeks", "days", "hours", "minutes", "seconds"];
    let mut parts: Vec<String> = Vec::new();
    for unit in units {
        if random.once_in(3) {
            parts.push(format!("{} {unit}", random.below(50) as i64 - 20));
        }
    }
    if parts.is_empty()
        || (random.once_in(3)
            && !parts.iter().any(|one| {
                one.contains("hours") || one.contains("minutes") || one.contains("seconds")
            }))
    {
        let sign = if random.once_in(3) { "-" } else { "" };
        parts.push(format!("{sign}{}", clock(random)));
    }
    parts.join(" ")
}

fn day(random: &mut Random) -> String {
    let year = 1995 + random.below(20);
    format!("{year}-{:02}-{:02}", 1 + random.below(12), 1 + random.below(28))
}

fn clock(random: &mut Random) -> String {
    let fraction = match random.below(3) {
        0 => format!(".{}", random.below(1_000_000)),
        1 => ".5".to_owned(),
        _ => String::new(),
    };
    format!("{:02}:{:02}:{:02}{fraction}", random.below(24), random.below(60), random.below(60))
}

fn json(random: &mut Random, depth: u64) -> String {
    let leaf = depth == 0 || random.once_in(3);
    match random.below(if leaf { 5 } else { 7 }) {
        0 => "null".to_owned(),
        1 => pick(random, &["true", "false"]),
        2 => pick(random, &["0", "1", "2", "-3", "2.50", "1e2"]),
        3 => pick(random, &["\"a\"", "\"b\"", "\"x y\"", "\"\"", "\"\\n\""]),
        4 => pick(random, &["[]", "{}"]),
        5 => {
            let elements: Vec<String> =
                (0..1 + random.below(4)).map(|_| json(random, depth - 1)).collect();
            format!("[{}]", elements.join(","))
        }
        _ => {
            let members: Vec<String> = (0..1 + random.below(3))
                .map(|_| {
                    let name = pick(random, &["a", "b", "0", "bb"]);
                    format!("\"{name}\":{}", json(random, depth - 1))
                })
                .collect();
            format!("{{{}}}", members.join(","))
        }
    }
}
