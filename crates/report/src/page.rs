//! The frame that every page has: one file, nothing from elsewhere, light and dark.
//!
//! ```text
//!   head: title, policy, style ── nav ── main: what the page is about ── script
//! ```
//!
//! The pages of verdicts, comparisons and lattices use it, and so may others who want to look like
//! them.

pub use crate::layout::{count, fold};
pub use crate::markup::escaped;

use crate::figure;

const STYLE: &str = include_str!("html/page.css");
/// Nothing is ever loaded from elsewhere.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      img-src data:; base-uri 'none'; form-action";

/// What stands around the content of a page.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frame<'a> {
    /// The title, as text.
    pub title: &'a str,
    /// Links to other pages, as markup; empty for a page on its own.
    pub nav: &'a str,
    /// More rules of style.
    pub style: &'a str,
    /// What runs when the page is there; the page has to work without it, too.
    pub script: &'a str,
    /// Whether forms may be sent to where the page came from.
    pub forms: bool,
    /// Whether the page asks for itself again after a second, because it is about to change.
    pub again: bool,
}

impl Frame<'_> {
    /// The whole page around some markup.
    pub fn around(&self, body: &str) -> String {
        let action = if self.forms { "'self'" } else { "'none'" };
        let again = match self.again {
            true => "<meta http-equiv=\"refresh\" content=\"1\">\n",
            false => "",
        };
        let script = match self.script {
            "" => String::new(),
            script => format!("<script>\n{script}</script>"),
        };
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY} {action}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n{again}\
             <title>{}</title>\n<style>\n{STYLE}{}{}</style></head>\n<body>{}<main>\n{body}</main>\n\
             {script}</body></html>\n",
            escaped(self.title),
            figure::STYLE,
            self.style,
            self.nav,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_sends_nothing_anywhere_unless_it_has_forms() {
        let frame = Frame { title: "a < b", ..Frame::default() };
        let page = frame.around("<p>text</p>");
        assert!(page.contains("<title>a &lt; b</title>") && page.contains("form-action 'none'"));
        assert!(!page.contains("<script") && !page.contains("refresh"));
        let page = Frame { forms: true, again: true, ..frame }.around("");
        assert!(page.contains("form-action 'self'") && page.contains("refresh"));
    }
}
