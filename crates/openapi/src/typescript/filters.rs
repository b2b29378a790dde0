//! The filters of a type, as objects.

use super::text::Text;
use super::values::chosen;
use super::{ClientType, ClientTypes};
use model::kinds::KindClass;
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
    let plain = match property.kind.class() {
        KindClass::Integer if property.position == 0 && of.resource_type.parent_property.is_some() => "TreeFilter",
        KindClass::Integer | KindClass::Float => "NumberFilter",
        KindClass::Decimal { .. } => "DecimalFilter",
        KindClass::Text => "TextFilter",
        KindClass::Boolean => "BooleanFilter",
        KindClass::Date | KindClass::DateTime => "DateFilter",
        KindClass::Month => "MonthFilter",
        KindClass::Time => "TimeFilter",
        KindClass::Uuid => "UuidFilter",
        KindClass::File | KindClass::Files => "FilesFilter",
        KindClass::Json => "Presence",
        KindClass::Enumeration => return Some(format!("plinth.ChoiceFilter<{}>", chosen(of, property))),
        KindClass::Enumerations => return Some(format!("plinth.Several<{}>", chosen(of, property))),
        KindClass::Relation if in_tree => return Some(format!("plinth.TreeLinkFilter<{nested}>")),
        KindClass::Relation => return Some(format!("plinth.LinkFilter<{nested}>")),
        KindClass::Relations => return Some(format!("plinth.LinksFilter<{nested}>")),
        KindClass::Concealed => return None,
    };
    Some(format!("plinth.{plain}"))
}
