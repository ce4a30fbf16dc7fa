//! Tabs made of radio buttons: they work without JavaScript, and from the keyboard.

use super::Page;
use crate::markup::escaped;

/// The style has rules for so many tabs; more stand below each other.
const MOST_TABS: usize = 12;

/// Begins one of several possibilities, calls `content` for each, and ends them.
pub(super) fn tabs(page: &mut Page, titles: &[String], mut content: impl FnMut(&mut Page, usize)) {
    if titles.len() > MOST_TABS || titles.len() < 2 {
        for (number, title) in titles.iter().enumerate() {
            page.push(&format!("<h3>{}</h3>", escaped(title)));
            content(page, number);
        }
        return;
    }
    let name = page.id();
    page.push("<div class=\"tabs\">");
    for (number, title) in titles.iter().enumerate() {
        let checked = if number == 0 { " checked" } else { "" };
        page.push(&format!(
            "<input type=\"radio\" name=\"{name}\" id=\"{name}-{number}\"{checked}>\
             <label for=\"{name}-{number}\">{}</label>",
            escaped(title)
        ));
    }
    page.push("<div class=\"panes\">");
    for number in 0..titles.len() {
        page.push("<div class=\"pane\">");
        content(page, number);
        page.push("</div>");
    }
    page.push("</div></div>");
}
