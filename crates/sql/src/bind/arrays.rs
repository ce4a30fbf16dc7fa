//! Arrays: how they are made, compared and taken apart. Only PostgreSQL has them.
//!
//! Layer `bind`; knows types and plans.

use sqlparser::ast;
use sqlparser::ast::BinaryOperator as Op;

use crate::error::{Result, unsupported};
use crate::plan::{ArrayFunction, CompareOp, Expr, Function, Quantifier, Source};
use crate::types::{Element, Type};

use super::binder::{Binder, Typed};
use super::columns::{has_own_values, uses_own_query};
use super::from::rename;
use super::scope::{Relation, ScopeColumn};

impl Binder<'_> {
    /// `ARRAY[…]`.
    pub(super) fn array(&mut self, elements: &[ast::Expr]) -> Result<Typed> {
        let bound = elements.iter().map(|one| self.expr(one)).collect::<Result<Vec<_>>>()?;
        if bound.is_empty() || bound.iter().any(|one| matches!(one.1, Type::Array(_))) {
            return unsupported("a nested or empty array");
        }
        let types: Vec<Type> = bound.iter().map(|one| one.1).collect();
        let common = self.common(&types)?;
        let result = Type::Array(element_of(common)?);
        let args =
            bound.into_iter().map(|one| self.to_common(one, common)).collect::<Result<_>>()?;
        Ok((Expr::Call { function: Function::MakeArray, result, args }, result))
    }

    /// `array[1]`.
    pub(super) fn subscript(
        &mut self,
        root: &ast::Expr,
        chain: &[ast::AccessExpr],
    ) -> Result<Typed> {
        if let Some(field) = self.field(root, chain)? {
            return Ok(field);
        }
        let (array, ty) = self.expr(root)?;
        if ty == Type::Json {
            return self.json_subscripts(array, chain);
        }
        let index = match chain {
            [ast::AccessExpr::Subscript(ast::Subscript::Index { index })] => index,
            [
                ast::AccessExpr::Subscript(ast::Subscript::Slice {
                    lower_bound,
                    upper_bound,
                    stride: None,
                }),
            ] if matches!(ty, Type::Array(_)) => {
                return self.slice((array, ty), lower_bound.as_ref(), upper_bound.as_ref());
            }
            _ => return unsupported("a part of an array"),
        };
        let Type::Array(element) = ty else {
            return unsupported("a subscript of something that is not an array");
        };
        let index = match self.expr(index)? {
            (index, Type::Int(_)) => index,
            (index, Type::Unknown) => self.resolve(index, Type::INT4)?,
            _ => return unsupported("a subscript that is not a whole number"),
        };
        let result = element.ty();
        Ok((Expr::Call { function: Function::Subscript, result, args: vec![array, index] }, result))
    }

    /// `left = ANY (array)`, `left <> ALL (array)`, …
    pub(super) fn elements(
        &mut self,
        left: &ast::Expr,
        op: CompareOp,
        array: &ast::Expr,
        quantifier: Quantifier,
    ) -> Result<Typed> {
        let (left, array) = (self.expr(left)?, self.expr(array)?);
        let (array, element) = match array {
            (array, Type::Array(element)) => (array, element),
            (array, Type::Unknown) => {
                let element = element_of(super::casts::plain(self.settle(left.clone()).1))?;
                (self.resolve(array, Type::Array(element))?, element)
            }
            _ => return unsupported("ANY or ALL of something that is not an array"),
        };
        // The element stands for all of them; only numbers compare with numbers of other types.
        let numbers = left.1.is_number() && element.ty().is_number();
        let (left, one, collation) = self.comparable(left, (Expr::column(0), element.ty()))?;
        if one != Expr::column(0) && !numbers {
            return unsupported("ANY or ALL of an array of another type");
        }
        let function = Function::Elements { op, quantifier, collation };
        let result = self.boolean();
        Ok((Expr::Call { function, result, args: vec![left, array] }, result))
    }

    /// An operator between arrays; `None` if there is no array.
    pub(super) fn array_operator(
        &self,
        op: &Op,
        left: &Typed,
        right: &Typed,
    ) -> Result<Option<Typed>> {
        let element = match (left.1, right.1) {
            (Type::Array(a), Type::Array(b)) if a == b => a,
            (Type::Array(a), Type::Unknown) | (Type::Unknown, Type::Array(a)) => a,
            (Type::Array(_), Type::Array(_)) => return unsupported("arrays of different types"),
            (Type::Array(a), other) | (other, Type::Array(a)) if other == a.ty() => a,
            (Type::Array(_), _) | (_, Type::Array(_)) => {
                return unsupported("an array and something that it cannot hold");
            }
            _ => return Ok(None),
        };
        let array = Type::Array(element);
        let whole = |side: &Typed| match side.1 {
            Type::Unknown => self.resolve(side.0.clone(), array),
            _ => Ok(side.0.clone()),
        };
        let both =
            |function, args, result| Ok(Some((Expr::Call { function, result, args }, result)));
        let arrays =
            [left, right].iter().all(|side| matches!(side.1, Type::Array(_) | Type::Unknown));
        match op {
            Op::AtArrow if arrays => {
                both(Function::ArrayContains, vec![whole(left)?, whole(right)?], Type::Bool)
            }
            Op::ArrowAt if arrays => {
                both(Function::ArrayContains, vec![whole(right)?, whole(left)?], Type::Bool)
            }
            Op::PGOverlap if arrays => {
                both(Function::ArrayOverlaps, vec![whole(left)?, whole(right)?], Type::Bool)
            }
            Op::StringConcat => {
                let is_array = |side: &Typed| matches!(side.1, Type::Array(_) | Type::Unknown);
                let function = match (is_array(left), is_array(right)) {
                    (true, true) => ArrayFunction::Concat,
                    (true, false) => ArrayFunction::Append,
                    _ => ArrayFunction::Prepend,
                };
                both(Function::Array(function), vec![whole(left)?, whole(right)?], array)
            }
            other => unsupported(format!("the operator {other} of arrays")),
        }
    }

    /// `unnest(array, …)` in FROM.
    pub(super) fn unnest(
        &mut self,
        arrays: &[ast::Expr],
        places: bool,
        alias: Option<&ast::TableAlias>,
    ) -> Result<Source> {
        let aggregates = self.aggregates.take();
        let bound = arrays.iter().map(|array| self.expr(array)).collect::<Result<Vec<_>>>();
        self.aggregates = aggregates;
        let (mut exprs, mut columns) = (Vec::new(), Vec::new());
        for (array, ty) in bound? {
            let Type::Array(element) = ty else {
                return unsupported("unnest of something that is not an array");
            };
            if uses_own_query(&array) {
                self.refuse_lateral()?;
            }
            if has_own_values(&array) {
                return unsupported("unnest of server-generated values");
            }
            exprs.push(self.fold(array));
            columns.push(ScopeColumn::new("unnest", element.ty()));
        }
        // A function with one column gives it the name that it is given itself.
        if let ([column], Some(alias)) = (columns.as_mut_slice(), alias) {
            column.name.clone_from(&alias.name.value);
        }
        if places {
            columns.push(ScopeColumn::new("ordinality", Type::INT8));
        }
        rename(&mut columns, alias)?;
        let name = alias.map_or("unnest", |alias| &alias.name.value).to_owned();
        let at = self.scope()?.width();
        self.enter(Relation { name, columns, at })?;
        Ok(Source::Unnest { arrays: exprs, places })
    }
}

fn element_of(ty: Type) -> Result<Element> {
    match Element::of(ty) {
        Some(element) => Ok(element),
        None => unsupported(format!("an array of {ty:?}")),
    }
}
