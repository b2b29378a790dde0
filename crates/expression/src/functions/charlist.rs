//! Character patterns of `random()`: bytes and ranges `a-z`, and fair draws from what they name.

/// The different bytes that a pattern names, in order.
pub fn alphabet(pattern: &[u8]) -> Vec<u8> {
    let mut named = [false; 256];
    let mut rest = pattern;
    while let [first, behind @ ..] = rest {
        // A line break is no end of a range: the pattern is read as by a regular expression's `.-.`.
        rest = match behind {
            [b'-', last, behind @ ..] if *first != b'\n' && *last != b'\n' => {
                for byte in *first.min(last)..=*first.max(last) {
                    named[usize::from(byte)] = true;
                }
                behind
            }
            _ => {
                named[usize::from(*first)] = true;
                behind
            }
        };
    }
    (0..=u8::MAX).filter(|&byte| named[usize::from(byte)]).collect()
}

/// Draws bytes of an alphabet (of 1 to 256), each as likely as any other.
pub fn draw(random: &mut dyn FnMut(&mut [u8]), alphabet: &[u8], length: usize) -> Vec<u8> {
    let mut drawn = Vec::with_capacity(length);
    // Bytes from the largest multiple of the alphabet's length on would favour its beginning.
    let fair = 256 / alphabet.len() * alphabet.len();
    let mut bytes = [0_u8; 64];
    while drawn.len() < length {
        random(&mut bytes);
        let fair = bytes.iter().map(|&byte| usize::from(byte)).filter(|&byte| byte < fair);
        drawn.extend(fair.take(length - drawn.len()).map(|byte| alphabet[byte % alphabet.len()]));
    }
    drawn
}
