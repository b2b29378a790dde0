//! Dependencies over all types: stages of stored values, watchers of fields, and circles, which are refused.

use super::diagnostic::Diagnostic;
use super::rules::DraftedRules;
use super::section::FileProblems;
use expression::ProgramFacts;
use expression::scope::ValueKind;
use model::kinds::RelationSide;
use model::place::{ExpressionPlace, compile};
use model::shape::TypeShapes;
use model::types::{DependencyPath, FIRST_PROPERTY, FieldWatcher, ResourceType, RollupSummary, TypeRules};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// A field of a type: the type's id, and the field's position.
type FieldNode = (i64, usize);

/// Fields that a stored value rests on.
#[derive(Default)]
struct RestingFields {
    /// Fields of the resource itself.
    own: Vec<usize>,
    /// Fields of others, with the way back from them.
    others: Vec<(FieldNode, DependencyPath)>,
}

/// Finds the stages of all stored values, and what watches which fields.
pub(crate) fn connect(
    types: &[Arc<ResourceType>],
    all: &mut [TypeRules],
    drafted: &[DraftedRules],
    problems: &mut FileProblems,
) {
    let graph = FieldGraph::new(types, all);
    let mut stages: BTreeMap<FieldNode, u32> = BTreeMap::new();
    for node in graph.nodes.keys() {
        if let Err(circle) = graph.stage(*node, &mut stages, &mut Vec::new()) {
            refuse(types, drafted, &circle, problems);
            return;
        }
    }
    for (of, rules) in types.iter().zip(all.iter_mut()) {
        let stage = |position: &usize| stages.get(&(of.id, *position)).copied().unwrap_or(0);
        rules.stages = rules.order.iter().map(stage).collect();
    }
    let mut watchers: BTreeMap<(i64, DependencyPath, i64, u32), Vec<usize>> = BTreeMap::new();
    for ((type_id, position), rests) in &graph.nodes {
        let stage = stages.get(&(*type_id, *position)).copied().unwrap_or(0);
        for ((source, field), way) in &rests.others {
            watchers.entry((*source, way.clone(), *type_id, stage)).or_default().push(*field);
        }
    }
    for ((source, way, type_id, stage), mut changed) in watchers {
        changed.sort_unstable();
        changed.dedup();
        if let Some(index) = types.iter().position(|of| of.id == source) {
            all[index].watchers.push(FieldWatcher { changed, way, type_id, stage });
        }
    }
    let down = graph.down();
    for (of, rules) in types.iter().zip(all.iter_mut()) {
        rules.goes_down = (0..of.fields.len()).filter(|position| down.contains(&(of.id, *position))).collect();
        let of_new =
            |rests: &RestingFields| rests.others.iter().any(|((source, _), way)| *source == of.id && !is_down(way));
        rules.new_goes_down = graph.nodes.iter().any(|(node, rests)| down.contains(node) && of_new(rests));
    }
}

/// Returns true if a way leads to resources that refer to one.
fn is_down(way: &DependencyPath) -> bool {
    matches!(way, DependencyPath::Owners(_))
}

struct FieldGraph {
    nodes: BTreeMap<FieldNode, RestingFields>,
}

impl FieldGraph {
    fn new(types: &[Arc<ResourceType>], all: &[TypeRules]) -> Self {
        let shapes = TypeShapes::of(types);
        let mut nodes: BTreeMap<FieldNode, RestingFields> = BTreeMap::new();
        for (of, rules) in types.iter().zip(all) {
            for rule in rules.calculations.iter().chain(&rules.conditions) {
                let rests = nodes.entry((of.id, rule.position)).or_default();
                rests.own.extend(&rule.mentions);
                // A relation rests on which resource there is at the end, not on what that is like.
                let of_value = of.fields[rule.position].kind.relation().is_none();
                let beyond =
                    |path: &&Vec<String>| path.len() > 1 && (of_value || !path.ends_with(&[ProgramFacts::ALL.into()]));
                for path in rule.facts().paths.iter().filter(beyond) {
                    along(types, of, path, rule.facts(), &mut rests.others);
                }
            }
            for rollup in &rules.rollups {
                summed(types, of, rollup, &shapes, nodes.entry((of.id, rollup.position)).or_default());
            }
        }
        FieldGraph { nodes }
    }

    /// The fields whose change may reach resources that refer to theirs.
    fn down(&self) -> BTreeSet<FieldNode> {
        let mut down: BTreeSet<FieldNode> = BTreeSet::new();
        loop {
            let before = down.len();
            for ((type_id, position), rests) in &self.nodes {
                let reaches = down.contains(&(*type_id, *position));
                let own = rests.own.iter().filter(|_| reaches).map(|own| (*type_id, *own));
                let others = rests.others.iter().filter(|(_, way)| reaches || is_down(way)).map(|(source, _)| *source);
                let found: Vec<FieldNode> = own.chain(others).collect();
                down.extend(found);
            }
            if down.len() == before {
                return down;
            }
        }
    }

