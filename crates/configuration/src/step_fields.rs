//! Values that the keys of steps take. Others are refused where they stand, in the words of runs that fail.

use super::automation_values::{StepNames, template_of};
use super::section::{FileNode, FileProblems, FileSection};
use super::yaml::{YamlContent, YamlNode};
use expression::Program;
use expression::scope::ValueKind;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use messages::notifications::{Level, is_link};
use model::automation::ValueTemplate;
use model::email::EmailAddress;
use model::kinds::ValueContext;
use model::query::QueryDefinition;
use query::request::ItemRef;
use reqwest::header::HeaderValue;
use serde_json::Value as Json;
use url::Url;

/// Sort of value that a key takes.
#[derive(Clone, Copy)]
pub(super) enum StepSlot<'t> {
    /// A resource of a type, or which one.
    Item(&'t str),
    /// Users, for a notification.
    Users,
    /// Addresses, for a mail.
    Addresses,
    /// A text.
    Text,
    /// The level of a notification.
    Level,
    /// The resource that a notification is about.
    Target,
    /// A link of a notification.
    Link,
    /// A mapping.
    Object,
    /// The address of a request.
    Address,
    /// The value of a header.
    Header,
    /// The list that `forEach` goes through.
    List,
    /// The value of a variable.
    Variable,
}

