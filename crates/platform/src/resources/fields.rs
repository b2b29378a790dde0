//! Which fields an answer has: showFields, hideFields and dotted expansion (D-19).

use super::FieldsRequest;
use super::path::{Access, Hop};
use crate::actor::Allowed;
use crate::error::{Error, Result};
use crate::types::{FIRST_PROPERTY, Fields, Property, Type};
use std::sync::Arc;

/// The fields of a type that are written, in the type's order.
#[derive(Debug)]
pub(crate) struct Selection<'m> {
    pub(crate) resource_type: &'m Arc<Type>,
    pub(crate) members: Vec<Member<'m>>,
    /// Whether these are the default fields of whoever may read all.
    pub(crate) whole: bool,
}

/// A field that is written.
#[derive(Debug)]
pub(crate) struct Member<'m> {
    pub(crate) property: &'m Property,
    /// Where the field is a relation that is expanded: what of its target is written.
    pub(crate) expansion: Option<Selection<'m>>,
}

/// A selection under construction: a choice for each position of [`Type::fields`].
struct Draft<'m> {
    resource_type: &'m Arc<Type>,
    choices: Vec<Choice<'m>>,
}

enum Choice<'m> {
    Hidden,
    Shown,
    Expanded(Draft<'m>),
}

impl<'m> Selection<'m> {
    /// Resolves a request for fields with the caller's rights.
    pub(crate) fn new(access: &Access<'m>, request: &FieldsRequest) -> Result<Selection<'m>> {
        if *request == FieldsRequest::default() {
            return Ok(Selection::of_default(&access.allowed));
        }
        let mut draft = match &request.show {
            None => Draft::of_default(&access.allowed),
            Some(_) => Draft::of_id(access.allowed.resource_type),
        };
        for name in request.show.iter().flatten() {
            let path = resolve(access, name)?;
            draft.show(&path.0, path.1);
        }
        for name in &request.hide {
            let path = resolve(access, name)?;
            draft.hide(&path.0, path.1);
        }
        Ok(draft.finish())
    }

    /// What comes when nothing is asked for.
    fn of_default(allowed: &Allowed<'m>) -> Selection<'m> {
        let fields = allowed.resource_type.fields.iter().filter(|property| by_default(allowed, property));
        Selection {
            resource_type: allowed.resource_type,
            members: fields.map(|property| Member { property, expansion: None }).collect(),
            whole: allowed.readable == Fields::All,
        }
    }

    /// Whether any relation is expanded.
    pub(crate) fn expands(&self) -> bool {
        self.members.iter().any(|member| member.expansion.is_some())
    }
}

impl<'m> Draft<'m> {
    fn of_id(resource_type: &'m Arc<Type>) -> Self {
        let choices = resource_type.fields.iter().map(|property| match property.position {
            0 => Choice::Shown,
            _ => Choice::Hidden,
        });
        Draft { resource_type, choices: choices.collect() }
    }

    fn of_default(allowed: &Allowed<'m>) -> Self {
        let choices = allowed.resource_type.fields.iter().map(|property| match by_default(allowed, property) {
            true => Choice::Shown,
            false => Choice::Hidden,
        });
        Draft { resource_type: allowed.resource_type, choices: choices.collect() }
    }

    fn show(&mut self, hops: &[Hop<'m>], property: &'m Property) {
        let Some((hop, rest)) = hops.split_first() else {
            let choice = &mut self.choices[property.position];
            if matches!(choice, Choice::Hidden) {
                *choice = Choice::Shown;
            }
            return;
        };
        let choice = &mut self.choices[hop.property.position];
        if !matches!(choice, Choice::Expanded(_)) {
            *choice = Choice::Expanded(Draft::of_id(hop.target.resource_type));
        }
        if let Choice::Expanded(inner) = choice {
            inner.show(rest, property);
        }
    }

    fn hide(&mut self, hops: &[Hop<'m>], property: &'m Property) {
        let Some((hop, rest)) = hops.split_first() else {
            self.choices[property.position] = Choice::Hidden;
            return;
        };
        if let Choice::Expanded(inner) = &mut self.choices[hop.property.position] {
            inner.hide(rest, property);
        }
    }

    fn finish(self) -> Selection<'m> {
        let fields = self.resource_type.fields.iter();
        let members = fields.zip(self.choices).filter_map(|(property, choice)| match choice {
            Choice::Hidden => None,
            Choice::Shown => Some(Member { property, expansion: None }),
            Choice::Expanded(draft) => Some(Member { property, expansion: Some(draft.finish()) }),
        });
        Selection { resource_type: self.resource_type, members: members.collect(), whole: false }
    }
}

/// id, uuid and every readable property; the other system fields come only when named (D-16).
fn by_default(allowed: &Allowed<'_>, property: &Property) -> bool {
    let own = property.position >= FIRST_PROPERTY;
    property.position < 2 || (own && allowed.readable.contains(property) && !property.kind.concealed())
}

fn resolve<'m>(access: &Access<'m>, name: &str) -> Result<(Vec<Hop<'m>>, &'m Property)> {
    let path = access.resolve(name)?;
    if path.keys.is_empty() {
        return Ok((path.hops, path.property));
    }
    let message = format!("The property {name:?} is inside a JSON document, which is shown as a whole.");
    Err(Error::invalid("property_in_json", message))
}