    /// Returns the number of steps from resource to resource that lie behind a node, or the circle that it is in.
    fn stage(
        &self,
        node: FieldNode,
        known: &mut BTreeMap<FieldNode, u32>,
        way: &mut Vec<FieldNode>,
    ) -> Result<u32, Vec<FieldNode>> {
        let Some(rests) = self.nodes.get(&node) else { return Ok(0) };
        if let Some(stage) = known.get(&node) {
            return Ok(*stage);
        }
        if let Some(start) = way.iter().position(|before| *before == node) {
            return Err(way[start..].to_vec());
        }
        way.push(node);
        let mut stage = 0;
        for own in &rests.own {
            stage = stage.max(self.stage((node.0, *own), known, way)?);
        }
        for (other, _) in &rests.others {
            stage = stage.max(self.stage(*other, known, way)? + 1);
        }
        way.pop();
        known.insert(node, stage);
        Ok(stage)
    }
}

/// Adds the fields that a path of an expression leads to.
fn along(
    types: &[Arc<ResourceType>],
    from: &Arc<ResourceType>,
    path: &[String],
    facts: &ProgramFacts,
    found: &mut Vec<(FieldNode, DependencyPath)>,
) {
    let mut here = from;
    let mut back = Vec::new();
    for name in &path[..path.len() - 1] {
        let Some(property) = here.field(name) else { return };
        let Some(relation) = property.kind.relation() else { return };
        let Some(target) = types.iter().find(|of| of.id == relation.type_id) else { return };
        back.insert(0, (here.id, property.position));
        here = target;
    }
    let last = &path[path.len() - 1];
    let fields: Vec<usize> = if last != ProgramFacts::ALL {
        here.field(last).map(|field| field.position).into_iter().collect()
    } else if facts.calls(&["export"]).is_some() {
        (0..here.fields.len()).collect()
    } else {
        // A resource as a value is its title or its code, whichever is asked for.
        here.title_property.into_iter().chain(here.code_property).collect()
    };
    // The first fields are given once and for all.
    found.extend(fields.into_iter().map(|field| ((here.id, field), DependencyPath::Owners(back.clone()))));
}

/// Adds the fields that a rollup rests on.
fn summed(
    types: &[Arc<ResourceType>],
    resource_type: &Arc<ResourceType>,
    rollup: &RollupSummary,
    shapes: &TypeShapes,
    rests: &mut RestingFields,
) {
    let Some(others) = types.iter().find(|other| other.id == rollup.of) else { return };
    let way = match rollup.side {
        RelationSide::Others => DependencyPath::Targets(rollup.relation),
        RelationSide::Own => DependencyPath::Owners(vec![(resource_type.id, rollup.relation)]),
    };
    let mut fields: Vec<usize> = rollup.property.into_iter().collect();
    if let Some(filter) = &rollup.filter {
        let program =
            compile(&filter.text, ExpressionPlace::Grant, shapes.get(others.id), HashMap::new(), ValueKind::Any);
        let paths = program.map(|program| program.facts().paths.clone()).unwrap_or_default();
        fields.extend(paths.iter().filter_map(|path| Some(others.field(path.first()?)?.position)));
    }
    match rollup.side {
        RelationSide::Others => fields.push(rollup.relation),
        // Its own links are there when the resource is written, not before.
        RelationSide::Own => rests.others.push(((resource_type.id, rollup.relation), DependencyPath::Itself)),
    }
    rests.others.extend(fields.into_iter().map(|field| ((others.id, field), way.clone())));
}

fn refuse(types: &[Arc<ResourceType>], drafted: &[DraftedRules], circle: &[FieldNode], problems: &mut FileProblems) {
    let name = |(type_id, position): &FieldNode| {
        let of = types.iter().find(|of| of.id == *type_id);
        of.map(|of| format!("{}.{}", of.name, of.fields[*position].name)).unwrap_or_default()
    };
    let way: Vec<String> = circle.iter().chain(circle.first()).map(name).collect();
    let stands = |node: &FieldNode| {
        let of = types.iter().find(|of| of.id == node.0).filter(|_| node.1 >= FIRST_PROPERTY)?;
        drafted.iter().find(|drafted| drafted.type_id == node.0 && drafted.property == of.fields[node.1].name)
    };
    let Some(drafted) = circle.iter().find_map(stands) else { return };
    let rules = &drafted.rules;
    let place = rules.calculate.as_ref().or(rules.condition.as_ref()).map_or(drafted.position, |draft| draft.position);
    let message = format!("A stored value depends on itself, from resource to resource: {}.", way.join(" → "));
    let key = format!("properties.{}", drafted.property);
    problems.push(Diagnostic::new(&drafted.file, place, key, "circle", message));
}
