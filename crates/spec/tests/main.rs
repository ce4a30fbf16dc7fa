//! All tests of this crate as one program: linking one takes a fraction of the time of linking many.
//! `cargo test -p PACKAGE --test it NAME::` runs those of one file.

mod iso_damage;
mod iso_docs;
mod iso_errors;
mod iso_format;
mod iso_levels;
mod iso_lint;
mod iso_meaning;
mod levels_page;
mod small;
mod torn;
