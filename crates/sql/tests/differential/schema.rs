//! Random tables.

use tristan_sql::Dialect;

use crate::differential::extras::Extras;
use crate::differential::{kinds, names};
use tristan_testkit::Random;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Int,
    Decimal,
    Text,
    Bool,
    Double,
    Date,
    Moment,
    Clock,
    Uuid,
    Json,
    Label,
    Bytes,
    Instant,
    Span,
    Ints,
    Texts,
    IntRange,
    DayRange,
    Set,
    Bits,
    Year,
}

/// The kinds that all servers share; for the others see `kinds`.
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
    pub role: Role,
}

/// Where the values of a column come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Given,
    /// Statements compute nothing: the server does.
    Generated,
    /// The server counts if a statement gives no number.
    Counted,
    /// The server counts, and statements give numbers only if they insist.
    Always,
}

impl Column {
    /// Whether the server may find a value by itself.
    pub fn is_counted(&self) -> bool {
        matches!(self.role, Role::Counted | Role::Always)
    }
}

/// A table, or a view of one.
#[derive(Debug, Clone)]
pub struct Table {
    pub name: String,
    pub columns: Vec<Column>,
    pub create: String,
    /// The table that is written through a view.
    pub base: Option<String>,
    /// What ON CONFLICT may name besides a column.
    pub targets: Vec<String>,
}

impl Table {
    /// The columns that statements may write.
    pub fn given(&self) -> Vec<Column> {
        let given = |column: &&Column| column.role != Role::Generated;
        self.columns.iter().filter(given).cloned().collect()
    }

    /// A column other than the first that statements may write.
    pub fn one_given(&self, random: &mut Random) -> Column {
        let given = self.given();
        random.pick(&given[1.min(given.len() - 1)..]).clone()
    }
}

pub struct Schema {
    pub dialect: Dialect,
    pub tables: Vec<Table>,
    pub views: Vec<Table>,
    /// What is defined before the tables, and after them.
    pub before: Vec<String>,
    pub after: Vec<String>,
    /// Whether there is a sequence with a name.
    pub has_sequence: bool,
}

impl Schema {
    pub fn random(random: &mut Random, dialect: Dialect) -> Self {
        let count = 2 + random.below(2);
        let newer = random.once_in(2);
        let mut schema = Self {
            dialect,
            tables: (0..count).map(|number| table(random, dialect, number, newer)).collect(),
            views: Vec::new(),
            before: if newer { kinds::definitions(dialect) } else { Vec::new() },
            after: Vec::new(),
            has_sequence: false,
        };
        if newer || random.once_in(2) {
            Extras { random, schema: &mut schema }.add();
        }
        schema
    }

    /// A table or a view.
    pub fn source<'a>(&'a self, random: &mut Random) -> &'a Table {
        match self.views.is_empty() || !random.once_in(4) {
            true => random.pick(&self.tables),
            false => random.pick(&self.views),
        }
    }

    /// Whether the server gives numbers.
    pub fn counts(&self) -> bool {
        let mut columns = self.tables.iter().flat_map(|table| &table.columns);
        self.has_sequence || columns.any(Column::is_counted)
    }
}

fn table(random: &mut Random, dialect: Dialect, number: usize, newer: bool) -> Table {
    let name = format!("t{number}");
    let mut lines = Vec::new();
    let composite = random.once_in(4);
    let (line, role) = match composite {
        true => ("id INT NOT NULL".to_owned(), Role::Given),
        false => kinds::key(random, dialect, newer),
    };
    lines.push(line);
    let mut columns = vec![Column {
        name: "id".into(),
        kind: Kind::Int,
        declared: "INT".into(),
        not_null: true,
        has_default: false,
        is_unique: true,
        role,
    }];
    let many = 2 + random.below(4);
    for index in 0..many {
        let kind = match newer && random.once_in(2) {
            true => kinds::one(random, dialect),
            false => *random.pick(&KINDS),
        };
        let name = names::column(random, dialect, ["a", "b", "c"][number % 3], index);
        let is_unique = random.once_in(6) && kinds::can_be_unique(kind);
        let not_null = random.once_in(4);
        let has_default = random.once_in(4);
        let declared = type_of(random, dialect, kind, newer);
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
            line.push_str(&format!(" CHECK ({name} < 7)"));
        }
        lines.push(line);
        let role = Role::Given;
        columns.push(Column { name, kind, declared, not_null, has_default, is_unique, role });
    }
    let keyed = KINDS.contains(&columns[1].kind);
    if composite && !keyed {
        lines.push("PRIMARY KEY (id)".to_owned());
    } else if composite {
        lines.push(format!("PRIMARY KEY (id, {})", columns[1].name));
        columns[0].is_unique = false;
        columns[1].not_null = true;
        if dialect != Dialect::PostgreSql && columns[1].kind == Kind::Text {
            lines[1] = lines[1].replace("TEXT", "VARCHAR(8)");
        }
    }
    if newer && random.once_in(3) {
        kinds::add_generated(random, dialect, number, &mut lines, &mut columns);
    }
    let create = format!("CREATE TABLE {name} ({})", lines.join(", "));
    Table { name, columns, create, base: None, targets: Vec::new() }
}

fn type_of(random: &mut Random, dialect: Dialect, kind: Kind, newer: bool) -> String {
    match kind {
        Kind::Int if newer && dialect == Dialect::PostgreSql && random.once_in(6) => "small".into(),
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
        other => kinds::declared(random, dialect, other),
    }
}

fn default_of(random: &mut Random, dialect: Dialect, kind: Kind) -> String {
    loop {
        let value = literal(random, dialect, kind);
        let fits = match kind {
            Kind::Decimal => value.starts_with("0.") || value.starts_with("-0.") || value == "0",
            Kind::Int => value.len() < 3,
            Kind::Text => value.len() < 6,
            _ => true,
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
            "'zz top'", "'日本'", "'😀'", "'ÄÖ'", "'o''k'",
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
        other => kinds::literal(random, dialect, other),
    }
}
