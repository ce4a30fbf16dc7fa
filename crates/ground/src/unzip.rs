//! Input that may be compressed with gzip.
//!
//! Recorded traces and logs are large and shrink to a tenth, so people keep them as `.gz`. Whether a stream is
//! compressed is read off its first two bytes, not its name: no text that we read begins with them.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};

use flate2::bufread::MultiGzDecoder;

/// How gzip streams begin.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// How much is read at once.
const BLOCK: usize = 1 << 16;

/// The same bytes, decompressed if they are gzip.
///
/// # Errors
/// If the first bytes cannot be read. Damaged or truncated gzip data is an error of the
/// kind [`ErrorKind::InvalidData`] when it is reached.
pub fn unzip<'a>(input: impl BufRead + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    let mut input = input;
    Ok(match is_zipped(&mut input)? {
        true => Box::new(BufReader::with_capacity(BLOCK, Unzipped(MultiGzDecoder::new(input)))),
        false => Box::new(input),
    })
}

/// Whether a stream begins like gzip; no byte is consumed.
///
/// # Errors
/// If it cannot be read.
pub fn is_zipped(input: &mut impl BufRead) -> io::Result<bool> {
    loop {
        match input.fill_buf() {
            Ok(start) => return Ok(start.starts_with(&MAGIC)),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// A decoder whose complaints say what they are about.
struct Unzipped<R>(MultiGzDecoder<R>);

impl<R: BufRead> Read for Unzipped<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => {
                let told = "the gzip data ends early: the file was cut, or is still being written";
                io::Error::new(ErrorKind::InvalidData, told)
            }
            ErrorKind::InvalidInput | ErrorKind::InvalidData => {
                let told = format!("the gzip data is damaged: {error}");
                io::Error::new(ErrorKind::InvalidData, told)
            }
            _ => error,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn zipped(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).expect("memory does not run out");
        encoder.finish().expect("memory does not run out")
    }

    fn read(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        unzip(bytes)?.read_to_end(&mut text)?;
        Ok(text)
    }

    #[test]
    fn gzip_is_unpacked_and_the_rest_left_alone() {
        assert_eq!(read(b"plain\n").expect("text"), b"plain\n");
        assert_eq!(read(b"").expect("nothing"), b"");
        assert_eq!(read(&MAGIC[..1]).expect("a byte"), &MAGIC[..1]);
        assert_eq!(read(&zipped(b"a line\n")).expect("gzip"), b"a line\n");
        let members = [zipped(b"one "), zipped(b"two")].concat();
        assert_eq!(read(&members).expect("two members"), b"one two");
    }

    #[test]
    fn damage_is_named() {
        let whole = zipped(&b"some words, again and again ".repeat(1_000));
        let cut = read(&whole[..whole.len() / 2]).expect_err("half of it");
        assert!(cut.to_string().contains("ends early"), "{cut}");
        let mut damaged = whole;
        let last = damaged.len() - 6;
        damaged[last] ^= 0xff;
        let told = read(&damaged).expect_err("another checksum");
        assert!(told.to_string().contains("damaged"), "{told}");
    }
}
