//! Random queries.

use tristan_sql::Dialect;

use crate::differential::expressions::{Expressions, Names, names};
use crate::differential::kinds;
use crate::differential::schema::{KINDS, Kind, Schema};
use crate::differential::shapes::Shapes;
use tristan_testkit::Random;

pub struct Queries<'a> {
    pub random: &'a mut Random,
    pub schema: &'a Schema,
    /// How many names of tables were used.
    pub aliases: usize,
}

impl Queries<'_> {
    pub fn expressions(&mut self, names: &Names) -> Expressions<'_> {
        Expressions { random: self.random, dialect: self.schema.dialect, names: names.clone() }
    }

    pub fn is_postgres(&self) -> bool {
        self.schema.dialect == Dialect::PostgreSql
    }

    pub fn any(&mut self) -> String {
        match self.random.below(18) {
            14..=17 => Shapes { queries: self }.any(),
            0..=3 => self.plain(&Names::new(), 0),
            4..=6 => self.grouped(),
            7 => self.aggregated(),
            8 | 9 => self.union(),
            10 => self.derived(),
            _ => self.nested(),
        }
    }

    /// FROM with up to three tables, and the names it offers.
    pub fn from(&mut self) -> (String, Names) {
        let table = self.schema.source(self.random).clone();
        let first = self.alias();
        let mut offered = names(&first, &table.columns);
        let mut from = format!("{} {first}", table.name);
        if self.random.once_in(3) {
            let other = self.schema.source(self.random).clone();
            let second = self.alias();
            let joins = ["JOIN", "LEFT JOIN", "RIGHT JOIN", "CROSS JOIN", ",", "FULL JOIN"];
            let mut kind = self.random.word(&joins);
            if kind == "FULL JOIN" && !self.is_postgres() {
                kind = "JOIN".into();
            }
            offered.extend(names(&second, &other.columns));
            let on = match kind.as_str() {
                "CROSS JOIN" | "," => String::new(),
                // PostgreSQL joins fully only by what it can hash or merge.
                "FULL JOIN" => format!(" ON {first}.id = {second}.id"),
                "JOIN" | "LEFT JOIN" if self.random.once_in(6) => " USING (id)".into(),
                _ if self.random.once_in(2) => format!(" ON {first}.id = {second}.id"),
                _ => format!(" ON {}", self.expressions(&offered).condition(1)),
            };
            from = format!("{from} {kind} {} {second}{on}", other.name);
            if self.random.once_in(5) {
                self.third(&mut from, &mut offered, &names(&second, &other.columns));
            }
        }
        (from, offered)
    }

    /// A kind; a newer one only if there is a column of it.
    pub fn kind_among(&mut self, offered: &Names) -> Kind {
        match self.random.once_in(3) {
            true => self.random.pick(offered).1,
            false => *self.random.pick(&KINDS),
        }
    }

    /// One more table, joined to the last one.
    fn third(&mut self, from: &mut String, offered: &mut Names, second: &Names) {
        let table = self.random.pick(&self.schema.tables).clone();
        let alias = self.alias();
        let own = names(&alias, &table.columns);
        let kind = self.random.word(&["JOIN", "LEFT JOIN"]);
        let on = if self.random.once_in(2) {
            let mut both = second.clone();
            both.extend(own.iter().cloned());
            self.expressions(&both).condition(1)
        } else {
            format!("{}.id = {}", alias, second[0].0)
        };
        offered.extend(own);
        let on = self.without_nested_truths(from, on);
        from.push_str(&format!(" {kind} {} {alias} ON {on}", table.name));
    }

    /// MariaDB takes `IS TRUE` and `IS FALSE` for conditions that drop NULLs wherever they stand, even in
    /// `NOT (x IS TRUE)`, and makes an inner join of an outer one.
    fn without_nested_truths(&self, from: &str, condition: String) -> String {
        let outer = from.contains("LEFT JOIN") || from.contains("RIGHT JOIN");
        if self.is_postgres() || !outer {
            return condition;
        }
        condition.replace(" IS TRUE)", " IS NOT FALSE)").replace(" IS FALSE)", " IS NOT TRUE)")
    }

    pub fn alias(&mut self) -> String {
        self.aliases += 1;
        format!("x{}", self.aliases)
    }

    /// A query that may use names of the query around it, with a number of columns if it matters.
    pub fn plain(&mut self, outer: &Names, columns: usize) -> String {
        let (from, mut offered) = self.from();
        offered.extend(outer.iter().cloned());
        let (items, kinds) = if columns == 0 && self.random.once_in(4) {
            ("*".to_owned(), 1)
        } else {
            let many = if columns == 0 { 1 + self.random.below(3) } else { columns };
            let items: Vec<String> = (0..many)
                .map(|_| {
                    let kind = self.kind_among(&offered);
                    self.expressions(&offered).of(kind, 2)
                })
                .collect();
            (items.join(", "), many)
        };
        let distinct = if self.random.once_in(6) { "DISTINCT " } else { "" };
        let filter = self.filter(&from, &offered);
        let order = self.order(kinds, &offered, !distinct.is_empty());
        let alone = distinct.is_empty()
            && from.starts_with('t')
            && !from.contains("JOIN")
            && !from.contains(',');
        let lock = if alone && self.random.once_in(12) { " FOR UPDATE" } else { "" };
        format!("SELECT {distinct}{items} FROM {from}{filter}{order}{lock}")
    }

    pub fn filter(&mut self, from: &str, offered: &Names) -> String {
        if self.random.once_in(3) {
            return String::new();
        }
        let condition = self.expressions(offered).condition(2);
        format!(" WHERE {}", self.without_nested_truths(from, condition))
    }

    pub fn order(&mut self, columns: usize, offered: &Names, distinct: bool) -> String {
        let mut text = String::new();
        if self.random.once_in(2) {
            let mut keys = Vec::new();
            for _ in 0..=self.random.below(2) {
                let key = if distinct || self.random.once_in(2) {
                    (1 + self.random.below(columns)).to_string()
                } else {
                    let (name, kind) = self.random.pick(offered).clone();
                    match kinds::can_be_sorted(self.schema.dialect, kind) {
                        true => name,
                        false => offered[0].0.clone(),
                    }
                };
                let direction = self.random.word(&["", " DESC", " ASC"]);
                let nulls = if self.is_postgres() {
                    self.random.word(&["", "", " NULLS FIRST", " NULLS LAST"])
                } else {
                    String::new()
                };
                keys.push(format!("{key}{direction}{nulls}"));
            }
            text.push_str(&format!(" ORDER BY {}", keys.join(", ")));
        }
        if self.random.once_in(3) {
            text.push_str(&format!(" LIMIT {}", self.random.below(5)));
            // MariaDB skips rows before it drops duplicates if all columns are constants.
            if self.random.once_in(2) && (self.is_postgres() || !distinct) {
                text.push_str(&format!(" OFFSET {}", self.random.below(3)));
            }
        }
        text
    }

    pub fn aggregate(&mut self, offered: &Names) -> String {
        let distinct = self.random.word(&["", "", "DISTINCT "]);
        match self.random.below(8) {
            0 => "COUNT(*)".into(),
            7 if self.is_postgres() => {
                let condition = self.expressions(offered).condition(1);
                let count = format!("COUNT(*) FILTER (WHERE {condition})");
                let truth = self.random.word(&["BOOL_AND", "BOOL_OR"]);
                self.random.word(&[&count, &format!("{truth}({condition})")])
            }
            1 => {
                let kind = self.kind_among(offered);
                format!("COUNT({distinct}{})", self.expressions(offered).of(kind, 1))
            }
            2 | 3 => {
                let kind = *self.random.pick(&[Kind::Int, Kind::Decimal]);
                format!("SUM({distinct}{})", self.expressions(offered).of(kind, 1))
            }
            4 => {
                let kind = *self.random.pick(&[Kind::Int, Kind::Decimal]);
                let arg = self.expressions(offered).of(kind, 1);
                format!("{}({distinct}{arg})", self.mean(&arg))
            }
            other => {
                let kind = *self.random.pick(&[
                    Kind::Int,
                    Kind::Decimal,
                    Kind::Text,
                    Kind::Date,
                    Kind::Double,
                ]);
                let name = if other == 5 { "MIN" } else { "MAX" };
                format!("{name}({})", self.expressions(offered).of(kind, 1))
            }
        }
    }

    /// In a temporary table, MariaDB keeps too few digits of `AVG(CASE … THEN 1 ELSE 5 END)`: it says
    /// 0.9999. The same goes for what else takes its digits from a literal.
    fn mean(&self, arg: &str) -> &'static str {
        let column = arg.starts_with('x') && !arg.contains([' ', '(']);
        let doubtful = !self.is_postgres() && !column;
        if doubtful { "SUM" } else { "AVG" }
    }

    fn aggregated(&mut self) -> String {
        let (from, offered) = self.from();
        let items: Vec<String> =
            (0..=self.random.below(3)).map(|_| self.aggregate(&offered)).collect();
        let filter = self.filter(&from, &offered);
        format!("SELECT {} FROM {from}{filter}", items.join(", "))
    }

    fn grouped(&mut self) -> String {
        let (from, offered) = self.from();
        let keys: Vec<String> = (0..=self.random.below(2))
            .map(|_| {
                if self.random.once_in(3) {
                    let kind = *self.random.pick(&[Kind::Int, Kind::Text, Kind::Decimal]);
                    self.expressions(&offered).of(kind, 1)
                } else {
                    self.random.pick(&offered).0.clone()
                }
            })
            .collect();
        // A number means a column, and a NULL is no key.
        let keys: Vec<String> = keys
            .into_iter()
            .map(|key| if key.contains('x') { key } else { offered[0].0.clone() })
            .collect();
        let mut items = keys.clone();
        for _ in 0..=self.random.below(2) {
            items.push(self.aggregate(&offered));
        }
        let filter = self.filter(&from, &offered);
        let having = if self.random.once_in(3) {
            let aggregate = self.aggregate(&offered);
            let number = self.random.below(3);
            let op = self.random.word(&["<", ">=", "<>"]);
            let sum = self.expressions(&offered).of(Kind::Int, 0);
            self.random.word(&[
                &format!(" HAVING {aggregate} IS NOT NULL AND COUNT(*) > {number}"),
                &format!(" HAVING SUM({sum}) {op} {number}"),
                &format!(" HAVING NOT (COUNT({sum}) {op} {number}) OR MAX({sum}) IS NULL"),
            ])
        } else {
            String::new()
        };
        let order = if self.random.once_in(2) {
            let limit = self.random.word(&["", "", " LIMIT 2", " LIMIT 3 OFFSET 1"]);
            format!(" ORDER BY {}{limit}", 1 + self.random.below(items.len()))
        } else {
            String::new()
        };
        format!(
            "SELECT {} FROM {from}{filter} GROUP BY {}{having}{order}",
            items.join(", "),
            keys.join(", ")
        )
    }

    fn union(&mut self) -> String {
        let kind = *self.random.pick(&[Kind::Int, Kind::Decimal, Kind::Text, Kind::Date]);
        let mut sides = Vec::new();
        for _ in 0..2 {
            let (from, offered) = self.from();
            let item = self.expressions(&offered).of(kind, 1);
            let filter = self.filter(&from, &offered);
            sides.push(format!("SELECT {item} AS v FROM {from}{filter}"));
        }
        let op = self.random.word(&["UNION", "UNION ALL", "EXCEPT", "INTERSECT"]);
        let order = self.random.word(&["", " ORDER BY 1", " ORDER BY v DESC LIMIT 3"]);
        format!("{} {op} {}{order}", sides[0], sides[1])
    }

    fn derived(&mut self) -> String {
        let (from, offered) = self.from();
        let key = self.random.pick(&offered).clone();
        let filter = self.filter(&from, &offered);
        let inner =
            format!("SELECT {} AS k, COUNT(*) AS n FROM {from}{filter} GROUP BY {}", key.0, key.0);
        let mut offered = vec![("d.k".to_owned(), key.1), ("d.n".to_owned(), Kind::Int)];
        if key.1 == Kind::Text && !self.is_postgres() {
            // MariaDB moves a condition on the key inside, where it tells 'a' and 'A' apart before they
            // are counted together.
            offered.remove(0);
        }
        let filter = self.filter(&from, &offered);
        let item = self.expressions(&offered).of(Kind::Int, 1);
        if self.random.once_in(3) {
            return format!(
                "WITH d AS ({inner}) SELECT d.k, d.n, {item} FROM d{filter} ORDER BY 2, 1"
            );
        }
        format!("SELECT d.k, d.n, {item} FROM ({inner}) d{filter} ORDER BY 2, 1")
    }

    /// MariaDB answers `x IN (SELECT y …)` with false if `x` does not fit into the type of `y`, even if a
    /// NULL among the `y` makes it unknown.
    fn can_meet(&self, inner: &str, outer: &str) -> bool {
        self.is_postgres() || self.declared(inner) == self.declared(outer)
    }

    /// The type of a column, by a name such as `x1.a0`; names of columns are unique but for `id`.
    fn declared(&self, name: &str) -> Option<&str> {
        let column = name.rsplit('.').next();
        let mut columns = self.schema.tables.iter().flat_map(|table| &table.columns);
        columns.find(|one| Some(one.name.as_str()) == column).map(|one| one.declared.as_str())
    }

    fn nested(&mut self) -> String {
        let (from, offered) = self.from();
        let outer = self.random.pick(&offered).clone();
        let inner_table = self.random.pick(&self.schema.tables).clone();
        let alias = self.alias();
        let inner_names = names(&alias, &inner_table.columns);
        let mut visible = inner_names.clone();
        visible.extend(offered.iter().cloned());
        // MariaDB remembers what an inner query gave for an outer text, and gives it for another one that
        // is equal, such as 'a ' for 'A', although LIKE or LENGTH may tell them apart.
        visible.retain(|(name, kind)| {
            self.is_postgres() || *kind != Kind::Text || name.starts_with(&format!("{alias}."))
        });
        let correlation = match self.random.below(8) {
            0..=3 => self.expressions(&visible).condition(1),
            4 => format!("({} = {})", inner_names[0].0, offered[0].0),
            _ => self.expressions(&inner_names).condition(1),
        };
        let correlation = self.without_nested_truths(&from, correlation);
        let source = format!("FROM {} {alias} WHERE {correlation}", inner_table.name);
        let same: Vec<String> = inner_names
            .iter()
            .filter(|(name, kind)| *kind == outer.1 && self.can_meet(name, &outer.0))
            .map(|(name, _)| name.clone())
            .collect();
        let value = same.first().cloned().unwrap_or_else(|| {
            crate::differential::schema::literal(self.random, self.schema.dialect, outer.1)
        });
        let test = match self.random.below(8) {
            0 => format!("EXISTS (SELECT 1 {source})"),
            1 => format!("NOT EXISTS (SELECT 1 {source})"),
            2 => format!("{} IN (SELECT {value} {source})", outer.0),
            3 => format!("{} NOT IN (SELECT {value} {source})", outer.0),
            4 => format!("{} >= ALL (SELECT {value} {source})", outer.0),
            5 => format!("{} = ANY (SELECT {value} {source})", outer.0),
            6 if outer.1 != Kind::Bool => {
                let op = self.random.word(&["=", "<", ">="]);
                format!("{} {op} (SELECT MAX({value}) {source})", outer.0)
            }
            _ => format!("(SELECT COUNT(*) {source}) > {}", self.random.below(3)),
        };
        let item = match self.random.below(4) {
            0 => format!("(SELECT MAX({alias}.id) {source})"),
            1 => format!("(SELECT {alias}.id {source} ORDER BY {alias}.id LIMIT 1)"),
            2 => format!("(SELECT {alias}.id {source})"),
            _ => outer.0,
        };
        format!("SELECT {}, {item} FROM {from} WHERE {test}", offered[0].0)
    }
}
