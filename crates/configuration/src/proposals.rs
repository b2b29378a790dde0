//! Indexes that would serve the rows of grants. A plan names them; only a line in a file makes them.
//!
//! Only what lists ask is looked at, the `where` of `show`: the other conditions are asked of one row, by its id.

use expression::scope::ValueKind;
use expression::syntax::{BinaryOperator, PathStep, SyntaxKind, SyntaxNode};
use model::kinds::ValueStorage;
use model::types::{FIRST_PROPERTY, Model, Property, ResourceAction, ResourceType, RowRule};
use query::pushdown::looks_at_row;
use serde::Serialize;

/// An index that would serve grants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct IndexProposal {
    /// The type.
    #[serde(rename = "type")]
    pub resource_type: String,
    /// The properties, in the order of the index.
    pub properties: Vec<String>,
    /// The place of the line in the type's file; empty for the file itself.
    pub at: String,
    /// The line to add there.
    pub line: String,
    /// The benefit of the index, in words.
    pub reason: String,
    /// The grants that it serves, each with its file and line.
    pub grants: Vec<String>,
}

/// The most alternatives of one rule that are looked at.
const ALTERNATIVES: usize = 16;

/// The most properties that an index is proposed for: further ones hardly make it better, and each costs every write.
const MOST: usize = 3;

/// A comparison of a property with what is known before there is a row.
struct AskedComparison<'m> {
    /// The relation that leads to the row whose property it is; none for the row itself.
    by: Option<String>,
    /// The way from the row, as expressions write it, where it leads to one resource; none where to several.
    way: Option<String>,
    of: &'m ResourceType,
    property: &'m Property,
    equal: bool,
}

/// A property at the end of a path from a row.
struct PathEnd<'m> {
    /// The last relation of the path; none where it is a property of the row itself.
    by: Option<String>,
    /// The path up to the relation, where it leads to one resource.
    way: Option<String>,
    of: &'m ResourceType,
    property: &'m Property,
}

/// A line of a file, to be added.
struct ProposedLine {
    at: String,
    line: String,
}

/// The indexes that would serve the grants of a model's roles and are not there.
pub(super) fn proposals(model: &Model) -> Vec<IndexProposal> {
    let mut proposals: Vec<IndexProposal> = Vec::new();
    for (type_id, stated) in model.roles.values().flat_map(|role| &role.stated) {
        let Some(of) = model.type_by_id(*type_id) else { continue };
        let shown = stated.iter().filter(|stated| stated.action == ResourceAction::Show);
        for rule in shown.filter_map(|stated| stated.grant.rows.as_deref()) {
            for proposal in of_rule(model, of, rule) {
                let same = |known: &&mut IndexProposal| {
                    known.resource_type == proposal.resource_type && known.properties == proposal.properties
                };
                match proposals.iter_mut().find(same) {
                    Some(known) if known.grants.contains(&proposal.grants[0]) => {}
                    Some(known) => known.grants.extend(proposal.grants),
                    None => proposals.push(proposal),
                }
            }
        }
    }
    proposals
}

fn of_rule(model: &Model, resource_type: &ResourceType, rule: &RowRule) -> Vec<IndexProposal> {
    let mut proposals = Vec::new();
    for parts in alternatives(&rule.condition.syntax) {
        let asked: Vec<AskedComparison<'_>> =
            parts.iter().filter_map(|part| asked(model, resource_type, part)).collect();
        let (own, far): (Vec<&AskedComparison<'_>>, Vec<&AskedComparison<'_>>) =
            asked.iter().partition(|asked| asked.by.is_none());
        proposals.extend(of_own(resource_type, &own, rule));
        proposals.extend(
            far.into_iter().filter_map(|asked| of_way(resource_type, asked, rule).or_else(|| of_far(asked, rule))),
        );
    }
    proposals
}

