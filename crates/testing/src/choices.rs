//! Random choices that are the same in every run.

/// A sequence of choices, made by its seed.
#[derive(Clone, Debug)]
pub struct Choices(u64);

impl Choices {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number from 0 to below the end.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits are a usize") % end
    }

    /// True once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of some things.
    pub fn of<'c, T>(&mut self, choices: &'c [T]) -> &'c T {
        &choices[self.below(choices.len())]
    }

    /// Some of some things, in their order.
    pub fn some<'c, T>(&mut self, choices: &'c [T]) -> Vec<&'c T> {
        choices.iter().filter(|_| self.once_in(2)).collect()
    }
}
