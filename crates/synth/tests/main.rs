//! All tests of this crate as one program: linking one takes a fraction of the time of linking many.
//! `cargo test -p PACKAGE --test it NAME::` runs those of one file.

mod agreement;
mod answers;
mod brute_force;
mod common;
mod cross_check;
mod implications;
mod limits;
mod litmus;
mod matrix;
mod observed;
mod problems;
mod proof;
mod proof_soundness;
mod random_levels;
mod synthesis;
