//! Expressions with gaps, and what fills them.

use tristan_testkit::Random;

/// The columns of the table that the expressions read.
pub const COLUMNS: &str = "t VARCHAR(40), i INT, u BIGINT UNSIGNED, \
    n DECIMAL(10,3), d DATE, m DATETIME, m6 DATETIME(6), tm TIME";

/// `{t}` is a text, `{i}` a small number, `{u}` a number without a sign, `{n}` an exact number, `{d}` a day,
/// `{m}` a moment, `{x}` a day, a moment or a text of one, `{tm}` a time, `{unit}` a unit, `{pair}` an interval
/// in two units, `{f}` a format, `{o}` an offset from UTC.
pub const TEMPLATES: &[&str] = &[
    "SUBSTRING_INDEX({t}, {t}, {i})",
    "SUBSTRING_INDEX({t}, ',', {i})",
    "INSERT({t}, {i}, {i}, {t})",
    "CONCAT('[', SPACE({i}), ']')",
    "LOCATE({t}, {t})",
    "LOCATE({t}, {t}, {i})",
    "LOCATE(SUBSTRING({t}, 2, 1), {t}, {i})",
    "INSTR({t}, {t})",
    "POSITION('a' IN {t})",
    "FIELD({t}, {t}, {t}, 'a', 'b ')",
    "FIELD({i}, {i}, 1, 2, {u})",
    "FIND_IN_SET({t}, {t})",
    "FIND_IN_SET(SUBSTRING_INDEX({t}, ',', 1), {t})",
    "ELT({i}, {t}, {i}, {n}, NULL, 'x')",
    "STRCMP({t}, {t})",
    "TRIM(BOTH {t} FROM {t})",
    "TRIM(LEADING 'a' FROM {t})",
    "TRIM(TRAILING SUBSTRING({t}, 1, 1) FROM {t})",
    "HEX({t})",
    "HEX({i})",
    "HEX({u})",
    "MD5({t})",
    "SHA1({t})",
    "SHA2({t}, 256)",
    "SHA2({t}, 512)",
    "SHA2({t}, {i})",
    "CRC32({t})",
    "TO_BASE64(REPEAT({t}, 9))",
    "QUOTE({t})",
    "BIT_LENGTH({t})",
    "CHAR(65 + ABS({i}) USING utf8mb4)",
    "INET_ATON(INET_NTOA({u}))",
    "INET_NTOA({i})",
    "POW({i}, {i})",
    "SQRT({i})",
    "SQRT({n})",
    "FORMAT({n}, {i})",
    "FORMAT({i} * 123456, 2)",
    "FORMAT({u}, 1)",
    "CONV(HEX({u}), 16, 2)",
    "CONV({u}, 10, 36)",
    "CONV({t}, 16, 10)",
    "BIN({i})",
    "OCT({u})",
    "BIT_COUNT({u})",
    "BIT_COUNT({i})",
    "ISNULL(NULLIF({i}, 1))",
    "{i} MOD 3",
    "{i} = 1 || {i} = 2",
    "{i} = 1 && {i} < 2",
    "!{i} + 1",
    "{i} XOR {i}",
    "{x} + INTERVAL {i} {unit}",
    "{x} - INTERVAL {i} {unit}",
    "DATE_ADD({x}, INTERVAL {i} {unit})",
    "DATE_SUB({x}, INTERVAL '{i}' {unit})",
    "DATE_ADD({x}, {pair})",
    "{m} - {pair}",
    "TIMESTAMPADD({unit}, {i}, {x})",
    "ADDDATE({x}, {i})",
    "SUBDATE({x}, {i})",
    "TIMESTAMPDIFF({unit}, {x}, {x})",
    "DATEDIFF({x}, {x})",
    "YEAR({x})",
    "MONTH({x})",
    "DAY({x})",
    "HOUR({x})",
    "MINUTE({x})",
    "SECOND({x})",
    "MICROSECOND({x})",
    "HOUR({tm})",
    "MINUTE({tm}) * 100 + SECOND({tm})",
    "QUARTER({x})",
    "DAYOFWEEK({x})",
    "WEEKDAY({x})",
    "DAYOFYEAR({x})",
    "TO_DAYS({x})",
    "FROM_DAYS(TO_DAYS({x}) + {i})",
    "WEEK({x})",
    "WEEK({x}, {i})",
    "WEEKOFYEAR({x})",
    "YEARWEEK({x})",
    "YEARWEEK({x}, {i})",
    "DAYNAME({x})",
    "MONTHNAME({x})",
    "DATE_FORMAT({x}, {f})",
    "DATE({x})",
    "DATE({x}) + 0",
    "TIME({m})",
    "CONCAT(TIME({m}))",
    "TIMESTAMP({x})",
    "TIMESTAMP({x}, '05:00')",
    "TIMESTAMP({d}, {tm})",
    "LAST_DAY({x})",
    "MAKEDATE(2000 + {i}, {i} * 40)",
    "TIMEDIFF({m}, {m})",
    "TIMEDIFF({tm}, {tm})",
    "SEC_TO_TIME({i} * 997)",
    "TIME_TO_SEC({tm})",
    "TIME_TO_SEC('01:02:03')",
    "ADDTIME({m}, {tm})",
    "SUBTIME({m}, '25:00:01')",
    "ADDTIME({tm}, {tm})",
    "UNIX_TIMESTAMP({m})",
    "UNIX_TIMESTAMP({d})",
    "FROM_UNIXTIME({u})",
    "FROM_UNIXTIME({u}, {f})",
    "CONVERT_TZ({m}, {o}, {o})",
    "EXTRACT({unit} FROM {x})",
    "EXTRACT({double} FROM {m})",
    "STR_TO_DATE(DATE_FORMAT({m}, '%d/%m/%Y'), '%d/%m/%Y')",
    "STR_TO_DATE(DATE_FORMAT({x}, '%Y-%c-%e %H:%i:%s'), '%Y-%m-%d %H:%i:%s')",
    "STR_TO_DATE(CONCAT(2000 + {i}, '-', {i}, '-', {i}), '%Y-%m-%d')",
    "{tm} < {tm}",
    "CONCAT({tm}, '')",
    "IF({i}, {tm}, {tm})",
    "COALESCE({tm}, {t})",
    "CAST({x} AS DATE)",
    "{d} < {m}",
    "{d} + INTERVAL {i} DAY = {d}",
    "{m} + INTERVAL {i} HOUR > {m}",
    "CONCAT({m} + INTERVAL {i} MINUTE)",
    "{i} & {i} | {u} ^ 3",
    "{i} << 2 >> 1",
    "~{i}",
    "JSON_EXTRACT({j}, {p})",
    "JSON_EXTRACT({j}, {p}, {p})",
    "JSON_EXTRACT({j}, {p}) = 'Ada'",
    "JSON_EXTRACT({j}, {p}) = {t}",
    "JSON_EXTRACT({j}, {p}) > {i}",
    "JSON_EXTRACT({j}, {p}) < {t}",
    "CONCAT(JSON_EXTRACT({j}, {p}), '!')",
    "JSON_EXTRACT({j}, {p}) + 1",
    "JSON_UNQUOTE(JSON_EXTRACT({j}, {p}))",
    "JSON_UNQUOTE({j})",
    "JSON_UNQUOTE({t})",
    "JSON_VALUE({j}, {p})",
    "JSON_QUERY({j}, {p})",
    "JSON_OBJECT('a', {t}, 'b', {i}, {t}, {n})",
    "JSON_OBJECT('x', JSON_EXTRACT({j}, {p}), 'y', {d}, 'z', {m})",
    "JSON_ARRAY({t}, {i}, TRUE, NULL, {i} > 1, {tm}, JSON_ARRAY({u}), JSON_QUERY({j}, {p}))",
    "JSON_SET({j}, {p}, {t})",
    "JSON_SET({j}, {p}, {i}, {p}, JSON_ARRAY({t}))",
    "JSON_INSERT({j}, {p}, {n}, {p}, TRUE)",
    "JSON_REPLACE({j}, {p}, {t}, {p}, NULL)",
    "JSON_REMOVE({j}, {p})",
    "JSON_REMOVE({j}, {p}, {p})",
    "JSON_ARRAY_APPEND({j}, {p}, {t})",
    "JSON_MERGE_PATCH({j}, {j})",
    "JSON_MERGE_PATCH({j}, '{\"a\": null, \"q\": {\"z\": 1}}')",
    "JSON_CONTAINS({j}, '\"x\"', {p})",
    "JSON_CONTAINS({j}, '1')",
    "JSON_CONTAINS({j}, {j})",
    "JSON_CONTAINS({j}, {j}, {p})",
    "JSON_CONTAINS_PATH({j}, 'one', {p}, {p})",
    "JSON_CONTAINS_PATH({j}, 'all', {p}, {p})",
    "JSON_EXISTS({j}, {p})",
    "JSON_LENGTH({j})",
    "JSON_LENGTH({j}, {p})",
    "JSON_KEYS({j})",
    "JSON_KEYS({j}, {p})",
    "JSON_TYPE({j})",
    "JSON_DEPTH({j})",
    "JSON_VALID({j})",
    "JSON_VALID({t})",
    "JSON_VALID(CONCAT({j}, {t}))",
    "JSON_VALID(SUBSTRING({j}, 1, ABS({i})))",
    "JSON_QUOTE({t})",
    "JSON_SEARCH({j}, 'one', {t})",
    "JSON_SEARCH({j}, 'one', 'x')",
    "{t} REGEXP {r}",
    "{t} NOT RLIKE {r}",
    "REGEXP_REPLACE({t}, {r}, '#')",
    "REGEXP_SUBSTR({t}, {r})",
    "REGEXP_INSTR({t}, {r})",
    "BINARY {t} = {t}",
    "{t} LIKE BINARY 'A%'",
    "{t} = {t} COLLATE utf8mb4_bin",
    "{t} COLLATE utf8mb4_bin < {t}",
    "{t} LIKE {t} COLLATE utf8mb4_bin",
    "POW(2, {i})",
    "{chain}",
    "{chain}",
    "{chain}",
    "{chain}",
    "({i}, {t}) > ({i}, {t})",
    "({i}, {i}) <= ({i}, {i})",
];

