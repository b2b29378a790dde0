//! The filters of a type, as objects.

use super::text::Text;
use super::values::{chosen, one};
use super::{ClientType, ClientTypes};
use crate::answers::{DecimalForm, may_be_long};
use model::kinds::{FilterGroup, abilities};
use model::types::Property;

/// Adds the filters that a caller may ask for, which has a right to read.
pub(super) fn add(text: &mut Text, of: &ClientType<'_>, types: &ClientTypes<'_>) {
    if of.grant.show.is_none() {
        return;
    }
    let name = &of.name;
    text.block(&format!("export interface {name}Filter extends plinth.Groups<{name}Filter>"), |text| {
        for property in of.readable().chain(of.inverses.iter().copied()) {
            if let Some(filter) = filter(of, property, types) {
                text.member(&property.name, "?", &filter);
            }
        }
    });
}

/// The filters of a property; none where it has none.
fn filter(of: &ClientType<'_>, property: &Property, types: &ClientTypes<'_>) -> Option<String> {
    let target = types.target(property);
    let nested = target.map_or("never".to_owned(), |target| format!("{}Filter", target.name));
    let in_tree = target.is_some_and(|target| target.resource_type.parent_property.is_some());
    let kind = property.kind.as_ref();
    let groups = abilities(kind.class()).filters;
    let has = |group: FilterGroup| groups.contains(&group);
    let plain = match () {
        () if groups.is_empty() => return None,
        () if has(FilterGroup::Members) && kind.is_relation() => return Some(format!("plinth.LinksFilter<{nested}>")),
        () if has(FilterGroup::Members) => return Some(format!("plinth.Several<{}>", chosen(of, property))),
        () if kind.is_relation() && in_tree => return Some(format!("plinth.TreeLinkFilter<{nested}>")),
        () if kind.is_relation() => return Some(format!("plinth.LinkFilter<{nested}>")),
        () if kind.is_choice() => return Some(format!("plinth.ChoiceFilter<{}>", chosen(of, property))),
        () if property.position == 0 && of.resource_type.parent_property.is_some() => "TreeFilter",
        () if has(FilterGroup::Text) => "TextFilter",
        () if has(FilterGroup::Span) => "DateFilter",
        () if has(FilterGroup::Calendar) => "MonthFilter",
        () if kind.scale().is_some() || of.decimals == DecimalForm::Text && may_be_long(kind) => "DecimalFilter",
        () if kind.is_number() => "NumberFilter",
        () if has(FilterGroup::Order) => "TimeFilter",
        () if has(FilterGroup::Equality) && one(kind) == "boolean" => "BooleanFilter",
        () if has(FilterGroup::Equality) => "UuidFilter",
        () if has(FilterGroup::Count) => "FilesFilter",
        () => "Presence",
    };
    Some(format!("plinth.{plain}"))
}