impl StepSlot<'_> {
    /// Refuses a value that the key never takes.
    pub(super) fn check(self, at: &FileNode<'_>, value: &ValueTemplate, problems: &mut FileProblems) {
        self.check_within(at, value, self.several(), problems);
    }

    /// The same of a member of a list, or of what may be one.
    fn check_within(self, at: &FileNode<'_>, value: &ValueTemplate, several: bool, problems: &mut FileProblems) {
        let fault = match (value, &at.node.content) {
            (ValueTemplate::Fixed(Json::Array(_)) | ValueTemplate::List(_), YamlContent::Sequence(nodes))
                if several =>
            {
                if nodes.is_empty() && matches!(self, StepSlot::Users | StepSlot::Addresses) {
                    problems.push(at.problem("wrong_value", "It has no recipient: name at least one."));
                }
                let fixed;
                let members = match value {
                    ValueTemplate::List(members) => members,
                    _ => {
                        fixed = nodes.iter().map(|node| ValueTemplate::Fixed(node.json())).collect();
                        &fixed
                    }
                };
                for (index, (member, node)) in members.iter().zip(nodes).enumerate() {
                    self.check_within(&at.below(index, node), member, false, problems);
                }
                return;
            }
            (ValueTemplate::Fixed(json), _) => self.refuses(json),
            (ValueTemplate::Expression(program), _) => self.refuses_result(program, at.node, several),
            (ValueTemplate::List(_), _) => self.refuses_kind(ValueKind::Array, several),
            (ValueTemplate::Object(_), _) => self.refuses_kind(ValueKind::Object, several),
        };
        if let Some(message) = fault {
            problems.push(at.problem("wrong_value", &message));
        }
    }

    /// Returns true if each member of a list is one of what it takes.
    fn several(self) -> bool {
        matches!(self, StepSlot::Users | StepSlot::Addresses)
    }

    /// Returns a sentence that says what it takes.
    fn words(self) -> String {
        match self {
            StepSlot::Item(of) => format!("A resource of {of}, its id or its UUID is wanted"),
            StepSlot::Users => "A notification goes to users or their ids".to_owned(),
            StepSlot::Addresses => "A mail goes to addresses or users".to_owned(),
            StepSlot::Text => "A text is wanted".to_owned(),
            StepSlot::Header => "A header has one line of text".to_owned(),
            StepSlot::Level => {
                let names: Vec<&str> = Level::ALL.iter().map(|(name, _)| *name).collect();
                format!("The level is one of {}", names.join(", "))
            }
            StepSlot::Target => "A notification is about a resource, which an expression gives".to_owned(),
            StepSlot::Link => "A link is an address of http or https, or a path".to_owned(),
            StepSlot::Object => "A mapping is wanted".to_owned(),
            StepSlot::Address => "A request goes to an address of http or https".to_owned(),
            StepSlot::List => "forEach needs a list".to_owned(),
            StepSlot::Variable => "A variable keeps values".to_owned(),
        }
    }

    fn refuses(self, json: &Json) -> Option<String> {
        let right = match (self, json) {
            (_, Json::Null) => true,
            (StepSlot::Item(_), Json::String(text)) => ItemRef::parse(text).is_ok(),
            (StepSlot::Item(_) | StepSlot::Users, Json::Number(id)) => id.as_i64().is_some_and(|id| id > 0),
            (StepSlot::Addresses, Json::String(text)) => EmailAddress::parse(text).is_some(),
            (StepSlot::Level, Json::String(text)) => Level::ALL.iter().any(|(name, _)| name == text),
            (StepSlot::Link, Json::String(text)) => is_link(text),
            (StepSlot::Address, Json::String(text)) => {
                text.parse::<Url>().is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
            }
            (StepSlot::Header, Json::String(text)) => HeaderValue::from_str(text).is_ok(),
            (StepSlot::Text | StepSlot::Header, json) => !json.is_array() && !json.is_object(),
            (StepSlot::Object, json) => json.is_object(),
            (StepSlot::List, json) => json.is_array(),
            (StepSlot::Variable, _) => true,
            _ => false,
        };
        (!right).then(|| match json {
            Json::Array(_) => format!("{}, not a list.", self.words()),
            Json::Object(_) => format!("{}, not a mapping.", self.words()),
            json => format!("{}, not {json}.", self.words()),
        })
    }

    fn refuses_result(self, program: &Program, node: &YamlNode, several: bool) -> Option<String> {
        if let Some(found) = program.resource() {
            let wanted = match self {
                StepSlot::Item(of) => Some(of),
                StepSlot::Users | StepSlot::Addresses => Some("user"),
                _ => None,
            };
            if wanted.is_some_and(|wanted| wanted != found) {
                return Some(format!("{}: the expression gives a resource of {found}.", self.words()));
            }
        }
        if let (StepSlot::Address, Some(text)) = (self, node.text()) {
            let begin = text.split("{=").next().unwrap_or_default().to_ascii_lowercase();
            let fits = |scheme: &str| scheme.starts_with(&begin) || begin.starts_with(scheme);
            if !["http://", "https://"].into_iter().any(fits) {
                return Some(format!("{}, and this begins with {begin:?}.", self.words()));
            }
        }
        self.refuses_kind(program.kind(), several)
    }

    fn refuses_kind(self, given: ValueKind, several: bool) -> Option<String> {
        use ValueKind::{Any, Array, Changes, File, Int, Null, Object, Resource, Rows, Text};
        let right = match self {
            StepSlot::Item(_) => matches!(given, Resource | Int | Text),
            StepSlot::Users => matches!(given, Resource | Int) || (several && given == Array),
            StepSlot::Addresses => matches!(given, Resource | Text) || (several && given == Array),
            StepSlot::Target => given == Resource,
            StepSlot::Object => matches!(given, Object | Array),
            StepSlot::List => matches!(given, Array | Rows),
            StepSlot::Variable => !matches!(given, Changes | Rows),
            StepSlot::Text | StepSlot::Header | StepSlot::Level | StepSlot::Link | StepSlot::Address => {
                !matches!(given, Array | Object | File | Changes | Rows)
            }
        };
        (!right && !matches!(given, Any | Null)).then(|| format!("{}, and this gives {}.", self.words(), given.words()))
    }
}

/// The value of a key that takes such ones.
pub(super) fn taken(
    section: &mut FileSection<'_>,
    key: &'static str,
    slot: StepSlot<'_>,
    known: &StepNames<'_>,
    problems: &mut FileProblems,
) -> Option<ValueTemplate> {
    let entry = section.take(key, problems)?;
    let value = template_of(section, entry, known, problems)?;
    slot.check(&section.value_of(entry), &value, problems);
    Some(value)
}

