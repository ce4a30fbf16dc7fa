//! The files that a run writes, and standard output: opened before the work, written as results come.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use tristan_report::Style;

use crate::destination::Destination;
use crate::exit::{CommandError, OrExit};
use crate::kinds::Kind;
use crate::limits;
use crate::output::Output;

/// The open destinations of one run.
pub(crate) struct Destinations<K> {
    stdout: K,
    files: Vec<(K, PathBuf, File)>,
}

impl<K: Kind> Destinations<K> {
    /// Opens the files, so that a wrong path fails before any work is done.
    pub(crate) fn open(wanted: &[Destination<K>]) -> Result<Self, CommandError> {
        let mut opened = Self { stdout: K::ALL[0].1, files: Vec::new() };
        for destination in wanted {
            match &destination.file {
                None => opened.stdout = destination.kind,
                Some(path) => {
                    let file = File::create(path).with_context(|| path.display().to_string());
                    opened.files.push((destination.kind, path.clone(), file.or_unwritten()?));
                }
            }
        }
        Ok(opened)
    }

    /// The names of what is written, and where it goes; `None` stands for standard output.
    pub(crate) fn forms(&self) -> Vec<(&'static str, Option<PathBuf>)> {
        let name = |kind: K| K::ALL.iter().find(|(_, known)| *known == kind).map(|(name, _)| *name);
        let all = self.kinds().into_iter();
        all.filter_map(|(kind, place)| Some((name(kind)?, place))).collect()
    }

    /// The kinds that are written, and where they go; `None` stands for standard output.
    pub(crate) fn kinds(&self) -> Vec<(K, Option<PathBuf>)> {
        let files = self.files.iter().map(|(kind, path, _)| (*kind, Some(path.clone())));
        std::iter::once((self.stdout, None)).chain(files).collect()
    }

    /// Sends this kind to standard output, unless another was asked for.
    pub(crate) fn usually(mut self, kind: K) -> Self {
        if self.stdout == K::ALL[0].1 {
            self.stdout = kind;
        }
        self
    }

    /// Whether this kind goes to standard output or to a file.
    pub(crate) fn wants(&self, kind: K) -> bool {
        self.stdout == kind || self.files.iter().any(|(known, ..)| *known == kind)
    }

    /// The first file of this kind.
    pub(crate) fn file(&self, kind: K) -> Option<&Path> {
        let known = self.files.iter().find(|(known, ..)| *known == kind);
        known.map(|(_, path, _)| path.as_path())
    }

    /// Writes something wherever its kind is wanted, laid out for the place.
    pub(crate) fn write(
        &mut self,
        out: &mut Output,
        kind: K,
        content: impl Fn(Style) -> String,
    ) -> Result<(), CommandError> {
        limits::writing();
        if self.stdout == kind {
            out.write(&content(out.style()))?;
            out.finish()?;
        }
        for (_, path, file) in self.files.iter_mut().filter(|(known, ..)| *known == kind) {
            let written = file.write_all(content(Style::default()).as_bytes());
            written.with_context(|| path.display().to_string()).or_unwritten()?;
        }
        Ok(())
    }
}
