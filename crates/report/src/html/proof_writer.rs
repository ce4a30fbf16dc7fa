//! Where a proof is written, and what it is about: shared by all its parts.

use tristan_verdict::Refutation;

use super::Page;
use crate::cases::Answer;
use crate::markup::escaped;
use crate::names::Names;

/// Writes the parts of a proof.
pub(super) struct ProofWriter<'p, 'v> {
    pub(super) page: &'p mut Page,
    pub(super) names: Names<'v>,
    pub(super) refutation: &'v Refutation,
    /// The answers that are taken for granted in this case.
    pub(super) assumed: &'p [Answer],
}

impl ProofWriter<'_, '_> {
    /// Writes a paragraph.
    pub(super) fn say(&mut self, class: &str, text: &str) {
        self.page.push(&format!("<p class=\"{class}\">{}</p>", escaped(text)));
    }
}
