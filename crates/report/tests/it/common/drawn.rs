//! A drawing, read back from its SVG: cards, rows, arrows and labels as they are seen.

/// A rectangle: left, top, right, bottom.
pub type Area = [f64; 4];

/// What a drawing shows.
#[derive(Debug, Default)]
pub struct Drawn {
    pub cards: Vec<Area>,
    /// Rows with the operations they stand for, as `transaction.operation`.
    pub rows: Vec<(String, Area)>,
    pub arrows: Vec<Arrow>,
}

/// An arrow with its label.
#[derive(Debug, Default)]
pub struct Arrow {
    pub curve: [(f64, f64); 4],
    pub pill: Area,
    pub words: String,
}

impl Drawn {
    /// Reads a drawing back.
    pub fn of(svg: &str) -> Self {
        let mut drawn = Self::default();
        let mut op = String::new();
        for line in svg.lines() {
            if let Some(name) = attribute(line, "data-op") {
                op = name.to_owned();
            }
            if line.starts_with("<g class=\"arrow") {
                drawn.arrows.push(Arrow::default());
            }
            let arrow = drawn.arrows.last_mut();
            match attribute(line, "class") {
                Some("box") => drawn.cards.push(area(line)),
                Some("back") => drawn.rows.push((std::mem::take(&mut op), area(line))),
                Some("line") if line.starts_with("<path") => {
                    arrow.expect("an arrow").curve = curve(line);
                }
                Some("pill") => arrow.expect("an arrow").pill = area(line),
                Some("label") => arrow.expect("an arrow").words = content(line).to_owned(),
                _ => {}
            }
        }
        drawn
    }

    /// The operation at which an arrow begins; `None` if it begins at a transaction as a whole.
    pub fn start(&self, arrow: &Arrow) -> Option<&str> {
        self.row_at(arrow.curve[0])
    }

    /// The operation at which an arrow ends.
    pub fn end(&self, arrow: &Arrow) -> Option<&str> {
        let [.., (x, y)] = arrow.curve;
        // The line ends where the head begins.
        [-8.0, 8.0].into_iter().find_map(|head| self.row_at((x + head, y)))
    }

    fn row_at(&self, (x, y): (f64, f64)) -> Option<&str> {
        const MARGIN: f64 = 6.0;
        let holds = |[left, top, right, bottom]: Area| {
            (left - MARGIN..=right + MARGIN).contains(&x) && (top - 1.0..=bottom + 1.0).contains(&y)
        };
        self.rows.iter().find(|(_, area)| holds(*area)).map(|(op, _)| op.as_str())
    }
}

impl Arrow {
    /// The middle of the label.
    pub fn middle(&self) -> (f64, f64) {
        let [left, top, right, bottom] = self.pill;
        ((left + right) / 2.0, (top + bottom) / 2.0)
    }

    /// How far a point is from the line.
    pub fn distance(&self, (x, y): (f64, f64)) -> f64 {
        let points = (0..=400).map(|at| self.point(f64::from(at) / 400.0));
        points.map(|(px, py)| (px - x).hypot(py - y)).fold(f64::INFINITY, f64::min)
    }

    fn point(&self, part: f64) -> (f64, f64) {
        let between = |(ax, ay): (f64, f64), (bx, by): (f64, f64)| {
            (ax + (bx - ax) * part, ay + (by - ay) * part)
        };
        let [a, b, c, d] = self.curve;
        let (ab, bc, cd) = (between(a, b), between(b, c), between(c, d));
        between(between(ab, bc), between(bc, cd))
    }
}

/// Whether two areas have a point in common.
pub fn overlap(a: Area, b: Area) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

fn attribute<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    let (_, rest) = line.split_once(&format!(" {name}=\""))?;
    rest.split('"').next()
}

fn content(line: &str) -> &str {
    let (_, rest) = line.split_once('>').expect("an element");
    rest.split('<').next().unwrap_or_default()
}

fn number(line: &str, name: &str) -> f64 {
    attribute(line, name).and_then(|text| text.parse().ok()).expect("a number")
}

fn area(line: &str) -> Area {
    let (x, y) = (number(line, "x"), number(line, "y"));
    [x, y, x + number(line, "width"), y + number(line, "height")]
}

fn curve(line: &str) -> [(f64, f64); 4] {
    let path = attribute(line, "d").expect("a path");
    let numbers: Vec<f64> = path
        .split(|letter: char| !(letter.is_ascii_digit() || letter == '.' || letter == '-'))
        .filter(|text| !text.is_empty())
        .map(|text| text.parse().expect("a number"))
        .collect();
    std::array::from_fn(|place| (numbers[2 * place], numbers[2 * place + 1]))
}
