//! What MariaDB computes from newer kinds of values, where that is certain.

use crate::differential::expressions::Expressions;
use crate::differential::schema::Kind;

impl Expressions<'_> {
    /// An expression of a newer kind. Most of them are only stored and shown.
    pub fn newer_loose(&mut self, kind: Kind, depth: usize) -> String {
        match kind {
            Kind::Moment => {
                let a = self.of(kind, depth - 1);
                let unit = self.random.word(&["HOUR", "DAY", "MONTH", "SECOND"]);
                match self.random.below(3) {
                    0 => format!("({a} + INTERVAL {} {unit})", self.random.below(40)),
                    1 => format!("({a} - INTERVAL {} {unit})", self.random.below(40)),
                    _ => format!("COALESCE({a}, TIMESTAMP '2001-02-03 04:05:06')"),
                }
            }
            _ => self.of(kind, 0),
        }
    }

    /// The column of a newer kind, if there is one.
    fn column_of(&mut self, kinds: &[Kind]) -> Option<(String, Kind)> {
        let fitting: Vec<(String, Kind)> =
            self.names.iter().filter(|(_, kind)| kinds.contains(kind)).cloned().collect();
        (!fitting.is_empty()).then(|| self.random.pick(&fitting).clone())
    }

    /// A plain value that is made from a newer one.
    pub fn newer_loose_expression(&mut self, kind: Kind, depth: usize) -> Option<String> {
        use Kind::{Bits, Bytes, Clock, Json, Label, Moment, Set, Uuid, Year};
        let made = match kind {
            Kind::Int => {
                let (name, of) = self.column_of(&[Moment, Clock, Json, Bytes, Year, Bits])?;
                match of {
                    Moment => {
                        let part = self.random.word(&["YEAR", "HOUR", "DAYOFWEEK", "QUARTER"]);
                        format!("{part}({})", self.of(Moment, depth - 1))
                    }
                    Clock => format!("TIME_TO_SEC({name})"),
                    Json => format!("JSON_LENGTH({name})"),
                    Bytes => format!("LENGTH({name})"),
                    _ => format!("({name} + {})", self.random.below(3)),
                }
            }
            Kind::Text => {
                let (name, of) = self.column_of(&[Moment, Json, Label, Set, Bytes, Bits])?;
                match of {
                    Moment => format!("DATE_FORMAT({name}, '%Y-%m-%d %H:%i')"),
                    Json => format!("JSON_VALUE({name}, '$.a')"),
                    Label | Set => format!("CONCAT({name}, 'x')"),
                    Bytes => format!("HEX({name})"),
                    _ => format!("BIN({name})"),
                }
            }
            Kind::Date => {
                let (_, _) = self.column_of(&[Moment])?;
                let name = self.random.word(&["DATE", "LAST_DAY"]);
                format!("{name}({})", self.of(Moment, depth - 1))
            }
            Kind::Bool => {
                let (name, of) =
                    self.column_of(&[Moment, Clock, Label, Set, Year, Bits, Uuid, Json])?;
                let op = self.random.word(&["=", "<>", "<", ">="]);
                match of {
                    Moment | Clock => format!("({name} {op} {})", self.of(of, depth - 1)),
                    Label => format!("({name} IN ('sad', 'happy'))"),
                    Set => format!("(FIND_IN_SET('a', {name}) > 0)"),
                    Year => format!("({name} = 2024)"),
                    Bits => format!("({name} = 5)"),
                    Uuid => format!("({name} = '00000000-0000-0000-0000-00000000000a')"),
                    _ => format!("(JSON_EXISTS({name}, '$.a') = 1)"),
                }
            }
            _ => return None,
        };
        Some(made)
    }
}
