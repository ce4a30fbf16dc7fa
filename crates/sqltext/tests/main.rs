//! SQL text in four dialects: pieces, statements, what they do to transactions.

mod controls;
mod cursors;
mod pieces;
mod statements;
mod subjects;
