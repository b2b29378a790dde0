//! Virtual calculations: worked out for the rows of an answer, once they are read, and put into its holes.

use super::expand::{Gap, Hole};
use super::fields::{Carried, Member, Selection};
use super::rows_of;
use super::wrap;
use crate::error::Result;
use crate::expressions::{Parts, PlatformProviders, Reading, StoredResource, accept, evaluate, holds};
use crate::kinds::{Storage, Stored, write_property};
use crate::tenants::Call;
use crate::types::{Property, Rule, Rules, Type};
use database::Tx;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// A calculated value, or why there is none.
type Outcome = Result<Stored, String>;

/// What belongs into the holes of virtual members, by the member's place and the row's id; and which members do not
/// apply to which rows.
#[derive(Default)]
pub(super) struct Calculations {
    made: HashMap<(usize, i64), Vec<u8>>,
    away: HashSet<(usize, i64)>,
}

impl Calculations {
    /// Works out all that the rows need.
    pub(super) fn read(
        tx: &mut Tx<'_>,
        call: &Call,
        selection: &Selection<'_>,
        written: &mut super::output::Written,
    ) -> Result<Self> {
        if !selection.calculates() {
            return Ok(Self::default());
        }
        let members: Vec<(usize, &Member<'_>)> =
            selection.members.iter().enumerate().filter(|(_, member)| member.property.is_virtual()).collect();
        let of = selection.resource_type;
        let rows = match selection.carried {
            Some(_) => std::mem::take(&mut written.carried),
            None => {
                let holes = written.holes.iter().filter(|hole| is_virtual(selection, hole));
                let holes = holes.flat_map(|hole| hole.ids.iter().copied());
                let ids: BTreeSet<i64> = holes.chain(written.gaps.iter().map(|gap| gap.id)).collect();
                rows_of(tx, of, &ids.into_iter().collect::<Vec<_>>(), false)?
            }
        };
        let (ids, rows): (Vec<i64>, Vec<Vec<Stored>>) = rows.into_iter().unzip();
        let mut calculations = Self::default();
        let conditional: Vec<usize> =
            written.gaps.iter().map(|gap| gap.member).collect::<BTreeSet<_>>().into_iter().collect();
        for index in conditional {
            let position = selection.members[index].property.position;
            let applied = applies(tx, call, of, &rows, position)?;
            let away = ids.iter().zip(applied).filter(|(_, applies)| !applies).map(|(id, _)| (index, *id));
            calculations.away.extend(away);
        }
        if members.is_empty() {
            return Ok(calculations);
        }
        let wanted: Vec<usize> = members.iter().map(|(_, member)| member.property.position).collect();
        for (id, outcomes) in ids.into_iter().zip(run(tx, call, of, rows, &wanted)?) {
            for (index, member) in &members {
                let bytes = rendered(call, member, outcomes.get(&member.property.position));
                calculations.made.insert((*index, id), bytes);
            }
        }
        Ok(calculations)
    }

    /// Whether the member that a gap is about applies to its row.
    pub(super) fn applies(&self, gap: &Gap) -> bool {
        !self.away.contains(&(gap.member, gap.id))
    }

    /// What belongs into a hole.
    pub(super) fn get(&self, hole: &Hole) -> &[u8] {
        let id = hole.ids.first().copied().unwrap_or_default();
        self.made.get(&(hole.member, id)).map_or(b"null", Vec::as_slice)
    }
}

/// The positions of all that is taken of a row for what is calculated of it, where that is known: stored values alone.
pub(super) fn carried(selection: &Selection<'_>) -> Option<Box<[Carried]>> {
    if !selection.calculates() {
        return None;
    }
    let conditions = selection.members.iter().filter_map(|member| selection.condition(member.property));
    let mut positions = BTreeSet::new();
    for rule in rules_of(selection).chain(conditions) {
        for position in rule.takes()? {
            let property = &selection.resource_type.fields[*position];
            match property.kind.storage() {
                _ if property.is_virtual() => {}
                Storage::Column(_) => _ = positions.insert(*position),
                _ => return None,
            }
        }
    }
    let member = |position: usize| selection.members.iter().position(|member| member.property.position == position);
    Some(positions.into_iter().map(|position| Carried { position, member: member(position) }).collect())
}

/// Whether a hole is one of a virtual member.
pub(super) fn is_virtual(selection: &Selection<'_>, hole: &Hole) -> bool {
    selection.members[hole.member].property.is_virtual()
}

/// Whether a property applies, for each of some rows: as its condition said when they were written.
pub(super) fn applies(
    tx: &mut Tx<'_>,
    call: &Call,
    of: &Arc<Type>,
    rows: &[Vec<Stored>],
    position: usize,
) -> Result<Vec<bool>> {
    let Some(condition) = Rules::about(&of.rules().conditions, position) else { return Ok(vec![true; rows.len()]) };
    let zone = &call.model.settings.timezone;
    let providers = PlatformProviders::in_zone(tx, call, zone, Reading::Look, Parts::CONFIGURATION);
    let ask = |row: &Vec<Stored>| {
        let resource = StoredResource::new(&call.model, of, row.clone(), zone).into_value();
        // What fails does not hold; the write that stored the row has told the log why.
        Ok(holds(&providers, &condition.program, resource)?.unwrap_or(false))
    };
    rows.iter().map(ask).collect()
}

/// The values of a resource with its virtual ones, for those who have the row at hand: null where they fail.
pub(crate) fn complete(
    tx: &mut Tx<'_>,
    call: &Call,
    of: &Arc<Type>,
    values: &[Stored],
    wanted: &[usize],
) -> Result<Vec<Stored>> {
    let mut values = values.to_vec();
    if let Some(outcomes) = run(tx, call, of, vec![values.clone()], wanted)?.pop() {
        for (position, outcome) in outcomes {
            values[position] = outcome.unwrap_or_else(|_| super::empty_of(&of.fields[position]));
        }
    }
    Ok(values)
}

/// Runs the virtual calculations of rows that lead to these fields.
fn run(
    tx: &mut Tx<'_>,
    call: &Call,
    of: &Arc<Type>,
    rows: Vec<Vec<Stored>>,
    wanted: &[usize],
) -> Result<Vec<HashMap<usize, Outcome>>> {
    let rules = needed(of, wanted);
    let zone = &call.actor.zone;
    let providers = PlatformProviders::new(tx, call, Reading::Look, Parts::CONFIGURATION);
    let rows: Vec<Arc<Vec<Stored>>> = rows.into_iter().map(Arc::new).collect();
    let all: Vec<Arc<StoredResource>> =
        rows.iter().map(|row| Arc::new(StoredResource::new(&call.model, of, Arc::clone(row), zone))).collect();
    let paths: Vec<&[String]> = rules.iter().flat_map(|rule| rule.facts().paths.iter().map(Vec::as_slice)).collect();
    providers.along(of, &all, &paths).map_err(|fault| providers.take_failure().unwrap_or_else(|| failed(&fault)))?;
    let mut made = Vec::with_capacity(rows.len());
    for (mut row, resource) in rows.into_iter().zip(all) {
        let mut outcomes = HashMap::with_capacity(rules.len());
        let mut resource = expression::Value::Resource(resource);
        for (index, rule) in rules.iter().enumerate() {
            let property = &of.fields[rule.position];
            let outcome = one(&providers, call, rule, property, resource.clone())?;
            let later = &rules[index + 1..];
            if let Ok(stored) = &outcome
                && later.iter().any(|later| later.mentions.contains(&rule.position))
            {
                Arc::make_mut(&mut row)[rule.position] = stored.clone();
                resource = StoredResource::new(&call.model, of, Arc::clone(&row), zone).into_value();
            }
            outcomes.insert(rule.position, outcome);
        }
        made.push(outcomes);
    }
    Ok(made)
}

fn failed(fault: &expression::Fault) -> crate::error::Error {
    crate::error::Error::failed(fault.message.clone())
}

fn one(
    providers: &PlatformProviders<'_, '_>,
    call: &Call,
    rule: &Rule,
    property: &Property,
    resource: expression::Value,
) -> Result<Outcome> {
    let value = match evaluate(providers, &rule.program, resource)? {
        Ok(value) => value,
        Err(mistake) => return Ok(Err(mistake.message)),
    };
    let accepted = accept(property, &value, &call.context(), providers);
    Ok(accepted.map_err(|fault| format!("{} {}.", property.title, fault.message)))
}

/// The virtual calculations that lead to these fields, those that others rest on first.
fn needed<'t>(of: &'t Type, wanted: &[usize]) -> Vec<&'t Rule> {
    let rules = &of.rules().virtuals;
    let mut positions: Vec<usize> = wanted.to_vec();
    // Behind each rule stand only such as rest on it.
    for rule in rules.iter().rev() {
        if positions.contains(&rule.position) {
            positions.extend(&rule.mentions);
        }
    }
    rules.iter().filter(|rule| positions.contains(&rule.position)).collect()
}

