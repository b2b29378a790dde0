//! Packed files, within a limit: a small file may be made so that it unpacks to any size.

use flate2::bufread::MultiGzDecoder;
use std::io;
use std::io::{BufRead, Read};

/// Unpacked, a file has at most so many bytes, and so many times its packed ones.
const MOST: u64 = 2 << 30;
const RATIO: u64 = 100;
/// A short file may be well packed.
const FREE: u64 = 16 << 20;

/// Returns true if a file begins as gzip does (RFC 1952, 2.3.1).
pub fn has_gzip_signature(start: &[u8]) -> bool {
    start.starts_with(&[0x1f, 0x8b])
}

/// Unpacks a file, which may have so many bytes then.
pub(super) fn unpacked(packed: impl BufRead, most: u64) -> impl Read {
    UnpackLimit::new(MultiGzDecoder::new(packed), most)
}

/// The most bytes that a packed file of so many has.
pub(super) fn most(length: u64) -> u64 {
    length.saturating_mul(RATIO).clamp(FREE, MOST)
}

/// A reader that fails beyond a number of bytes.
pub(super) struct UnpackLimit<R> {
    reader: R,
    left: u64,
    most: u64,
}

impl<R> UnpackLimit<R> {
    pub(super) fn new(reader: R, most: u64) -> Self {
        UnpackLimit { reader, left: most, most }
    }
}

impl<R: Read> Read for UnpackLimit<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(bytes)?;
        let most = self.most;
        let left = self.left.checked_sub(count as u64);
        self.left = left.ok_or_else(|| io::Error::other(format!("it unpacks to more than {most} bytes")))?;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::{most, unpacked};
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io;
    use std::io::Read;

    #[test]
    fn a_bomb_goes_off_nowhere() {
        let mut bomb = GzEncoder::new(Vec::new(), Compression::best());
        io::copy(&mut io::repeat(b'0').take(64 << 20), &mut bomb).unwrap();
        let bomb = bomb.finish().unwrap();
        assert!(bomb.len() < 100_000);
        let error = io::copy(&mut unpacked(bomb.as_slice(), most(bomb.len() as u64)), &mut io::sink()).unwrap_err();
        assert_eq!(error.to_string(), "it unpacks to more than 16777216 bytes");
        let half = &bomb[..bomb.len() / 2];
        assert!(io::copy(&mut unpacked(half, most(10 << 20)), &mut io::sink()).is_err(), "a file that ends too soon");
    }
}
