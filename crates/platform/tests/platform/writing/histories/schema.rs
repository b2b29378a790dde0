//! Random types whose rules rest on one another, up to two relations away, and their files.

use super::knots::{Kind, Knot};
use std::fmt::Write;
use testing::Choices;

/// An expression over whole numbers; what is compared gives 0 or 1.
#[derive(Clone, Debug)]
pub(super) enum Expression {
    Constant(i64),
    /// A field, so many relations up.
    Field {
        hops: usize,
        field: usize,
    },
    /// The number of resources of a level that a query finds: all, or those with `s == 1`.
    Found {
        level: usize,
        filtered: bool,
    },
    /// A field of the resource of the first level at which the user who writes is.
    Desk {
        field: usize,
    },
    Sum(Box<Expression>, Box<Expression>),
    Difference(Box<Expression>, Box<Expression>),
    AtMost(Box<Expression>, Box<Expression>),
    Equal(Box<Expression>, Box<Expression>),
    Either(Box<Expression>, Box<Expression>),
}

/// How a field gets its values.
#[derive(Clone, Debug)]
pub(super) enum Origin {
    /// By writers; with a default.
    Given(i64),
    /// By writers, or none.
    Open,
    /// By writers; with a default that is worked out of what is above, when the resource is made.
    Numbered(Expression),
    /// By writers while a condition on the resource's own fields holds, or none.
    Conditional(Expression),
    Calculated(Expression),
    /// The sum of a field of those that refer to the resource, or their number; of all, or of those with `s == 1`.
    Rollup {
        field: Option<usize>,
        filtered: bool,
    },
}

#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) origin: Origin,
    pub(super) validate: Option<Expression>,
    pub(super) required: Option<Expression>,
}

/// A type. All but the first refer to the one before, by `up`.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub(super) fields: Vec<Field>,
    /// Whether no two that refer to the same resource have the same `n`.
    pub(super) unique: bool,
    /// Whether they are deleted with what they refer to, or stand against it.
    pub(super) cascade: bool,
    /// What is shown beside the fields, and never stored.
    pub(super) shown: Option<Expression>,
    /// What a grant gives `q` of a new resource.
    pub(super) preset: Option<Preset>,
}

/// A value that a grant gives where a body names none.
#[derive(Clone, Debug)]
pub(super) struct Preset {
    pub(super) value: Expression,
    /// The greatest `n` for which the grant holds; another one holds beyond. There is no other where there is none.
    pub(super) most: Option<i64>,
}

/// Types in a row, each below the one before.
#[derive(Clone, Debug)]
pub(super) struct Schema {
    pub(super) number: usize,
    pub(super) levels: Vec<Level>,
    /// Fields that others make, by level and field, in an order in which each rests on those before.
    pub(super) derived: Vec<(usize, usize)>,
    pub(super) knot: Knot,
    /// The resource of the first level at which users are.
    pub(super) desk: Option<i64>,
}

/// Fields that all types have: any number; 0 or 1; what may be required.
pub(super) const N: usize = 0;
pub(super) const S: usize = 1;
pub(super) const Q: usize = 2;

impl Schema {
    pub(super) fn random(number: usize, choices: &mut Choices) -> Self {
        let count = if choices.once_in(4) { 2 } else { 3 };
        let level = |_| Level {
            fields: vec![plain("n", Origin::Given(0)), plain("s", Origin::Given(1)), plain("q", Origin::Open)],
            unique: choices.once_in(3),
            cascade: !choices.once_in(3),
            shown: None,
            preset: None,
        };
        let knot = Knot::none();
        let mut schema =
            Schema { number, levels: (0..count).map(level).collect(), derived: Vec::new(), knot, desk: None };
        let kind = Kind::ALL[number % Kind::ALL.len()];
        let knot = Knot::tie(&mut schema, kind, choices);
        // Writes whose consequences go down go alone: most schemas have none, so that more happens at once.
        let down = choices.once_in(3);
        // What is random beside a knot is little, so that it does not keep writers off it.
        let free = usize::from(kind == Kind::Free);
        for _ in 0..2 * free + choices.below(2 + 2 * free) {
            schema.derive(down, choices);
        }
        if kind != Kind::Condition && choices.once_in(2) {
            let level = choices.below(count);
            let condition = comparison(schema.any(level, 0, choices), choices);
            schema.add_conditional(level, condition);
        }
        let more = 1 + 2 * free + usize::from(choices.once_in(3));
        for _ in 0..3 * free + choices.below(more) {
            schema.rule(choices);
        }
        knot.rule(&mut schema, choices);
        schema.knot = knot;
        schema
    }

