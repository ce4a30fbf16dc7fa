//! Passes on the problem of one level: IR in, IR out.
//!
//! [`succession`] adds assumed edges before a problem is solved, [`minimise`] leaves transactions
//! out of one that was refuted. Both are functions of an IR alone. The other passes are part of the
//! stage in which they run: `merge` and `guess` in [`crate::lower`], `saturate`, `guess` and
//! `localise` in [`crate::solve`]; `hints` and `strengthen` decide in which order problems are
//! posed and are [`crate::strategies`]. The names of all of them are in
//! [`crate::options::Pass`].

pub(crate) mod minimise;
pub(crate) mod succession;