const TEXTS: &[&str] = &[
    "",
    "a",
    "A",
    "b ",
    "ab",
    "aab",
    "a,b,c",
    "a,,b",
    ",",
    "x y",
    "www.example.org",
    "abcabc",
    "it''s",
    "1",
    "12",
    "ff",
    "Z9",
    "a.b",
    "é",
    "日本",
    "naïve",
    "  pad  ",
    "B,a",
];

const DOCUMENTS: &[&str] = &[
    "{}",
    "[]",
    "1",
    "-2.50",
    "true",
    "null",
    "\"x\"",
    "[1, 2, 3]",
    "[1,\"x\" , {\"a\":[true,null]}]",
    "{\"a\": 1, \"b\": [1, 2]}",
    "{\"name\":\"Ada\",\"tags\":[\"x\",\"y\"],\"n\":null}",
    "{\"a\":{\"b\":[10,20],\"c\":{}},\"q\":\"5\"}",
    " { \"a\" : \"t\\\\n\\\\u0041\" , \"n\" : 7 } ",
    "{\"a\": \"it''s\", \"b\": 1e2, \"tags\": []}",
    "[[1,2],[3]]",
    "{\"a b\": 1, \"name\": \"ADA\", \"n\": 12}",
];

const PATHS: &[&str] = &[
    "$",
    "$.a",
    "$.b",
    "$.n",
    "$.name",
    "$.tags",
    "$[0]",
    "$[1]",
    "$[2].a",
    "$.b[0]",
    "$.b[5]",
    "$.a.b",
    "$.a.b[1]",
    "$.tags[1]",
    "$.q",
    "$.\"a b\"",
    "$.zz",
    "$[0][1]",
    "$[9]",
    "$.a.zz",
];

