//! Tables of a dump in an order in which each comes after those that it refers to.
//!
//! `mysqldump` writes tables by name and turns off the check of foreign keys, so that a table may refer to one that
//! follows. The rows of a table stand behind it in any case: a `CREATE TABLE` can move up.

use std::collections::BTreeMap;

use tristan_sqltext::{Part, Words};

/// The statements, with tables before those that refer to them. A table that moves up leaves behind the `DROP
/// TABLE IF EXISTS` in front of it.
pub(super) fn referred_first(parts: Vec<Part<'_>>) -> Vec<Part<'_>> {
    let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (place, part) in parts.iter().enumerate() {
        if let Some(name) = created(part) {
            places.entry(name).or_default().push(place);
        }
    }
    places.retain(|_, places| places.len() == 1);
    let mut order =
        Order { parts: &parts, places, done: vec![false; parts.len()], order: Vec::new() };
    (0..parts.len()).for_each(|place| order.visit(place));
    let order = order.order;
    let mut parts: Vec<Option<Part<'_>>> = parts.into_iter().map(Some).collect();
    order.into_iter().filter_map(|place| parts[place].take()).collect()
}

struct Order<'t, 'a> {
    parts: &'t [Part<'a>],
    /// Where each table is created, if it is created once.
    places: BTreeMap<String, Vec<usize>>,
    /// Which statements have a place in the order, or none because they are left out.
    done: Vec<bool>,
    order: Vec<usize>,
}

impl Order<'_, '_> {
    fn visit(&mut self, place: usize) {
        if std::mem::replace(&mut self.done[place], true) {
            return;
        }
        if created(&self.parts[place]).is_some() {
            for name in referred(&self.parts[place]) {
                let Some(&[other]) = self.places.get(&name).map(Vec::as_slice) else { continue };
                if other > place && !self.done[other] {
                    self.leave_out_drops(&name, place..other);
                    self.visit(other);
                }
            }
        }
        self.order.push(place);
    }

    /// A table that is created earlier must not be dropped before its rows come.
    fn leave_out_drops(&mut self, name: &str, between: std::ops::Range<usize>) {
        for place in between {
            let mut words = Words::new(&self.parts[place].tokens);
            let drops =
                words.eat("drop table if exists") && words.last_name().as_deref() == Some(name);
            self.done[place] |= drops && words.is_empty();
        }
    }
}

/// The table that a statement creates.
fn created(part: &Part<'_>) -> Option<String> {
    let mut words = Words::new(&part.tokens);
    if !words.eat("create table") {
        return None;
    }
    words.eat("if not exists");
    words.last_name()
}

/// The tables that foreign keys of a statement refer to.
fn referred(part: &Part<'_>) -> Vec<String> {
    let places = 0..part.tokens.len();
    let names = places.filter_map(|place| {
        let mut words = Words::new(&part.tokens[place..]);
        words.eat("references").then(|| words.last_name())?
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use tristan_sqltext::{Dialect, split};

    use super::*;

    #[test]
    fn a_table_follows_those_that_it_refers_to() {
        let dump = "DROP TABLE IF EXISTS `a`; CREATE TABLE `a` (p INT, FOREIGN KEY (p) REFERENCES `b` (id)); \
                    INSERT INTO `a` VALUES (1); DROP TABLE IF EXISTS `b`; \
                    CREATE TABLE `b` (id INT, q INT REFERENCES a (p), FOREIGN KEY (q) REFERENCES `c` (id)); \
                    DROP TABLE IF EXISTS `c`; CREATE TABLE `c` (id INT); INSERT INTO `b` VALUES (1)";
        let parts = referred_first(split(dump, Dialect::MariaDb));
        let texts: Vec<&str> = parts.iter().map(|part| part.text.trim()).collect();
        let starts = [
            "DROP TABLE IF EXISTS `a`",
            "CREATE TABLE `c`",
            "CREATE TABLE `b`",
            "CREATE TABLE `a`",
            "INSERT INTO `a`",
            "INSERT INTO `b`",
        ];
        assert_eq!(texts.len(), starts.len(), "{texts:?}");
        for (text, start) in texts.iter().zip(starts) {
            assert!(text.starts_with(start), "{texts:?}");
        }
    }
}
