//! Level files from strangers: any bytes may be refused, none may make the program panic.

use tristan_spec::iso::{self, Library};

/// Reads the bytes as a level file, and lays them out if they are one. Whatever can be laid out
/// says the same afterwards, and laying it out again changes nothing.
pub fn survive(bytes: &[u8]) -> bool {
    let mut library = Library::default();
    let added = library.add_bytes("torn.iso", bytes);
    if let Err(error) = &added {
        assert!(error.place.line > 0 && error.place.column > 0 && !error.to_string().is_empty());
    }
    for warning in library.lint("torn.iso") {
        assert!(!warning.to_string().is_empty());
    }
    for level in library.definitions().filter(|one| one.file() == "torn.iso") {
        let _ = (level.itself().form(), level.family());
    }
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(laid_out) = iso::format("torn.iso", text)
    {
        laid_out_again(text, &laid_out, &added);
    }
    added.is_ok()
}

fn laid_out_again(text: &str, laid_out: &str, added: &Result<(), iso::IsoError>) {
    let again = iso::format("torn.iso", laid_out).expect("what was laid out can be read");
    assert_eq!(again, laid_out, "laid out twice from {text:?}");
    let after = Library::default().add("torn.iso", laid_out);
    assert_eq!(after.is_ok(), added.is_ok(), "{text:?} became {laid_out:?}");
    let (Err(before), Err(after)) = (added, after) else { return };
    assert_eq!(
        std::mem::discriminant(&*before.kind),
        std::mem::discriminant(&*after.kind),
        "{before}\n{after}"
    );
}
