//! What PostgreSQL computes from newer kinds of values.

use crate::differential::expressions::Expressions;
use crate::differential::schema::Kind;

impl Expressions<'_> {
    /// An expression of a newer kind.
    pub fn newer_strict(&mut self, kind: Kind, depth: usize) -> String {
        let a = self.of(kind, depth - 1);
        match kind {
            Kind::Moment => self.moment(&a, depth),
            Kind::Instant => self.instant(&a, depth),
            Kind::Span => self.span(&a, depth),
            Kind::Clock => match self.random.below(3) {
                0 => format!("({} )::time", self.of(Kind::Moment, depth - 1)),
                1 => format!("({a} + {})", self.of(Kind::Span, 0)),
                _ => format!("({a} - {})", self.of(Kind::Span, 0)),
            },
            Kind::Json => self.json(&a, depth),
            Kind::Ints => self.ints(&a, depth),
            Kind::Texts => match self.random.below(4) {
                0 => format!("({a} || {}::text)", self.of(Kind::Text, depth - 1)),
                1 => format!("string_to_array({}, 'a')", self.of(Kind::Text, depth - 1)),
                2 => format!("array_remove({a}, 'a')"),
                _ => format!("({a} || {})", self.of(Kind::Texts, 0)),
            },
            Kind::IntRange => {
                let b = self.of(kind, 0);
                match self.random.below(5) {
                    0 => format!("({a} * {b})"),
                    1 => format!("({a} + {b})"),
                    2 => format!("range_merge({a}, {b})"),
                    3 => format!("({a} - {b})"),
                    _ => {
                        let (from, to) = (self.of(Kind::Int, 0), self.of(Kind::Int, 0));
                        format!("int4range({from}, {to})")
                    }
                }
            }
            Kind::DayRange => match self.random.below(3) {
                0 => format!("({a} * {})", self.of(kind, 0)),
                1 => format!("range_merge({a}, {})", self.of(kind, 0)),
                _ => {
                    let (from, to) = (self.of(Kind::Date, 0), self.of(Kind::Date, 0));
                    format!("daterange({from}, {to}, '[]')")
                }
            },
            Kind::Bytes => match self.random.below(3) {
                0 => format!("({a} || {})", self.of(kind, 0)),
                1 => format!("convert_to({}, 'UTF8')", self.of(Kind::Text, depth - 1)),
                _ => format!("substring({a} FROM 2)"),
            },
            Kind::Label => format!("COALESCE({a}, 'ok')"),
            _ => a,
        }
    }

    fn moment(&mut self, a: &str, depth: usize) -> String {
        let unit = self.random.word(&["year", "quarter", "month", "week", "day", "hour", "minute"]);
        match self.random.below(7) {
            0 => format!("({a} + {})", self.of(Kind::Span, depth - 1)),
            1 => format!("({a} - {})", self.of(Kind::Span, depth - 1)),
            2 => format!("date_trunc('{unit}', {a})"),
            3 => format!("({} + {})", self.of(Kind::Date, depth - 1), self.of(Kind::Clock, 0)),
            4 => format!("({} AT TIME ZONE 'UTC')", self.of(Kind::Instant, depth - 1)),
            5 => format!("({})::timestamp", self.of(Kind::Date, depth - 1)),
            _ => format!("date_bin('15 minutes', {a}, TIMESTAMP '2001-01-01')"),
        }
    }

    fn instant(&mut self, a: &str, depth: usize) -> String {
        let unit = self.random.word(&["year", "month", "week", "day", "hour"]);
        match self.random.below(5) {
            0 => format!("({a} + {})", self.of(Kind::Span, depth - 1)),
            1 => format!("({a} - {})", self.of(Kind::Span, depth - 1)),
            2 => format!("date_trunc('{unit}', {a})"),
            3 => format!("({} AT TIME ZONE 'UTC')", self.of(Kind::Moment, depth - 1)),
            _ => format!("({})::timestamptz", self.of(Kind::Date, depth - 1)),
        }
    }

    fn span(&mut self, a: &str, depth: usize) -> String {
        match self.random.below(8) {
            0 => format!("({a} + {})", self.of(Kind::Span, 0)),
            1 => format!("({} - {})", self.of(Kind::Moment, depth - 1), self.of(Kind::Moment, 0)),
            2 => format!("({} - {})", self.of(Kind::Instant, depth - 1), self.of(Kind::Instant, 0)),
            3 => format!("({a} * {})", self.random.word(&["2", "0.5", "-3"])),
            4 => format!("age({}, {})", self.of(Kind::Moment, 0), self.of(Kind::Moment, 0)),
            5 => format!("justify_interval({a})"),
            6 => format!("(- {a})"),
            _ => format!("make_interval(days => {})", self.of(Kind::Int, 0)),
        }
    }

    fn json(&mut self, a: &str, depth: usize) -> String {
        match self.random.below(9) {
            0 => format!("({a} -> 'a')"),
            1 => format!("({a} || {})", self.of(Kind::Json, 0)),
            2 => format!("jsonb_set({a}, '{{a}}', {})", self.of(Kind::Json, 0)),
            3 => format!("to_jsonb({})", self.of(Kind::Int, depth - 1)),
            4 => format!(
                "jsonb_build_object('a', {}, 'é', {})",
                self.of(Kind::Int, depth - 1),
                self.of(Kind::Text, 0)
            ),
            5 => format!("jsonb_strip_nulls({a})"),
            6 => format!("({a} #> '{{b,0}}')"),
            7 => format!("jsonb_build_array({}, {a}, NULL)", self.of(Kind::Decimal, 0)),
            _ => format!("to_jsonb({})", self.of(Kind::Texts, depth - 1)),
        }
    }

    fn ints(&mut self, a: &str, depth: usize) -> String {
        let int = self.of(Kind::Int, depth - 1);
        match self.random.below(7) {
            0 => format!("({a} || {})", self.of(Kind::Ints, 0)),
            1 => format!("array_append({a}, ({int})::int)"),
            2 => format!("array_remove({a}, 2)"),
            3 => format!("ARRAY[({int})::int, 3]"),
            4 => format!("({a})[1:2]"),
            5 => format!("array_replace({a}, 2, 9)"),
            _ => format!("COALESCE({a}, '{{4}}')"),
        }
    }

    /// A plain value that is made from a newer one.
    pub fn newer_strict_expression(&mut self, kind: Kind, depth: usize) -> String {
        let depth = depth - 1;
        match kind {
            Kind::Int => self.int_from(depth),
            Kind::Decimal => {
                let of = *self.random.pick(&[Kind::Moment, Kind::Instant, Kind::Span, Kind::Clock]);
                format!("EXTRACT(EPOCH FROM {})", self.of(of, depth))
            }
            Kind::Text => self.text_from(depth),
            Kind::Date => match self.random.below(3) {
                0 => format!("({})::date", self.of(Kind::Moment, depth)),
                1 => format!("lower({})", self.of(Kind::DayRange, depth)),
                _ => format!("({})::date", self.of(Kind::Instant, depth)),
            },
            Kind::Double => format!("date_part('hour', {})", self.of(Kind::Moment, depth)),
            _ => self.truth_from(depth),
        }
    }

    fn int_from(&mut self, depth: usize) -> String {
        match self.random.below(9) {
            0 => {
                let part = self.random.word(&[
                    "YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "DOW", "ISODOW", "DOY", "WEEK",
                    "QUARTER", "ISOYEAR",
                ]);
                let of = *self.random.pick(&[Kind::Moment, Kind::Instant]);
                format!("EXTRACT({part} FROM {})::int", self.of(of, depth))
            }
            1 => format!("cardinality({})", self.of(Kind::Ints, depth)),
            2 => format!("({})[{}]", self.of(Kind::Ints, depth), self.random.below(4)),
            3 => format!("array_position({}, 2)", self.of(Kind::Ints, depth)),
            4 => format!("lower({})", self.of(Kind::IntRange, depth)),
            5 => format!("upper({})", self.of(Kind::IntRange, depth)),
            6 => format!("length({})", self.of(Kind::Bytes, depth)),
            7 => format!("EXTRACT(DAY FROM {})::int", self.of(Kind::Span, depth)),
            _ => format!("({} ->> 'n')::int", self.of(Kind::Json, 0)),
        }
    }

    fn text_from(&mut self, depth: usize) -> String {
        match self.random.below(10) {
            0 => format!("({} ->> 'a')", self.of(Kind::Json, depth)),
            1 => format!("({} #>> '{{b,0}}')", self.of(Kind::Json, depth)),
            2 => format!("({})::text", self.of(Kind::Uuid, depth)),
            3 => format!("({})::text", self.of(Kind::Label, depth)),
            4 => format!("array_to_string({}, ',', '?')", self.of(Kind::Texts, depth)),
            5 => format!("to_char({}, 'YYYY-MM-DD HH24:MI')", self.of(Kind::Moment, depth)),
            6 => format!("encode({}, 'hex')", self.of(Kind::Bytes, depth)),
            7 => format!("({})[1]", self.of(Kind::Texts, depth)),
            8 => format!("jsonb_typeof({})", self.of(Kind::Json, depth)),
            _ => format!("({})::text", self.of(Kind::Json, depth)),
        }
    }

    fn truth_from(&mut self, depth: usize) -> String {
        let op = self.random.word(&["=", "<>", "<", "<=", ">", ">="]);
        match self.random.below(14) {
            0 => format!("({} @> {})", self.of(Kind::Json, depth), self.of(Kind::Json, 0)),
            1 => format!("({} ? 'a')", self.of(Kind::Json, depth)),
            2 => format!("({} @> {})", self.of(Kind::Ints, depth), self.of(Kind::Ints, 0)),
            3 => format!("({} && {})", self.of(Kind::Ints, depth), self.of(Kind::Ints, 0)),
            4 => {
                // PostgreSQL takes a comparison with no elements for NULL where it plans outer joins.
                let elements = self.of(Kind::Ints, 0).replace("'{}'::int[]", "ARRAY[3]");
                format!("({} = ANY ({elements}))", self.of(Kind::Int, depth))
            }
            5 => format!("({} <> ALL ({}))", self.of(Kind::Text, depth), self.of(Kind::Texts, 0)),
            6 => {
                let (range, int) = (self.of(Kind::IntRange, depth), self.of(Kind::Int, 0));
                format!("({range} @> ({int})::int)")
            }
            7 => {
                let op = self.random.word(&["&&", "<<", ">>", "-|-", "@>", "<@", "&<"]);
                let of = *self.random.pick(&[Kind::IntRange, Kind::DayRange]);
                format!("({} {op} {})", self.of(of, depth), self.of(of, 0))
            }
            8 => format!("isempty({})", self.of(Kind::IntRange, depth)),
            9 => {
                let (a, b) = (self.of(Kind::Moment, 0), self.of(Kind::Span, 0));
                let (c, d) = (self.of(Kind::Moment, 0), self.of(Kind::Moment, 0));
                format!("(({a}, {b}) OVERLAPS ({c}, {d}))")
            }
            10 => {
                format!("({} IN ('ok', {}))", self.of(Kind::Label, depth), self.of(Kind::Label, 0))
            }
            11 => format!("({} = {})", self.of(Kind::Json, depth), self.of(Kind::Json, 0)),
            _ => {
                let of = *self.random.pick(&[
                    Kind::Moment,
                    Kind::Instant,
                    Kind::Span,
                    Kind::Clock,
                    Kind::Uuid,
                    Kind::Label,
                    Kind::Bytes,
                    Kind::IntRange,
                    Kind::Ints,
                    Kind::Texts,
                ]);
                format!("({} {op} {})", self.of(of, depth), self.of(of, 0))
            }
        }
    }
}
