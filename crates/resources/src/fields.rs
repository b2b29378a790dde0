//! Fields that an answer has: showFields, hideFields, wrapFields and dotted expansion (D-19).

use super::relation_face::{self, RelationFace};
use context::actor::Allowed;
use context::reads::LoggedReads;
use model::error::{Error, Result};
use model::types::{FIRST_PROPERTY, FieldRule, FieldSet, Model, Property, ResourceType, TypeRules};
use query::path::{RelationHop, TypeAccess};
use query::request::FieldsRequest;
use query::row_access as rows;
use query::row_access::RowConditions;
use std::sync::Arc;

/// The fields of a type that are written, in the type's order.
#[derive(Debug)]
pub struct Selection<'m> {
    /// The type.
    pub resource_type: &'m Arc<ResourceType>,
    /// The fields, in order.
    pub members: Vec<Member<'m>>,
    /// Fields that are read for wrapped relations, where the resources belong into such.
    pub(crate) face: Option<RelationFace<'m>>,
    /// True if these are the default fields of whoever may read all.
    pub(crate) whole: bool,
    /// Grants that decide about rows and fields, where not every row shows the same to the caller.
    pub(crate) secured: Option<Box<RowConditions<'m>>>,
    /// Values that are taken of each row to calculate others. None where nothing is calculated, or where rows are read
    /// anew for that.
    pub(crate) carried: Option<Box<[RowInput]>>,
}

/// A field that is written.
#[derive(Debug)]
pub struct Member<'m> {
    /// The property of the field.
    pub property: &'m Property,
    /// Fields of the target that are read, where the field is a relation that is expanded or wrapped.
    pub(crate) expansion: Option<Selection<'m>>,
    /// Form in which the value is wrapped, where it is.
    pub(crate) wrapping: Option<ValueWrapping<'m>>,
    /// Of which grants one must hold for a row to show the field; none where every row does.
    pub(crate) guard: Option<Box<[usize]>>,
}

/// A value that is taken of a row for what is calculated of it.
#[derive(Debug)]
pub(crate) struct RowInput {
    /// The field's position.
    pub(crate) position: usize,
    /// Index of the member; none where the value is read behind the row's id, in the order of all such.
    pub(crate) member: Option<usize>,
}

/// Way in which values are wrapped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueWrapping<'m> {
    pub(super) model: &'m Model,
}

/// A selection under construction: a choice for each position of [`ResourceType::fields`].
struct SelectionDraft<'m> {
    allowed: Allowed<'m>,
    choices: Vec<FieldChoice<'m>>,
    /// For each position, whether the field is wrapped.
    wrapped: Vec<bool>,
}

enum FieldChoice<'m> {
    Hidden,
    Shown,
    Expanded(SelectionDraft<'m>),
}

impl<'m> Selection<'m> {
    /// Gives up where a job cannot note the reads of what the selection shows. Comes before anything is read.
    pub(crate) fn begin_reads(&self, reads: &LoggedReads) -> Result<()> {
        reads.begin_type(self.resource_type)?;
        let inner = self.members.iter().filter_map(|member| member.expansion.as_ref());
        inner.into_iter().try_for_each(|inner| inner.begin_reads(reads))
    }