    /// Adds a field that others make; returns its place.
    pub(super) fn add_derived(&mut self, level: usize, origin: Origin) -> usize {
        let place = self.levels[level].fields.len();
        self.levels[level].fields.push(plain(&format!("d{place}"), origin));
        self.derived.push((level, place));
        place
    }

    /// Adds a field that writers may set while a condition holds.
    pub(super) fn add_conditional(&mut self, level: usize, condition: Expression) {
        self.levels[level].fields.push(plain("k", Origin::Conditional(condition)));
    }

    /// Adds a field with a default of what is above.
    pub(super) fn add_numbered(&mut self, level: usize, default: Expression) {
        self.levels[level].fields.push(plain("c", Origin::Numbered(default)));
    }

    /// Adds a field that is calculated or summed up.
    fn derive(&mut self, down: bool, choices: &mut Choices) {
        let level = choices.below(self.levels.len());
        let below = level + 1 < self.levels.len();
        let origin = if below && !choices.once_in(3) {
            let field = (!choices.once_in(3)).then(|| match self.any(level + 1, 0, choices) {
                Expression::Field { field, .. } => field,
                _ => N,
            });
            Origin::Rollup { field, filtered: choices.once_in(2) }
        } else {
            let mut operand = || if down { self.near(level, choices) } else { self.any(level, 0, choices) };
            let (one, other) = (operand(), operand());
            let sides = (Box::new(one), Box::new(other));
            Origin::Calculated(match choices.below(3) {
                0 => Expression::Difference(sides.0, sides.1),
                _ => Expression::Sum(sides.0, sides.1),
            })
        };
        self.add_derived(level, origin);
    }

    /// Gives a field a rule that looks at others, most often beyond the resource.
    fn rule(&mut self, choices: &mut Choices) {
        let level = choices.below(self.levels.len());
        let other = self.near(level, choices);
        if choices.once_in(4) {
            self.levels[level].fields[Q].required = Some(comparison(other, choices));
            return;
        }
        let own = |field| Box::new(Expression::Field { hops: 0, field });
        let (field, rule) = match choices.below(3) {
            0 => (N, Expression::AtMost(own(N), Box::new(other))),
            1 => (N, Expression::AtMost(Box::new(other), Box::new(Expression::Constant(3 + choices.below(5) as i64)))),
            _ => {
                let idle = Expression::Equal(own(S), Box::new(Expression::Constant(choices.below(2) as i64)));
                (S, Expression::Either(Box::new(idle), Box::new(comparison(other, choices))))
            }
        };
        self.levels[level].fields[field].validate = Some(rule);
    }

    /// Returns a field that always has a value: of the type, or of one above it.
    fn near(&self, level: usize, choices: &mut Choices) -> Expression {
        let hops = choices.below(level + 1).max(choices.below(level + 1));
        self.any(level - hops, hops, choices)
    }

    fn any(&self, level: usize, hops: usize, choices: &mut Choices) -> Expression {
        let valued = |field: &usize| {
            matches!(
                self.levels[level].fields[*field].origin,
                Origin::Given(_) | Origin::Calculated(_) | Origin::Rollup { .. }
            )
        };
        let fields: Vec<usize> = (0..self.levels[level].fields.len()).filter(valued).collect();
        // The youngest rest on most.
        let place = choices.below(fields.len()).max(choices.below(fields.len()));
        Expression::Field { hops, field: fields[place] }
    }

    /// The name of a level's type.
    pub(super) fn name(&self, level: usize) -> String {
        format!("m{}t{level}", self.number)
    }

    /// The name of the query of a level's resources, all or those with `s == 1`.
    fn query(&self, level: usize, filtered: bool) -> String {
        format!("{}{}", self.name(level), if filtered { "s" } else { "all" })
    }

    /// The files of the types and queries.
    pub(super) fn files(&self) -> Vec<(String, String)> {
        let file = |level| (format!("types/{}.yaml", self.name(level)), self.file(level));
        let query = |level: usize, filtered: bool| {
            let (query, filters) = (self.query(level, filtered), "filters: [{property: s, type: eq, param: 1}]\n");
            let text = format!("query: {query}\ntype: {}\n{}", self.name(level), if filtered { filters } else { "" });
            (format!("queries/{query}.yaml"), text)
        };
        let levels = 0..self.levels.len();
        let own = levels.flat_map(|level| [file(level), query(level, false), query(level, true)]);
        let all = [("types/user.yaml".to_owned(), self.user()), ("roles/editor.yaml".to_owned(), self.role())];
        own.chain(all).collect()
    }

