//! Functions and operators of PostgreSQL's addresses and networks.
//!
//! Layer `bind`; knows types and plans.

use sqlparser::ast::BinaryOperator as Op;

use crate::error::{Result, arguments, unsupported};
use crate::plan::{Expr, Function, NetworkFunction};
use crate::types::Type;

use super::binder::{Binder, Typed};

impl Binder<'_> {
    /// A function by its name and types; `None` if it is not one of addresses.
    pub(super) fn network_function(&self, name: &str, args: &[Typed]) -> Result<Option<Typed>> {
        use NetworkFunction as N;
        if !args.iter().any(|arg| is_network(arg.1)) {
            return Ok(None);
        }
        let (function, result) = match (name, args.len()) {
            ("host", 1) => (N::Host, Type::TEXT),
            ("text", 1) => (N::Text, Type::TEXT),
            ("masklen", 1) => (N::Length, Type::INT4),
            ("family", 1) => (N::Family, Type::INT4),
            ("network", 1) => (N::Network, Type::Network { is_cidr: true }),
            ("netmask", 1) => (N::Netmask, Type::Network { is_cidr: false }),
            ("broadcast", 1) => (N::Broadcast, Type::Network { is_cidr: false }),
            ("coalesce" | "nullif" | "pg_typeof" | "num_nulls" | "num_nonnulls", _) => {
                return Ok(None);
            }
            (name, count) => {
                return unsupported(format!(
                    "the function {name} of addresses with {}",
                    arguments(count)
                ));
            }
        };
        Ok(Some(called(function, result, args)))
    }

    /// An operator between addresses; `None` if there is none.
    pub(super) fn network_operator(
        &self,
        op: &Op,
        left: &Typed,
        right: &Typed,
    ) -> Result<Option<Typed>> {
        use NetworkFunction as N;
        if !is_network(left.1) && !is_network(right.1) {
            return Ok(None);
        }
        let side = |side: &Typed| match side.1 {
            Type::Unknown => {
                let ty = Type::Network { is_cidr: false };
                Ok((self.resolve(side.0.clone(), ty)?, ty))
            }
            ty if is_network(ty) => Ok(side.clone()),
            ty => unsupported(format!("an operator of an address and {ty:?}")),
        };
        let (left, right) = (side(left)?, side(right)?);
        let (function, args) = match (op, op.to_string().as_str()) {
            (Op::PGBitwiseShiftLeft, _) => (N::Within { equal: false }, [left, right]),
            (Op::PGBitwiseShiftRight, _) => (N::Within { equal: false }, [right, left]),
            (_, "<<=") => (N::Within { equal: true }, [left, right]),
            (_, ">>=") => (N::Within { equal: true }, [right, left]),
            (Op::PGOverlap, _) => (N::Overlaps, [left, right]),
            (op, _) => return unsupported(format!("the operator {op} of addresses")),
        };
        Ok(Some(called(function, Type::Bool, &args)))
    }
}

fn is_network(ty: Type) -> bool {
    matches!(ty, Type::Network { .. })
}

fn called(function: NetworkFunction, result: Type, args: &[Typed]) -> Typed {
    let args = args.iter().map(|arg| arg.0.clone()).collect();
    (Expr::Call { function: Function::Network(function), result, args }, result)
}
