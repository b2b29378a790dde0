//! An index that would serve a statement, as far as its type may have it and has none.

use super::engine_plan::EnginePlan;
use super::table_use::TableUse;
use model::kinds::ValueStorage;
use model::types::{Model, Property, ResourceType};

/// The most properties of an index: further ones hardly make it better, and each costs every write.
const MOST: usize = 3;

/// An index that would serve a statement.
pub(super) struct IndexWish<'m> {
    pub(super) of: &'m ResourceType,
    pub(super) columns: Vec<&'m Property>,
    /// The filters and the order that it serves.
    pub(super) form: String,
    equal: usize,
    sorted: bool,
}

impl<'m> IndexWish<'m> {
    /// The index that would serve a table of a statement; none where rows are found without, or none can help.
    pub(super) fn new(model: &'m Model, table: &TableUse, plan: &EnginePlan) -> Option<Self> {
        let of: &'m ResourceType = model.types.iter().find(|of| of.table.as_str() == table.table)?;
        let find = |column: &String| of.properties().iter().find(|property| property.column.as_str() == column);
        let served = |property: &&Property| {
            matches!(property.kind.storage(), ValueStorage::Column(_))
                && property.kind.indexable()
                && !property.is_virtual()
        };
        let known = |columns: &[String]| columns.iter().filter_map(find).filter(served).collect::<Vec<_>>();
        let (equal, ranges) = (known(&table.equal), known(&table.ranges));
        let order = table.order.as_ref().and_then(find).filter(served);
        let is_filtered = !equal.is_empty() || !ranges.is_empty();
        let sorted = order.filter(|_| plan.sorts() && ranges.is_empty() && (is_filtered || !table.others));
        if !plan.scans(&table.table, &table.alias) && (equal.is_empty() || sorted.is_none()) {
            return None;
        }
        let mut columns: Vec<&Property> = Vec::new();
        for property in equal.iter().copied().chain(ranges.iter().copied().take(1)).chain(sorted) {
            if columns.len() < MOST && !columns.iter().any(|known| known.position == property.position) {
                columns.push(property);
            }
        }
        let positions: Vec<usize> = columns.iter().map(|property| property.position).collect();
        let there = match columns.as_slice() {
            [] => true,
            [only] => of.has_index(only),
            several => of.has_index_of(&positions) || several.iter().any(|property| property.unique),
        };
        let form = form(&equal, &ranges, order);
        (!there).then_some(IndexWish { of, columns, form, equal: equal.len().min(MOST), sorted: sorted.is_some() })
    }

    /// Returns true if it serves what another one would.
    pub(super) fn covers(&self, other: &IndexWish<'_>) -> bool {
        let begins = self.columns.iter().zip(&other.columns).all(|(one, other)| one.position == other.position);
        self.of.id == other.of.id && self.columns.len() >= other.columns.len() && begins
    }

    /// Returns the place of its line in the type's file, and the line.
    pub(super) fn line(&self) -> (String, String) {
        if let [only] = self.columns.as_slice() {
            return (format!("properties.{}", only.name), "index: true".to_owned());
        }
        let fields = &self.of.fields;
        let there = self.of.indexes.iter().map(|index| index.iter().map(|position| &fields[*position]).collect());
        let all: Vec<Vec<&Property>> = there.chain([self.columns.clone()]).collect();
        let all: Vec<String> = all.iter().map(|index| format!("[{}]", names(index))).collect();
        (String::new(), format!("indexes: [{}]", all.join(", ")))
    }

    /// The benefit, in words.
    pub(super) fn reason(&self) -> &'static str {
        match (self.equal, self.columns.len(), self.sorted) {
            (0, _, true) => "a page is read in its order, where all rows are sorted now",
            (_, 2.., true) => "rows are found by their values, in the order of the page",
            (_, 2.., _) => "rows are found by all of them at once, where all rows are read now",
            (0, ..) => "rows are found by a range of it, where all rows are read now",
            _ => "rows are found by it, where all rows are read now",
        }
    }
}

fn names(properties: &[&Property]) -> String {
    properties.iter().map(|property| property.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// The filters and the order of a statement, without values.
fn form(equal: &[&Property], ranges: &[&Property], order: Option<&Property>) -> String {
    let filters = equal.iter().map(|property| format!("{} is one of some values", property.name));
    let filters = filters.chain(ranges.iter().map(|property| format!("{} is in a range", property.name)));
    let filters = filters.collect::<Vec<_>>().join(" and ");
    let order = order.map_or_else(String::new, |property| format!("in the order of {}", property.name));
    [filters, order].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}
