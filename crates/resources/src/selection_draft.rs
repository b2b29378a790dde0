//! Selections under construction: showFields, hideFields, wrapFields and dotted expansion (D-19).

use super::fields::{Member, Selection, ValueWrapping, by_default, resolve};
use super::related::{self, RelatedMembers, RelatedPaths};
use super::relation_face::{self, RelationFace};
use context::actor::Allowed;
use context::allowed_tags::AllowedTags;
use model::error::{Error, Result};
use model::types::{Property, ResourceAction};
use query::path::{RelationHop, TypeAccess};
use query::related_request::{RelatedRequest, TotalName};
use query::request::FieldsRequest;
use query::row_access::RowConditions;
use std::collections::BTreeMap;

/// A selection under construction: a choice for each position of [`ResourceType::fields`].
pub(super) struct SelectionDraft<'m> {
    allowed: Allowed<'m>,
    choices: Vec<FieldChoice<'m>>,
    /// For each position, whether the field is wrapped.
    wrapped: Vec<bool>,
    /// Members of inverses, by their positions.
    related: BTreeMap<usize, RelatedDraft<'m>>,
    /// The right to see tags, where they are shown.
    tags: Option<AllowedTags>,
}

/// The members of an inverse that are asked for.
pub(super) struct RelatedDraft<'m> {
    pub(super) inverse: &'m Property,
    /// True if the rows are shown: as ids, unless fields of them are.
    pub(super) is_shown: bool,
    pub(super) fields: Option<SelectionDraft<'m>>,
    /// Names of totals.
    pub(super) totals: Vec<String>,
}

enum FieldChoice<'m> {
    Hidden,
    Shown,
    Expanded(SelectionDraft<'m>),
}

impl<'m> SelectionDraft<'m> {
    /// Resolves the names of a request with the caller's rights.
    pub(super) fn of(access: &TypeAccess<'m>, fields: &FieldsRequest) -> Result<Self> {
        let mut draft = match &fields.show {
            None => SelectionDraft::of_default(&access.allowed),
            Some(_) => SelectionDraft::of_id(&access.allowed),
        };
        if fields.tags {
            // Visitors have no collection of tags, so they see none of a resource either (E-110).
            if access.actor.is_public() {
                let message = "Tags are shown to callers with a key or a session alone.";
                return Err(Error::forbidden("permission_missing", message));
            }
            draft.tags = Some(access.actor.tags(ResourceAction::Show)?);
        }
        for name in fields.show.iter().flatten() {
            match TotalName::parse(name)? {
                Some(total) => draft.show_total(access, &total)?,
                None => {
                    let (hops, property) = resolve(access, name)?;
                    draft.show(&hops, property);
                }
            }
        }
        for name in &fields.hide {
            let (hops, property) = resolve(access, name)?;
            draft.hide(&hops, property);
        }
        if let Some(wrap) = &fields.wrap {
            for name in &wrap.named {
                let (hops, property) = resolve(access, name)?;
                draft.wrap(&hops, property);
            }
            if wrap.all {
                draft.wrap_all();
            }
        }
        Ok(draft)
    }

    fn of_id(allowed: &Allowed<'m>) -> Self {
        let resource_type = allowed.resource_type;
        let choices = resource_type.fields.iter().map(|property| match property.position {
            0 => FieldChoice::Shown,
            _ => FieldChoice::Hidden,
        });
        let wrapped = vec![false; resource_type.fields.len()];
        SelectionDraft {
            allowed: allowed.clone(),
            choices: choices.collect(),
            wrapped,
            related: BTreeMap::new(),
            tags: None,
        }
    }

    fn of_default(allowed: &Allowed<'m>) -> Self {
        let choices = allowed.resource_type.fields.iter().map(|property| match by_default(allowed, property) {
            true => FieldChoice::Shown,
            false => FieldChoice::Hidden,
        });
        let wrapped = vec![false; allowed.resource_type.fields.len()];
        SelectionDraft {
            allowed: allowed.clone(),
            choices: choices.collect(),
            wrapped,
            related: BTreeMap::new(),
            tags: None,
        }
    }

