//! Histories that tell isolation levels apart.
