//! Cuts a stream of bytes into messages.
//!
//! ```text
//!   PostgreSQL   kind(1) length(4, high byte first, counts itself) body
//!   first ones           length(4)                                 body
//!   MySQL        length(3, low byte first) number(1)               body
//! ```
//!
//! Bytes come in pieces of any size. A message that lies in one piece is shown where it lies;
//! others are put together. No memory is set aside because a length says so, only for bytes that
//! came, and of a very long message only the beginning is kept.

/// How messages are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// PostgreSQL's first messages, which have no kind.
    Startup,
    /// PostgreSQL's messages.
    Postgres,
    /// MySQL's packets; several that belong together are one message.
    MySql,
}

/// So much of a message is kept.
pub(crate) const MOST: usize = 16 << 20;
/// No message of PostgreSQL is longer.
const LONGEST: u32 = 0x3fff_ffff;
/// None of the first messages is longer.
const LONGEST_STARTUP: u32 = 10_000;
/// A packet of this length is continued by the next one.
const CONTINUED: u32 = 0xff_ffff;

/// A message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame<'a> {
    /// Its kind, or in MySQL its number.
    pub(crate) kind: u8,
    /// What it says.
    pub(crate) body: &'a [u8],
    /// Whether that is all of it.
    pub(crate) whole: bool,
}

/// This is no stream of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrameError;

/// What has been read of a message that is not complete.
#[derive(Debug, Default)]
pub(crate) struct Framer {
    /// The bytes of its head, as far as they came.
    head: Vec<u8>,
    body: Vec<u8>,
    /// The head, if all of it came, and how many bytes of the body have yet to come.
    open: Option<(Head, usize)>,
    /// Whether something was left out of the body.
    cut: bool,
    /// The kind of a message whose first packets are in the body already.
    continues: Option<u8>,
    /// Whether the body was shown and can be thrown away.
    shown: bool,
}

#[derive(Clone, Copy, Debug)]
struct Head {
    kind: u8,
    length: usize,
    continued: bool,
}

impl Framer {
    /// The next message, and moves on behind it; `None` if more bytes are needed.
    pub(crate) fn next<'f, 'b: 'f>(
        &'f mut self,
        bytes: &mut &'b [u8],
        shape: Shape,
    ) -> Result<Option<Frame<'f>>, FrameError> {
        self.forget_shown();
        loop {
            let Some((head, left)) = self.begin(bytes, shape)? else { return Ok(None) };
            let untouched = left == head.length && self.continues.is_none() && !head.continued;
            if untouched && bytes.len() >= left {
                let (body, rest) = bytes.split_at(left);
                (*bytes, self.open) = (rest, None);
                return Ok(Some(shown(head.kind, body)));
            }
            let (came, rest) = bytes.split_at(left.min(bytes.len()));
            *bytes = rest;
            self.keep(came, head.kind, shape);
            if came.len() < left {
                self.open = Some((head, left - came.len()));
                return Ok(None);
            }
            self.open = None;
            let kind = *self.continues.get_or_insert(head.kind);
            if !head.continued {
                self.shown = true;
                return Ok(Some(Frame { kind, body: &self.body, whole: !self.cut }));
            }
        }
    }

    fn forget_shown(&mut self) {
        if self.shown {
            *self = Self { head: std::mem::take(&mut self.head), ..Self::default() };
        }
    }

    /// The head of the message, once all of it is there, and what is left to come.
    fn begin(
        &mut self,
        bytes: &mut &[u8],
        shape: Shape,
    ) -> Result<Option<(Head, usize)>, FrameError> {
        if let Some(open) = self.open {
            return Ok(Some(open));
        }
        let size = if shape == Shape::Postgres { 5 } else { 4 };
        let missing = size - self.head.len().min(size);
        let (came, rest) = bytes.split_at(missing.min(bytes.len()));
        self.head.extend_from_slice(came);
        *bytes = rest;
        if self.head.len() < size {
            return Ok(None);
        }
        let head = read_head(&self.head, shape).ok_or(FrameError)?;
        self.head.clear();
        Ok(Some(*self.open.insert((head, head.length))))
    }

    fn keep(&mut self, came: &[u8], kind: u8, shape: Shape) {
        let room = if is_kept(kind, shape) { MOST - self.body.len().min(MOST) } else { 0 };
        self.cut |= came.len() > room;
        self.body.extend_from_slice(&came[..came.len().min(room)]);
    }
}

