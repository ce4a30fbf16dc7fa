//! Functions and operators of PostgreSQL's ranges.
//!
//! Layer `bind`; knows types and plans.

use sqlparser::ast::BinaryOperator as Op;

use crate::error::{Result, arguments, unsupported};
use crate::plan::{Expr, Function, RangeFunction};
use crate::types::Type;
use crate::value::RangeOf;

use super::binder::{Binder, Typed};

impl Binder<'_> {
    /// A function by its name and types; `None` if it is not one of ranges.
    pub(super) fn range_function(&self, name: &str, args: &[Typed]) -> Result<Option<Typed>> {
        use RangeFunction as R;
        if let Some(of) = RangeOf::named(name) {
            return self.make_range(of, args).map(Some);
        }
        let of = args.iter().find_map(|arg| match arg.1 {
            Type::Range(of) => Some(of),
            _ => None,
        });
        let Some(of) = of else { return Ok(None) };
        let (range, bool) = (Type::Range(of), Type::Bool);
        let call = |function, params: &[Type], result| {
            self.called(Function::Range(function), params, result, args.to_vec()).map(Some)
        };
        match (name, args.len()) {
            ("lower", 1) => call(R::Lower, &[range], Type::within(of)),
            ("upper", 1) => call(R::Upper, &[range], Type::within(of)),
            ("isempty", 1) => call(R::IsEmpty, &[range], bool),
            ("lower_inc", 1) => call(R::LowerIncluded, &[range], bool),
            ("upper_inc", 1) => call(R::UpperIncluded, &[range], bool),
            ("lower_inf", 1) => call(R::LowerInfinite, &[range], bool),
            ("upper_inf", 1) => call(R::UpperInfinite, &[range], bool),
            ("range_merge", 2) => call(R::Merge, &[range, range], range),
            ("coalesce" | "nullif" | "greatest" | "least" | "pg_typeof", _) => Ok(None),
            ("num_nulls" | "num_nonnulls", _) => Ok(None),
            (name, count) => {
                unsupported(format!("the function {name} of ranges with {}", arguments(count)))
            }
        }
    }

    /// `int4range(lower, upper [, bounds])`.
    fn make_range(&self, of: RangeOf, args: &[Typed]) -> Result<Typed> {
        let end = Type::within(of);
        let zoned = args.iter().take(2).any(|(_, ty)| ty.is_time()) && of == RangeOf::Instant;
        if !matches!(args.len(), 2 | 3) || zoned {
            return unsupported(format!("the function {} of these arguments", of.name()));
        }
        // A DATE becomes a TIMESTAMP here, which the conversion of arguments does not know.
        if args.iter().take(2).any(|(_, ty)| *ty == Type::Date && of == RangeOf::Timestamp) {
            return unsupported("tsrange() of dates");
        }
        let args = args.iter().zip([end, end, Type::TEXT]);
        let args = args.map(|(arg, to)| self.argument(arg.clone(), to)).collect::<Result<_>>()?;
        let result = Type::Range(of);
        Ok((
            Expr::Call { function: Function::Range(RangeFunction::Make(of)), result, args },
            result,
        ))
    }

    /// An operator between ranges, or a range and a value; `None` if there is no range.
    pub(super) fn range_operator(
        &self,
        op: &Op,
        left: &Typed,
        right: &Typed,
    ) -> Result<Option<Typed>> {
        use RangeFunction as R;
        let of = match (left.1, right.1) {
            (Type::Range(of), _) | (_, Type::Range(of)) => of,
            _ => return Ok(None),
        };
        let (range, element) = (Type::Range(of), Type::within(of));
        let is_range = |side: &Typed| side.1 == range || side.1 == Type::Unknown;
        let ranges = is_range(left) && is_range(right);
        let call = |function, params: [Type; 2], result, args: [&Typed; 2]| {
            let args = args.into_iter().cloned().collect();
            self.called(Function::Range(function), &params, result, args).map(Some)
        };
        let same = |ty: Type| super::casts::plain(ty) == element;
        let both = |function, result| call(function, [range; 2], result, [left, right]);
        let turned = |function| call(function, [range; 2], Type::Bool, [right, left]);
        match (op, op.to_string().as_str()) {
            (Op::AtArrow, _) if ranges => both(R::Contains, Type::Bool),
            (Op::ArrowAt, _) if ranges => turned(R::Contains),
            (Op::AtArrow, _) if same(right.1) => {
                call(R::Has, [range, right.1], Type::Bool, [left, right])
            }
            (Op::ArrowAt, _) if same(left.1) => {
                call(R::Has, [range, left.1], Type::Bool, [right, left])
            }
            (Op::PGOverlap, _) if ranges => both(R::Overlaps, Type::Bool),
            (Op::PGBitwiseShiftLeft, _) if ranges => both(R::Precedes, Type::Bool),
            (Op::PGBitwiseShiftRight, _) if ranges => turned(R::Precedes),
            (_, "&<") if ranges => both(R::EndsWithin, Type::Bool),
            (_, "&>") if ranges => both(R::BeginsWithin, Type::Bool),
            (_, "-|-") if ranges => both(R::Adjacent, Type::Bool),
            (Op::Multiply, _) if ranges => both(R::Intersection, range),
            (Op::Plus, _) if ranges => both(R::Union, range),
            (Op::Minus, _) if ranges => both(R::Without(of), range),
            (op, _) => unsupported(format!("the operator {op} of these ranges")),
        }
    }
}
