//! A text that is joined of parts: a short one lies where it is made, and is allocated for at no time.

use crate::value::Text;

/// The number of bytes in which most texts find room.
const SHORT: usize = 64;

/// Parts, one behind the other.
pub struct JoinedText {
    short: [u8; SHORT],
    length: usize,
    /// All parts, once they are longer.
    long: Vec<u8>,
}

impl Default for JoinedText {
    fn default() -> Self {
        JoinedText { short: [0; SHORT], length: 0, long: Vec::new() }
    }
}

impl JoinedText {
    /// Appends a part.
    pub fn push(&mut self, part: &[u8]) {
        let end = self.length + part.len();
        if self.long.is_empty() {
            if let Some(room) = self.short.get_mut(self.length..end) {
                room.copy_from_slice(part);
                self.length = end;
                return;
            }
            self.long.reserve(end.max(2 * SHORT));
            self.long.extend_from_slice(&self.short[..self.length]);
        }
        self.long.extend_from_slice(part);
    }

    /// The whole.
    pub fn text(&self) -> Text {
        Text::of_bytes(if self.long.is_empty() { &self.short[..self.length] } else { &self.long })
    }
}

#[cfg(test)]
mod tests {
    use super::JoinedText;

    #[test]
    fn parts_stay_in_order_whatever_their_lengths_are() {
        for lengths in [[0, 0, 0], [1, 2, 3], [63, 1, 0], [63, 1, 1], [64, 0, 1], [65, 0, 1], [0, 200, 5], [30, 40, 0]]
        {
            let parts: Vec<String> = lengths.iter().zip(["a", "b", "c"]).map(|(many, one)| one.repeat(*many)).collect();
            let mut joined = JoinedText::default();
            parts.iter().for_each(|part| joined.push(part.as_bytes()));
            assert_eq!(joined.text().lossy(), parts.concat());
        }
    }
}
