//! All tests of this crate as one program: linking one takes a fraction of the time of linking many.
//! `cargo test -p PACKAGE --test it NAME::` runs those of one file.

mod anomalies;
mod clocks;
mod corpus;
mod corruption;
mod documents;
mod explanations;
mod faults;
mod few_values;
mod hints;
mod ignore_case;
mod indeterminate;
mod ir_text;
mod lattice;
mod limits;
mod litmus;
mod mixed;
mod modules;
mod open_sessions;
mod passes;
mod peers;
mod recorded;
mod round_trip;
mod shrink;
mod smt;
mod threads;
mod uninterpreted;
mod vendor;
mod vendor_anomalies;
mod workloads;
