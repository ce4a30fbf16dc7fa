//! UPDATE and DELETE of several tables, or of one that is not the first of a join, in MySQL and MariaDB.
//!
//! ```text
//!   UPDATE t JOIN c ON … SET t.a = 1, c.b = 2      the rows of the join are found once; each row of t
//!   DELETE t, c FROM t JOIN c ON …                 and of c that is part of one of them is changed once
//! ```
//!
//! It becomes one change per table, all of which see the rows as they were before ([`Plan::With`]). The server
//! may change the first table while it is still reading, so an assignment to one table that reads what another
//! assignment changes in another table is refused.
//!
//! Layer `bind`; knows FROM, and how rows are located.

use std::sync::Arc;

use sqlparser::ast;

use crate::catalog::Table;
use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::parse::last_name;
use crate::plan::{Delete, Expr, Locate, NodeId, Plan, Source, Update, walk_columns};
use crate::rows::TableId;

use super::binder::Binder;
use super::filter::push_down;
use super::scope::Scope;
use super::writes::{column_of, shown_name};

/// A table of a join, with the name that it has there and the place of its columns.
struct Joined {
    name: String,
    table: Arc<Table>,
    at: usize,
}

/// The rows of a join.
struct JoinedRows {
    source: Source,
    filter: Vec<Expr>,
}

