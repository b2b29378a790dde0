//! Fields and rules that parallel writes break first: for each kind another lock keeps them whole.

use super::schema::{Expression, N, Origin, Preset, Q, S, Schema};
use testing::Choices;

/// The rows that writers of a schema fight over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A sum above stays below a limit.
    Limit,
    /// A row above closes only without open ones below, and those open only while it is open.
    Door,
    /// A row above may ask for a value below only while there are few below.
    Required,
    /// A value below is there only while one above allows it.
    Condition,
    /// A type has only so many resources.
    Search,
    /// A new row takes its number from a count above.
    Number,
    /// A new row takes a value of a grant from what is at hand of the user, or is found.
    Preset,
    /// A row is changed only while it shows of those above what its writer saw.
    Match,
    /// Nothing but what is random.
    Free,
}

impl Kind {
    pub(super) const ALL: [Kind; 9] = [
        Kind::Limit,
        Kind::Door,
        Kind::Required,
        Kind::Condition,
        Kind::Search,
        Kind::Free,
        Kind::Number,
        Kind::Preset,
        Kind::Match,
    ];

    /// Returns whether a new resource takes a value from how many there are.
    pub(super) fn counts_new_ones(self) -> bool {
        matches!(self, Kind::Number | Kind::Preset)
    }
}

/// Two places that a schema ties together.
#[derive(Clone, Debug)]
pub(super) struct Knot {
    pub(super) kind: Kind,
    /// The level of the lower place.
    pub(super) below: usize,
    /// The level of the upper one.
    pub(super) above: usize,
    /// The field above that adds up what is below, where there is one.
    total: usize,
    limit: i64,
}

impl Knot {
    /// Returns that of a schema with nothing but what is random.
    pub(super) fn none() -> Self {
        Knot { kind: Kind::Free, below: 0, above: 0, total: N, limit: 0 }
    }

    /// Adds the fields of a knot to a schema that has none but its first ones.
    pub(super) fn tie(schema: &mut Schema, kind: Kind, choices: &mut Choices) -> Self {
        let levels = schema.levels.len();
        let hops = match kind {
            Kind::Search | Kind::Free => 0,
            // The user is at a resource of the first level, and what is found counts all of a level.
            Kind::Preset => levels - 1,
            _ => 1 + choices.below(levels - 1),
        };
        let below = hops + choices.below(levels - hops);
        let mut knot = Knot { kind, below, above: below - hops, ..Knot::none() };
        match kind {
            Kind::Limit => {
                let counts = choices.once_in(2);
                knot.limit = (if counts { 1 } else { 4 }) + choices.below(3) as i64;
                knot.add_up(schema, (!counts).then_some(N), choices.once_in(3));
            }
            Kind::Door => knot.add_up(schema, None, true),
            Kind::Required => {
                knot.limit = choices.below(2) as i64;
                knot.add_up(schema, None, true);
            }
            Kind::Condition => {
                let allows = schema.add_derived(below, Origin::Calculated(Expression::Field { hops, field: S }));
                let allows = Expression::Field { hops: 0, field: allows };
                schema.add_conditional(below, Expression::Equal(Box::new(allows), one()));
            }
            Kind::Search => knot.limit = (2 + 2 * below + choices.below(2)) as i64,
            Kind::Number => {
                knot.add_up(schema, None, false);
                let above = Expression::Field { hops, field: knot.total };
                schema.add_numbered(below, above);
            }
            Kind::Preset => {
                knot.add_up(schema, None, choices.once_in(3));
                let found = Expression::Found { level: below, filtered: choices.once_in(3) };
                let value = if choices.once_in(2) { found } else { Expression::Desk { field: knot.total } };
                let most = choices.once_in(2).then_some(2);
                schema.levels[below].preset = Some(Preset { value, most });
            }
            Kind::Match => {
                knot.add_up(schema, None, true);
                schema.levels[below].shown = Some(Expression::Field { hops, field: knot.total });
            }
            Kind::Free => {}
        }
        knot
    }

    /// Adds up what is below, level by level.
    fn add_up(&mut self, schema: &mut Schema, mut field: Option<usize>, filtered: bool) {
        for level in (self.above..self.below).rev() {
            let first = level + 1 == self.below;
            self.total = schema.add_derived(level, Origin::Rollup { field, filtered: first && filtered });
            field = Some(self.total);
        }
    }

    /// Gives both places their rules.
    pub(super) fn rule(&self, schema: &mut Schema, choices: &mut Choices) {
        let hops = self.below - self.above;
        let total = |hops| Box::new(Expression::Field { hops, field: self.total });
        let limit = || Box::new(Expression::Constant(self.limit));
        let idle = || Box::new(Expression::Equal(own(S), Box::new(Expression::Constant(0))));
        match self.kind {
            Kind::Limit => {
                schema.levels[self.below].fields[N].validate = Some(Expression::AtMost(total(hops), limit()));
            }
            Kind::Door | Kind::Required => {
                let few = Box::new(Expression::AtMost(total(0), limit()));
                schema.levels[self.above].fields[S].validate = Some(Expression::Either(idle(), few));
                let above = Box::new(Expression::Field { hops, field: S });
                let below = &mut schema.levels[self.below].fields;
                if self.kind == Kind::Required {
                    below[Q].required = Some(Expression::Equal(above, one()));
                } else {
                    let open = Expression::Equal(above, Box::new(Expression::Constant(0)));
                    below[S].validate = Some(Expression::Either(idle(), Box::new(open)));
                }
            }
            Kind::Search => {
                let found = Expression::Found { level: self.below, filtered: choices.once_in(2) };
                let few = Expression::AtMost(Box::new(found), limit());
                schema.levels[self.below].fields[N].validate = Some(few);
            }
            Kind::Condition | Kind::Free | Kind::Number | Kind::Preset | Kind::Match => {}
        }
    }
}

fn own(field: usize) -> Box<Expression> {
    Box::new(Expression::Field { hops: 0, field })
}

fn one() -> Box<Expression> {
    Box::new(Expression::Constant(1))
}