/// An index on the row's own properties: those that must be equal first, then one that lies in a range.
fn of_own(resource_type: &ResourceType, own: &[&AskedComparison<'_>], rule: &RowRule) -> Option<IndexProposal> {
    let mut columns: Vec<&Property> = Vec::new();
    let ranges = own.iter().filter(|asked| !asked.equal).take(1);
    for asked in own.iter().filter(|asked| asked.equal).chain(ranges).take(MOST) {
        if !columns.iter().any(|known| known.position == asked.property.position) {
            columns.push(asked.property);
        }
    }
    match columns.as_slice() {
        [] => None,
        [only] => {
            let equal = own.iter().any(|asked| asked.equal);
            single(resource_type, only, rule, equal)
        }
        several => {
            let positions: Vec<usize> = several.iter().map(|property| property.position).collect();
            if resource_type.has_index_of(&positions) || several.iter().any(|property| property.unique) {
                return None;
            }
            let names: Vec<String> = several.iter().map(|property| property.name.clone()).collect();
            let line = format!("indexes: [[{}]]", names.join(", "));
            let reason = "rows are found by all of them at once".to_owned();
            Some(proposal(resource_type, names, ProposedLine { at: String::new(), line }, reason, rule))
        }
    }
}

/// An index on a property of the row that a relation leads to.
fn of_far(asked: &AskedComparison<'_>, rule: &RowRule) -> Option<IndexProposal> {
    let by = asked.by.as_ref()?;
    if asked.of.has_index(asked.property) {
        return None;
    }
    let line = index_line(asked.property);
    let reason = format!("{} are found by it, and what refers to them by {by}, which has an index", asked.of.name);
    Some(proposal(asked.of, vec![asked.property.name.clone()], line, reason, rule))
}

/// A relation of the row's own, calculated by the way that a grant walks: its index has the rows in the order of lists,
/// and their number is kept.
fn of_way(resource_type: &ResourceType, asked: &AskedComparison<'_>, rule: &RowRule) -> Option<IndexProposal> {
    let (way, property) = (asked.way.as_ref()?, asked.property);
    let relation = property.kind.relation().filter(|_| !property.kind.holds_several())?;
    let text = format!("{{={way}}}");
    let there = resource_type.rules().calculations.iter().any(|calculation| calculation.text == text);
    if !asked.equal || !of_one(rule) || relation.type_id == resource_type.id || there {
        return None;
    }
    let name = match resource_type.field(&property.name) {
        None => property.name.clone(),
        Some(_) => way.replace('.', "_"),
    };
    let kind = property.kind.name();
    let target = if kind == "pRelation" { format!(", type: {}", relation.type_name) } else { String::new() };
    let line = format!("{name}: {{kind: {kind}{target}, calculate: \"{text}\", index: true}}");
    let reason = format!(
        "with {name}.id in place of {way}.id in the grant, lists are found and counted without the way; it is worth it \
         where a user sees thousands of rows"
    );
    Some(proposal(resource_type, vec![name], ProposedLine { at: "properties".to_owned(), line }, reason, rule))
}

fn single(resource_type: &ResourceType, property: &Property, rule: &RowRule, equal: bool) -> Option<IndexProposal> {
    let relation = property.kind.is_relation() && !property.kind.holds_several();
    let counted = equal && of_one(rule) && property.kind.counts_values();
    if property.index || (resource_type.has_index(property) && !counted) || property.unique {
        return None;
    }
    let reason = match (relation, counted, equal) {
        (true, ..) => "lists have their total without counting, where many rows refer to the same resource",
        (_, true, _) => "rows are found by it, and lists have their total without counting",
        (_, _, true) => "rows are found by it",
        (_, _, false) => "rows are found by a range of it",
    };
    Some(proposal(resource_type, vec![property.name.clone()], index_line(property), reason.to_owned(), rule))
}

/// The line that gives a property an index.
fn index_line(property: &Property) -> ProposedLine {
    ProposedLine { at: format!("properties.{}", property.name), line: "index: true".to_owned() }
}

fn proposal(
    of: &ResourceType,
    properties: Vec<String>,
    ProposedLine { at, line }: ProposedLine,
    reason: String,
    rule: &RowRule,
) -> IndexProposal {
    let grants = vec![format!("{}:{} {}", rule.file, rule.line, rule.key)];
    IndexProposal { resource_type: of.name.clone(), properties, at, line, reason, grants }
}

/// Returns true if a rule is one comparison and nothing else.
fn of_one(rule: &RowRule) -> bool {
    matches!(rule.condition.syntax.kind, SyntaxKind::Pair(..) | SyntaxKind::Name(_))
}

/// Returns the alternatives in which the whole can hold, each with the parts that must hold together.
fn alternatives(syntax: &SyntaxNode) -> Vec<Vec<&SyntaxNode>> {
    let SyntaxKind::Chain(first, rest) = &syntax.kind else { return vec![vec![syntax]] };
    let operands = || std::iter::once(&**first).chain(rest.iter().map(|(_, operand)| operand));
    match rest.first().map(|(operator, _)| *operator) {
        Some(BinaryOperator::Or) => operands().flat_map(alternatives).take(ALTERNATIVES).collect(),
        Some(BinaryOperator::And) => {
            let mut ways: Vec<Vec<&SyntaxNode>> = vec![Vec::new()];
            for operand in operands() {
                let further = alternatives(operand);
                let joined = ways.iter().flat_map(|way| further.iter().map(|more| [way.as_slice(), more].concat()));
                ways = joined.take(ALTERNATIVES).collect();
            }
            ways
        }
        _ => vec![vec![syntax]],
    }
}

/// Returns the comparison of a part that an index on a property can answer.
fn asked<'m>(model: &'m Model, resource_type: &'m ResourceType, part: &SyntaxNode) -> Option<AskedComparison<'m>> {
    let (place, equal) = match &part.kind {
        SyntaxKind::Name(_) | SyntaxKind::Path(..) => (part, None),
        SyntaxKind::Pair(operator, left, right) => {
            let equal = match operator {
                BinaryOperator::Equal | BinaryOperator::Identical | BinaryOperator::In => true,
                BinaryOperator::Less
                | BinaryOperator::LessOrEqual
                | BinaryOperator::Greater
                | BinaryOperator::GreaterOrEqual => false,
                _ => return None,
            };
            match (looks_at_row(left), looks_at_row(right)) {
                (true, false) => (&**left, Some(equal)),
                (false, true) if *operator != BinaryOperator::In => (&**right, Some(equal)),
                _ => return None,
            }
        }
        _ => return None,
    };
    let PathEnd { by, way, of: resource_type, property } = led(model, resource_type, place)?;
    // A flag by itself is asked for being true; of other values an index does not tell which count as that.
    let equal = equal.or_else(|| (property.kind.language_kind() == ValueKind::Bool).then_some(true))?;
    let column = matches!(property.kind.storage(), ValueStorage::Column(_)) && !property.is_virtual();
    (column && property.kind.indexable() && property.position >= FIRST_PROPERTY).then_some(AskedComparison {
        by,
        way,
        of: resource_type,
        property,
        equal,
    })
}

/// Returns the property that a path leads to. The id of what a relation refers to is the relation's own value.
fn led<'m>(model: &'m Model, resource_type: &'m ResourceType, path: &SyntaxNode) -> Option<PathEnd<'m>> {
    let mut names = Vec::new();
    match &path.kind {
        SyntaxKind::Name(name) => names.push(name.as_str()),
        SyntaxKind::Path(first, steps) => {
            let SyntaxKind::Name(name) = &first.kind else { return None };
            names.push(name);
            for step in steps {
                let PathStep::Property(name, _) = step else { return None };
                names.push(name);
            }
        }
        _ => return None,
    }
    if names.len() > 1 && names.last() == Some(&"id") {
        names.pop();
    }
    let (last, hops) = names.split_last()?;
    let (mut resource_type, mut by, mut to_one) = (resource_type, None, true);
    for name in hops {
        let relation = resource_type.field(name)?;
        to_one &= matches!(relation.kind.storage(), ValueStorage::Column(_));
        by = Some(format!("{}.{}", resource_type.name, relation.name));
        resource_type = model.type_by_id(relation.kind.relation()?.type_id)?;
    }
    Some(PathEnd { by, way: to_one.then(|| names.join(".")), of: resource_type, property: resource_type.field(last)? })
}
