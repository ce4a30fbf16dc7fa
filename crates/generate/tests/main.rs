//! All tests of this crate as one program: linking one takes a fraction of the time of linking many.
//! `cargo test -p PACKAGE --test it NAME::` runs those of one file.

mod generators;
mod workloads;
