//! What each level prevents, what each fault breaks, and random transactions against a model.

mod faults;
mod levels;
mod model;
mod retention;
