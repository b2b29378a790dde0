//! A change of a stored resource, as PUT and PATCH make it: from the rights on it to what follows from the write.

use super::accept::{self, PropertyInput};
use super::create::default;
use super::record::Record;
use super::row_rights::{RowRights, RowSubject};
use super::settle::{self, ChangeDraft};
use super::{Body, Written, calculate, hold, presets, relations, ripple, store, writable};
use crate::expressions::Reading;
use crate::users::authority;
use context::actor::Allowed;
use context::request_context::RequestContext;
use database::{Tx, Value};
use model::error::{Error, Result};
use model::kinds::{StoredValue, ValueFault};
use model::types::{FIRST_PROPERTY, Property, ResourceAction};
use serde_json::Value as Json;

/// A change of a resource on its way: it is resolved, set, chosen for, settled and written, in this order.
pub(super) struct Change<'a, 'm> {
    /// The rights on the resource as it was.
    pub(super) rights: RowRights<'a, 'm>,
    /// The resource as it was, locked where the change is written.
    pub(super) old: &'a Record,
    /// [`Reading::Look`] for a change that is only tried.
    reading: Reading,
    /// The new values: those of the body, and once it is settled all.
    values: Vec<(&'m Property, StoredValue)>,
    /// True if properties that the body leaves out get their default, or none.
    whole: bool,
    /// The positions of those.
    left_out: Vec<usize>,
    /// The properties that the caller changes, where that decides about the rights.
    differing: Vec<&'m Property>,
}

impl<'a, 'm> Change<'a, 'm> {
    /// Begins a change with the rights on a resource, and locks what these look at.
    pub(super) fn new(
        tx: &mut Tx<'_>,
        request: &'m RequestContext,
        of_type: &'a Allowed<'m>,
        old: &'a Record,
    ) -> Result<Self> {
        hold::grants(tx, request, of_type, &old.values)?;
        Self::trial(tx, request, of_type, old).map(|change| Change { reading: Reading::Hold, ..change })
    }

    /// Begins a change that is only tried.
    pub(super) fn trial(
        tx: &mut Tx<'_>,
        request: &'m RequestContext,
        of_type: &'a Allowed<'m>,
        old: &'a Record,
    ) -> Result<Self> {
        let rights = RowRights::of(tx, request, of_type, ResourceAction::Edit, old.id()?)?;
        Ok(Change {
            rights,
            old,
            reading: Reading::Look,
            values: Vec::new(),
            whole: false,
            left_out: Vec::new(),
            differing: Vec::new(),
        })
    }

