//! removeHtmlTags: PHP's strip_tags, a machine over bytes that reads each of them once.

/// The part of the text that the machine is within.
enum TagState {
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
struct TagMemory {
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
    let mut state = TagState::Outside;
    let mut memory = TagMemory::default();
    for (place, &byte) in text.iter().enumerate() {
        state = match state {
            TagState::Outside => outside(text, place, byte, &mut memory, &mut kept),
            TagState::Tag => tag(text, place, byte, &mut memory),
            TagState::Instruction => instruction(text, place, byte, &mut memory),
            TagState::Declaration => declaration(text, place, byte, &mut memory),
            TagState::Comment if byte == b'>' && memory.quote.is_none() && behind(text, place, b"--") => {
                TagState::Outside
            }
            TagState::Comment => TagState::Comment,
        };
    }
    kept
}

fn outside(text: &[u8], place: usize, byte: u8, memory: &mut TagMemory, kept: &mut Vec<u8>) -> TagState {
    match byte {
        0 => {}
        b'<' if !space(text, place + 1) => {
            memory.last = b'<';
            return TagState::Tag;
        }
        b'>' if memory.depth > 0 => memory.depth -= 1,
        _ => kept.push(byte),
    }
    TagState::Outside
}

fn tag(text: &[u8], place: usize, byte: u8, memory: &mut TagMemory) -> TagState {
    match byte {
        b'<' if memory.quote.is_none() && !space(text, place + 1) => memory.depth += 1,
        b'>' if memory.depth > 0 => memory.depth -= 1,
        b'>' if memory.quote.is_some() => {}
        b'>' if memory.xml && behind(text, place, b"-") => {}
        b'>' => {
            memory.xml = false;
            return TagState::Outside;
        }
        b'"' | b'\'' => memory.turn(byte),
        b'!' if behind(text, place, b"<") => {
            memory.last = byte;
            return TagState::Declaration;
        }
        b'?' if behind(text, place, b"<") => {
            memory.parentheses = 0;
            return TagState::Instruction;
        }
        _ => {}
    }
    TagState::Tag
}

fn instruction(text: &[u8], place: usize, byte: u8, memory: &mut TagMemory) -> TagState {
    let quoted = matches!(memory.last, b'"' | b'\'');
    match byte {
        b'(' if !quoted => (memory.last, memory.parentheses) = (byte, memory.parentheses + 1),
        b')' if !quoted => (memory.last, memory.parentheses) = (byte, memory.parentheses - 1),
        b'>' if memory.depth > 0 => memory.depth -= 1,
        b'>' if memory.quote.is_some() => {}
        b'>' if memory.parentheses == 0 && memory.last != b'"' && behind(text, place, b"?") => {
            return TagState::Outside;
        }
        b'"' | b'\'' if !behind(text, place, b"\\") => {
            memory.last = if memory.last == byte { 0 } else { byte };
            memory.turn(byte);
        }
        b'l' | b'L' if behind(text, place, b"<?xm") => {
            memory.xml = true;
            return TagState::Tag;
        }
        _ => {}
    }
    TagState::Instruction
}

fn declaration(text: &[u8], place: usize, byte: u8, memory: &mut TagMemory) -> TagState {
    match byte {
        b'>' if memory.depth > 0 => memory.depth -= 1,
        b'>' if memory.quote.is_none() => return TagState::Outside,
        b'"' | b'\'' if !behind(text, place, b"\\") => memory.turn(byte),
        b'-' if behind(text, place, b"!-") => return TagState::Comment,
        b'e' | b'E' if behind(text, place, b"<!doctyp") => return TagState::Tag,
        _ => {}
    }
    TagState::Declaration
}

impl TagMemory {
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
