//! Queries of newer shapes: windows, DISTINCT ON, recursion, LATERAL, grouping sets.

use crate::differential::expressions::{Names, names};
use crate::differential::kinds;
use crate::differential::queries::Queries;
use crate::differential::schema::{KINDS, Kind};

pub struct Shapes<'q, 'a> {
    pub queries: &'q mut Queries<'a>,
}

impl Shapes<'_, '_> {
    pub fn any(&mut self) -> String {
        if !self.queries.is_postgres() {
            return match self.below(5) {
                0 | 1 => self.window(),
                2 => self.recursive(),
                3 => self.rollup(),
                _ => self.listed(),
            };
        }
        match self.below(9) {
            0 | 1 => self.window(),
            2 => self.recursive(),
            3 => self.grouping_sets(),
            4 => self.distinct_on(),
            5 => self.lateral(),
            6 => self.with_ties(),
            7 => self.unnested(),
            _ => self.listed(),
        }
    }

    fn below(&mut self, limit: usize) -> usize {
        self.queries.random.below(limit)
    }

    fn word(&mut self, words: &[&str]) -> String {
        self.queries.random.word(words)
    }

    /// One table or view under a name, and what it offers.
    fn one(&mut self) -> (String, String, Names) {
        let table = self.queries.schema.source(self.queries.random).clone();
        let alias = self.queries.alias();
        let offered = names(&alias, &table.columns);
        (format!("{} {alias}", table.name), alias, offered)
    }

    fn of(&mut self, offered: &Names, kind: Kind, depth: usize) -> String {
        self.queries.expressions(offered).of(kind, depth)
    }

    /// A column by which rows can be put in order.
    fn sortable(&mut self, offered: &Names) -> String {
        let dialect = self.queries.schema.dialect;
        let fitting: Vec<String> = offered
            .iter()
            .filter(|(_, kind)| kinds::can_be_sorted(dialect, *kind))
            .map(|(name, _)| name.clone())
            .collect();
        self.queries.random.pick(&fitting).clone()
    }

    fn window(&mut self) -> String {
        let (from, alias, offered) = self.one();
        let partition = match self.below(3) {
            0 => String::new(),
            _ => format!("PARTITION BY {} ", self.sortable(&offered)),
        };
        let key = self.sortable(&offered);
        let direction = self.word(&["", " DESC"]);
        let over = format!("({partition}ORDER BY {key}{direction}, {alias}.id)");
        let value = self.of(&offered, Kind::Int, 1);
        let call = match self.below(9) {
            0 => "ROW_NUMBER()".to_owned(),
            1 => "RANK()".into(),
            2 => "DENSE_RANK()".into(),
            3 => format!("LAG({value})"),
            4 => format!("LEAD({value}, 2)"),
            5 => format!("SUM({value})"),
            6 => format!("FIRST_VALUE({value})"),
            7 => format!("COUNT({value})"),
            _ => "NTILE(2)".into(),
        };
        let filter = self.queries.filter(&from, &offered);
        let query = format!("SELECT {alias}.id AS i, {call} OVER {over} AS w FROM {from}{filter}");
        match self.below(3) {
            0 => format!("SELECT q.i, q.w FROM ({query}) q WHERE q.w = 1"),
            1 => format!("{query} ORDER BY 1"),
            _ => query,
        }
    }

    fn recursive(&mut self) -> String {
        let table = self.queries.random.pick(&self.queries.schema.tables).clone();
        let union = self.word(&["UNION", "UNION ALL"]);
        let most = 3 + self.below(6);
        let condition = self.queries.expressions(&names("y", &table.columns)).condition(1);
        let tail = self.word(&["SELECT n FROM r ORDER BY n", "SELECT COUNT(*), MAX(n) FROM r"]);
        match self.below(3) {
            0 => format!(
                "WITH RECURSIVE r (n) AS (SELECT 1 {union} SELECT n + 1 FROM r WHERE n < {most}) {tail}"
            ),
            1 => format!(
                "WITH RECURSIVE r (n) AS (SELECT y.id FROM {0} y WHERE {condition} {union} \
                 SELECT r.n + 2 FROM r WHERE r.n < {most}) {tail}",
                table.name
            ),
            _ => format!(
                "WITH RECURSIVE r (n) AS (SELECT 1 UNION SELECT y.id + 1 FROM {0} y \
                 JOIN r ON y.id = r.n WHERE {condition}) {tail}",
                table.name
            ),
        }
    }

    fn rollup(&mut self) -> String {
        let (from, _, offered) = self.one();
        let plain: Vec<String> = offered
            .iter()
            .filter(|(_, kind)| matches!(kind, Kind::Int | Kind::Date))
            .map(|(name, _)| name.clone())
            .collect();
        let key = self.queries.random.pick(&plain).clone();
        let filter = self.queries.filter(&from, &offered);
        format!("SELECT {key}, COUNT(*) FROM {from}{filter} GROUP BY {key} WITH ROLLUP")
    }

