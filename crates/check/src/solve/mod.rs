//! Solving: cheap things first.
pub mod automaton;