impl Binder<'_> {
    /// An UPDATE of a join that changes another table than the first; `None` if it is none.
    pub(super) fn update_of_several(&mut self, update: &ast::Update) -> Result<Option<Plan>> {
        if self.dialect.is_strictly_typed() || update.table.joins.is_empty() {
            return Ok(None);
        }
        if self.changes_first(update)? {
            return Ok(None);
        }
        let bare = update.order_by.is_empty()
            && update.limit.is_none()
            && update.or.is_none()
            && update.from.is_none()
            && update.returning.is_none();
        if !bare {
            return unsupported("an UPDATE of several tables with more than a condition");
        }
        self.in_join(std::slice::from_ref(&update.table), |binder, tables, source| {
            binder.updates(update, tables, source).map(Some)
        })
    }

    /// Whether all assignments are to the first table.
    fn changes_first(&self, update: &ast::Update) -> Result<bool> {
        let ast::TableFactor::Table { name, .. } = &update.table.relation else { return Ok(false) };
        let (table, shown) = (self.table(name)?, shown_name(&update.table.relation));
        let mut tables = Vec::new();
        self.tables_in(&update.table, &mut tables)?;
        let holders =
            |column: &str| tables.iter().filter(|one| one.table.column(column).is_some()).count();
        Ok(update.assignments.iter().all(|assignment| match owner(&assignment.target) {
            Some((Some(owner), _)) => {
                shown.as_deref().is_some_and(|shown| owner.eq_ignore_ascii_case(shown))
            }
            Some((None, column)) => table.column(&column).is_some() && holders(&column) == 1,
            None => true,
        }))
    }

    fn updates(&mut self, update: &ast::Update, tables: &[Joined], source: Source) -> Result<Plan> {
        let mut targets: Vec<(usize, Vec<ast::Assignment>)> = Vec::new();
        for assignment in &update.assignments {
            let Some((owner, column)) = owner(&assignment.target) else {
                return unsupported("SET (a, b) = … in several tables");
            };
            let target = target_of(tables, owner.as_deref(), &column)?;
            match targets.iter_mut().find(|(one, _)| *one == target) {
                Some((_, assignments)) => assignments.push(assignment.clone()),
                None => targets.push((target, vec![assignment.clone()])),
            }
        }
        let mut bound = Vec::new();
        for (target, assignments) in targets {
            let table = Arc::clone(&tables[target].table);
            bound.push((target, self.assignments(&table, &assignments)?));
        }
        let changed = |target: usize, index: usize| {
            bound.iter().any(|(other, assignments)| {
                *other != target
                    && assignments.iter().any(|one| tables[*other].at + one.column == index)
            })
        };
        for (target, assignments) in &bound {
            let mut reads = false;
            for value in assignments.iter().filter_map(|one| one.value.as_ref()) {
                walk_columns(&mut value.clone(), &mut |_, index| reads |= changed(*target, index));
            }
            if reads {
                return unsupported("an assignment that reads what is assigned to another table");
            }
        }
        let rows = self.joined_rows(source, update.selection.as_ref())?;
        let plans = bound.into_iter().map(|(target, assignments)| {
            let locate = rows.locate(&tables[target]);
            let plan = Plan::Update(Box::new(Update {
                locate,
                assignments,
                checks: Vec::new(),
                returning: None,
            }));
            (tables[target].table.id(), plan)
        });
        self.each(plans.collect())
    }

    /// `DELETE a, b FROM a JOIN b`, `DELETE FROM a, b USING a JOIN b`.
    pub(super) fn delete_from_several(&mut self, delete: &ast::Delete) -> Result<Plan> {
        let ast::FromTable::WithFromKeyword(from) = &delete.from else {
            return unsupported("DELETE without FROM");
        };
        let (targets, sources): (Vec<Option<String>>, &[ast::TableWithJoins]) = match &delete.using
        {
            Some(using) if delete.tables.is_empty() => {
                (from.iter().map(|one| shown_name(&one.relation)).collect(), using)
            }
            None => (delete.tables.iter().map(|name| last_name(name).ok()).collect(), from),
            Some(_) => return unsupported("DELETE with tables and USING"),
        };
        let bare =
            delete.order_by.is_empty() && delete.limit.is_none() && delete.returning.is_none();
        if !bare {
            return unsupported("a DELETE from a join with more than a condition");
        }
        self.in_join(sources, |binder, tables, source| {
            let mut plans = Vec::new();
            let rows = binder.joined_rows(source, delete.selection.as_ref())?;
            for target in &targets {
                let named = |one: &&Joined| {
                    target.as_deref().is_some_and(|target| one.name.eq_ignore_ascii_case(target))
                };
                let Some(found) = tables.iter().find(named) else {
                    return unsupported("DELETE from a table that is not in the join");
                };
                let locate = rows.locate(found);
                let plan = Plan::Delete(Box::new(Delete { locate, returning: None }));
                plans.push((found.table.id(), plan));
            }
            binder.each(plans)
        })
    }

    /// One change per table.
    fn each(&self, mut plans: Vec<(TableId, Plan)>) -> Result<Plan> {
        let ids: Vec<TableId> = plans.iter().map(|(id, _)| *id).collect();
        let twice = ids.iter().enumerate().any(|(place, id)| ids[..place].contains(id));
        if twice {
            return unsupported("a change of one table under two names");
        }
        let acts = |id: &TableId| {
            let mut referrers = self.catalog.referrers(*id);
            referrers.any(|(table, key)| key.acts() && ids.contains(&table.id()))
        };
        if ids.len() > 1 && ids.iter().any(acts) {
            return unsupported("a change of several tables between which foreign keys act");
        }
        let Some((_, last)) = plans.pop() else { return unsupported("a change of no table") };
        if plans.is_empty() {
            return Ok(last);
        }
        let changes = plans.into_iter().map(|(_, plan)| (0, plan)).collect();
        Ok(Plan::With { changes, last: Box::new(last) })
    }

    /// Binds something in the scope of a join; the rows of all its tables carry their numbers.
    fn in_join<T>(
        &mut self,
        sources: &[ast::TableWithJoins],
        bind: impl FnOnce(&mut Self, &[Joined], Source) -> Result<T>,
    ) -> Result<T> {
        let mut tables = Vec::new();
        for item in sources {
            self.tables_in(item, &mut tables)?;
        }
        self.scopes.push(Scope::default());
        let locks = self.locks.replace(Vec::new());
        let source = self.from(sources);
        self.locks = locks;
        let done = source.and_then(|source| {
            for one in &mut tables {
                let relations = &self.scope()?.relations;
                let named = relations.iter().find(|it| it.name.eq_ignore_ascii_case(&one.name));
                match named {
                    Some(it) if it.columns.len() == one.table.columns().len() + 1 => one.at = it.at,
                    _ => return unsupported("a change of something that is not a table"),
                }
            }
            bind(self, &tables, source)
        });
        self.scopes.pop();
        done
    }

    /// The rows of a join that meet a condition.
    fn joined_rows(
        &mut self,
        mut source: Source,
        selection: Option<&ast::Expr>,
    ) -> Result<JoinedRows> {
        let filter = self.selected(selection)?;
        let filter = push_down(self.catalog, &mut source, filter);
        Ok(JoinedRows { source, filter })
    }

    fn tables_in(&self, item: &ast::TableWithJoins, into: &mut Vec<Joined>) -> Result<()> {
        let joined = item.joins.iter().map(|join| &join.relation);
        for factor in std::iter::once(&item.relation).chain(joined) {
            match factor {
                ast::TableFactor::Table { name, args: None, .. } => {
                    let table = Arc::clone(self.table(name)?);
                    let name = shown_name(factor).unwrap_or_default();
                    into.push(Joined { name, table, at: 0 });
                }
                ast::TableFactor::NestedJoin { table_with_joins, .. } => {
                    self.tables_in(table_with_joins, into)?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl JoinedRows {
    /// Those of one table.
    fn locate(&self, joined: &Joined) -> Locate {
        Locate {
            id: NodeId::default(),
            table: joined.table.id(),
            source: self.source.clone(),
            filter: self.filter.clone(),
            at: joined.at,
            order: Vec::new(),
            limit: None,
        }
    }
}

/// The table in front of a column that is assigned, and the column; `None` for several columns.
fn owner(target: &ast::AssignmentTarget) -> Option<(Option<String>, String)> {
    let ast::AssignmentTarget::ColumnName(ast::ObjectName(parts)) = target else { return None };
    let name = |part: &ast::ObjectNamePart| match part {
        ast::ObjectNamePart::Identifier(ident) => Some(ident.value.clone()),
        ast::ObjectNamePart::Function(_) => None,
    };
    match parts.as_slice() {
        [only] => Some((None, name(only)?)),
        [.., owner, last] => Some((Some(name(owner)?), name(last)?)),
        [] => None,
    }
}

/// Which table a column that is assigned belongs to.
fn target_of(tables: &[Joined], owner: Option<&str>, column: &str) -> Result<usize> {
    let fits = |one: &Joined| match owner {
        Some(owner) => one.name.eq_ignore_ascii_case(owner),
        None => one.table.column(column).is_some(),
    };
    let mut found = tables.iter().enumerate().filter(|(_, one)| fits(one));
    match (found.next(), found.next()) {
        (Some((place, one)), None) => column_of(&one.table, column).map(|_| place),
        (None, _) => fail(ErrorClass::UndefinedColumn, format!("column {column} does not exist")),
        _ => fail(ErrorClass::AmbiguousColumn, format!("column {column} is ambiguous")),
    }
}
