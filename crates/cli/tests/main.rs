//! All tests of this crate as one program: linking one takes a fraction of the time of linking many.
//! `cargo test -p PACKAGE --test it NAME::` runs those of one file.

mod audit;
mod bad_input;
mod bench;
mod certify;
mod claims;
mod common;
mod compare;
mod compressed;
mod django;
mod docs;
mod exit_codes;
mod faults;
mod foreign;
mod formats;
mod kit;
mod limits;
mod live;
mod manual;
mod outputs;
mod pages;
mod proxy;
mod reading;
mod real_traces;
mod record;
mod schema;
mod serve;
mod shrink;
mod violations;
