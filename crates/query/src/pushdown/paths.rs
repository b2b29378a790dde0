//! Properties of the row and of those that relations lead to.

use crate::condition::ValuePlace;
use crate::pushdown::intervals::interval_member;
use crate::pushdown::sort::ValueSort;
use crate::pushdown::term::{PartTerm, TranslatedPart};
use crate::pushdown::translate::{ContextRow, RuleTranslation, TranslationResult, refused};
use crate::scalar::Scalar;
use datetime::IntervalUnit;
use expression::syntax::{PathStep, SyntaxKind, SyntaxNode};
use expression::{Diagnostic, Span};
use model::kinds::{ValueStorage, nearest};
use model::types::{Property, ResourceType};

/// The most relations that a path may follow.
const MAX_HOPS: usize = 3;

/// The row and the property that a path has come to.
struct PathEnd<'m> {
    /// The relations that were followed.
    hops: Vec<ValuePlace<'m>>,
    /// The type of the row there.
    resource_type: &'m ResourceType,
    property: &'m Property,
    span: Span,
}

impl PathEnd<'_> {
    /// Returns true if a step is not a property of a row, but the unit of the number that the way has come to.
    fn ends_before(&self, name: &str) -> bool {
        self.property.kind.relation().is_none() && IntervalUnit::of(name).is_some()
    }
}

impl<'m> RuleTranslation<'_, 'm> {
    /// `name`, `customer.country.code`, `name.upper()`, `terms.days`.
    pub(super) fn path(&self, syntax: &SyntaxNode, here: ContextRow<'m>) -> TranslationResult<TranslatedPart<'m>> {
        let (first, steps) = match &syntax.kind {
            SyntaxKind::Path(first, steps) => (&**first, steps.as_slice()),
            _ => (syntax, [].as_slice()),
        };
        let mut followed = 0;
        let mut value = match &first.kind {
            SyntaxKind::Name(name) => {
                let property = property(here.resource_type, name, first.span)?;
                let mut way =
                    PathEnd { hops: Vec::new(), resource_type: here.resource_type, property, span: first.span };
                while let Some(PathStep::Property(name, span)) = steps.get(followed)
                    && !way.ends_before(name)
                {
                    self.follow(&mut way, name, *span, here)?;
                    followed += 1;
                }
                self.end(way, here)?.into()
            }
            _ => self.part(first, here)?,
        };
        for step in &steps[followed..] {
            value = match step {
                PathStep::Call(call) => self.call(call, Some(value), call.name_span, here)?,
                PathStep::Property(name, span) => interval_member(value, name, *span)?,
                PathStep::Index(key) => return Err(refused(key.span, "items of an array have no columns")),
            };
        }
        Ok(value)
    }

    /// Follows the relation at the end of the way, to a property of the row there.
    fn follow(&self, way: &mut PathEnd<'m>, name: &str, span: Span, here: ContextRow<'m>) -> TranslationResult<()> {
        let relation = way.property.kind.relation();
        let Some(target) = relation.and_then(|relation| self.model.type_by_id(relation.type_id)) else {
            let why = format!("`{}` is no relation, and parts of a plain value have no columns", way.property.name);
            return Err(refused(span, why));
        };
        if way.hops.len() == MAX_HOPS {
            return Err(refused(span, format!("a path may follow {MAX_HOPS} relations")));
        }
        way.hops.push(ValuePlace { level: here.level + way.hops.len(), property: way.property, inside: None });
        (way.resource_type, way.property, way.span) = (target, property(target, name, span)?, span);
        Ok(())
    }

    /// The values at the end of a way.
    fn end(&self, mut way: PathEnd<'m>, here: ContextRow<'m>) -> TranslationResult<PartTerm<'m>> {
        let sort = ValueSort::of(way.property);
        // The id of what a relation refers to is the relation's own value: that resource exists.
        let id_of = |hop: &ValuePlace<'m>| way.property.position == 0 && !hop.multiple();
        if let Some(sort) = &sort
            && let Some(hop) = way.hops.pop_if(|hop| id_of(hop))
        {
            return Ok(values(way.hops, sort.clone(), hop));
        }
        let level = here.level + way.hops.len();
        let mut place = ValuePlace { level, property: way.property, inside: None };
        if !matches!(way.property.kind.storage(), ValueStorage::Column(_)) {
            let related = way.property.kind.relation().and_then(|relation| self.model.type_by_id(relation.type_id));
            let Some(target) = related else { return self.members(way.hops, sort, place, way.span) };
            // The resources that it refers to, by their ids.
            way.hops.push(place);
            place = ValuePlace { level: level + 1, property: &target.fields[0], inside: None };
        }
        let Some(sort) = sort else {
            let name = &way.property.name;
            return Err(refused(way.span, format!("`{name}` has no values that are compared or counted with")));
        };
        Ok(values(way.hops, sort, place))
    }

    fn members(
        &self,
        hops: Vec<ValuePlace<'m>>,
        sort: Option<ValueSort>,
        place: ValuePlace<'m>,
        span: Span,
    ) -> TranslationResult<PartTerm<'m>> {
        if hops.iter().any(ValuePlace::multiple) {
            return Err(refused(span, "a property with several values lies behind a relation to several resources"));
        }
        // A file is a property with one value that lies elsewhere.
        if place.property.kind.holds_files() && !place.property.kind.holds_several() {
            return Ok(PartTerm::Members(hops, None, place));
        }
        Ok(PartTerm::Members(hops, sort, place))
    }
}

/// The values at a place to which relations lead, of which some may lead to several resources.
fn values<'m>(mut hops: Vec<ValuePlace<'m>>, sort: ValueSort, place: ValuePlace<'m>) -> PartTerm<'m> {
    let many = hops.iter().rposition(ValuePlace::multiple).map_or(0, |last| last + 1);
    let behind = hops.split_off(many);
    let scalar = Scalar::Place(behind, place);
    if many > 0 { PartTerm::Several(hops, sort, scalar) } else { PartTerm::Row(sort, scalar) }
}

/// A property that expressions see.
fn property<'m>(resource_type: &'m ResourceType, name: &str, span: Span) -> TranslationResult<&'m Property> {
    let seen = |property: &&Property| !property.kind.concealed();
    let found = resource_type.field(name).filter(seen);
    if found.is_some_and(Property::is_virtual) {
        let message = format!("{name} is a virtual calculation, which has no stored value. Store it.");
        return Err(Diagnostic::new("virtual_mentioned", span, message));
    }
    found.ok_or_else(|| {
        let names = resource_type.fields.iter().filter(seen).map(|property| property.name.as_str());
        let suggestion = nearest(name, names).map(str::to_owned);
        let message = format!("The type {} has no property `{name}`.", resource_type.name);
        Diagnostic::new("unknown_property", span, message).suggesting(suggestion)
    })
}