    /// Checks what is given against the resource: chosen options, targets of relations, files.
    pub(super) fn resolve(
        &self,
        tx: &mut Tx<'_>,
        request: &RequestContext,
        given: &mut [PropertyInput<'m>],
    ) -> Result<()> {
        let (allowed, old) = (self.rights.allowed.as_ref(), Some(self.old.values.as_slice()));
        accept::check_choices(allowed, given, old)?;
        relations::resolve(tx, request, allowed, given, old, self.reading)?;
        accept::resolve_files(tx, request, allowed, given, old)
    }

    /// The change to these values.
    pub(super) fn with_values(self, values: Vec<(&'m Property, StoredValue)>) -> Self {
        Change { values, ..self }
    }

    /// The change to these values and, where they have none, to the defaults of all other properties.
    pub(super) fn with_all_values(self, values: Vec<(&'m Property, StoredValue)>) -> Self {
        Change { values, whole: true, ..self }
    }

    /// Refuses the login, as it will be, as the password.
    pub(super) fn check_login(&self, body: &Body) -> Result<()> {
        body.check_login(self.rights.of_type.resource_type, |property| {
            let new = self.values.iter().find(|(known, _)| known.position == property.position);
            new.map_or(&self.old.values[property.position], |(_, value)| value).clone()
        })
    }

    /// Keeps the grants alone whose values the change takes, and fills what is left out.
    pub(super) fn choose(mut self, tx: &mut Tx<'_>, request: &'m RequestContext) -> Result<Self> {
        if self.reading == Reading::Hold {
            self.rights.hold(tx, request)?;
        }
        let mut rights = self.rights.with(self.rights.held.clone());
        rights.choose(tx, self.reading, |tx, rights| self.by(rights).judge(tx, request))?;
        self.rights = rights;
        self.filled(request)
    }

    /// The same change by other rights.
    fn by(&self, rights: RowRights<'a, 'm>) -> Self {
        Change { rights, values: self.values.clone(), left_out: Vec::new(), differing: Vec::new(), ..*self }
    }

    /// Returns the grants that hold for what comes of the change, which is not kept.
    fn judge(self, tx: &mut Tx<'_>, request: &'m RequestContext) -> Result<Vec<usize>> {
        if self.reading == Reading::Look {
            let mut attempt = self.filled(request)?;
            let drawn = attempt.draw(tx, request)?;
            return attempt.rights.holding(tx, request, RowSubject::Drawn(&drawn));
        }
        presets::trial(tx, request, |tx, quiet| {
            let mut attempt = self.filled(quiet)?;
            let new = attempt.put(tx, quiet)?;
            attempt.rights.holding(tx, request, RowSubject::Stored(new.id()?))
        })
    }

    /// The change with the values that the properties get which a whole body leaves out.
    fn filled(mut self, request: &RequestContext) -> Result<Self> {
        if !self.whole {
            return Ok(self);
        }
        let allowed = self.rights.allowed.as_ref();
        let named: Vec<usize> = self.values.iter().map(|(property, _)| property.position).collect();
        for property in allowed.resource_type.properties() {
            let preset = self.rights.gives(property);
            if !named.contains(&property.position) && !preset && falls_back(request, allowed, property) {
                self.values.push((property, default(request, property)?));
                self.left_out.push(property.position);
            }
        }
        // A default that is calculated comes later.
        let expected = |property: &Property| property.required && !settle::decides(allowed.resource_type, property);
        let empty = |(property, value): &&(&Property, StoredValue)| expected(property) && accept::is_empty(value);
        let problems: Vec<_> =
            self.values.iter().filter(empty).map(|(property, _)| accept::missing(property)).collect();
        if problems.is_empty() { Ok(self) } else { Err(Error::problems(problems)) }
    }

    /// Writes the change, and gives the resource as the caller may read it then.
    pub(super) fn write(self, tx: &mut Tx<'_>, request: &'m RequestContext) -> Result<Written> {
        let trial = self.rights.trial;
        let outcome = self.write_once(tx, request);
        trial.confirm(tx, outcome)
    }

    fn write_once(mut self, tx: &mut Tx<'_>, request: &'m RequestContext) -> Result<Written> {
        let new = self.put(tx, request)?;
        let id = new.id()?;
        request.reads.note(self.rights.of_type.resource_type, &[id]);
        let allowed = self.rights.after(tx, request, RowSubject::Stored(id), &self.differing)?;
        new.written(tx, request, &allowed)
    }

    /// Checks that the rights allow the resource as it would be, which was drawn.
    pub(super) fn check_drawn(self, tx: &mut Tx<'_>, request: &'m RequestContext, new: &[StoredValue]) -> Result<()> {
        self.rights.after(tx, request, RowSubject::Drawn(new), &self.differing).map(drop)
    }

    /// Writes the change and what follows from it.
    fn put(&mut self, tx: &mut Tx<'_>, request: &RequestContext) -> Result<Record> {
        self.settle(tx, request)?;
        let of_type = self.rights.of_type;
        let values = std::mem::take(&mut self.values);
        let (new, differs) = store::update(tx, request, &self.rights.allowed, self.old, values)?;
        let new = match differs {
            true => ripple::follow(tx, request, of_type.resource_type, Some(self.old), new, 0)?,
            false => new,
        };
        hold::grants(tx, request, of_type, &new.values)?;
        Ok(new)
    }

    /// Returns the values that the resource would have, without writing them.
    pub(super) fn draw(&mut self, tx: &mut Tx<'_>, request: &RequestContext) -> Result<Vec<StoredValue>> {
        self.settle(tx, request)?;
        Ok(store::drawn(request, &self.rights.allowed, self.old, std::mem::take(&mut self.values)))
    }

    /// Adds what grants and expressions give, and checks all that the change comes to.
    fn settle(&mut self, tx: &mut Tx<'_>, request: &RequestContext) -> Result<()> {
        self.refuse(tx, request)?;
        let allowed = self.rights.allowed.as_ref();
        let differs =
            |(property, value): &&(&Property, StoredValue)| store::differs(allowed, self.old, property, value);
        if self.rights.varies() {
            self.differing = self.values.iter().filter(differs).map(|(property, _)| *property).collect();
        }
        if !self.differing.is_empty() {
            let named = |property: &Property| self.values.iter().any(|(known, _)| known.position == property.position);
            let presets = self.rights.presets(tx, request, self.reading, named)?;
            self.values.extend(presets);
        }
        let draft = ChangeDraft {
            resource_type: self.rights.of_type.resource_type,
            old: self.old,
            values: std::mem::take(&mut self.values),
            left_out: &self.left_out,
        };
        self.values = settle::change(tx, request, draft, self.reading)?;
        let differing: Vec<(&Property, &StoredValue)> =
            self.values.iter().filter(differs).map(|(property, value)| (*property, value)).collect();
        authority::check_change(request, self.rights.of_type.resource_type, &self.old.values, &differing)
    }

    /// Refuses changes of what the caller, or anybody, may not change. A value that stays as it is is no change, so
    /// that a resource may be sent back as it was read (D-12); where the caller cannot have read it, it is one, or
    /// else values could be guessed (D-3).
    fn refuse(&mut self, tx: &mut Tx<'_>, request: &RequestContext) -> Result<()> {
        let (allowed, old) = (self.rights.allowed.as_ref(), self.old);
        let mut problems = Vec::new();
        let wanted = self.values.iter().map(|(property, _)| property).filter(|property| property.is_virtual());
        let wanted: Vec<usize> = wanted.map(|property| property.position).collect();
        let shown = match wanted.as_slice() {
            [] => None,
            wanted => Some(calculate::complete(tx, request, allowed.resource_type, &old.values, wanted, self.reading)?),
        };
        let values = shown.as_ref().unwrap_or(&old.values);
        for (property, value) in &self.values {
            if is_same(property, &values[property.position], value) && allowed.readable.contains(property) {
                continue;
            }
            if writable::read_only(property) {
                problems.push(writable::refuse_read_only(property));
            } else if property.write_once && !accept::is_empty(&old.values[property.position]) {
                let fault = ValueFault::new("write_once", "can be set only once");
                problems.push(fault.of(&property.name, &property.title));
            } else if !writable::writable(&request.actor, allowed, property) {
                return Err(writable::not_writable(property));
            } else if self.reading == Reading::Hold && allowed.resource_type.parent_property == Some(property.position)
            {
                relations::refuse_circle(tx, allowed.resource_type, property, old.id()?, value)?;
            }
        }
        // Values that nobody gives came back as they were, be it with numbers that are written otherwise.
        self.values.retain(|(property, value)| {
            let shown = property.position < FIRST_PROPERTY || property.is_virtual();
            !shown && (!writable::read_only(property) || old.values[property.position] == *value)
        });
        if problems.is_empty() { Ok(()) } else { Err(Error::problems(problems)) }
    }
}

/// Returns true if a property that the body leaves out loses its value. What nobody can read back, as a
/// password, stays, and so do files (D-22).
fn falls_back(request: &RequestContext, allowed: &Allowed<'_>, property: &Property) -> bool {
    writable::writable(&request.actor, allowed, property)
        && !writable::read_only(property)
        && !property.write_once
        && !property.kind.concealed()
        && property.kind.files().is_none()
}

/// Returns true if two values of a property are the same; documents by what they say.
fn is_same(property: &Property, left: &StoredValue, right: &StoredValue) -> bool {
    if let (true, StoredValue::One(Value::Text(left)), StoredValue::One(Value::Text(right))) =
        (property.kind.is_document(), left, right)
    {
        let read = |text: &str| serde_json::from_str::<Json>(text).ok();
        return left == right || read(left).is_some_and(|document| read(right) == Some(document));
    }
    left == right
}
