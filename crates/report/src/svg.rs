//! A picture of lines, circles and words.

use std::fmt::Write as _;

use crate::markup::escaped;

/// A picture under construction. What is drawn later lies above.
#[derive(Debug)]
pub struct Svg {
    width: f64,
    height: f64,
    body: String,
}

/// Where a word stands relative to its place.
#[derive(Clone, Copy, Debug)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

impl Anchor {
    fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

impl Svg {
    /// An empty picture.
    pub fn new(width: f64, height: f64) -> Self {
        Self { width, height, body: String::new() }
    }

    /// Draws a straight line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), style: &str) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.push(format_args!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {style}/>"
        ));
    }

    /// A line through points.
    pub fn path(&mut self, points: &[(f64, f64)], style: &str) {
        let list = listed(points);
        self.push(format_args!("<polyline points=\"{list}\" fill=\"none\" {style}/>"));
    }

    /// A circle that says something when pointed at.
    pub fn circle(&mut self, at: (f64, f64), radius: f64, style: &str, title: &str) {
        let (x, y) = at;
        let title = escaped(title);
        self.push(format_args!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" {style}><title>{title}</title></circle>"
        ));
    }

    /// A box with round corners and a style of its own.
    pub fn styled_rect(&mut self, at: (f64, f64), size: (f64, f64), radius: f64, style: &str) {
        let ((x, y), (width, height)) = (at, size);
        self.push(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
             rx=\"{radius}\" {style}/>"
        ));
    }

    /// A circle that says nothing.
    pub fn dot(&mut self, at: (f64, f64), radius: f64, style: &str) {
        let (x, y) = at;
        self.push(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" {style}/>"));
    }

    /// A curve from the first point to the last, pulled by the two between.
    pub fn curve(&mut self, [from, out, into, to]: [(f64, f64); 4], style: &str) {
        let (from, bend) = (listed(&[from]), listed(&[out, into, to]));
        self.push(format_args!("<path d=\"M{from} C{bend}\" {style}/>"));
    }

    /// A line through points from top to bottom that leaves and reaches each of them vertically.
    pub fn smooth(&mut self, points: &[(f64, f64)], style: &str) {
        let mut path = String::new();
        for (place, &(x, y)) in points.iter().enumerate() {
            let before = place.checked_sub(1).map(|before| points[before]);
            let _ = match before {
                None => write!(path, "M{x:.1},{y:.1}"),
                Some((from, _)) if from == x => write!(path, " V{y:.1}"),
                Some(from) => {
                    let bend =
                        listed(&[(from.0, (from.1 + y) / 2.0), (x, (from.1 + y) / 2.0), (x, y)]);
                    write!(path, " C{bend}")
                }
            };
        }
        self.push(format_args!("<path d=\"{path}\" {style}/>"));
    }

    /// Draws a filled polygon.
    pub fn polygon(&mut self, points: &[(f64, f64)], style: &str) {
        let list = listed(points);
        self.push(format_args!("<polygon points=\"{list}\" {style}/>"));
    }

    /// A word with a style of its own.
    pub fn styled_text(&mut self, at: (f64, f64), anchor: Anchor, style: &str, text: &str) {
        let ((x, y), anchor, text) = (at, anchor.name(), escaped(text));
        self.push(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" {style}>{text}</text>"
        ));
    }

    /// Begins a group.
    pub fn open(&mut self, attributes: &str) {
        self.push(format_args!("<g {attributes}>"));
    }

    /// What the group says when pointed at; comes first in it.
    pub fn title(&mut self, title: &str) {
        let title = escaped(title);
        self.push(format_args!("<title>{title}</title>"));
    }

    /// Ends the last group.
    pub fn close(&mut self) {
        self.push(format_args!("</g>"));
    }

    /// What is drawn, without the picture around it.
    pub fn into_body(self) -> String {
        self.body
    }

    /// Draws a text.
    pub fn text(&mut self, at: (f64, f64), anchor: Anchor, size: f64, text: &str) {
        let (x, y) = at;
        let (anchor, text) = (anchor.name(), escaped(text));
        self.push(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\">{text}</text>"
        ));
    }

    /// The picture as a file.
    pub fn finish(self) -> String {
        let Self { width, height, body } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"sans-serif\" fill=\"#808080\">\n\
             {body}</svg>\n"
        )
    }

    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.body, "{element}");
    }
}

fn listed(points: &[(f64, f64)]) -> String {
    let mut list = String::new();
    for (x, y) in points {
        let _ = write!(list, "{x:.1},{y:.1} ");
    }
    list.truncate(list.trim_end().len());
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_escaped() {
        let mut svg = Svg::new(10.0, 10.0);
        svg.text((1.0, 2.0), Anchor::Middle, 12.0, "a < b & \"c\"");
        assert!(svg.finish().contains(">a &lt; b &amp; &quot;c&quot;</text>"));
    }
}
