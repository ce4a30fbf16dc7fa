//! All tests of this crate as one program: linking one takes a fraction of the time of linking many.
//! `cargo test -p PACKAGE --test it NAME::` runs those of one file.

mod arrow;
mod awdit;
mod bad_input;
mod cobra;
mod cobra_writer;
mod common;
mod damage;
mod dbcop;
mod dbcop_mistakes;
mod elle;
mod elle_writing;
mod hints;
mod initial;
mod large;
mod limits;
mod native;
mod plain;
mod plume;
mod round_trip;
mod schema;
mod simple;
mod timekiller;
mod torn;
mod viper;
