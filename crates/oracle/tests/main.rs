//! All tests of this crate as one program: linking one takes a fraction of the time of linking many.
//! `cargo test -p PACKAGE --test it NAME::` runs those of one file.

mod fates;
mod judging;
mod litmus_table;
mod own_writes;
mod random_histories;
mod ranges;
mod reading;
mod savepoints;
mod smallest_rejected;
mod written;
