//! Window functions: `sum(n) OVER (PARTITION BY kind ORDER BY id)`.
//!
//! A call becomes a number while the items of a query are bound, and a column behind the rows of the query
//! when all of its calls are known.
//!
//! Layer `bind`; knows aggregates, and how rows become groups.

use sqlparser::ast::{self, NamedWindowDefinition, NamedWindowExpr, WindowSpec, WindowType};

use crate::error::{ErrorClass, Result, arguments, fail, unsupported};
use crate::parse::excluded;
use crate::plan::{
    AggregateFunction, Expr, FrameBound, FrameExclusion, FrameUnit, Grouping, SortKey, Source,
    Window, WindowFrame, WindowFunction, Windowing, rewrite, walk_columns,
};
use crate::types::Type;

use super::aggregates::divides;
use super::binder::{Binder, Typed};
use super::chars::refuse_several_lengths;
use super::columns::{has_own_values, uses_own_query};
use super::functions::aggregate_named;
use super::grouping::over_groups;
use super::grouping_sets::refuse_shown;
use super::scope::WindowCalls;

/// PARTITION BY and ORDER BY, bound, and the frame.
type Over = (Vec<Typed>, Vec<Expr>, Vec<SortKey>, WindowFrame);

/// What a call does with which arguments, and what comes out.
type Called = (WindowFunction, Vec<Expr>, Type);

