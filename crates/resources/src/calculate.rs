//! Virtual calculations: worked out for the rows of an answer, once they are read, and put into its holes.

use super::calculated_fields::needed;
use super::fields::{Member, Selection};
use super::input_rows::InputRows;
use super::output::{OmittedField, RowPlaceholder, WrittenRows};
use super::record::{Purpose, empty, rows_of};
use super::rule_problems::failed_text;
use super::wrap;
use crate::expressions::{Parts, PlatformProviders, Reading, accept, evaluate, holds};
use context::request_context::RequestContext;
use context::stored_resource::StoredResource;
use database::{Tx, Value};
use model::error::Result;
use model::kinds::{StoredValue, ValueContext, write_property};
use model::types::{FieldRule, Property, ResourceType, TypeRules};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

/// A calculated value, or why there is none.
type CalculatedValue = Result<StoredValue, String>;

/// Values for the holes of virtual members, and the members that do not apply, by row.
#[derive(Default)]
pub(super) struct VirtualValues {
    bytes: Vec<u8>,
    /// Ranges in the bytes: for each row the virtual members, in the selection's order.
    places: Vec<Range<usize>>,
    /// For each member which of the virtual ones it is.
    virtuals: Vec<usize>,
    /// The number of virtual members.
    width: usize,
    /// Members by the number of the row.
    away: HashSet<(usize, usize)>,
    /// For each row that was written its place among those that were read anew, if they were.
    order: Option<Vec<Option<usize>>>,
}

impl VirtualValues {
    /// Works out all that the rows need.
    pub(crate) fn read(
        tx: &mut Tx<'_>,
        request: &RequestContext,
        selection: &Selection<'_>,
        written: &mut WrittenRows,
    ) -> Result<Self> {
        let mut calculations = Self::default();
        if !selection.calculates() {
            return Ok(calculations);
        }
        let of = selection.resource_type;
        let carried = std::mem::take(&mut written.carried);
        let rows = match selection.carried.as_ref().filter(|_| !written.anew) {
            Some(positions) => InputRows::Carried(carried, positions),
            None => calculations.read_anew(tx, of, &carried)?,
        };
        for index in written.gaps.iter().map(|gap| gap.member).collect::<BTreeSet<_>>() {
            let position = selection.members[index].property.position;
            let applied = applies(tx, request, of, &rows, position)?;
            let away = applied.into_iter().enumerate().filter(|(_, applies)| !applies).map(|(row, _)| (index, row));
            calculations.away.extend(away);
        }
        calculations.work_out(tx, request, selection, &rows, written)?;
        Ok(calculations)
    }

    /// Reads the rows with these ids.
    fn read_anew(&mut self, tx: &mut Tx<'_>, of: &ResourceType, ids: &[Value]) -> Result<InputRows<'static>> {
        let id = |value: &Value| if let Value::Integer(id) = value { *id } else { 0 };
        let wanted: BTreeSet<i64> = ids.iter().map(id).collect();
        let found = rows_of(tx, of, &wanted.into_iter().collect::<Vec<_>>(), Purpose::Look)?;
        let places: HashMap<i64, usize> = found.iter().enumerate().map(|(place, (id, _))| (*id, place)).collect();
        self.order = Some(ids.iter().map(|value| places.get(&id(value)).copied()).collect());
        Ok(InputRows::Whole(found.into_iter().map(|(_, values)| Arc::new(values)).collect()))
    }

    /// Works out the virtual members of the rows.
    fn work_out(
        &mut self,
        tx: &mut Tx<'_>,
        request: &RequestContext,
        selection: &Selection<'_>,
        rows: &InputRows<'_>,
        written: &WrittenRows,
    ) -> Result<()> {
        let mut members: Vec<&Member<'_>> = Vec::new();
        for member in &selection.members {
            self.virtuals.push(members.len());
            members.extend(member.property.is_virtual().then_some(member));
        }
        if members.is_empty() {
            return Ok(());
        }
        self.width = members.len();
        let wanted: Vec<usize> = members.iter().map(|member| member.property.position).collect();
        self.places = vec![0..0; rows.len() * members.len()];
        let context = request.answer_context();
        let all = Calculation { of: selection.resource_type, rows, wanted: &wanted, reading: Reading::Look };
        run(tx, request, &all, |row, position, outcome| {
            for (place, member) in members.iter().enumerate().filter(|(_, member)| member.property.position == position)
            {
                let start = self.bytes.len();
                render(&mut self.bytes, member, &outcome, &context);
                self.places[row * members.len() + place] = start..self.bytes.len();
            }
            written.check(self.bytes.len())
        })
    }

    /// Returns true if the member that a gap is about applies to its row.
    pub(super) fn applies(&self, gap: &OmittedField) -> bool {
        let row = self.row(gap.row);
        row.is_none_or(|row| self.away.is_empty() || !self.away.contains(&(gap.member, row)))
    }

    /// Returns the value for a hole, as JSON.
    pub(crate) fn get(&self, hole: &RowPlaceholder) -> &[u8] {
        let place = self.row(hole.row).and_then(|row| self.places.get(row * self.width + self.virtuals[hole.member]));
        place.filter(|place| !place.is_empty()).map_or(b"null", |place| &self.bytes[place.clone()])
    }

    /// Returns the place, among the rows that were read, of a row that was written; none where it was gone.
    fn row(&self, written: usize) -> Option<usize> {
        self.order.as_ref().map_or(Some(written), |order| order.get(written).copied().flatten())
    }
}

/// Returns true if a property applies, for each of some rows: as its condition said when they were written.
pub(super) fn applies(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    of: &Arc<ResourceType>,
    rows: &InputRows<'_>,
    position: usize,
) -> Result<Vec<bool>> {
    let Some(condition) = TypeRules::about(&of.rules().conditions, position) else { return Ok(vec![true; rows.len()]) };
    let zone = &request.model.settings.timezone;
    let providers = PlatformProviders::in_zone(tx, request, zone, Reading::Look, Parts::CONFIGURATION);
    let mut subjects = rows.subjects(request, of, zone);
    let ask = |row: usize| {
        let resource = expression::Value::Resource(subjects.at(row).clone());
        // What fails does not hold; the write that stored the row has told the log why.
        Ok(holds(&providers, &condition.program, resource)?.unwrap_or(false))
    };
    (0..rows.len()).map(ask).collect()
}

/// The values of a resource with its virtual ones, for those who have the row at hand: null where they fail.
pub fn complete(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    of: &Arc<ResourceType>,
    values: &[StoredValue],
    wanted: &[usize],
    reading: Reading,
) -> Result<Vec<StoredValue>> {
    let rows = InputRows::one(values);
    let mut values = values.to_vec();
    run(tx, request, &Calculation { of, rows: &rows, wanted, reading }, |_, position, outcome| {
        values[position] = outcome.unwrap_or_else(|_| empty(&of.fields[position]));
        Ok(())
    })?;
    Ok(values)
}

/// The same of many resources of a type; what does not apply to one of them is null there.
pub fn complete_all(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    of: &Arc<ResourceType>,
    mut values: Vec<Vec<StoredValue>>,
    wanted: &[usize],
) -> Result<Vec<Vec<StoredValue>>> {
    let rows = InputRows::Whole(values.iter().cloned().map(Arc::new).collect());
    run(tx, request, &Calculation { of, rows: &rows, wanted, reading: Reading::Look }, |row, position, outcome| {
        values[row][position] = outcome.unwrap_or_else(|_| empty(&of.fields[position]));
        Ok(())
    })?;
    for position in
        wanted.iter().copied().filter(|position| TypeRules::about(&of.rules().conditions, *position).is_some())
    {
        for (row, applies) in applies(tx, request, of, &rows, position)?.into_iter().enumerate() {
            if !applies {
                values[row][position] = empty(&of.fields[position]);
            }
        }
    }
    Ok(values)
}

/// Calculations of rows that lead to some fields.
struct Calculation<'c> {
    of: &'c Arc<ResourceType>,
    rows: &'c InputRows<'c>,
    /// The positions of the fields.
    wanted: &'c [usize],
    reading: Reading,
}

