//! What the tests of several crates share: servers and programs that a test needs, folders and ports, waiting for
//! progress, random numbers, and a checker for JSON schemas.
//!
//! Only tests depend on this crate.

mod needed;
mod places;
mod python;
mod random;
pub mod schema;
mod waiting;

pub use needed::{found, program, server_at, z3};
pub use places::{folder, free_port, published_traces, root};
pub use python::{django, python_package};
pub use random::Random;
pub use waiting::{PATIENCE, comes_true, wait_until};