impl Binder<'_> {
    /// Opens a query for window functions, which may use the windows that the query names.
    pub(super) fn allow_windows(&mut self, select: &ast::Select) {
        self.windows = Some(WindowCalls { named: select.named_window.clone(), calls: Vec::new() });
    }

    /// Looks at all windows that a query names, as the server does, whether they are used or not.
    pub(super) fn check_windows(&mut self, select: &ast::Select) -> Result<()> {
        for NamedWindowDefinition(_, definition) in &select.named_window {
            let spec = self.merged(&select.named_window, own_spec(definition)?)?;
            self.over(&spec)?;
        }
        Ok(())
    }

    /// A function with OVER.
    pub(super) fn window_call(
        &mut self,
        name: &str,
        call: &ast::Function,
        over: &WindowType,
    ) -> Result<Typed> {
        let Some(mut known) = self.windows.take() else {
            return unsupported("a window function in a place that does not allow one");
        };
        let bound = self.window_of(&known.named, name, call, over);
        let typed = bound.map(|window| {
            let result = window.result;
            let index = known.calls.iter().position(|one| *one == window).unwrap_or_else(|| {
                known.calls.push(window);
                known.calls.len() - 1
            });
            (Expr::Window(index), result)
        });
        self.windows = Some(known);
        typed
    }

    fn window_of(
        &mut self,
        named: &[NamedWindowDefinition],
        name: &str,
        call: &ast::Function,
        over: &WindowType,
    ) -> Result<Window> {
        let spec = match over {
            WindowType::NamedWindow(name) => self.merged(named, find(named, name)?)?,
            WindowType::WindowSpec(spec) => self.merged(named, spec)?,
        };
        let (function, args, result) = self.windowed(name, call)?;
        if !self.dialect.is_strictly_typed() {
            refuse_loosely(&function, &spec)?;
        }
        let (partition, order, keys, frame) = self.over(&spec)?;
        let usual = self.catalog.collation();
        let partition = partition.into_iter().map(|(key, ty)| (key, ty.collation(usual))).collect();
        let mut window = Window { function, args, partition, order, keys, frame, result };
        if window.exprs().iter().any(|expr| has_own_values(expr)) {
            return unsupported("a window function over server-generated values");
        }
        let longer = |expr: &Expr| divides(expr) || self.is_longer(expr);
        if !self.dialect.is_strictly_typed() && window.exprs().iter().any(|expr| longer(expr)) {
            return unsupported("a quotient in a window function, which MariaDB rounds first");
        }
        Ok(window)
    }

    /// A window with all that it takes from the one that it names.
    fn merged(&self, named: &[NamedWindowDefinition], spec: &WindowSpec) -> Result<WindowSpec> {
        let Some(name) = &spec.window_name else { return Ok(spec.clone()) };
        let base = self.merged(named, find(named, name)?)?;
        let overrides = !spec.partition_by.is_empty()
            || base.window_frame.is_some()
            || !base.order_by.is_empty() && !spec.order_by.is_empty();
        if overrides {
            return unsupported("a window that changes the one that it is based on");
        }
        let order_by = if base.order_by.is_empty() { &spec.order_by } else { &base.order_by };
        Ok(WindowSpec {
            window_name: None,
            partition_by: base.partition_by.clone(),
            order_by: order_by.clone(),
            window_frame: spec.window_frame.clone(),
        })
    }

    fn over(&mut self, spec: &WindowSpec) -> Result<Over> {
        let (mut partition, mut exclusion) = (Vec::new(), FrameExclusion::None);
        for key in &spec.partition_by {
            if let Some(what) = excluded(key) {
                exclusion = match what {
                    "current" => FrameExclusion::Current,
                    "group" => FrameExclusion::Group,
                    "ties" => FrameExclusion::Ties,
                    _ => FrameExclusion::None,
                };
                continue;
            }
            let bound = self.expr(key)?;
            let (key, ty) = self.settle(bound);
            refuse_several_lengths(ty)?;
            partition.push((self.fold(key), ty));
        }
        let (mut order, mut keys, mut types) = (Vec::new(), Vec::new(), Vec::new());
        for (index, one) in spec.order_by.iter().enumerate() {
            let bound = self.expr(&one.expr)?;
            let (key, ty) = self.settle(bound);
            keys.push(self.sort_key(index, ty, one)?);
            order.push(self.fold(key));
            types.push(ty);
        }
        let frame = self.frame(spec.window_frame.as_ref(), &types)?;
        let frame = WindowFrame { exclusion, ..frame };
        Ok((partition, order, keys, frame))
    }

    fn frame(&mut self, frame: Option<&ast::WindowFrame>, keys: &[Type]) -> Result<WindowFrame> {
        let exclusion = FrameExclusion::None;
        let Some(frame) = frame else {
            let (start, end) = (FrameBound::Unbounded, FrameBound::Current);
            return Ok(WindowFrame { unit: FrameUnit::Range, start, end, exclusion });
        };
        let strict = self.dialect.is_strictly_typed();
        let unit = match frame.units {
            ast::WindowFrameUnits::Rows => FrameUnit::Rows,
            ast::WindowFrameUnits::Range => FrameUnit::Range,
            ast::WindowFrameUnits::Groups if strict && !keys.is_empty() => FrameUnit::Groups,
            ast::WindowFrameUnits::Groups => return unsupported("GROUPS in a window"),
        };
        let end = frame.end_bound.as_ref().unwrap_or(&ast::WindowFrameBound::CurrentRow);
        if backwards(&frame.start_bound, end) {
            return unsupported("a frame that ends before it starts");
        }
        let start = self.frame_bound(&frame.start_bound, unit, keys)?;
        let end = self.frame_bound(end, unit, keys)?;
        Ok(WindowFrame { unit, start, end, exclusion })
    }

    fn frame_bound(
        &mut self,
        bound: &ast::WindowFrameBound,
        unit: FrameUnit,
        keys: &[Type],
    ) -> Result<FrameBound> {
        use ast::WindowFrameBound as B;
        match bound {
            B::CurrentRow => Ok(FrameBound::Current),
            B::Preceding(None) | B::Following(None) => Ok(FrameBound::Unbounded),
            B::Preceding(Some(offset)) if unit == FrameUnit::Range => {
                Ok(FrameBound::Preceding(self.distance(offset, keys)?))
            }
            B::Following(Some(offset)) if unit == FrameUnit::Range => {
                Ok(FrameBound::Following(self.distance(offset, keys)?))
            }
            B::Preceding(Some(offset)) => Ok(FrameBound::Preceding(self.offset(offset)?)),
            B::Following(Some(offset)) => Ok(FrameBound::Following(self.offset(offset)?)),
        }
    }

    /// How far keys may be apart, the same for all rows.
    fn distance(&mut self, offset: &ast::Expr, keys: &[Type]) -> Result<Expr> {
        let bound = self.expr(offset)?;
        let exact = |ty| matches!(ty, Type::Int(_) | Type::Decimal(_));
        let expr = match (keys, bound) {
            _ if !self.dialect.is_strictly_typed() => None,
            ([Type::Int(_)], (expr, Type::Int(_))) => Some(expr),
            ([Type::Decimal(_)], (expr, ty)) if exact(ty) => Some(expr),
            ([Type::Int(_)], (expr, Type::Unknown)) => Some(self.resolve(expr, Type::INT8)?),
            ([ty], (expr, from @ (Type::Interval | Type::Unknown)))
                if ty.is_time() || ty.is_instant() =>
            {
                if ty.is_instant() {
                    self.in_utc("RANGE with an offset")?;
                }
                Some(self.argument((expr, from), Type::Interval)?)
            }
            _ => None,
        };
        match expr.filter(|expr| !uses_own_query(expr)) {
            Some(expr) => Ok(self.fold(expr)),
            None => unsupported("RANGE with an offset of this type"),
        }
    }

    /// A number of rows, the same for all rows.
    fn offset(&mut self, offset: &ast::Expr) -> Result<Expr> {
        let expr = match self.expr(offset)? {
            (expr, Type::Int(_)) => expr,
            (expr, Type::Unknown) => self.resolve(expr, Type::INT8)?,
            _ => return unsupported(format!("a frame of {offset} rows")),
        };
        if uses_own_query(&expr) {
            return unsupported(format!("a frame of {offset} rows"));
        }
        Ok(self.fold(expr))
    }

    fn windowed(&mut self, name: &str, call: &ast::Function) -> Result<Called> {
        let list = match &call.args {
            ast::FunctionArguments::List(list) if list.clauses.is_empty() => list,
            _ => return unsupported(format!("the window function {call}")),
        };
        let special = list.duplicate_treatment.is_some()
            || call.null_treatment.is_some()
            || !call.within_group.is_empty()
            || !matches!(call.parameters, ast::FunctionArguments::None);
        if special {
            return unsupported(format!("{name} with DISTINCT or NULLS in a window"));
        }
        let strict = self.dialect.is_strictly_typed();
        if let Some(function) = aggregate_named(name, strict) {
            if function.puts_together() || matches!(function, AggregateFunction::OrderedSet(_)) {
                return unsupported(format!("{name} in a window"));
            }
            let adds = matches!(function, AggregateFunction::Sum | AggregateFunction::Avg);
            let aggregate = self.aggregate_of(function, call, list)?;
            if matches!(aggregate.result, Type::Real | Type::Double) && adds {
                return unsupported(format!("{name} of floating point numbers in a window"));
            }
            let result = aggregate.result;
            return Ok((WindowFunction::Aggregate(Box::new(aggregate)), Vec::new(), result));
        }
        if call.filter.is_some() {
            return unsupported("FILTER of a window function that is not an aggregate");
        }
        let args = super::functions::unnamed_args(list)?;
        let args = args.iter().map(|arg| self.expr(arg)).collect::<Result<Vec<_>>>()?;
        self.ranked(name, args)
    }

    fn ranked(&mut self, name: &str, args: Vec<Typed>) -> Result<Called> {
        use WindowFunction as F;
        let plain = |function, result| Ok((function, Vec::new(), result));
        match (name, args.len()) {
            ("row_number", 0) => plain(F::RowNumber, Type::INT8),
            ("rank", 0) => plain(F::Rank, Type::INT8),
            ("dense_rank", 0) => plain(F::DenseRank, Type::INT8),
            ("percent_rank", 0) => plain(F::PercentRank, Type::Double),
            ("cume_dist", 0) => plain(F::CumeDist, Type::Double),
            ("ntile", 1) => self.ntile(args),
            ("lag", 1..=3) => self.neighbour(F::Lag, args),
            ("lead", 1..=3) => self.neighbour(F::Lead, args),
            ("first_value", 1) => self.neighbour(F::FirstValue, args),
            ("last_value", 1) => self.neighbour(F::LastValue, args),
            ("nth_value", 2) => self.neighbour(F::NthValue, args),
            _ => unsupported(format!("the window function {name} with {}", arguments(args.len()))),
        }
    }

    fn ntile(&mut self, args: Vec<Typed>) -> Result<Called> {
        let result = if self.dialect.is_strictly_typed() { Type::INT4 } else { Type::INT8 };
        let args = args.into_iter().map(|arg| self.count(arg)).collect::<Result<Vec<_>>>()?;
        if args.iter().any(uses_own_query) {
            return unsupported("ntile() with a number that depends on the row");
        }
        Ok((WindowFunction::Ntile, args, result))
    }

    /// A function that shows the value of another row: the value, how far away, and what else is shown.
    fn neighbour(&mut self, function: WindowFunction, args: Vec<Typed>) -> Result<Called> {
        let mut args = args.into_iter();
        let Some(value) = args.next() else {
            return unsupported("a window function without arguments");
        };
        let (distance, otherwise) = (args.next(), args.next());
        if otherwise.is_some() && !self.dialect.is_strictly_typed() {
            return unsupported("lag() or lead() with three arguments");
        }
        let mut bound = Vec::new();
        let result = match &otherwise {
            Some(otherwise) => {
                let common = self.common(&[value.1, otherwise.1])?;
                bound.push(self.to_common(value, common)?);
                common
            }
            None if value.1 == Type::Unknown && self.dialect.is_strictly_typed() => {
                return fail(ErrorClass::TypeMismatch, "the value of another row without a type");
            }
            None => {
                let (value, ty) = self.settle(value);
                bound.push(value);
                ty
            }
        };
        refuse_several_lengths(result)?;
        if let Some(distance) = distance {
            bound.push(self.count(distance)?);
        }
        if let Some(otherwise) = otherwise {
            bound.push(self.to_common(otherwise, result)?);
        }
        let bound = bound.into_iter().map(|arg| self.fold(arg)).collect();
        Ok((function, bound, result))
    }

    fn count(&mut self, (expr, ty): Typed) -> Result<Expr> {
        match ty {
            Type::Int(int) if int.bytes <= 4 || !self.dialect.is_strictly_typed() => Ok(expr),
            Type::Unknown if self.dialect.is_strictly_typed() => self.resolve(expr, Type::INT4),
            _ => unsupported("a window function with a number of another type"),
        }
    }

    /// The window functions of a query, whose results become columns behind its rows.
    pub(super) fn windowing(
        &mut self,
        calls: Option<WindowCalls>,
        source: &Source,
        grouping: &mut Option<Grouping>,
        items: &mut [Expr],
    ) -> Result<Option<Box<Windowing>>> {
        let mut windows = calls.unwrap_or_default().calls;
        if windows.is_empty() {
            return Ok(None);
        }
        if !self.dialect.is_strictly_typed() {
            refuse_orders(&windows)?;
        }
        let mut width = source.width();
        if let Some(grouping) = grouping {
            for expr in windows.iter_mut().flat_map(Window::exprs) {
                over_groups(self.catalog, source, grouping, expr)?;
            }
            refuse_shown(grouping)?;
            width = grouping.keys.len() + grouping.aggregates.len() + grouping.shown.len();
        }
        let mut used = Vec::new();
        let mut note = |depth: isize, index: usize| {
            if depth == 0 && !used.contains(&index) {
                used.push(index);
            }
        };
        for expr in items.iter_mut().chain(windows.iter_mut().flat_map(Window::exprs)) {
            walk_columns(expr, &mut note);
        }
        for item in items {
            rewrite(item, 0, &mut |part: &mut Expr, depth: usize| {
                if let Expr::Window(number) = part {
                    *part = Expr::Column { depth, index: width + *number };
                }
                true
            });
        }
        Ok(Some(Box::new(Windowing { windows, used })))
    }
}

