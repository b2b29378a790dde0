//! Fields that an answer has (D-19).

use super::related::RelatedMembers;
use super::relation_face::RelationFace;
use super::selection_draft::SelectionDraft;
use context::actor::Allowed;
use context::reads::LoggedReads;
use model::error::{Error, Result};
use model::kinds::ValueStorage;
use model::types::{FIRST_PROPERTY, FieldRule, FieldSet, Model, Property, ResourceType, TypeRules};
use query::path::{RelationHop, TypeAccess};
use query::related_request::TotalName;
use query::related_total::RelatedTotal;
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
    /// Members behind the fields: the rows that inverses lead to, and totals of them.
    pub(crate) related: RelatedMembers<'m>,
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

impl<'m> Selection<'m> {
    /// Gives up where a job cannot note the reads of what the selection shows. Comes before anything is read.
    pub(crate) fn begin_reads(&self, reads: &LoggedReads) -> Result<()> {
        reads.begin_type(self.resource_type)?;
        self.inner().try_for_each(|inner| inner.begin_reads(reads))?;
        self.related.totals.iter().try_for_each(|totals| totals.begin_reads(reads))
    }

    /// Resolves a request for fields with the caller's rights.
    pub fn new(access: &TypeAccess<'m>, fields: &FieldsRequest) -> Result<Selection<'m>> {
        let plain = fields.hide.is_empty() && fields.wrap.is_none() && fields.related.is_empty() && !fields.tags;
        if fields.show.is_none() && plain {
            return Ok(Selection::of_default(access));
        }
        SelectionDraft::of(access, fields)?.finish(access, &fields.related)
    }

    /// Returns the default fields, for requests that ask for none.
    fn of_default(access: &TypeAccess<'m>) -> Selection<'m> {
        let allowed = &access.allowed;
        let secured = RowConditions::new(access, allowed);
        let fields = allowed.resource_type.fields.iter().filter(|property| by_default(allowed, property));
        let whole =
            allowed.readable == FieldSet::All && secured.as_ref().is_none_or(|secured| secured.grants.is_empty());
        let members = fields.map(|property| Member::new(allowed, property)).collect();
        Selection { members, whole, secured, ..Selection::empty(allowed.resource_type) }.carrying()
    }

    pub(super) fn carrying(mut self) -> Self {
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
    pub(super) fn of_nothing(access: &TypeAccess<'m>, allowed: &Allowed<'m>) -> Selection<'m> {
        Selection { secured: RowConditions::new(access, allowed), ..Selection::empty(allowed.resource_type) }
    }

    /// No field, and no conditions on rows.
    pub(crate) fn empty(resource_type: &'m Arc<ResourceType>) -> Selection<'m> {
        Selection {
            resource_type,
            members: Vec::new(),
            face: None,
            whole: false,
            secured: None,
            carried: None,
            related: RelatedMembers::default(),
        }
    }

    /// The selections of the rows that are shown inside of these.
    pub(crate) fn inner(&self) -> impl Iterator<Item = &Selection<'m>> {
        let expanded = self.members.iter().filter_map(|member| member.expansion.as_ref());
        expanded.chain(self.related.rows.iter().map(|rows| &rows.selection))
    }

    /// Returns the number of columns of a statement that reads rows with their ids.
    pub(super) fn width(&self) -> usize {
        let carried = self.carried.iter().flat_map(|carried| carried.iter());
        self.carried_column() + carried.filter(|carried| carried.member.is_none()).count()
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

    /// The names of the members behind the fields: inverses, and behind them their totals. True for those that are rows.
    pub fn related_names(&self) -> impl Iterator<Item = (&str, bool)> {
        let rows = self.related.rows.len();
        self.related.names().enumerate().map(move |(index, name)| (name, index < rows))
    }

    /// Returns true if more is read than the rows: something of the targets of relations, or what calculations need.
    pub(crate) fn expands(&self) -> bool {
        (self.calculates() && !self.calculates_alone()) || self.embeds()
    }

    /// Returns true if rows of other types, or totals of them, belong into the rows.
    pub(crate) fn embeds(&self) -> bool {
        !self.related.is_empty() || self.members.iter().any(|member| member.expansion.is_some())
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
    pub(super) fn new(allowed: &Allowed<'m>, property: &'m Property) -> Self {
        Member { property, expansion: None, wrapping: None, guard: rows::guarding(allowed, property) }
    }

    /// The fields of the target, where the field is one related resource that is put in its place.
    pub fn target(&self) -> Option<&Selection<'m>> {
        let one = matches!(self.property.kind.storage(), ValueStorage::Column(_)) && self.wrapping.is_none();
        self.expansion.as_ref().filter(|_| one)
    }

    /// Returns true if related resources are put in its place.
    pub fn expands(&self) -> bool {
        self.expansion.is_some()
    }

    /// Returns true if the value is written with data for people.
    pub fn wrapped(&self) -> bool {
        self.wrapping.is_some()
    }
}

/// id, uuid and every readable property; the other system fields come only when named (D-16).
pub(super) fn by_default(allowed: &Allowed<'_>, property: &Property) -> bool {
    let own = property.position >= FIRST_PROPERTY;
    property.position < 2 || (own && allowed.readable.contains(property) && !property.kind.concealed())
}

/// Checks the name of a field or of a total.
pub(super) fn check(access: &TypeAccess<'_>, name: &str) -> Result<()> {
    let Some(total) = TotalName::parse(name)? else { return resolve(access, name).map(drop) };
    let (hops, inverse) = resolve(access, total.inverse)?;
    let owner = hops.last().map_or_else(|| access.allowed.clone(), |hop| hop.target.clone());
    RelatedTotal::new(&access.at(owner), inverse, &total, None).map(drop)
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
