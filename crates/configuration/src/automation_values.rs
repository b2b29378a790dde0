//! Values and expressions in the files of automations: what they may name, and how they are compiled.

use super::automation_changes;
use super::automation_file::AutomationContext;
use super::option_literals;
use super::query_fields;
use super::section::{FileNode, FileProblems, FileSection};
use super::step_fields::{check_decision, check_sought};
use super::yaml::{YamlContent, YamlEntry, YamlMapping, YamlNode};
use crate::expression_slots;
use crate::expression_slots::{PlaceNames, SlotNames};
use expression::Program;
use expression::scope::{self, Fact, ResourceShape, ValueKind};
use model::automation::ValueTemplate;
use model::place::ExpressionPlace;
use model::types::ResourceType;
use model::used_properties::UsedProperties;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// Functions that need what changed.
const OF_CHANGES: [&str; 3] = ["hasChanged", "isOnlyChange", "changedFrom"];
/// Names that the expressions of an automation may use.
pub(super) struct StepNames<'a> {
    pub(super) around: &'a AutomationContext<'a>,
    pub(super) names: SlotNames,
    /// The shape whose properties bare names are.
    pub(super) context: Option<Arc<dyn ResourceShape>>,
    /// Number of steps so far, and depth of the next one within others.
    pub(super) steps: usize,
    pub(super) depth: usize,
    /// True if the step has a query to fetch from.
    pub(super) fetches: bool,
    /// Values of resources that the expressions so far may take.
    pub(super) takes: RefCell<UsedProperties>,
    /// The type of the resource that the event is about.
    pub(super) about: Option<Arc<ResourceType>>,
    /// Facts that tests told, which hold where the next step stands.
    pub(super) facts: Vec<Fact>,
}

impl<'a> StepNames<'a> {
    pub(super) fn new(around: &'a AutomationContext<'a>) -> Self {
        let endpoint = [("status", ValueKind::Int), ("headers", ValueKind::Object), ("body", ValueKind::Any)];
        let endpoint = endpoint.into_iter().map(|(name, kind)| (name.to_owned(), kind.into())).collect();
        let mut names = around.environment.clone();
        names.extend([("endpoint", endpoint), ("var", HashMap::new())]);
        StepNames {
            around,
            names,
            context: None,
            steps: 0,
            depth: 0,
            fetches: false,
            takes: RefCell::default(),
            about: None,
            facts: Vec::new(),
        }
    }

    fn scope(&self) -> PlaceNames {
        PlaceNames { context: self.context.clone(), names: self.names.clone(), facts: self.facts.clone() }
    }

    /// Lets the facts of a test hold from here on.
    pub(super) fn assume(&mut self, test: Option<&Program>, truth: bool) {
        self.facts.extend(test.map_or(&[][..], |test| test.told(truth)).iter().cloned());
    }

    /// Forgets the facts that a step may have made untrue.
    pub(super) fn forget(&mut self, is_lost: impl Fn(&Fact) -> bool) {
        self.facts.retain(|fact| !is_lost(fact));
    }

    /// From here on there is a variable.
    pub(super) fn variable(&mut self, name: &str, of: scope::ValueType) {
        self.forget(|fact| fact.is_of_variable(name));
        self.variables().insert(name.to_owned(), of);
    }

    /// The variables so far.
    pub(super) fn variables(&mut self) -> &mut HashMap<String, scope::ValueType> {
        self.names.entry("var").or_default()
    }
}

/// The value of an entry.
pub(super) fn template_of(
    section: &FileSection<'_>,
    entry: &YamlEntry,
    known: &StepNames<'_>,
    problems: &mut FileProblems,
) -> Option<ValueTemplate> {
    of_node(&section.value_of(entry), known, problems)
}

fn of_node(at: &FileNode<'_>, known: &StepNames<'_>, problems: &mut FileProblems) -> Option<ValueTemplate> {
    let node = at.node;
    match &node.content {
        _ if expression_slots::is_expression(node) => {
            compiled(at, known, ValueKind::Any, problems).map(ValueTemplate::Expression)
        }
        YamlContent::Sequence(members) => {
            let member = |(index, member): (usize, &YamlNode)| of_node(&at.below(index, member), known, problems);
            let members: Vec<Option<ValueTemplate>> = members.iter().enumerate().map(member).collect();
            let members = members.into_iter().collect::<Option<Vec<_>>>()?;
            let fixed = members.iter().all(ValueTemplate::is_fixed);
            Some(if fixed { ValueTemplate::Fixed(node.json()) } else { ValueTemplate::List(members) })
        }
        YamlContent::Mapping(YamlMapping { entries, .. }) => {
            let member = |entry: &YamlEntry| {
                let value = of_node(&at.below(&entry.key, &entry.value), known, problems);
                (entry.key.clone(), value)
            };
            let members: Vec<(String, Option<ValueTemplate>)> = entries.iter().map(member).collect();
            let members = members.into_iter().map(|(name, value)| Some((name, value?)));
            let members = members.collect::<Option<Vec<_>>>()?;
            let fixed = members.iter().all(|(_, member)| member.is_fixed());
            Some(if fixed { ValueTemplate::Fixed(node.json()) } else { ValueTemplate::Object(members) })
        }
        YamlContent::Scalar { .. } => Some(ValueTemplate::Fixed(node.json())),
    }
}

/// An expression that decides something.
pub(super) fn program(
    section: &FileSection<'_>,
    entry: &YamlEntry,
    known: &StepNames<'_>,
    wants: ValueKind,
    problems: &mut FileProblems,
) -> Option<Arc<Program>> {
    let at = section.value_of(entry);
    let program = compiled(&at, known, wants, problems)?;
    check_decision(&at, &program, problems);
    Some(program)
}

/// Compiles an expression of an automation.
pub(super) fn compiled(
    at: &FileNode<'_>,
    known: &StepNames<'_>,
    wants: ValueKind,
    problems: &mut FileProblems,
) -> Option<Arc<Program>> {
    let program = expression_slots::compiled(at, ExpressionPlace::Automation, known.scope(), wants, problems)?;
    known.takes.borrow_mut().add(program.facts());
    check_sought(at, &program, known, problems);
    let text = at.node.text().unwrap_or_default();
    let about = known.about.as_ref();
    let compared = about.map(|of| option_literals::mistakes(known.around.types.read, of, program.facts(), text));
    for mistake in compared.into_iter().flatten() {
        problems.push(at.problem(mistake.code, &mistake.message).of_mistake(at.node.position, mistake));
    }
    let changes = known.names.get("trigger").is_some_and(|known| known.contains_key("changes"));
    if let Some(function) = program.facts().calls(&OF_CHANGES).filter(|_| !changes) {
        let message = format!("{function}() needs changes: only an event such as article.updated has them.");
        problems.push(at.problem("missing_changes", &message));
    }
    if let Some(of) = known.about.as_ref().filter(|_| changes) {
        automation_changes::check(at, of, program.facts(), problems);
    }
    if let Some(function) = program.facts().calls(&query_fields::FUNCTIONS).filter(|_| !known.fetches) {
        let message = format!("{function}() needs a query: add the key query to the step.");
        problems.push(at.problem("missing_key", &message));
    }
    Some(program)
}