/// Runs virtual calculations: gives the row's number, the field's position, and what came of it.
fn run(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    calculation: &Calculation<'_>,
    mut take: impl FnMut(usize, usize, CalculatedValue) -> Result<()>,
) -> Result<()> {
    let Calculation { of, rows, wanted, reading } = *calculation;
    let rules = needed(of, wanted);
    let providers = PlatformProviders::new(tx, request, Reading::Look, Parts::CONFIGURATION);
    let providers = if reading == Reading::Hold { providers.holding(of) } else { providers };
    let mut subjects = rows.subjects(request, of, &request.actor.zone);
    let paths: Vec<&[String]> = rules.iter().flat_map(|rule| rule.facts().paths.iter().map(Vec::as_slice)).collect();
    if paths.iter().any(|path| path.len() > 1) {
        let all: Vec<Arc<StoredResource>> = (0..rows.len()).map(|row| Arc::clone(subjects.at(row))).collect();
        providers
            .along(of, &all, &paths)
            .map_err(|fault| providers.take_failure().unwrap_or_else(|| failed(&fault)))?;
    }
    let context = request.value_context();
    for row in 0..rows.len() {
        let mut resource = Arc::clone(subjects.at(row));
        for (index, rule) in rules.iter().enumerate() {
            let property = &of.fields[rule.position];
            let value = expression::Value::Resource(resource.clone());
            let outcome = one(&providers, rule, property, value, &context)?;
            if rules[index + 1..].iter().any(|later| later.mentions.contains(&rule.position)) {
                drop(resource);
                resource = Arc::clone(subjects.set(property, outcome.as_ref().ok()));
            }
            take(row, rule.position, outcome)?;
        }
    }
    Ok(())
}

fn failed(fault: &expression::Fault) -> model::error::Error {
    model::error::Error::failed(fault.message.clone())
}

fn one(
    providers: &PlatformProviders<'_, '_>,
    rule: &FieldRule,
    property: &Property,
    resource: expression::Value,
    context: &ValueContext<'_>,
) -> Result<CalculatedValue> {
    let value = match evaluate(providers, &rule.program, resource)? {
        Ok(value) => value,
        Err(mistake) => return Ok(Err(format!("{} {}.", property.title, failed_text(&mistake).text()))),
    };
    let accepted = accept(property, &value, context, providers);
    Ok(accepted.map_err(|fault| format!("{} {}.", property.title, fault.text())))
}

fn render(out: &mut Vec<u8>, member: &Member<'_>, outcome: &CalculatedValue, context: &ValueContext<'_>) {
    let empty = empty(member.property);
    let (stored, error) = match outcome {
        Ok(stored) => (stored, None),
        Err(message) => (&empty, Some(message.as_str())),
    };
    match member.wrapping {
        Some(wrapping) => wrap::write_calculated(out, wrapping, member, stored, error, context),
        None => write_property(member.property.kind.as_ref(), stored, context, out),
    }
}
