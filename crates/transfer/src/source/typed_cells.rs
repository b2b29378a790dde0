//! Cells of a row that have a type of their own: numbers, days and truth values of workbooks.

/// The bits of a part.
const BITS: usize = u64::BITS as usize;

/// The columns of a row whose cells have a type. The others are texts, as all cells of CSV are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypedCells(Vec<u64>);

impl TypedCells {
    /// Notes the cell of a column.
    pub(super) fn note(&mut self, column: usize) {
        self.0.resize(self.0.len().max(column / BITS + 1), 0);
        self.0[column / BITS] |= 1 << (column % BITS);
    }

    /// Forgets all of them.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns true if the cell of a column has a type.
    pub fn has(&self, column: usize) -> bool {
        self.0.get(column / BITS).is_some_and(|part| part >> (column % BITS) & 1 == 1)
    }

    /// The bytes of memory that they take.
    pub(super) fn size(&self) -> usize {
        size_of_val(self.0.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::TypedCells;

    #[test]
    fn columns_are_noted_one_by_one() {
        let mut cells = TypedCells::default();
        [0, 63, 64, 200].into_iter().for_each(|column| cells.note(column));
        let noted: Vec<usize> = (0..300).filter(|column| cells.has(*column)).collect();
        assert_eq!((noted, cells.size()), (vec![0, 63, 64, 200], 32));
        cells.clear();
        assert_eq!(cells, TypedCells::default());
    }
}
