//! Automations: what each waits for, and what it does then.

use crate::cron::CronExpression;
use crate::types::Model;
use crate::used_properties::UsedProperties;
use expression::Program;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// An automation, as its file has it.
#[derive(Debug)]
pub struct Automation {
    /// The system name.
    pub name: String,
    /// For people.
    pub title: String,
    /// For people; may be empty.
    pub description: String,
    /// The trigger that it waits for.
    pub on: AutomationTrigger,
    /// True if it runs, asked in the transaction of the event.
    pub condition: Option<Arc<Program>>,
    /// The steps that it takes.
    pub steps: Vec<AutomationStep>,
    /// The properties of resources that its expressions may take.
    pub takes: UsedProperties,
    /// The most runs that may begin in a minute.
    pub rate: i64,
}

/// The trigger of an automation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AutomationTrigger {
    /// Something that happens in the tenant.
    Event(AutomationEvent),
    /// A moment.
    Schedule(AutomationSchedule),
    /// A call of others.
    Hook(IncomingHook),
}

/// Moments that an automation waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AutomationSchedule {
    /// As the file has it.
    pub text: String,
    /// The moments, in the tenant's zone.
    pub cron: CronExpression,
    /// The treatment of moments that came while no server ran.
    pub missed: MissedMoments,
}

/// The treatment of moments that came while no server ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissedMoments {
    /// One run, for the last of them.
    Last,
    /// A run for each of the last hundred.
    All,
}

/// A call that an automation waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncomingHook {
    /// The name in its address.
    pub name: String,
    /// The name of the secret that calls are signed with.
    pub secret: String,
}

/// An event that may happen. Resources are told apart by their types' ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AutomationEvent {
    /// A resource was created.
    Created(i64),
    /// A resource was changed.
    Updated(i64),
    /// A resource was deleted.
    Deleted(i64),
    /// A resource got tags.
    Tagged(i64),
    /// A resource lost tags.
    Untagged(i64),
    /// Somebody registered.
    Registered,
    /// An account that was registered is active.
    Activated,
    /// A tag was created.
    TagCreated,
    /// A tag was changed.
    TagUpdated,
    /// A tag was deleted.
    TagDeleted,
    /// A notification was made.
    Notified,
}

/// A function that makes the event of a type, by its id.
type OfType = fn(i64) -> AutomationEvent;

/// A step, and where it stands.
#[derive(Debug)]
pub struct AutomationStep {
    /// For people, in the record.
    pub name: Option<String>,
    /// The key that it is written with.
    pub word: &'static str,
    /// The query that `dataQuery…()` of its expressions fetch from.
    pub query: Option<FetchedQuery>,
    /// The action.
    pub action: StepAction,
    /// Differs from those of steps that are written otherwise, with all that lies within them.
    pub digest: u64,
    /// The same of what decides how the step goes into blocks of its own: the blocks are not in it.
    pub head: u64,
}

/// A query that a step's expressions fetch from.
#[derive(Debug)]
pub struct FetchedQuery {
    /// The query's name.
    pub name: String,
    /// The arguments, by parameter.
    pub parameters: Vec<(String, ValueTemplate)>,
}

/// The action of a step.
#[derive(Debug)]
pub enum StepAction {
    /// One way or the other.
    If {
        /// The condition that decides.
        test: Arc<Program>,
        /// The steps where it holds.
        then: Vec<AutomationStep>,
        /// The steps where it does not hold.
        otherwise: Vec<AutomationStep>,
    },
    /// Gives variables values, one after the other.
    Set(Vec<(String, ValueTemplate)>),
    /// Creates a resource.
    Create(CreateStep),
    /// Changes a resource.
    Update(UpdateStep),
    /// Deletes a resource: its type, and which.
    Delete(i64, ValueTemplate),
    /// Notifies users.
    Notify(Box<NotifyStep>),
    /// Sends a mail.
    Mail(MailStep),
    /// Sends a request.
    Http(Box<HttpStep>),
    /// Does something for each member of a list.
    Each(EachStep),
    /// Ends the run; with a message, if there is one.
    Stop(Option<ValueTemplate>),
}

/// Creates a resource.
#[derive(Debug)]
pub struct CreateStep {
    /// The type's id.
    pub type_id: i64,
    /// The values, by property.
    pub values: Vec<(String, ValueTemplate)>,
    /// The variable that is the new resource from here on.
    pub variable: Option<String>,
}

/// Changes a resource.
#[derive(Debug)]
pub struct UpdateStep {
    /// The type's id.
    pub type_id: i64,
    /// The resource that is changed.
    pub item: ValueTemplate,
    /// The new values, by property; `+=` behind a name adds.
    pub values: Vec<(String, ValueTemplate)>,
}

/// Notifies users.
#[derive(Debug)]
pub struct NotifyStep {
    /// Users, or their ids.
    pub to: ValueTemplate,
    /// The title.
    pub title: ValueTemplate,
    /// The text.
    pub body: Option<ValueTemplate>,
    /// The importance, by name.
    pub level: Option<ValueTemplate>,
    /// The word for programs.
    pub kind: Option<ValueTemplate>,
    /// The resource that it is about.
    pub target: Option<ValueTemplate>,
    /// A link.
    pub url: Option<ValueTemplate>,
    /// Anything, for programs.
    pub data: Option<ValueTemplate>,
}

/// Sends a mail.
#[derive(Debug)]
pub struct MailStep {
    /// Addresses, or users.
    pub to: ValueTemplate,
    /// The subject.
    pub subject: ValueTemplate,
    /// The text.
    pub text: ValueTemplate,
}

