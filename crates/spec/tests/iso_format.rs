//! Level files in the usual layout.

use tristan_spec::iso;

fn laid_out(text: &str) -> String {
    let once = iso::format("mine.iso", text).expect(text);
    assert_eq!(iso::format("mine.iso", &once).expect("it was laid out"), once);
    once
}

#[test]
fn blanks_brackets_and_lines_are_put_right() {
    let text = "let   a=(so|(wr))
level   mine:dependency{acyclic((b|ww);rw?)irreflexive(a),forall x.((W[ x ]*W[x])\\id in(so))
title\"a title\"also  si2,\"plain\",\"3u\"strength strong}
level other{(so in wr and(wr in so))rejects\"\"\"
            first

              second
\"\"\"}";
    assert_eq!(
        laid_out(text),
        r#"let a = so | wr

level mine : dependency {
    acyclic (b | ww) ; rw?
    irreflexive a
    forall x. (W[x] * W[x]) \ id in so
    title "a title"
    also si2, plain, "3u"
    strength strong
}

level other {
    (so in wr and wr in so)
    rejects """
        first

          second
    """
}
"#
    );
}

#[test]
fn comments_and_doc_lines_stay() {
    let text = "// first


// second
///doc of a

/// and more
let a = so // behind
let b2 = // in the middle
  wr // behind the second
///doc
// before the level's name
level mine { // behind the brace

   // before the check
   so in wr, // behind the check
   wr in /* */
";
    assert!(iso::format("mine.iso", text).is_err(), "there are no comments of that kind");
    let text = text
        .replace("/* */", "so // behind the last\n\n// before the end\n} // behind all\n// last");
    assert_eq!(
        laid_out(&text),
        "\
// first

// second
/// doc of a
/// and more
let a = so // behind
// in the middle
let b2 = wr // behind the second

// before the level's name
/// doc
level mine {
    // behind the brace

    // before the check
    so in wr // behind the check
    wr in so // behind the last

    // before the end
} // behind all

// last
"
    );
}

#[test]
fn four_slashes_are_a_comment() {
    assert_eq!(laid_out("//// ---\nlet a = so"), "//// ---\nlet a = so\n");
}

#[test]
fn line_ends_of_other_systems_are_read() {
    let text = "/// doc\r\nlevel a {\r\n    title \"t\" // c\r\n    rejects \"\"\"\r\n        x\r\n    \"\"\"\r\n}\r\n";
    assert_eq!(laid_out(text), text.replace('\r', ""));
    assert_eq!(laid_out(&format!("\u{feff}{text}")), text.replace('\r', ""));
}

#[test]
fn names_need_not_mean_anything() {
    assert_eq!(
        laid_out("level a : nobody { nothing in nowhere }"),
        "level a : nobody {\n    nothing in nowhere\n}\n"
    );
}