/// The same of a key that must be there.
pub(super) fn needed(
    section: &mut FileSection<'_>,
    key: &'static str,
    slot: StepSlot<'_>,
    known: &StepNames<'_>,
    problems: &mut FileProblems,
) -> Option<ValueTemplate> {
    section.require(key, problems)?;
    taken(section, key, slot, known, problems)
}

/// Refuses what decides nothing: a text around expressions, or without any, is true whatever it says.
pub(super) fn check_decision(at: &FileNode<'_>, program: &Program, problems: &mut FileProblems) {
    if program.is_text() {
        let message = "A text is always true: write one expression, such as \"{=status == 'paid' && net > 0}\".";
        problems.push(at.problem("wrong_value", message));
    }
}

/// Refuses queries and types that an expression names and that there are not.
pub(super) fn check_sought(at: &FileNode<'_>, program: &Program, known: &StepNames<'_>, problems: &mut FileProblems) {
    for (function, name) in &program.facts().sought {
        let queries = || known.around.queries.keys().map(String::as_str).collect::<Vec<_>>();
        let types = || known.around.types.read.iter().map(|of| of.name.as_str()).collect::<Vec<_>>();
        let (code, what, all) = match *function {
            "query" => ("unknown_query", "query", queries()),
            _ => ("unknown_type", "type", types()),
        };
        let by_id = known.around.types.read.iter().any(|of| what == "type" && of.id.to_string() == *name);
        let unread = what == "type" && known.around.types.unread.contains(name.as_str());
        // A query that could not be read has a diagnostic of its own.
        let unread = unread || what == "query" && problems.iter().any(|other| other.file.starts_with("queries/"));
        if !by_id && !unread && !all.contains(&name.as_str()) {
            let mut problem = at.problem(code, &format!("There is no {what} {name:?}."));
            problem.suggestion = super::diagnostic::closest(name, all);
            problems.push(problem);
        }
    }
}

/// Refuses values that the parameters of a query never take, and a query that lacks one.
pub(super) fn check_parameters(
    section: &FileSection<'_>,
    query: &QueryDefinition,
    given: &[(String, ValueTemplate)],
    zone: &TimeZone,
    problems: &mut FileProblems,
) {
    let entry = |key: &str| section.mapping.entries.iter().find(|entry| entry.key == key);
    for parameter in query.parameters.iter().filter(|parameter| parameter.required && parameter.default.is_none()) {
        if given.iter().all(|(name, _)| *name != parameter.name) {
            let at = entry("query").map_or(section.position, |entry| entry.value.position);
            let message = format!("The parameter {} is missing.", parameter.name);
            problems.push(section.problem(at, "params", "parameter_missing", &message));
        }
    }
    let Some(YamlContent::Mapping(mapping)) = entry("params").map(|entry| &entry.value.content) else { return };
    let context = ValueContext { zone, now: Timestamp::UNIX_EPOCH, links: None, texts: false };
    for (name, value) in given {
        let (Some(parameter), ValueTemplate::Fixed(json)) = (query.parameter(name), value) else { continue };
        if json.is_null() {
            continue;
        }
        let kind = parameter.kind.as_ref();
        let members = match (parameter.multiple(), json) {
            (true, Json::Array(members)) => members.as_slice(),
            (true, _) => continue,
            (false, one) => std::slice::from_ref(one),
        };
        let read = |member: &Json| kind.read(member, &context).and_then(|value| kind.check(&value));
        if let Some(fault) = members.iter().find_map(|member| read(member).err()) {
            let at = mapping
                .entries
                .iter()
                .find(|entry| entry.key == *name)
                .map_or(section.position, |entry| entry.value.position);
            let message = format!("The parameter {name} {}.", fault.text());
            problems.push(section.problem(at, &format!("params.{name}"), "parameter_invalid", &message));
        }
    }
}