const PATTERNS: &[&str] = &[
    "a", "^a", "b$", "[a-c]+", "^[a-c]+", "[0-9]", "[0-9]+", "a*b", "a.b", "x|b", "(a|b)c", "A",
    "[^a]", "^$", "b?c", "ab+", "[A-Z]", "w+", ".", ".*", "a,", " ",
];

const UNITS: &[&str] =
    &["MICROSECOND", "SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR"];

const PAIRS: &[&str] = &[
    "INTERVAL '1:30' HOUR_MINUTE",
    "INTERVAL '-1:30' HOUR_MINUTE",
    "INTERVAL '2 12' DAY_HOUR",
    "INTERVAL '1-2' YEAR_MONTH",
    "INTERVAL '2:3' MINUTE_SECOND",
    "INTERVAL '1 2:3:4' DAY_SECOND",
    "INTERVAL '1:2:3' HOUR_SECOND",
    "INTERVAL '5 6:7' DAY_MINUTE",
];

const DOUBLES: &[&str] = &[
    "YEAR_MONTH",
    "DAY_HOUR",
    "DAY_MINUTE",
    "DAY_SECOND",
    "HOUR_MINUTE",
    "HOUR_SECOND",
    "MINUTE_SECOND",
    "SECOND_MICROSECOND",
    "DAY_MICROSECOND",
    "HOUR_MICROSECOND",
];

const CODES: &str = "YymcdeDMbWawjHkhIlisSfprTUuVvXx%";

/// A statement that inserts a random row.
pub fn row(random: &mut Random) -> String {
    let gap = |name: &str, random: &mut Random| match random.below(8) {
        0 => "NULL".to_owned(),
        _ => literal(name, random),
    };
    let names = ["t", "i", "u", "n", "d", "m", "m6", "tm"];
    let values: Vec<String> = names.iter().map(|name| gap(name, random)).collect();
    format!("INSERT INTO probe VALUES ({})", values.join(", "))
}

