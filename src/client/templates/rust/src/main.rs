//! lines-to-json: reads text on standard input, writes its lines as a JSON array of strings.
//!
//! The text passes through one fixed buffer, so memory use does not grow with the size of the input
//! or the length of a line. Input that is not valid UTF-8 is rejected, because JSON must be UTF-8.
//!
//! Exit codes: 0 done, 1 reading or writing failed, 2 the input is not UTF-8.

use std::fmt;
use std::io::{self, BufWriter, Read, Write};
use std::process;
use std::str;

const BUFFER_SIZE: usize = 65_536;

fn main() {
    let output = BufWriter::with_capacity(BUFFER_SIZE, io::stdout().lock());
    if let Err(failure) = convert(io::stdin().lock(), output) {
        // An error is one line on standard error: the program, the place and the problem.
        eprintln!("lines-to-json: {failure}");
        process::exit(failure.exit_code());
    }
}

#[derive(Debug)]
enum Failure {
    Io(io::Error),
    NotUtf8 { line: u64 },
}

impl Failure {
    fn exit_code(&self) -> i32 {
        match self {
            Failure::Io(_) => 1,
            Failure::NotUtf8 { .. } => 2,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Io(error) => write!(f, "{error}"),
            Failure::NotUtf8 { line } => write!(f, "line {line} is not UTF-8"),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Io(error)
    }
}

/// Writes while it reads, so after an error the output is an incomplete array.
fn convert(mut input: impl Read, output: impl Write) -> Result<(), Failure> {
    let mut array = LineArray::begin(output)?;
    let mut buffer = vec![0; BUFFER_SIZE];
    let mut held = 0; // bytes of a character that is still incomplete
    loop {
        let count = match input.read(&mut buffer[held..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            result => result?,
        };
        let end = held + count;
        let (text, is_cut) = valid_text(&buffer[..end]);
        array.push(text)?;
        let taken = text.len();
        if taken < end && (count == 0 || !is_cut) {
            return Err(Failure::NotUtf8 { line: array.line() });
        }
        if count == 0 {
            return Ok(array.end()?);
        }
        buffer.copy_within(taken..end, 0);
        held = end - taken;
    }
}

/// The longest valid text at the start of the bytes, and whether the rest may be the first bytes of a
/// character.
fn valid_text(bytes: &[u8]) -> (&str, bool) {
    match str::from_utf8(bytes) {
        Ok(text) => (text, false),
        Err(error) => {
            let valid = &bytes[..error.valid_up_to()];
            (
                str::from_utf8(valid).unwrap_or_default(),
                error.error_len().is_none(),
            )
        }
    }
}

/// Writes the lines of a text, which is passed in pieces, as a JSON array of strings.
struct LineArray<W: Write> {
    output: W,
    lines: u64,
    is_line_open: bool,
    is_return_held: bool,
}

impl<W: Write> LineArray<W> {
    fn begin(mut output: W) -> io::Result<Self> {
        output.write_all(b"[")?;
        Ok(LineArray {
            output,
            lines: 0,
            is_line_open: false,
            is_return_held: false,
        })
    }

    /// The line number of the next character, from 1.
    fn line(&self) -> u64 {
        if self.is_line_open {
            self.lines
        } else {
            self.lines + 1
        }
    }

    fn push(&mut self, text: &str) -> io::Result<()> {
        text.chars()
            .try_for_each(|character| self.push_character(character))
    }

    fn push_character(&mut self, character: char) -> io::Result<()> {
        if character == '\n' {
            self.is_return_held = false;
            return self.close_line();
        }
        self.open_line()?;
        self.release_return()?;
        if character == '\r' {
            self.is_return_held = true;
            return Ok(());
        }
        self.write_escaped(character)
    }

    /// A carriage return is part of the line unless a line feed follows.
    fn release_return(&mut self) -> io::Result<()> {
        if self.is_return_held {
            self.is_return_held = false;
            self.write_escaped('\r')?;
        }
        Ok(())
    }

    fn write_escaped(&mut self, character: char) -> io::Result<()> {
        match character {
            '"' => self.output.write_all(b"\\\""),
            '\\' => self.output.write_all(b"\\\\"),
            '\t' => self.output.write_all(b"\\t"),
            '\r' => self.output.write_all(b"\\r"),
            '\0'..='\x1f' => write!(self.output, "\\u{:04x}", u32::from(character)),
            _ => self
                .output
                .write_all(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }

    fn open_line(&mut self) -> io::Result<()> {
        if self.is_line_open {
            return Ok(());
        }
        self.output
            .write_all(if self.lines == 0 { b"\"" } else { b",\"" })?;
        self.lines += 1;
        self.is_line_open = true;
        Ok(())
    }

    fn close_line(&mut self) -> io::Result<()> {
        self.open_line()?; // an empty line has not been opened yet
        self.is_line_open = false;
        self.output.write_all(b"\"")
    }

    fn end(mut self) -> io::Result<()> {
        self.release_return()?;
        if self.is_line_open {
            self.close_line()?;
        }
        self.output.write_all(b"]\n")?;
        self.output.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a few bytes at a time, so that characters are split.
    struct Drops<'a>(&'a [u8], usize);

    impl Read for Drops<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.1.min(buffer.len());
            self.0.read(&mut buffer[..length])
        }
    }

    fn converted(input: &[u8]) -> Result<String, String> {
        let mut output = Vec::new();
        match convert(input, &mut output) {
            Ok(()) => Ok(String::from_utf8(output).expect("JSON is UTF-8")),
            Err(failure) => Err(failure.to_string()),
        }
    }

    #[test]
    fn writes_each_line_as_a_string() {
        assert_eq!(
            converted(b"one\ntwo\r\n\nlast"),
            Ok(r#"["one","two","","last"]"#.to_owned() + "\n")
        );
        assert_eq!(converted(b""), Ok("[]\n".to_owned()));
    }

    #[test]
    fn escapes_special_characters() {
        assert_eq!(
            converted(b"\"\\\t\x01\r."),
            Ok(r#"["\"\\\t\u0001\r."]"#.to_owned() + "\n")
        );
    }

    #[test]
    fn reads_characters_that_are_split() {
        let text = "na\u{ef}ve 漢字 🦀\nß";
        for size in 1..5 {
            let mut output = Vec::new();
            convert(Drops(text.as_bytes(), size), &mut output).expect("it is UTF-8");
            assert_eq!(
                String::from_utf8_lossy(&output),
                "[\"na\u{ef}ve 漢字 🦀\",\"ß\"]\n"
            );
        }
    }

    #[test]
    fn names_the_line_that_is_not_utf8() {
        assert_eq!(
            converted(b"one\n\xff"),
            Err("line 2 is not UTF-8".to_owned())
        );
        assert_eq!(
            converted(b"one\ntwo \xe2\x82"),
            Err("line 2 is not UTF-8".to_owned())
        );
    }
}