/// Passwords and the data of copies are not recorded.
fn is_kept(kind: u8, shape: Shape) -> bool {
    shape != Shape::Postgres || !matches!(kind, b'p' | b'd')
}

fn shown(kind: u8, body: &[u8]) -> Frame<'_> {
    Frame { kind, body: &body[..body.len().min(MOST)], whole: body.len() <= MOST }
}

fn read_head(head: &[u8], shape: Shape) -> Option<Head> {
    let body = |kind, length: u32, longest: u32| {
        let length = Some(length).filter(|length| *length <= longest)?.checked_sub(4)?;
        Some(Head { kind, length: usize::try_from(length).ok()?, continued: false })
    };
    match (shape, head) {
        (Shape::Startup, &[a, b, c, d]) => {
            body(0, u32::from_be_bytes([a, b, c, d]), LONGEST_STARTUP)
        }
        (Shape::Postgres, &[kind, a, b, c, d]) => {
            body(kind, u32::from_be_bytes([a, b, c, d]), LONGEST)
        }
        (Shape::MySql, &[a, b, c, kind]) => {
            let length = u32::from_le_bytes([a, b, c, 0]);
            let continued = length == CONTINUED;
            Some(Head { kind, length: usize::try_from(length).ok()?, continued })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All messages, if the bytes come in pieces of a size.
    fn cut(bytes: &[u8], shape: Shape, size: usize) -> Result<Vec<(u8, Vec<u8>)>, FrameError> {
        let (mut framer, mut frames) = (Framer::default(), Vec::new());
        for piece in bytes.chunks(size) {
            let mut piece = piece;
            while let Some(frame) = framer.next(&mut piece, shape)? {
                frames.push((frame.kind, frame.body.to_vec()));
            }
        }
        Ok(frames)
    }

    #[test]
    fn the_size_of_pieces_does_not_matter() {
        let bytes = b"Q\0\0\0\x06ab1\0\0\0\x04D\0\0\0\x05x";
        let whole = vec![(b'Q', b"ab".to_vec()), (b'1', Vec::new()), (b'D', b"x".to_vec())];
        for size in 1..=bytes.len() {
            assert_eq!(cut(bytes, Shape::Postgres, size), Ok(whole.clone()), "{size}");
        }
        let packets = [3, 0, 0, 0, 3, b'h', b'i', 0, 0, 0, 1, 1, 0, 0, 2, 9];
        let whole = vec![(0, vec![3, b'h', b'i']), (1, Vec::new()), (2, vec![9])];
        for size in 1..=packets.len() {
            assert_eq!(cut(&packets, Shape::MySql, size), Ok(whole.clone()), "{size}");
        }
    }

    #[test]
    fn long_packets_are_put_together_and_cut() {
        let mut bytes = vec![255, 255, 255, 0];
        bytes.extend(vec![b'a'; 0xff_ffff]);
        bytes.extend([2, 0, 0, 1, b'b', b'c', 1, 0, 0, 0, b'd']);
        let mut framer = Framer::default();
        let mut rest = bytes.as_slice();
        let first = framer.next(&mut rest, Shape::MySql).expect("packets").expect("a message");
        assert_eq!((first.kind, first.body.len(), first.whole), (0, MOST, false));
        let second = framer.next(&mut rest, Shape::MySql).expect("packets").expect("a message");
        assert_eq!((second.body, second.whole), (&b"d"[..], true));
    }

    #[test]
    fn lengths_are_not_believed() {
        assert_eq!(cut(b"Q\0\0\0\x03", Shape::Postgres, 9), Err(FrameError));
        assert_eq!(cut(b"Q\xff\xff\xff\xff", Shape::Postgres, 9), Err(FrameError));
        assert_eq!(cut(b"GET / HTTP/1.1", Shape::Startup, 9), Err(FrameError));
        let mut framer = Framer::default();
        let mut bytes = &b"Q\x3f\xff\xff\xffabc"[..];
        assert_eq!(framer.next(&mut bytes, Shape::Postgres), Ok(None));
        assert!(framer.body.capacity() < 100, "only what came is kept");
    }

    #[test]
    fn passwords_are_not_kept() {
        let frames = cut(b"p\0\0\0\x0asecret", Shape::Postgres, 3);
        assert_eq!(frames, Ok(vec![(b'p', Vec::new())]));
    }
}
