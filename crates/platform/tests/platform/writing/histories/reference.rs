//! What one write after the other does: the same rules, without a database.

use super::schema::{Expression, N, Origin, Q, S, Schema};
use std::collections::{BTreeMap, BTreeSet};

/// A resource: what it refers to, its values by field, its version.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Row {
    pub(super) up: Option<i64>,
    pub(super) values: Vec<Option<i64>>,
    pub(super) version: i64,
}

/// All resources, by level and id.
pub(super) type State = BTreeMap<(usize, i64), Row>;

/// What a writer asks for. Values are by field; those that are not named stay as they are.
#[derive(Clone, Debug)]
pub(super) enum Write {
    Create { level: usize, up: Option<i64>, values: Vec<(usize, Option<i64>)> },
    Change { level: usize, id: i64, up: Option<i64>, values: Vec<(usize, Option<i64>)>, seen: Option<Seen> },
    Delete { level: usize, id: i64 },
}

/// What a writer saw of a resource that it changes: whom it referred to, its values, and what was shown beside them.
pub(super) type Seen = (Option<i64>, Vec<Option<i64>>, i64);

/// Why a write is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    Invalid,
    Conflict,
    Missing,
    Changed,
}

/// What came of a write: the resource as it is then, with its id; nothing where it was deleted.
pub(super) type Outcome = Result<Option<(i64, Row)>, Refusal>;

/// Carries out a write. `id` is that of a resource that it makes.
pub(super) fn apply(schema: &Schema, state: &mut State, write: &Write, id: i64) -> Outcome {
    match write {
        Write::Create { level, up, values } => {
            let fields = &schema.levels[*level].fields;
            let initial = |field: &super::schema::Field| match &field.origin {
                Origin::Given(default) => Some(*default),
                Origin::Rollup { .. } => Some(0),
                _ => None,
            };
            let row = Row { up: *up, values: fields.iter().map(initial).collect(), version: 1 };
            let given = with_preset(schema, state, *level, values);
            let made = put(schema, state, (*level, id), (None, row.clone()), (*up, given.as_ref().unwrap_or(values)));
            let other = schema.levels[*level].preset.as_ref().is_some_and(|preset| preset.most.is_some());
            if made.is_ok() || given.is_none() || !other {
                return made;
            }
            // It is tried without the grant then, whose row the other one does not allow.
            put(schema, &mut state.clone(), (*level, id), (None, row), (*up, values)).and(Err(Refusal::Invalid))
        }
        Write::Change { level, id, up, values, seen } => {
            let old = state.get(&(*level, *id)).cloned().ok_or(Refusal::Missing)?;
            if seen.as_ref().is_some_and(|seen| *seen != look(schema, state, (*level, &old))) {
                return Err(Refusal::Changed);
            }
            let row = Row { up: up.or(old.up), ..old.clone() };
            put(schema, state, (*level, *id), (Some(&old), row), (*up, values))
        }
        Write::Delete { level, id } => delete(schema, state, (*level, *id)),
    }
}

/// What a writer sees of a resource.
pub(super) fn look(schema: &Schema, state: &State, (level, row): (usize, &Row)) -> Seen {
    let shown = schema.levels[level].shown.as_ref().map_or(0, |shown| evaluate(schema, state, (level, row), shown));
    (row.up, row.values.clone(), shown)
}

/// The values of a new resource with that of a grant; none where no grant gives one.
fn with_preset(
    schema: &Schema,
    state: &State,
    level: usize,
    values: &[(usize, Option<i64>)],
) -> Option<Vec<(usize, Option<i64>)>> {
    let preset = schema.levels[level].preset.as_ref()?;
    let given = |of: usize| values.iter().find(|(field, _)| *field == of).map(|(_, value)| *value);
    let number = given(N).flatten().unwrap_or_default();
    let holds = preset.most.is_none_or(|most| number <= most);
    if !holds || given(Q).is_some() {
        return None;
    }
    let nothing = Row { up: None, values: Vec::new(), version: 0 };
    let value = evaluate(schema, state, (level, &nothing), &preset.value);
    Some([values, &[(Q, Some(value))]].concat())
}

/// Writes a resource with these values, if the rules allow it.
fn put(
    schema: &Schema,
    state: &mut State,
    (level, id): (usize, i64),
    (old, mut row): (Option<&Row>, Row),
    (up, values): (Option<i64>, &[(usize, Option<i64>)]),
) -> Outcome {
    if up.is_some_and(|up| !state.contains_key(&(level - 1, up))) {
        return Err(Refusal::Invalid);
    }
    for (field, value) in values {
        row.values[*field] = *value;
    }
    let fields = &schema.levels[level].fields;
    let mut away = BTreeSet::new();
    for (field, of) in fields.iter().enumerate() {
        match &of.origin {
            Origin::Numbered(default) if old.is_none() && values.iter().all(|(given, _)| *given != field) => {
                row.values[field] = Some(evaluate(schema, state, (level, &row), default));
            }
            Origin::Calculated(expression) => {
                row.values[field] = Some(evaluate(schema, state, (level, &row), expression));
            }
            Origin::Conditional(condition) if evaluate(schema, state, (level, &row), condition) == 0 => {
                if values.iter().any(|(given, value)| *given == field && value.is_some()) {
                    return Err(Refusal::Invalid);
                }
                row.values[field] = None;
                away.insert(field);
            }
            _ => {}
        }
    }
    let differs = |field: usize| old.is_none_or(|old| old.values[field] != row.values[field]);
    let moved = old.is_none_or(|old| old.up != row.up);
    for (field, of) in fields.iter().enumerate().filter(|(field, _)| !away.contains(field)) {
        let touched = values.iter().any(|(given, _)| *given == field) || differs(field);
        let concerned = |rule: &Expression| touched || mentions(rule, &differs, moved);
        let holds = |rule: &Expression| evaluate(schema, state, (level, &row), rule) != 0;
        let missing =
            of.required.as_ref().is_some_and(|rule| row.values[field].is_none() && concerned(rule) && holds(rule));
        let broken =
            of.validate.as_ref().is_some_and(|rule| row.values[field].is_some() && concerned(rule) && !holds(rule));
        if missing || broken {
            return Err(Refusal::Invalid);
        }
    }
    let taken = |(key, other): (&(usize, i64), &Row)| {
        *key != (level, id) && key.0 == level && other.up == row.up && other.values[N] == row.values[N]
    };
    if level > 0 && schema.levels[level].unique && (moved || differs(N)) && state.iter().any(taken) {
        return Err(Refusal::Conflict);
    }
    if let Some(old) = old {
        if *old == row {
            return Ok(Some((id, row)));
        }
        row.version += 1;
    }
    state.insert((level, id), row);
    follow(schema, state);
    Ok(state.get(&(level, id)).map(|row| (id, row.clone())))
}

