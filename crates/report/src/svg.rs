//! A picture of lines, circles and words.

use std::fmt::Write as _;

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

impl Svg {
    /// An empty picture.
    pub fn new(width: f64, height: f64) -> Self {
        Self { width, height, body: String::new() }
    }

    /// A straight line.
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

    /// A line through points that says something when pointed at.
    pub fn titled_path(&mut self, points: &[(f64, f64)], style: &str, title: &str) {
        let (list, title) = (listed(points), escaped(title));
        self.push(format_args!(
            "<polyline points=\"{list}\" fill=\"none\" {style}><title>{title}</title></polyline>"
        ));
    }

    /// A box with round corners, by its upper left corner and its size.
    pub fn rect(&mut self, at: (f64, f64), size: (f64, f64)) {
        let ((x, y), (width, height)) = (at, size);
        self.push(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"5\" \
             fill=\"none\" stroke=\"#808080\" stroke-width=\"1.5\"/>"
        ));
    }

    /// A circle that says something when pointed at.
    pub fn circle(&mut self, at: (f64, f64), radius: f64, style: &str, title: &str) {
        let (x, y) = at;
        let title = escaped(title);
        self.push(format_args!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" {style}><title>{title}</title></circle>"
        ));
    }

    /// A word.
    pub fn text(&mut self, at: (f64, f64), anchor: Anchor, size: f64, text: &str) {
        let (x, y) = at;
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = escaped(text);
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

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;")
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