/// A template with its gaps filled.
pub fn filled(template: &str, random: &mut Random) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once('{') {
        if behind.starts_with(['"', '}']) {
            text.push_str(before);
            text.push('{');
            rest = behind;
            continue;
        }
        let (name, next) = behind.split_once('}').expect("a closed gap");
        let quoted = before.ends_with('\'');
        text.push_str(before);
        text.push_str(&match name {
            "i" if quoted => random.below(50).to_string(),
            _ => gap(name, random),
        });
        rest = next;
    }
    text + rest
}

fn gap(name: &str, random: &mut Random) -> String {
    let column = |random: &mut Random| random.below(3) == 0;
    match name {
        "m" if column(random) => ["m", "m6"][random.below(2) as usize].to_owned(),
        "x" if column(random) => ["d", "m", "m6"][random.below(3) as usize].to_owned(),
        "t" | "i" | "u" | "n" | "d" | "tm" if column(random) => name.to_owned(),
        _ => literal(name, random),
    }
}

fn literal(name: &str, random: &mut Random) -> String {
    let pick = |list: &[&str], random: &mut Random| {
        list[random.below(list.len() as u64) as usize].to_owned()
    };
    match name {
        "t" => format!("'{}'", pick(TEXTS, random)),
        "i" => format!("{}", random.below(24) as i64 - 8),
        "u" => match random.below(4) {
            0 => random.below(300).to_string(),
            _ => random.below(2_147_483_648_u64).to_string(),
        },
        "n" => format!("{}.{:03}", random.below(20_000) as i64 - 10_000, random.below(1000)),
        "d" => format!("DATE '{}'", day(random)),
        "m" => format!("TIMESTAMP '{} {}'", day(random), time(random)),
        "m6" => {
            format!("TIMESTAMP '{} {}.{:06}'", day(random), time(random), random.below(1_000_000))
        }
        "tm" => format!("TIME '{}{}'", pick(&["", "", "-"], random), time(random)),
        "x" => match random.below(4) {
            0 => format!("'{}'", day(random)),
            1 => format!("'{} {}'", day(random), time(random)),
            2 => literal("d", random),
            _ => literal("m", random),
        },
        "unit" => pick(UNITS, random),
        "pair" => pick(PAIRS, random),
        "double" => pick(DOUBLES, random),
        "o" => pick(&["'+00:00'", "'+05:30'", "'-08:00'", "'+12:45'"], random),
        "r" => format!("'{}'", pick(PATTERNS, random)),
        "chain" => chain(random),
        "j" => format!("'{}'", pick(DOCUMENTS, random)),
        "p" => format!("'{}'", pick(PATHS, random)),
        "f" => {
            let letters: Vec<char> = CODES.chars().collect();
            let code = |random: &mut Random| letters[random.below(letters.len() as u64) as usize];
            let codes: Vec<String> = (0..4).map(|_| format!("%{}", code(random))).collect();
            format!("'{}'", codes.join(" at "))
        }
        other => panic!("no such gap: {other}"),
    }
}

/// Operands with operators between them and signs before them, and no parentheses.
fn chain(random: &mut Random) -> String {
    const BETWEEN: &[&str] = &[
        "+",
        "-",
        "*",
        "/",
        "%",
        "DIV",
        "MOD",
        "^",
        "&",
        "|",
        "<<",
        ">>",
        "=",
        "<>",
        "<",
        ">=",
        "<=>",
        "AND",
        "OR",
        "XOR",
        "&&",
        "||",
        "LIKE",
        "NOT LIKE",
        "BETWEEN 1 AND",
        "IN (1, 2) =",
        "IS NULL OR",
        "IS NULL =",
        "IS NOT TRUE AND",
        "+ 2 *",
        "AND NOT",
    ];
    const BEFORE: &[&str] = &["", "", "", "", "-", "~", "!", "- -", "!-"];
    let operand = |random: &mut Random| {
        format!("{}{}", random.word(BEFORE), gap(["i", "i", "u"][random.below(3) as usize], random))
    };
    let mut text = if random.below(6) == 0 { "NOT ".to_owned() } else { String::new() };
    text.push_str(&operand(random));
    for _ in 0..2 + random.below(3) {
        text.push_str(&format!(" {} {}", random.word(BETWEEN), operand(random)));
    }
    text
}

fn day(random: &mut Random) -> String {
    let year = match random.below(4) {
        0 => 1900 + random.below(300),
        1 => 2000,
        _ => 2019 + random.below(8),
    };
    let month = 1 + random.below(12);
    let day = match random.below(3) {
        0 => 1 + random.below(7),
        _ => 1 + random.below(28),
    };
    let day = if matches!(month, 1 | 12) && random.below(2) == 0 { 31 } else { day };
    format!("{year:04}-{month:02}-{day:02}")
}

fn time(random: &mut Random) -> String {
    format!("{:02}:{:02}:{:02}", random.below(24), random.below(60), random.below(60))
}