/// Functions whose value may be another the next time, though no type has changed.
const PASSING: [&str; 10] = [
    "random",
    "randomFromList",
    "query",
    "resource",
    "toApiArray",
    "fileFromFile",
    "env",
    "currentLink",
    "isApiRequest",
    "isLoginAs",
];

/// Whether an answer with these fields holds no longer than the moment: it depends on the present, on chance, or on
/// what no version of a type tells of.
pub(super) fn timed(selection: &Selection<'_>) -> bool {
    let of = selection.resource_type;
    let own = rules_of(selection).any(|rule| {
        let facts = rule.facts();
        facts.present || facts.loose || facts.calls(&PASSING).is_some()
    });
    debug_assert!(of.rules().virtuals.len() >= rules_of(selection).count());
    own || selection.members.iter().filter_map(|member| member.expansion.as_ref()).any(timed)
}

/// The virtual calculations that fields of a selection are made by.
pub(super) fn rules_of<'t>(selection: &'t Selection<'_>) -> impl Iterator<Item = &'t Rule> {
    let wanted: Vec<usize> = selection
        .members
        .iter()
        .map(|member| member.property)
        .filter(|of| of.is_virtual())
        .map(|of| of.position)
        .collect();
    needed(selection.resource_type, &wanted).into_iter()
}

fn rendered(call: &Call, member: &Member<'_>, outcome: Option<&Outcome>) -> Vec<u8> {
    let mut out = Vec::new();
    let empty = super::empty_of(member.property);
    let (stored, error) = match outcome {
        Some(Ok(stored)) => (stored, None),
        Some(Err(message)) => (&empty, Some(message.as_str())),
        None => (&empty, None),
    };
    match member.wrapping {
        Some(wrapping) => wrap::write_calculated(&mut out, wrapping, member, stored, error, &call.context()),
        None => write_property(member.property.kind.as_ref(), stored, &call.context(), &mut out),
    }
    out
}

/// Whether more than its row is needed to show a resource of the type.
pub(super) fn any(of: &Type) -> bool {
    let Rules { virtuals, conditions, .. } = of.rules();
    !virtuals.is_empty() || !conditions.is_empty()
}
