//! The level files that come with the program.

use std::sync::LazyLock;

use super::library::Library;

impl Library {
    /// The levels that come with the program.
    pub fn standard() -> &'static Self {
        &STANDARD
    }
}

impl Default for Library {
    fn default() -> Self {
        Self::standard().clone()
    }
}

/// Every file, by name. They may use each other, whatever their order.
const FILES: [(&str, &str); 14] = [
    ("prelude.iso", include_str!("../../levels/prelude.iso")),
    ("dependency.iso", include_str!("../../levels/dependency.iso")),
    ("committed-reads.iso", include_str!("../../levels/committed-reads.iso")),
    ("session-guarantees.iso", include_str!("../../levels/session-guarantees.iso")),
    ("causality.iso", include_str!("../../levels/causality.iso")),
    ("snapshots.iso", include_str!("../../levels/snapshots.iso")),
    ("serializability.iso", include_str!("../../levels/serializability.iso")),
    ("mixed.iso", include_str!("../../levels/mixed.iso")),
    ("biswas-enea.iso", include_str!("../../levels/biswas-enea.iso")),
    ("plume.iso", include_str!("../../levels/plume.iso")),
    ("cerone.iso", include_str!("../../levels/cerone.iso")),
    ("crooks.iso", include_str!("../../levels/crooks.iso")),
    ("viotti-vukolic.iso", include_str!("../../levels/viotti-vukolic.iso")),
    ("history-only.iso", include_str!("../../levels/history-only.iso")),
];

static STANDARD: LazyLock<Library> = LazyLock::new(|| {
    let mut library = Library::empty();
    library.add_all(&FILES, true).expect("a test reads every file of the library");
    library
});
