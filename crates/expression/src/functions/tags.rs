//! removeHtmlTags: PHP's strip_tags, a machine over bytes that reads each of them once.

/// The part of the text that the machine is within.
enum State {
    /// The text that stays.
    Outside,
    /// `<…>`.
    Tag,
    /// `<?…?>`.
    Instruction,
    /// `<!…>`.
    Declaration,
    /// `<!-- … -->`.
    Comment,
}

/// The machine's memory beside its state.
#[derive(Default)]
struct Memory {
    /// The quote that hides `>` until its like.
    quote: Option<u8>,
    /// The number of `<` that are open within a tag.
    depth: u64,
    /// True if the tag is `<?xml …`.
    xml: bool,
    /// The number of parentheses that are open in an instruction.
    parentheses: i64,
    /// The quote or parenthesis read last in an instruction.
    last: u8,
}

/// Bytes without tags.
pub(crate) fn strip(text: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(text.len());
    let mut state = State::Outside;
    let mut memory = Memory::default();
    for (place, &byte) in text.iter().enumerate() {
        state = match state {
            State::Outside => outside(text, place, byte, &mut memory, &mut kept),
            State::Tag => tag(text, place, byte, &mut memory),
            State::Instruction => instruction(text, place, byte, &mut memory),
            State::Declaration => declaration(text, place, byte, &mut memory),
            State::Comment if byte == b'>' && memory.quote.is_none() && behind(text, place, b"--") => State::Outside,
            State::Comment => State::Comment,
        };
    }
    kept
}

fn outside(text: &[u8], place: usize, byte: u8, memory: &mut Memory, kept: &mut Vec<u8>) -> State {
    match byte {
        0 => {}
        b'<' if !space(text, place + 1) => {
            memory.last = b'<';
            return State::Tag;
        }
        b'>' if memory.depth > 0 => memory.depth -= 1,
        _ => kept.push(byte),
    }
    State::Outside
}

fn tag(text: &[u8], place: usize, byte: u8, memory: &mut Memory) -> State {
    match byte {
        b'<' if memory.quote.is_none() && !space(text, place + 1) => memory.depth += 1,
        b'>' if memory.depth > 0 => memory.depth -= 1,
        b'>' if memory.quote.is_some() => {}
        b'>' if memory.xml && behind(text, place, b"-") => {}
        b'>' => {
            memory.xml = false;
            return State::Outside;
        }
        b'"' | b'\'' => memory.turn(byte),
        b'!' if behind(text, place, b"<") => {
            memory.last = byte;
            return State::Declaration;
        }
        b'?' if behind(text, place, b"<") => {
            memory.parentheses = 0;
            return State::Instruction;
        }
        _ => {}
    }
    State::Tag
}

fn instruction(text: &[u8], place: usize, byte: u8, memory: &mut Memory) -> State {
    let quoted = matches!(memory.last, b'"' | b'\'');
    match byte {
        b'(' if !quoted => (memory.last, memory.parentheses) = (byte, memory.parentheses + 1),
        b')' if !quoted => (memory.last, memory.parentheses) = (byte, memory.parentheses - 1),
        b'>' if memory.depth > 0 => memory.depth -= 1,
        b'>' if memory.quote.is_some() => {}
        b'>' if memory.parentheses == 0 && memory.last != b'"' && behind(text, place, b"?") => return State::Outside,
        b'"' | b'\'' if !behind(text, place, b"\\") => {
            memory.last = if memory.last == byte { 0 } else { byte };
            memory.turn(byte);
        }
        b'l' | b'L' if behind(text, place, b"<?xm") => {
            memory.xml = true;
            return State::Tag;
        }
        _ => {}
    }
    State::Instruction
}

fn declaration(text: &[u8], place: usize, byte: u8, memory: &mut Memory) -> State {
    match byte {
        b'>' if memory.depth > 0 => memory.depth -= 1,
        b'>' if memory.quote.is_none() => return State::Outside,
        b'"' | b'\'' if !behind(text, place, b"\\") => memory.turn(byte),
        b'-' if behind(text, place, b"!-") => return State::Comment,
        b'e' | b'E' if behind(text, place, b"<!doctyp") => return State::Tag,
        _ => {}
    }
    State::Declaration
}

impl Memory {
    /// A quote opens, or closes its like.
    fn turn(&mut self, quote: u8) {
        match self.quote {
            None => self.quote = Some(quote),
            Some(open) if open == quote => self.quote = None,
            Some(_) => {}
        }
    }
}

/// Returns true if the bytes before a place are these, in any case.
fn behind(text: &[u8], place: usize, wanted: &[u8]) -> bool {
    place.checked_sub(wanted.len()).is_some_and(|from| text[from..place].eq_ignore_ascii_case(wanted))
}

fn space(text: &[u8], place: usize) -> bool {
    matches!(text.get(place), Some(b' ' | b'\t' | b'\n' | b'\x0b' | b'\x0c' | b'\r'))
}