/// MariaDB computes some windows in the order of others, and not always rightly. That shows only where the order of
/// ties does, and not if one order is right for all.
fn refuse_orders(windows: &[Window]) -> Result<()> {
    let Some(longest) = windows.iter().max_by_key(|one| one.order.len()) else { return Ok(()) };
    let safe = !windows.iter().any(Window::depends_on_ties)
        || windows.iter().all(|one| one.sorts_within(longest));
    match safe {
        true => Ok(()),
        false => unsupported("window functions over several windows"),
    }
}

/// MariaDB refuses an order that is missing, and a frame that changes nothing.
fn refuse_loosely(function: &WindowFunction, spec: &WindowSpec) -> Result<()> {
    use WindowFunction as F;
    let framed = matches!(function, F::Aggregate(_) | F::FirstValue | F::LastValue | F::NthValue);
    if !framed && spec.window_frame.is_some() {
        return unsupported("a window function with a frame that it does not use");
    }
    let literal = |expr: &ast::Expr| matches!(expr, ast::Expr::Value(_));
    let order = spec.order_by.iter().map(|one| &one.expr);
    if order.chain(&spec.partition_by).any(literal) {
        return unsupported("a literal in a window");
    }
    if !framed && *function != F::RowNumber && spec.order_by.is_empty() {
        return unsupported("a window function without an order");
    }
    Ok(())
}

fn own_spec(definition: &NamedWindowExpr) -> Result<&WindowSpec> {
    match definition {
        NamedWindowExpr::WindowSpec(spec) => Ok(spec),
        NamedWindowExpr::NamedWindow(name) => unsupported(format!("a window that is {name}")),
    }
}

fn find<'a>(named: &'a [NamedWindowDefinition], name: &ast::Ident) -> Result<&'a WindowSpec> {
    let mut same = named.iter().filter(|one| one.0.value.eq_ignore_ascii_case(&name.value));
    match (same.next(), same.next()) {
        (Some(one), None) => own_spec(&one.1),
        _ => unsupported(format!("a window {name} that is missing or defined twice")),
    }
}

/// Whether a frame can hold no row, which servers refuse.
fn backwards(start: &ast::WindowFrameBound, end: &ast::WindowFrameBound) -> bool {
    use ast::WindowFrameBound as B;
    matches!(
        (start, end),
        (B::Following(None), _)
            | (_, B::Preceding(None))
            | (B::CurrentRow, B::Preceding(_))
            | (B::Following(_), B::Preceding(_) | B::CurrentRow)
    )
}
