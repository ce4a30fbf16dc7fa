//! Conditions that a row must fulfil.
//!
//! Layer `run`; knows how expressions are evaluated and who decides in which order.

use crate::error::{ExecutionError, Result};
use crate::plan::{Expr, NodeId, may_fail};

use super::frame::Frame;
use super::state::{Decision, Run};

impl Run<'_> {
    /// Whether a row fulfils all conditions of a node. Servers evaluate them in an order of their own,
    /// so an error in one may or may not show if another one fails.
    pub(super) fn keeps(
        &mut self,
        node: NodeId,
        conditions: &[Expr],
        frame: &Frame<'_>,
    ) -> Result<bool> {
        if let Some(assumed) = self.assumed {
            return self.keeps_assuming(assumed, conditions, frame);
        }
        let mut dropped = false;
        for condition in conditions {
            if dropped && !may_fail(condition) {
                continue;
            }
            match self.truth(condition, frame) {
                Ok(Some(true)) => {}
                Ok(_) => dropped = true,
                Err(ExecutionError::Server(_)) if conditions.len() > 1 => {
                    return self.keeps_in_some_order(node, conditions, frame);
                }
                Err(error) if !dropped => return Err(error),
                Err(_) => {}
            }
        }
        Ok(!dropped)
    }

    /// The same if a condition ends in an error: it shows unless a condition that fails comes first. The
    /// order is the same for all rows.
    fn keeps_in_some_order(
        &mut self,
        node: NodeId,
        conditions: &[Expr],
        frame: &Frame<'_>,
    ) -> Result<bool> {
        let mut failing = Vec::new();
        let mut first_error = None;
        for (index, condition) in conditions.iter().enumerate() {
            match self.truth(condition, frame) {
                Ok(Some(true)) => {}
                Ok(_) => failing.push(index),
                Err(ExecutionError::Server(error)) => {
                    first_error = first_error.or(Some((index, error)));
                }
                Err(error) => return Err(error),
            }
        }
        match first_error {
            None => Ok(failing.is_empty()),
            Some((_, error)) if failing.is_empty() => Err(ExecutionError::Server(error)),
            Some((index, error)) => {
                let hidden = self.decide(Decision::HidesError { node, error: index, failing });
                if hidden { Ok(false) } else { Err(ExecutionError::Server(error)) }
            }
        }
    }
}