    fn grouping_sets(&mut self) -> String {
        let (from, _, offered) = self.one();
        let (a, b) = (self.sortable(&offered), self.sortable(&offered));
        let b = if a == b { offered[0].0.clone() } else { b };
        let sets = match self.below(4) {
            0 => format!("ROLLUP ({a}, {b})"),
            1 => format!("CUBE ({a}, {b})"),
            2 => format!("GROUPING SETS (({a}), ({b}), ())"),
            _ => format!("GROUPING SETS (({a}, {b}), ({a}))"),
        };
        let aggregate = self.queries.aggregate(&offered);
        let filter = self.queries.filter(&from, &offered);
        let having = self.word(&["", "", " HAVING COUNT(*) > 1", " HAVING GROUPING(*) = 0"]);
        let having = having.replace("(*) = 0", &format!("({a}) = 0"));
        format!(
            "SELECT {a}, {b}, {aggregate}, GROUPING({a}) FROM {from}{filter} GROUP BY {sets}{having}"
        )
    }

    fn distinct_on(&mut self) -> String {
        let (from, alias, offered) = self.one();
        let key = self.sortable(&offered);
        let kind = self.queries.kind_among(&offered);
        let value = self.of(&offered, kind, 1);
        let filter = self.queries.filter(&from, &offered);
        let direction = self.word(&["", " DESC NULLS LAST", " DESC"]);
        format!(
            "SELECT DISTINCT ON ({key}) {key}, {alias}.id, {value} FROM {from}{filter} \
             ORDER BY {key}{direction}, {alias}.id"
        )
    }

    fn lateral(&mut self) -> String {
        let (from, alias, offered) = self.one();
        let (inner, other, mut visible) = self.one();
        visible.extend(offered.iter().cloned());
        let condition = self.queries.expressions(&visible).condition(1);
        let join = self.word(&["LEFT JOIN", "JOIN"]);
        let tail = self.word(&["", " LIMIT 1", " LIMIT 2"]);
        format!(
            "SELECT {alias}.id, l.i FROM {from} {join} LATERAL (SELECT {other}.id AS i FROM {inner} \
             WHERE {condition} ORDER BY {other}.id{tail}) l ON TRUE"
        )
    }

    fn with_ties(&mut self) -> String {
        let (from, alias, offered) = self.one();
        let key = self.sortable(&offered);
        let filter = self.queries.filter(&from, &offered);
        let many = 1 + self.below(3);
        format!(
            "SELECT {alias}.id, {key} FROM {from}{filter} ORDER BY {key} \
             FETCH FIRST {many} ROWS WITH TIES"
        )
    }

    /// Elements of arrays and of documents as rows.
    fn unnested(&mut self) -> String {
        let (from, alias, offered) = self.one();
        let ints = self.of(&offered, Kind::Ints, 1);
        match self.below(4) {
            0 => format!("SELECT {alias}.id, e FROM {from} CROSS JOIN LATERAL unnest({ints}) AS e"),
            1 => format!(
                "SELECT {alias}.id, e, o FROM {from}, unnest({ints}) WITH ORDINALITY AS u (e, o)"
            ),
            2 => {
                let json = self.of(&offered, Kind::Json, 1);
                format!(
                    "SELECT {alias}.id, k FROM {from}, jsonb_object_keys(CASE WHEN \
                     jsonb_typeof({json}) = 'object' THEN {json} END) AS k"
                )
            }
            _ => {
                let text = self.of(&offered, Kind::Text, 1);
                format!(
                    "SELECT array_agg({alias}.id ORDER BY {alias}.id), \
                     string_agg({text}, ',' ORDER BY {alias}.id), \
                     jsonb_agg({text} ORDER BY {alias}.id) FROM {from}"
                )
            }
        }
    }

    /// Rows that are listed in the query, joined with a table.
    fn listed(&mut self) -> String {
        let (from, alias, offered) = self.one();
        let kind = *self.queries.random.pick(&KINDS);
        let value = self.of(&offered, kind, 1);
        if !self.queries.is_postgres() {
            let separator = self.word(&["", " SEPARATOR ';'"]);
            let text = self.of(&offered, Kind::Text, 1);
            return format!(
                "SELECT GROUP_CONCAT({text} ORDER BY {alias}.id{separator}), COUNT(*) FROM {from}"
            );
        }
        format!(
            "SELECT w.k, {alias}.id, {value} FROM (VALUES (1, 'é'), (2, 'b'), (3, NULL)) AS w (k, v) \
             JOIN {from} ON {alias}.id = w.k"
        )
    }
}