    fn file(&self, at: usize) -> String {
        let level = &self.levels[at];
        let id = 100 + self.number * 4 + at;
        let mut text = format!("id: {id}\nname: {}\n", self.name(at));
        if at > 0 && level.unique {
            text.push_str("unique: [[up, n]]\n");
        }
        text.push_str("properties:\n");
        if at > 0 {
            let on_delete = if level.cascade { "cascade" } else { "restrict" };
            let above = self.name(at - 1);
            let relation = format!("kind: pRelation, type: {above}, required: true, onDelete: {on_delete}");
            let _ = writeln!(text, "  up: {{id: {}, {relation}}}", id * 20);
        }
        for (place, field) in level.fields.iter().enumerate() {
            let _ = write!(text, "  {}: {{id: {}, ", field.name, id * 20 + place + 1);
            match &field.origin {
                Origin::Given(default) => _ = write!(text, "kind: pInteger, required: true, default: {default}"),
                Origin::Open => text.push_str("kind: pInteger"),
                Origin::Numbered(of) => {
                    _ = write!(text, "kind: pInteger, default: \"{{={}}}\"", self.text(at, of));
                }
                Origin::Conditional(condition) => {
                    _ = write!(text, "kind: pInteger, condition: \"{{={}}}\"", self.text(at, condition));
                }
                Origin::Calculated(of) => {
                    _ = write!(text, "kind: pInteger, calculate: \"{{={}}}\"", self.text(at, of));
                }
                Origin::Rollup { field, filtered } => {
                    let _ = write!(text, "kind: pRollup, relation: {}.up, ", self.name(at + 1));
                    match field {
                        Some(field) => {
                            let name = &self.levels[at + 1].fields[*field].name;
                            _ = write!(text, "function: sum, property: {name}");
                        }
                        None => text.push_str("function: count"),
                    }
                    text.push_str(if *filtered { ", where: \"{=s == 1}\"" } else { "" });
                }
            }
            if let Some(rule) = &field.required {
                let _ = write!(text, ", required: \"{{={}}}\"", self.text(at, rule));
            }
            if let Some(rule) = &field.validate {
                let _ = write!(text, ", validate: [{{rule: \"{{={}}}\"}}]", self.text(at, rule));
            }
            text.push_str("}\n");
        }
        if let Some(shown) = &level.shown {
            let _ = writeln!(
                text,
                "  v: {{id: {}, kind: pCalculated, calculate: \"{{={}}}\"}}",
                id * 20 + 19,
                self.text(at, shown)
            );
        }
        text
    }

    /// The text of an expression about a resource of a level.
    pub(super) fn text(&self, at: usize, expression: &Expression) -> String {
        let both = |sides: (&Expression, &Expression), operator: &str| {
            format!("({} {operator} {})", self.text(at, sides.0), self.text(at, sides.1))
        };
        match expression {
            Expression::Constant(number) => number.to_string(),
            Expression::Field { hops, field } => {
                format!("{}{}", "up.".repeat(*hops), self.levels[at - hops].fields[*field].name)
            }
            Expression::Found { level, filtered } => format!("queryCount(query('{}'))", self.query(*level, *filtered)),
            Expression::Desk { field } => format!("(user().desk.{} ?? 0)", self.levels[0].fields[*field].name),
            Expression::Sum(one, other) => both((one, other), "+"),
            Expression::Difference(one, other) => both((one, other), "-"),
            Expression::AtMost(one, other) => both((one, other), "<="),
            Expression::Equal(one, other) => both((one, other), "=="),
            Expression::Either(one, other) => both((one, other), "or"),
        }
    }
}

fn plain(name: &str, origin: Origin) -> Field {
    Field { name: name.to_owned(), origin, validate: None, required: None }
}

fn comparison(of: Expression, choices: &mut Choices) -> Expression {
    let (of, bound) = (Box::new(of), choices.below(4) as i64);
    match choices.below(3) {
        0 => Expression::Equal(of, Box::new(Expression::Constant(bound.min(1)))),
        1 => Expression::AtMost(of, Box::new(Expression::Constant(bound + 1))),
        _ => Expression::AtMost(Box::new(Expression::Constant(bound)), of),
    }
}
