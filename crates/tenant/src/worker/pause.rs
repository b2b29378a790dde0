//! Pauses between the tries of what fails, and the number of tries.

use model::environment::Random;

/// After how many tries something is given up.
pub const TRIES: i64 = 10;
/// Pauses between tries, in milliseconds: the first and the longest; each is twice the one before.
const PAUSES: (i64, i64) = (60_000, 6 * 60 * 60_000);

/// Returns the pause after so many tries: a fifth more or less, so that what failed together does not come back
/// together.
pub fn pause(tries: i64, random: &dyn Random) -> i64 {
    let doubled = PAUSES.0 << (tries - 1).clamp(0, 16);
    let pause = doubled.min(PAUSES.1);
    let mut bytes = [0; 2];
    random.fill(&mut bytes);
    pause * (80 + i64::from(u16::from_be_bytes(bytes)) * 40 / i64::from(u16::MAX)) / 100
}

#[cfg(test)]
mod tests {
    use super::{PAUSES, TRIES, pause};
    use model::environment::Random;

    struct Always(u8);

    impl Random for Always {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(self.0);
        }
    }

    #[test]
    fn pauses_double_up_to_six_hours_and_vary_by_a_fifth() {
        let minutes = |tries, byte| pause(tries, &Always(byte)) / 1_000;
        assert_eq!([1, 2, 3, 9, 10].map(|tries| minutes(tries, 0)), [48, 96, 192, 12_288, 17_280]);
        assert_eq!([1, 2, 3, 9, 10].map(|tries| minutes(tries, 255)), [72, 144, 288, 18_432, 25_920]);
        assert!((1..=TRIES).all(|tries| pause(tries, &Always(128)) <= PAUSES.1 * 6 / 5));
    }
}
