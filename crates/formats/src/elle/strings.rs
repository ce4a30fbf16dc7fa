//! Texts between quotes, the same in EDN and JSON but for line breaks.

use std::io::Read;

use super::text::{ElleError, Place, Text};

/// Reads a text whose opening quote comes next. Control characters are let in on demand.
pub(super) fn string<R: Read>(text: &mut Text<'_, R>, control: bool) -> Result<String, ElleError> {
    let start = text.place();
    text.take();
    let mut bytes = Vec::new();
    loop {
        match text.peek()? {
            None => return Err(unclosed(text, start)),
            Some(b'"') => {
                text.take();
                return Ok(text.utf8(bytes, start)?);
            }
            Some(b'\\') => {
                let letter = escaped(text, start)?;
                bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
            }
            Some(byte) if byte < b' ' && !control => {
                let found = format!("byte 0x{byte:02x} {}", at(text));
                return Err(text.wrong(&found, "an escape like \\n within a text").into());
            }
            Some(byte) => {
                bytes.push(byte);
                text.take();
            }
        }
    }
}

/// Reads what a backslash starts.
fn escaped<R: Read>(text: &mut Text<'_, R>, start: Place) -> Result<char, ElleError> {
    let place = at(text);
    text.take();
    let Some(byte) = text.peek()? else { return Err(unclosed(text, start)) };
    let letter = match byte {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'"' | b'\\' | b'/' => char::from(byte),
        b'u' => {
            text.take();
            return unicode(text, start, &place);
        }
        other => {
            let found = format!("\"\\{}\" {place}", char::from(other));
            let expected = r#"one of \" \\ \/ \b \f \n \r \t \u0000"#;
            return Err(text.wrong(&found, expected).into());
        }
    };
    text.take();
    Ok(letter)
}

/// Reads the digits of `\u0041`, or of two of them that are one letter together.
fn unicode<R: Read>(text: &mut Text<'_, R>, start: Place, place: &str) -> Result<char, ElleError> {
    let first = hex(text, start, place)?;
    let code = match first {
        0xd800..0xdc00 => {
            for wanted in *b"\\u" {
                if text.peek()?.is_none() {
                    return Err(unclosed(text, start));
                }
                if !text.take_if(wanted)? {
                    return Err(half(text, first, place));
                }
            }
            match hex(text, start, place)? {
                second @ 0xdc00..0xe000 => 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00),
                _ => return Err(half(text, first, place)),
            }
        }
        code => code,
    };
    char::from_u32(code).ok_or_else(|| half(text, first, place))
}

fn hex<R: Read>(text: &mut Text<'_, R>, start: Place, place: &str) -> Result<u32, ElleError> {
    let mut code = 0;
    for _ in 0..4 {
        let Some(byte) = text.peek()? else { return Err(unclosed(text, start)) };
        let Some(digit) = char::from(byte).to_digit(16) else {
            let found = format!("\"\\u\" {place}");
            return Err(text.wrong(&found, "four hexadecimal digits after it").into());
        };
        code = code << 4 | digit;
        text.take();
    }
    Ok(code)
}

/// A letter outside the first 65536 takes two escapes.
fn half<R: Read>(text: &Text<'_, R>, code: u32, place: &str) -> ElleError {
    let found = format!("\"\\u{code:04x}\" {place}");
    text.wrong(&found, "the other half of the surrogate pair").into()
}

fn unclosed<R: Read>(text: &Text<'_, R>, start: Place) -> ElleError {
    let line = text.place().line;
    let expected = format!("the end of the text that starts {}", start.seen_from(line));
    ElleError::CutOff(text.wrong("the end of the file", &expected))
}

fn at<R: Read>(text: &Text<'_, R>) -> String {
    text.place().seen_from(text.place().line)
}