    fn show(&mut self, hops: &[RelationHop<'m>], property: &'m Property) {
        let Some((hop, rest)) = hops.split_first() else {
            if property.kind.inverse().is_some() {
                self.related(property).is_shown = true;
                return;
            }
            let choice = &mut self.choices[property.position];
            if matches!(choice, FieldChoice::Hidden) {
                *choice = FieldChoice::Shown;
            }
            return;
        };
        self.open(hop).show(rest, property);
    }

    fn show_total(&mut self, access: &TypeAccess<'m>, total: &TotalName<'_>) -> Result<()> {
        let (hops, inverse) = resolve(access, total.inverse)?;
        if inverse.kind.inverse().is_none() {
            let message = format!("The property {:?} is no other end of a relation: it has no totals.", total.inverse);
            return Err(Error::invalid("property_unsuitable", message));
        }
        let owner = hops.iter().fold(self, |draft, hop| draft.open(hop));
        let totals = &mut owner.related(inverse).totals;
        if totals.iter().all(|known| known != total.total) {
            totals.push(total.total.to_owned());
        }
        Ok(())
    }

    /// The draft of the rows that a relation leads to, which are shown as objects from now on.
    fn open(&mut self, hop: &RelationHop<'m>) -> &mut SelectionDraft<'m> {
        if hop.property.kind.inverse().is_some() {
            let related = self.related(hop.property);
            related.is_shown = true;
            return related.fields.get_or_insert_with(|| SelectionDraft::of_id(&hop.target));
        }
        let choice = &mut self.choices[hop.property.position];
        if !matches!(choice, FieldChoice::Expanded(_)) {
            *choice = FieldChoice::Expanded(SelectionDraft::of_id(&hop.target));
        }
        match choice {
            FieldChoice::Expanded(inner) => inner,
            _ => unreachable!("it was made an expansion above"),
        }
    }

    fn related(&mut self, inverse: &'m Property) -> &mut RelatedDraft<'m> {
        let draft = || RelatedDraft { inverse, is_shown: false, fields: None, totals: Vec::new() };
        self.related.entry(inverse.position).or_insert_with(draft)
    }

    /// The draft of the rows that a relation leads to, where they are shown as objects.
    fn opened(&mut self, hop: &RelationHop<'m>) -> Option<&mut SelectionDraft<'m>> {
        if hop.property.kind.inverse().is_some() {
            return self.related.get_mut(&hop.property.position)?.fields.as_mut();
        }
        match &mut self.choices[hop.property.position] {
            FieldChoice::Expanded(inner) => Some(inner),
            _ => None,
        }
    }

    fn hide(&mut self, hops: &[RelationHop<'m>], property: &'m Property) {
        match hops.split_first() {
            None if property.kind.inverse().is_some() => {
                if let Some(related) = self.related.get_mut(&property.position) {
                    (related.is_shown, related.fields) = (false, None);
                }
            }
            None => self.choices[property.position] = FieldChoice::Hidden,
            Some((hop, rest)) => {
                if let Some(inner) = self.opened(hop) {
                    inner.hide(rest, property);
                }
            }
        }
    }

    /// A field that is not shown has no value to be wrapped. Inverses themselves are never wrapped.
    fn wrap(&mut self, hops: &[RelationHop<'m>], property: &'m Property) {
        match hops.split_first() {
            None if property.kind.inverse().is_some() => {}
            None => self.wrapped[property.position] = true,
            Some((hop, rest)) => {
                if let Some(inner) = self.opened(hop) {
                    inner.wrap(rest, property);
                }
            }
        }
    }

    fn wrap_all(&mut self) {
        self.wrapped.fill(true);
        for choice in &mut self.choices {
            if let FieldChoice::Expanded(inner) = choice {
                inner.wrap_all();
            }
        }
        self.related.values_mut().filter_map(|related| related.fields.as_mut()).for_each(SelectionDraft::wrap_all);
    }

    /// Makes the selection. Options of inverses that are neither shown nor counted are refused: they would do nothing.
    pub(super) fn finish(self, access: &TypeAccess<'m>, related: &RelatedRequest) -> Result<Selection<'m>> {
        let paths = RelatedPaths::new(related);
        let selection = self.selection(access, &paths)?;
        paths.check_used()?;
        Ok(selection)
    }

    pub(super) fn selection(self, access: &TypeAccess<'m>, paths: &RelatedPaths<'_>) -> Result<Selection<'m>> {
        let resource_type = self.allowed.resource_type;
        let access = &access.at(self.allowed.clone());
        let mut members = Vec::with_capacity(self.choices.len());
        for ((property, is_wrapped), choice) in resource_type.fields.iter().zip(self.wrapped).zip(self.choices) {
            let mut expansion = match choice {
                FieldChoice::Hidden => continue,
                FieldChoice::Shown => None,
                FieldChoice::Expanded(draft) => Some(draft.selection(access, &paths.below(&property.name))?),
            };
            let wrapping = is_wrapped.then_some(ValueWrapping { model: access.model });
            if let Some(target) = wrapping.and_then(|_| relation_face::target(access, property)) {
                let face = RelationFace::new(access, &target, expansion.is_some());
                let named = || Selection::of_nothing(access, &target);
                expansion.get_or_insert_with(named).face = Some(face);
            }
            members.push(Member { expansion, wrapping, ..Member::new(&self.allowed, property) });
        }
        let mut related = RelatedMembers { tags: self.tags, ..RelatedMembers::default() };
        for draft in self.related.into_values() {
            related::plan(access, draft, paths, &mut related)?;
        }
        let secured = RowConditions::new(access, &self.allowed);
        Ok(Selection { members, secured, related, ..Selection::empty(resource_type) }.carrying())
    }
}
