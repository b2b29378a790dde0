//! Shapes: the names of objects' properties. Each has a number, by which a place in it is found again.

use super::text::Text;
use indexmap::IndexSet;
use std::ops::Deref;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Up to so many names, looking at each is faster than hashing.
const FEW: usize = 8;

/// The number of bits of what is kept that are the place; the others are the shape's number.
const PLACE_BITS: u32 = 16;

/// The next shape's number; 0 is none's, so that nothing is found before something was kept.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// The names of an object's properties, in order; they never change.
#[derive(Debug, Clone)]
pub struct ObjectShape {
    names: IndexSet<Text>,
    number: u64,
}

impl ObjectShape {
    /// Of names in order.
    pub fn of(names: IndexSet<Text>) -> Self {
        ObjectShape { names, number: NEXT.fetch_add(1, Relaxed) }
    }

    /// Returns the place of a name.
    pub(super) fn place(&self, name: &[u8]) -> Option<usize> {
        if self.names.len() <= FEW {
            self.names.iter().position(|text| text.as_bytes() == name)
        } else {
            self.names.get_index_of(name)
        }
    }

    /// A place in this shape, to be kept; 0 where it is too far behind.
    pub(super) fn kept(&self, place: usize) -> u64 {
        if place >> PLACE_BITS == 0 { self.number << PLACE_BITS | place as u64 } else { 0 }
    }

    /// The place that was kept, unless it was one of another shape.
    #[inline]
    pub(super) fn place_kept(&self, kept: u64) -> Option<usize> {
        place_kept(kept, self.number)
    }

    /// The number, which no other shape has.
    #[inline]
    pub(super) fn number(&self) -> u64 {
        self.number
    }
}

/// The place that was kept, unless it was one of another shape than that of a number.
#[inline]
pub(super) fn place_kept(kept: u64, number: u64) -> Option<usize> {
    (kept >> PLACE_BITS == number).then_some((kept & ((1 << PLACE_BITS) - 1)) as usize)
}

impl Default for ObjectShape {
    fn default() -> Self {
        ObjectShape::of(IndexSet::new())
    }
}

impl Deref for ObjectShape {
    type Target = IndexSet<Text>;

    fn deref(&self) -> &Self::Target {
        &self.names
    }
}

impl FromIterator<Text> for ObjectShape {
    fn from_iter<I: IntoIterator<Item = Text>>(names: I) -> Self {
        ObjectShape::of(names.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::ObjectShape;
    use crate::value::Text;

    #[test]
    fn a_place_is_kept_for_its_shape_alone() {
        let (one, other): (ObjectShape, ObjectShape) = (of(&["a", "b"]), of(&["b", "a"]));
        let kept = one.kept(1);
        assert_eq!((one.place_kept(kept), other.place_kept(kept)), (Some(1), None));
        assert_eq!((one.place_kept(0), one.kept(1 << 16)), (None, 0));
    }

    fn of(names: &[&str]) -> ObjectShape {
        names.iter().map(|name| Text::from(*name)).collect()
    }
}
