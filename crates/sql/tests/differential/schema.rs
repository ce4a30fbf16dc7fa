//! Random tables.

use tristan_sql::Dialect;

use tristan_testkit::Random;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Int,
    Decimal,
    Text,
    Bool,
    Double,
    Date,
}

pub const KINDS: [Kind; 6] =
    [Kind::Int, Kind::Decimal, Kind::Text, Kind::Bool, Kind::Double, Kind::Date];

#[derive(Debug, Clone)]
pub struct Column {
    pub name: String,
    pub kind: Kind,
    /// The type as it is declared.
    pub declared: String,
    pub not_null: bool,
    pub has_default: bool,
    pub is_unique: bool,
}

#[derive(Debug, Clone)]
pub struct Table {
    pub name: String,
    pub columns: Vec<Column>,
    pub create: String,
}

pub struct Schema {
    pub dialect: Dialect,
    pub tables: Vec<Table>,
}

impl Schema {
    pub fn random(random: &mut Random, dialect: Dialect) -> Self {
        let count = 2 + random.below(2);
        Self { dialect, tables: (0..count).map(|number| table(random, dialect, number)).collect() }
    }
}

fn table(random: &mut Random, dialect: Dialect, number: usize) -> Table {
    let name = format!("t{number}");
    let mut columns = vec![Column {
        name: "id".into(),
        kind: Kind::Int,
        declared: "INT".into(),
        not_null: true,
        has_default: false,
        is_unique: true,
    }];
    let mut lines = Vec::new();
    let composite = random.once_in(4);
    lines.push(if composite {
        "id INT NOT NULL".to_owned()
    } else {
        "id INT PRIMARY KEY".to_owned()
    });
    let many = 2 + random.below(4);
    for index in 0..many {
        let kind = *random.pick(&KINDS);
        let name = format!("{}{index}", ["a", "b", "c"][number % 3]);
        let is_unique = random.once_in(6) && matches!(kind, Kind::Int | Kind::Text | Kind::Decimal);
        let not_null = random.once_in(4);
        let has_default = random.once_in(4);
        let declared = type_of(random, dialect, kind);
        let mut line = format!("{name} {declared}");
        if not_null {
            line.push_str(" NOT NULL");
        }
        if has_default {
            line.push_str(&format!(" DEFAULT {}", default_of(random, dialect, kind)));
        }
        if is_unique {
            line.push_str(" UNIQUE");
        }
        if kind == Kind::Int && random.once_in(8) {
            line.push_str(&format!(" CHECK ({name} < 100)"));
        }
        lines.push(line);
        columns.push(Column { name, kind, declared, not_null, has_default, is_unique });
    }
    if composite {
        lines.push(format!("PRIMARY KEY (id, {})", columns[1].name));
        columns[0].is_unique = false;
        columns[1].not_null = true;
        if dialect != Dialect::PostgreSql && columns[1].kind == Kind::Text {
            lines[1] = lines[1].replace("TEXT", "VARCHAR(8)");
        }
    }
    let create = format!("CREATE TABLE {name} ({})", lines.join(", "));
    Table { name, columns, create }
}

fn type_of(random: &mut Random, dialect: Dialect, kind: Kind) -> String {
    match kind {
        Kind::Int => random.word(&["INT", "SMALLINT", "BIGINT"]),
        Kind::Decimal => {
            random.word(&["DECIMAL(10,2)", "DECIMAL(6,3)", "NUMERIC(12,0)", "DECIMAL(4,4)"])
        }
        // MySQL has no keys over texts without a length.
        Kind::Text if dialect == Dialect::PostgreSql => {
            random.word(&["VARCHAR(4)", "TEXT", "VARCHAR(8)", "CHAR(4)"])
        }
        Kind::Text => random.word(&["VARCHAR(4)", "VARCHAR(8)", "VARCHAR(20)"]),
        Kind::Bool => "BOOLEAN".into(),
        Kind::Double => "DOUBLE PRECISION".into(),
        Kind::Date => "DATE".into(),
    }
}

fn default_of(random: &mut Random, dialect: Dialect, kind: Kind) -> String {
    loop {
        let value = literal(random, dialect, kind);
        let fits = match kind {
            Kind::Decimal => value.starts_with("0.") || value.starts_with("-0.") || value == "0",
            Kind::Int => value.len() < 3,
            Kind::Text => value.len() < 6,
            Kind::Bool | Kind::Double | Kind::Date => true,
        };
        if value != "NULL" && fits {
            return value;
        }
    }
}

/// A value as it is written.
pub fn literal(random: &mut Random, dialect: Dialect, kind: Kind) -> String {
    if random.once_in(9) {
        return "NULL".into();
    }
    match kind {
        Kind::Int if random.once_in(25) => {
            random.word(&["2147483647", "-2147483648", "32767", "9223372036854775807", "40000"])
        }
        Kind::Int => (random.below(11) as i64 - 3).to_string(),
        Kind::Decimal => random.word(&[
            "0", "0.5", "1.25", "-1.005", "2.675", "10.10", "-0.01", "0.125", "7", "99.995",
            "3.1415", "0.0001",
        ]),
        Kind::Text => random.word(&[
            "'a'", "'A'", "'b'", "'ab'", "'B'", "''", "'abc'", "'a '", "'1'", "'2x'", "'é'",
            "'zz top'",
        ]),
        Kind::Bool => random.word(&["TRUE", "FALSE"]),
        Kind::Double if dialect == Dialect::PostgreSql => {
            format!("{}::float8", random.word(&["0", "0.5", "1.5", "'-2.25'", "100", "0.1"]))
        }
        Kind::Double => random.word(&["0e0", "0.5e0", "1.5e0", "-2.25e0", "1e2", "0.1e0"]),
        Kind::Date => {
            format!(
                "DATE {}",
                random.word(&["'2024-01-31'", "'2024-02-29'", "'1999-12-31'", "'2024-03-01'"])
            )
        }
    }
}