fn delete(schema: &Schema, state: &mut State, at: (usize, i64)) -> Outcome {
    if !state.contains_key(&at) {
        return Err(Refusal::Missing);
    }
    if at.0 == 0 && schema.desk == Some(at.1) {
        return Err(Refusal::Conflict);
    }
    let mut doomed = BTreeSet::from([at]);
    for level in at.0 + 1..schema.levels.len() {
        let below = |(key, row): (&(usize, i64), &Row)| {
            (key.0 == level && row.up.is_some_and(|up| doomed.contains(&(level - 1, up)))).then_some(*key)
        };
        let found: Vec<(usize, i64)> = state.iter().filter_map(below).collect();
        if !found.is_empty() && !schema.levels[level].cascade {
            return Err(Refusal::Conflict);
        }
        doomed.extend(found);
    }
    state.retain(|key, _| !doomed.contains(key));
    follow(schema, state);
    Ok(None)
}

/// Calculates all that rests on others anew. What differs is another version.
fn follow(schema: &Schema, state: &mut State) {
    let before = state.clone();
    for (level, field) in &schema.derived {
        let keys: Vec<(usize, i64)> = state.keys().filter(|key| key.0 == *level).copied().collect();
        for key in keys {
            let value = match &schema.levels[*level].fields[*field].origin {
                Origin::Calculated(expression) => evaluate(schema, state, (*level, &state[&key]), expression),
                Origin::Rollup { field, filtered } => {
                    let below = state.iter().filter(|(other, row)| other.0 == level + 1 && row.up == Some(key.1));
                    let counted = below.filter(|(_, row)| !*filtered || row.values[S] == Some(1));
                    counted.map(|(_, row)| field.map_or(Some(1), |field| row.values[field]).unwrap_or(0)).sum()
                }
                _ => continue,
            };
            if let Some(row) = state.get_mut(&key) {
                row.values[*field] = Some(value);
            }
        }
    }
    for (key, old) in &before {
        let conditions = schema.levels[key.0].fields.iter().enumerate().filter_map(|(field, of)| match &of.origin {
            Origin::Conditional(condition) => Some((field, condition)),
            _ => None,
        });
        let cleared: Vec<usize> = conditions
            .filter(|(_, of)| evaluate(schema, state, (key.0, &state[key]), of) == 0)
            .map(|(field, _)| field)
            .collect();
        if let Some(row) = state.get_mut(key) {
            cleared.into_iter().for_each(|field| row.values[field] = None);
            row.version += i64::from(row.values != old.values);
        }
    }
}

fn evaluate(schema: &Schema, state: &State, (level, row): (usize, &Row), expression: &Expression) -> i64 {
    let both = |one: &Expression, other: &Expression| {
        (evaluate(schema, state, (level, row), one), evaluate(schema, state, (level, row), other))
    };
    match expression {
        Expression::Constant(number) => *number,
        Expression::Field { hops, field } => {
            let mut here = row;
            for hop in 0..*hops {
                let up = here.up.expect("what is walked along is required");
                here = &state[&(level - hop - 1, up)];
            }
            here.values[*field].expect("a field that others rest on has a value")
        }
        Expression::Desk { field } => {
            // Nobody deletes a resource at which a user is.
            schema.desk.and_then(|desk| state[&(0, desk)].values[*field]).unwrap_or_default()
        }
        Expression::Found { level, filtered } => {
            let of_level = state.iter().filter(|(key, row)| key.0 == *level && (!filtered || row.values[S] == Some(1)));
            of_level.count() as i64
        }
        Expression::Sum(one, other) => both(one, other).0 + both(one, other).1,
        Expression::Difference(one, other) => both(one, other).0 - both(one, other).1,
        Expression::AtMost(one, other) => i64::from(both(one, other).0 <= both(one, other).1),
        Expression::Equal(one, other) => i64::from(both(one, other).0 == both(one, other).1),
        Expression::Either(one, other) => i64::from(both(one, other) != (0, 0)),
    }
}

/// Whether an expression names an own field that differs, or goes by way of a relation that does.
fn mentions(expression: &Expression, differs: &dyn Fn(usize) -> bool, moved: bool) -> bool {
    match expression {
        Expression::Constant(_) | Expression::Found { .. } | Expression::Desk { .. } => false,
        Expression::Field { hops: 0, field } => differs(*field),
        Expression::Field { .. } => moved,
        Expression::Sum(one, other)
        | Expression::Difference(one, other)
        | Expression::AtMost(one, other)
        | Expression::Equal(one, other)
        | Expression::Either(one, other) => mentions(one, differs, moved) || mentions(other, differs, moved),
    }
}
