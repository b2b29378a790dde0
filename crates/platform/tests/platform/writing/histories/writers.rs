//! What random clients ask for, as bodies of requests, and what they are answered.

use super::knots::Kind;
use super::reference::{Row, State, Write, look};
use super::schema::{N, Origin, Q, S, Schema};
use serde_json::{Map, Value as Json};
use testing::Choices;

/// How many rows of each level writers aim at: few, so that they meet.
const ROWS: [usize; 3] = [2, 4, 6];

impl Schema {
    /// Returns what clients ask for, each one thing after the other. Most of it is about one resource of the first level
    /// and those below it.
    pub(super) fn plan(&self, state: &State, choices: &mut Choices) -> Vec<Vec<Write>> {
        let clients = if choices.once_in(12) { 13 + choices.below(20) } else { 8 + choices.below(5) };
        let hot = self.hot(state, choices);
        let writes = |_| {
            let count = if choices.once_in(4) { 2 } else { 1 };
            let write = |_| self.write(state, if choices.once_in(5) { state } else { &hot }, choices);
            (0..count).map(write).collect()
        };
        (0..clients).map(writes).collect()
    }

    /// Returns a resource of the first level and all below it.
    fn hot(&self, state: &State, choices: &mut Choices) -> State {
        let mut hot = State::new();
        let first = ids(state, 0);
        if first.is_empty() {
            return hot;
        }
        let desk = self.desk.filter(|_| self.knot.kind == Kind::Preset);
        let first = desk.unwrap_or(*choices.of(&first));
        for (key, row) in state {
            let below = row.up.is_some_and(|up| hot.contains_key(&(key.0 - 1, up)));
            if *key == (0, first) || below {
                hot.insert(*key, row.clone());
            }
        }
        hot
    }

    /// Returns a resource to make, of the first level that has too few.
    pub(super) fn create(&self, state: &State, choices: &mut Choices) -> Write {
        let lacks = |level: &usize| ids(state, *level).len() < ROWS[*level];
        let level = (0..self.levels.len()).find(lacks).unwrap_or(self.levels.len() - 1);
        self.create_at(level, state, choices)
    }

    fn create_at(&self, level: usize, state: &State, choices: &mut Choices) -> Write {
        let up = (level > 0).then(|| *choices.of(&ids(state, level - 1)));
        Write::Create { level, up, values: self.values(level, choices) }
    }

    /// Returns a write of one of some resources.
    fn write(&self, state: &State, some: &State, choices: &mut Choices) -> Write {
        let level = self.level(choices);
        let (rows, count) = (ids(some, level), ids(state, level).len());
        let few = count < ROWS[level];
        let room = level == 0 || !ids(some, level - 1).is_empty();
        let counted = self.knot.kind.counts_new_ones() && level == self.knot.below;
        let often = match self.knot.kind {
            _ if counted => 2,
            Kind::Search => 3,
            _ if few => 3,
            _ => 8,
        };
        if room && (rows.is_empty() || count < 2 * ROWS[level] && choices.once_in(often)) {
            return self.create_at(level, some, choices);
        }
        if rows.is_empty() {
            return self.create(state, choices);
        }
        let id = *choices.of(&rows);
        // A deletion may take others with it, and much of what is asked for then finds nothing.
        let seldom = match few {
            true => 30,
            false if counted => 2,
            false => 6,
        };
        if choices.once_in(seldom) {
            return Write::Delete { level, id };
        }
        let moves = level > 0 && choices.once_in(4);
        let up = moves.then(|| *choices.of(&ids(state, level - 1)));
        // Some mind what became of the resource since.
        let minds = self.levels[level].shown.is_some() && !choices.once_in(4);
        let seen = minds.then(|| look(self, state, (level, &state[&(level, id)])));
        Write::Change { level, id, up, values: self.values(level, choices), seen }
    }

    /// Returns a level to write at: most often one of those that the knot ties together.
    fn level(&self, choices: &mut Choices) -> usize {
        match choices.below(4) {
            _ if self.knot.kind == Kind::Free => choices.below(self.levels.len()).max(choices.below(self.levels.len())),
            0 => choices.below(self.levels.len()),
            1 if !self.knot.kind.counts_new_ones() => self.knot.above,
            _ => self.knot.below,
        }
    }

    /// Returns values for some fields that writers may set.
    fn values(&self, level: usize, choices: &mut Choices) -> Vec<(usize, Option<i64>)> {
        let mut values = Vec::new();
        for (field, of) in self.levels[level].fields.iter().enumerate() {
            let open = matches!(of.origin, Origin::Open | Origin::Conditional(_));
            let value = match field {
                N => Some(choices.below(5) as i64),
                S => Some(choices.below(2) as i64),
                // A grant gives one where a body does not.
                Q if self.levels[level].preset.is_some() && !choices.once_in(4) => continue,
                Q if self.knot.kind == Kind::Required => choices.once_in(3).then(|| choices.below(4) as i64),
                _ if open => (!choices.once_in(3)).then(|| choices.below(4) as i64),
                _ => continue,
            };
            // A value for what does not apply is refused, so that few are given.
            let often = field == N || field == S || field == Q || self.knot.kind == Kind::Condition;
            if choices.once_in(if often { 2 } else { 6 }) {
                values.push((field, value));
            }
        }
        if values.is_empty() { vec![(N, Some(choices.below(5) as i64))] } else { values }
    }

    /// The body of a request.
    pub(super) fn body(&self, level: usize, up: Option<i64>, values: &[(usize, Option<i64>)]) -> Map<String, Json> {
        let named = |(field, value): &(usize, Option<i64>)| {
            (self.levels[level].fields[*field].name.clone(), value.map_or(Json::Null, Json::from))
        };
        let mut body: Map<String, Json> = values.iter().map(named).collect();
        body.extend(up.map(|up| ("up".to_owned(), Json::from(up))));
        body
    }

    /// The names of all that a row of the reference holds.
    pub(super) fn shown(&self, level: usize) -> Vec<String> {
        let fields = self.levels[level].fields.iter().map(|field| field.name.clone());
        let above = (level > 0).then(|| "up".to_owned());
        ["id".to_owned(), "version".to_owned()].into_iter().chain(above).chain(fields).collect()
    }

    /// A row as an answer shows it, with its id.
    pub(super) fn row(&self, level: usize, answer: &Json) -> (i64, Row) {
        let number = |name: &str| answer[name].as_i64();
        let values = self.levels[level].fields.iter().map(|field| number(&field.name)).collect();
        let version = number("version").expect("the version is shown");
        (number("id").expect("the id is shown"), Row { up: number("up"), values, version })
    }
}

fn ids(state: &State, level: usize) -> Vec<i64> {
    state.keys().filter(|key| key.0 == level).map(|key| key.1).collect()
}