/// Sends a request.
#[derive(Debug)]
pub struct HttpStep {
    /// The method.
    pub method: http::Method,
    /// The address.
    pub url: ValueTemplate,
    /// Headers.
    pub headers: Vec<(http::HeaderName, ValueTemplate)>,
    /// The body: a text as it is, all else as JSON.
    pub body: Option<ValueTemplate>,
    /// The time for which it may take, in seconds.
    pub timeout: u64,
    /// The condition that an answer meets if it is a success; a status of 200 to 299, where none.
    pub success: Option<Arc<Program>>,
}

/// Does something for each member of a list.
#[derive(Debug)]
pub struct EachStep {
    /// The list.
    pub list: ValueTemplate,
    /// The variable that is the member.
    pub variable: String,
    /// The steps for each member.
    pub steps: Vec<AutomationStep>,
}

/// A configured value: fixed, an expression, or a list or mapping with expressions somewhere in it.
#[derive(Debug, Clone)]
pub enum ValueTemplate {
    /// It is as it stands.
    Fixed(Json),
    /// It is worked out.
    Expression(Arc<Program>),
    /// Members, each of which may be worked out.
    List(Vec<ValueTemplate>),
    /// Named members, each of which may be worked out.
    Object(Vec<(String, ValueTemplate)>),
}

impl ValueTemplate {
    /// Returns true where nothing of it is worked out.
    pub fn is_fixed(&self) -> bool {
        matches!(self, ValueTemplate::Fixed(_))
    }
}

/// The automations of a tenant.
#[derive(Debug, Default)]
pub struct AutomationList {
    named: BTreeMap<String, Arc<Automation>>,
    by_event: HashMap<AutomationEvent, Vec<Arc<Automation>>>,
    disabled: BTreeSet<String>,
}

impl AutomationList {
    /// All of these.
    pub fn new(named: BTreeMap<String, Arc<Automation>>) -> Self {
        AutomationList { named, ..AutomationList::default() }.sorted()
    }

    /// The same, of which these do not run. Names that there are none of make no difference.
    pub fn without(self, disabled: BTreeSet<String>) -> Self {
        AutomationList { disabled, ..self }.sorted()
    }

    fn sorted(mut self) -> Self {
        self.by_event.clear();
        for automation in self.named.values().filter(|automation| !self.disabled.contains(&automation.name)) {
            if let AutomationTrigger::Event(event) = automation.on {
                self.by_event.entry(event).or_default().push(Arc::clone(automation));
            }
        }
        self
    }

    /// Those that wait for an event; costs next to nothing where there are none.
    pub fn waiting_for(&self, event: AutomationEvent) -> &[Arc<Automation>] {
        if self.by_event.is_empty() {
            return &[];
        }
        self.by_event.get(&event).map_or(&[], Vec::as_slice)
    }

    /// The automation of a name, whether it runs or not.
    pub fn named(&self, name: &str) -> Option<&Arc<Automation>> {
        self.named.get(name)
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Automation>> {
        self.named.values()
    }

    /// Returns true if somebody, or a guard, has switched it off.
    pub fn is_disabled(&self, name: &str) -> bool {
        self.disabled.contains(name)
    }
}

impl AutomationSchedule {
    /// The event of a run that a moment begins.
    pub const EVENT: &'static str = "schedule";
}

impl IncomingHook {
    /// The beginning of the event of a run that a call begins; the hook's name follows.
    pub const EVENT: &'static str = "hook.";
}

impl AutomationEvent {
    /// Events of resources, by the words of files.
    pub const OF_RESOURCES: [(&'static str, OfType); 5] = [
        ("created", AutomationEvent::Created),
        ("updated", AutomationEvent::Updated),
        ("deleted", AutomationEvent::Deleted),
        ("tagged", AutomationEvent::Tagged),
        ("untagged", AutomationEvent::Untagged),
    ];

    /// All else, by the words of files.
    pub const OTHERS: [(&'static str, AutomationEvent); 6] = [
        ("user.registered", AutomationEvent::Registered),
        ("user.activated", AutomationEvent::Activated),
        ("tag.created", AutomationEvent::TagCreated),
        ("tag.updated", AutomationEvent::TagUpdated),
        ("tag.deleted", AutomationEvent::TagDeleted),
        ("notification.created", AutomationEvent::Notified),
    ];

    /// The type of the resource that it is about.
    pub fn type_id(self) -> Option<i64> {
        match self {
            AutomationEvent::Created(id)
            | AutomationEvent::Updated(id)
            | AutomationEvent::Deleted(id)
            | AutomationEvent::Tagged(id)
            | AutomationEvent::Untagged(id) => Some(id),
            AutomationEvent::Registered | AutomationEvent::Activated => Some(crate::user_columns::USER_TYPE),
            AutomationEvent::TagCreated
            | AutomationEvent::TagUpdated
            | AutomationEvent::TagDeleted
            | AutomationEvent::Notified => None,
        }
    }

    /// As files write it: `invoice.updated`.
    pub fn name(self, model: &Model) -> String {
        if let Some((name, _)) = AutomationEvent::OTHERS.iter().find(|(_, other)| *other == self) {
            return (*name).to_owned();
        }
        let type_id = self.type_id().unwrap_or_default();
        let word =
            AutomationEvent::OF_RESOURCES.iter().find(|(_, of)| of(type_id) == self).map_or("", |(word, _)| word);
        format!("{}.{word}", model.type_by_id(type_id).map_or("", |of| of.name.as_str()))
    }
}