    /// Resolves a request for fields with the caller's rights.
    pub fn new(access: &TypeAccess<'m>, fields: &FieldsRequest) -> Result<Selection<'m>> {
        if fields.show.is_none() && fields.hide.is_empty() && fields.wrap.is_none() {
            return Ok(Selection::of_default(access));
        }
        let mut draft = match &fields.show {
            None => SelectionDraft::of_default(&access.allowed),
            Some(_) => SelectionDraft::of_id(&access.allowed),
        };
        for name in fields.show.iter().flatten() {
            let path = resolve(access, name)?;
            draft.show(&path.0, path.1);
        }
        for name in &fields.hide {
            let path = resolve(access, name)?;
            draft.hide(&path.0, path.1);
        }
        if let Some(wrap) = &fields.wrap {
            for name in &wrap.named {
                let path = resolve(access, name)?;
                draft.wrap(&path.0, path.1);
            }
            if wrap.all {
                draft.wrap_all();
            }
        }
        Ok(draft.finish(access))
    }

    /// Returns the default fields, for requests that ask for none.
    fn of_default(access: &TypeAccess<'m>) -> Selection<'m> {
        let allowed = &access.allowed;
        let secured = RowConditions::new(access, allowed);
        let fields = allowed.resource_type.fields.iter().filter(|property| by_default(allowed, property));
        let whole =
            allowed.readable == FieldSet::All && secured.as_ref().is_none_or(|secured| secured.grants.is_empty());
        let members = fields.map(|property| Member::new(allowed, property)).collect();
        Selection { resource_type: allowed.resource_type, members, face: None, whole, secured, carried: None }
            .carrying()
    }

    fn carrying(mut self) -> Self {
        self.carried = self.row_inputs();
        self
    }

    /// The same with some of the members.
    pub fn only(mut self, keep: impl FnMut(&Member<'m>) -> bool) -> Self {
        let before = self.members.len();
        self.members.retain(keep);
        self.whole &= self.members.len() == before;
        self.carrying()
    }

    /// No field at all.
    fn of_nothing(access: &TypeAccess<'m>, allowed: &Allowed<'m>) -> Selection<'m> {
        let secured = RowConditions::new(access, allowed);
        Selection {
            resource_type: allowed.resource_type,
            members: Vec::new(),
            face: None,
            whole: false,
            secured,
            carried: None,
        }
    }

    /// Returns the column of a statement that has the row's id, where it is read. It is that of the member which shows
    /// it, else the one behind all that is shown or decides about it.
    pub fn id_column(&self) -> usize {
        self.id_member().unwrap_or_else(|| self.end_column())
    }

    /// Returns the index of the member that is the id.
    pub(super) fn id_member(&self) -> Option<usize> {
        self.members.iter().position(|member| member.property.position == 0)
    }

    /// Returns the column behind all that is shown or decides about it.
    fn end_column(&self) -> usize {
        self.grant_column() + self.secured.as_ref().map_or(0, |secured| secured.grants.len())
    }

    /// Returns the first column that is carried along and is no member: behind the id.
    pub(super) fn carried_column(&self) -> usize {
        self.end_column() + usize::from(self.id_member().is_none())
    }

    /// Returns the first column of the grants, where they decide about fields.
    pub(super) fn grant_column(&self) -> usize {
        self.members.len() + self.face.as_ref().map_or(0, |face| face.columns().count())
    }

    /// Returns true if more is read than the rows: something of the targets of relations, or what calculations need.
    pub(crate) fn expands(&self) -> bool {
        (self.calculates() && !self.calculates_alone()) || self.members.iter().any(|member| member.expansion.is_some())
    }

    /// Returns true if fields are calculated when they are shown, or do not apply to every resource.
    pub(crate) fn calculates(&self) -> bool {
        // It is asked for each row: most types have neither.
        let rules = self.resource_type.rules();
        if rules.virtuals.is_empty() && rules.conditions.is_empty() {
            return false;
        }
        self.members.iter().any(|member| member.property.is_virtual() || self.condition(member.property).is_some())
    }

    /// The condition of a field, where it has one.
    pub fn condition(&self, property: &Property) -> Option<&'m FieldRule> {
        TypeRules::about(&self.resource_type.rules().conditions, property.position)
    }
}

impl<'m> Member<'m> {
    fn new(allowed: &Allowed<'m>, property: &'m Property) -> Self {
        Member { property, expansion: None, wrapping: None, guard: rows::guarding(allowed, property) }
    }
}

impl<'m> SelectionDraft<'m> {
    fn of_id(allowed: &Allowed<'m>) -> Self {
        let resource_type = allowed.resource_type;
        let choices = resource_type.fields.iter().map(|property| match property.position {
            0 => FieldChoice::Shown,
            _ => FieldChoice::Hidden,
        });
        let wrapped = vec![false; resource_type.fields.len()];
        SelectionDraft { allowed: allowed.clone(), choices: choices.collect(), wrapped }
    }

    fn of_default(allowed: &Allowed<'m>) -> Self {
        let choices = allowed.resource_type.fields.iter().map(|property| match by_default(allowed, property) {
            true => FieldChoice::Shown,
            false => FieldChoice::Hidden,
        });
        let wrapped = vec![false; allowed.resource_type.fields.len()];
        SelectionDraft { allowed: allowed.clone(), choices: choices.collect(), wrapped }
    }

    fn show(&mut self, hops: &[RelationHop<'m>], property: &'m Property) {
        let Some((hop, rest)) = hops.split_first() else {
            let choice = &mut self.choices[property.position];
            if matches!(choice, FieldChoice::Hidden) {
                *choice = FieldChoice::Shown;
            }
            return;
        };
        let choice = &mut self.choices[hop.property.position];
        if !matches!(choice, FieldChoice::Expanded(_)) {
            *choice = FieldChoice::Expanded(SelectionDraft::of_id(&hop.target));
        }
        if let FieldChoice::Expanded(inner) = choice {
            inner.show(rest, property);
        }
    }

    fn hide(&mut self, hops: &[RelationHop<'m>], property: &'m Property) {
        let Some((hop, rest)) = hops.split_first() else {
            self.choices[property.position] = FieldChoice::Hidden;
            return;
        };
        if let FieldChoice::Expanded(inner) = &mut self.choices[hop.property.position] {
            inner.hide(rest, property);
        }
    }

    /// A field that is not shown has no value to be wrapped.
    fn wrap(&mut self, hops: &[RelationHop<'m>], property: &'m Property) {
        let Some((hop, rest)) = hops.split_first() else {
            self.wrapped[property.position] = true;
            return;
        };
        if let FieldChoice::Expanded(inner) = &mut self.choices[hop.property.position] {
            inner.wrap(rest, property);
        }
    }

    fn wrap_all(&mut self) {
        self.wrapped.fill(true);
        for choice in &mut self.choices {
            if let FieldChoice::Expanded(inner) = choice {
                inner.wrap_all();
            }
        }
    }

    fn finish(self, access: &TypeAccess<'m>) -> Selection<'m> {
        let resource_type = self.allowed.resource_type;
        let secured = RowConditions::new(access, &self.allowed);
        let fields = resource_type.fields.iter().zip(self.wrapped);
        let members = fields.zip(self.choices).filter_map(|((property, wrapped), choice)| {
            let mut expansion = match choice {
                FieldChoice::Hidden => return None,
                FieldChoice::Shown => None,
                FieldChoice::Expanded(draft) => Some(draft.finish(access)),
            };
            let wrapping = wrapped.then_some(ValueWrapping { model: access.model });
            if let Some(target) = wrapping.and_then(|_| relation_face::target(access, property)) {
                let face = RelationFace::new(access, &target, expansion.is_some());
                let named = || Selection::of_nothing(access, &target);
                expansion.get_or_insert_with(named).face = Some(face);
            }
            Some(Member { expansion, wrapping, ..Member::new(&self.allowed, property) })
        });
        let members = members.collect();
        Selection { resource_type, members, face: None, whole: false, secured, carried: None }.carrying()
    }
}

/// id, uuid and every readable property; the other system fields come only when named (D-16).
fn by_default(allowed: &Allowed<'_>, property: &Property) -> bool {
    let own = property.position >= FIRST_PROPERTY;
    property.position < 2 || (own && allowed.readable.contains(property) && !property.kind.concealed())
}

/// Resolves the name of a field.
pub(super) fn resolve<'m>(access: &TypeAccess<'m>, name: &str) -> Result<(Vec<RelationHop<'m>>, &'m Property)> {
    let path = access.resolve(name)?;
    if path.hops.iter().any(|hop| hop.property.kind.files().is_some()) {
        let message = format!("The property {name:?} is part of a file, which is shown as a whole.");
        return Err(Error::invalid("property_in_file", message));
    }
    if path.keys.is_empty() {
        return Ok((path.hops, path.property));
    }
    let message = format!("The property {name:?} is inside a JSON document, which is shown as a whole.");
    Err(Error::invalid("property_in_json", message))
}
