//! What an automation is: what it waits for, and what it does then.

use super::{Takes, Template, Trigger};
use crate::cron::Cron;
use crate::types::Model;
use expression::Program;
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
    /// What it waits for.
    pub on: On,
    /// Whether it runs, asked in the transaction of the event.
    pub condition: Option<Arc<Program>>,
    /// What it does.
    pub steps: Vec<Step>,
    /// What its expressions may take of resources.
    pub takes: Takes,
    /// How many runs may begin in a minute.
    pub rate: i64,
}

/// What an automation waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum On {
    /// Something that happens in the tenant.
    Event(Event),
    /// A moment.
    Schedule(Schedule),
    /// A call of others.
    Hook(Hook),
}

/// Moments that an automation waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// As the file has it.
    pub text: String,
    /// What it means, in the tenant's zone.
    pub cron: Cron,
    /// What becomes of moments that came while no server ran.
    pub missed: Missed,
}

/// What becomes of moments that came while no server ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missed {
    /// One run, for the last of them.
    Last,
    /// A run for each of the last hundred.
    All,
}

/// A call that an automation waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    /// The name in its address.
    pub name: String,
    /// The name of the secret that calls are signed with.
    pub secret: String,
}

/// What may happen. Resources are told apart by their types' ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Event {
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

/// What makes the event of a type, by its id.
type OfType = fn(i64) -> Event;

/// A step, and where it stands.
#[derive(Debug)]
pub struct Step {
    /// For people, in the record.
    pub name: Option<String>,
    /// What `dataQuery…()` of its expressions fetch from.
    pub query: Option<Fetched>,
    /// What is done.
    pub action: Action,
    /// Differs from those of steps that are written otherwise, with all that lies within them.
    pub digest: u64,
    /// The same of what decides how the step goes into blocks of its own: the blocks are not in it.
    pub head: u64,
}

/// A query that a step's expressions fetch from.
#[derive(Debug)]
pub struct Fetched {
    /// The query's name.
    pub name: String,
    /// What it is given, by parameter.
    pub parameters: Vec<(String, Template)>,
}

/// What a step does.
#[derive(Debug)]
pub enum Action {
    /// One way or the other.
    If {
        /// What decides.
        test: Arc<Program>,
        /// What is done where it holds.
        then: Vec<Step>,
        /// What is done where it does not.
        otherwise: Vec<Step>,
    },
    /// Gives variables values, one after the other.
    Set(Vec<(String, Template)>),
    /// Creates a resource.
    Create(Create),
    /// Changes a resource.
    Update(Update),
    /// Deletes a resource: its type, and which.
    Delete(i64, Template),
    /// Notifies users.
    Notify(Box<Notify>),
    /// Sends a mail.
    Mail(Mail),
    /// Sends a request.
    Http(Box<Http>),
    /// Does something for each member of a list.
    Each(Each),
    /// Ends the run; with a message, if there is one.
    Stop(Option<Template>),
}

/// Creates a resource.
#[derive(Debug)]
pub struct Create {
    /// The type's id.
    pub type_id: i64,
    /// The values, by property.
    pub values: Vec<(String, Template)>,
    /// The variable that is the new resource from here on.
    pub variable: Option<String>,
}

/// Changes a resource.
#[derive(Debug)]
pub struct Update {
    /// The type's id.
    pub type_id: i64,
    /// Which.
    pub item: Template,
    /// The new values, by property; `+=` behind a name adds.
    pub values: Vec<(String, Template)>,
}

/// Notifies users.
#[derive(Debug)]
pub struct Notify {
    /// Users, or their ids.
    pub to: Template,
    /// The title.
    pub title: Template,
    /// The text.
    pub body: Option<Template>,
    /// How much it matters, by name.
    pub level: Option<Template>,
    /// The word for programs.
    pub kind: Option<Template>,
    /// The resource that it is about.
    pub target: Option<Template>,
    /// A link.
    pub url: Option<Template>,
    /// Anything, for programs.
    pub data: Option<Template>,
}

/// Sends a mail.
#[derive(Debug)]
pub struct Mail {
    /// Addresses, or users.
    pub to: Template,
    /// The subject.
    pub subject: Template,
    /// The text.
    pub text: Template,
}

/// Sends a request.
#[derive(Debug)]
pub struct Http {
    /// The method.
    pub method: reqwest::Method,
    /// The address.
    pub url: Template,
    /// Headers.
    pub headers: Vec<(reqwest::header::HeaderName, Template)>,
    /// The body: a text as it is, all else as JSON.
    pub body: Option<Template>,
    /// How long it may take, in seconds.
    pub timeout: u64,
    /// What is true of an answer that is a success; a status of 200 to 299, where none.
    pub success: Option<Arc<Program>>,
}

/// Does something for each member of a list.
#[derive(Debug)]
pub struct Each {
    /// The list.
    pub list: Template,
    /// The variable that is the member.
    pub variable: String,
    /// What is done.
    pub steps: Vec<Step>,
}

/// The automations of a tenant.
#[derive(Debug, Default)]
pub struct Automations {
    named: BTreeMap<String, Arc<Automation>>,
    by_event: HashMap<Event, Vec<Arc<Automation>>>,
    disabled: BTreeSet<String>,
}

impl Automations {
    /// All of these.
    pub(crate) fn new(named: BTreeMap<String, Arc<Automation>>) -> Self {
        Automations { named, ..Automations::default() }.sorted()
    }

    /// The same, of which these do not run. Names that there are none of make no difference.
    pub(crate) fn without(self, disabled: BTreeSet<String>) -> Self {
        Automations { disabled, ..self }.sorted()
    }

    fn sorted(mut self) -> Self {
        self.by_event.clear();
        for automation in self.named.values().filter(|automation| !self.disabled.contains(&automation.name)) {
            if let On::Event(event) = automation.on {
                self.by_event.entry(event).or_default().push(Arc::clone(automation));
            }
        }
        self
    }

    /// Those that wait for an event; costs next to nothing where there are none.
    pub fn waiting_for(&self, event: Event) -> &[Arc<Automation>] {
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

    /// Whether somebody, or a guard, has switched it off.
    pub fn is_disabled(&self, name: &str) -> bool {
        self.disabled.contains(name)
    }
}

impl On {
    /// Whether this is what caused a run. Types are known by their ids: their names may have changed since.
    pub(super) fn caused(&self, trigger: &Trigger, model: &Model) -> bool {
        let about = trigger.target().map(|(type_id, _)| type_id);
        match self {
            On::Event(event) => match event.type_id() {
                Some(_) => about == event.type_id() && word(&trigger.event) == word(&event.name(model)),
                None => about.is_none() && trigger.event == event.name(model),
            },
            On::Schedule(_) => about.is_none() && trigger.event == Schedule::EVENT,
            On::Hook(_) => about.is_none() && trigger.event.starts_with(Hook::EVENT),
        }
    }
}

/// What happened, of an event's name: `updated`.
fn word(event: &str) -> &str {
    event.rsplit_once('.').map_or(event, |(_, word)| word)
}

impl Schedule {
    /// The event of a run that a moment begins.
    pub(super) const EVENT: &'static str = "schedule";
}

impl Hook {
    /// What the event of a run begins with that a call begins; the hook's name follows.
    pub(super) const EVENT: &'static str = "hook.";
}

impl Event {
    /// What happens to resources, by the words of files.
    pub const OF_RESOURCES: [(&'static str, OfType); 5] = [
        ("created", Event::Created),
        ("updated", Event::Updated),
        ("deleted", Event::Deleted),
        ("tagged", Event::Tagged),
        ("untagged", Event::Untagged),
    ];

    /// All else, by the words of files.
    pub const OTHERS: [(&'static str, Event); 6] = [
        ("user.registered", Event::Registered),
        ("user.activated", Event::Activated),
        ("tag.created", Event::TagCreated),
        ("tag.updated", Event::TagUpdated),
        ("tag.deleted", Event::TagDeleted),
        ("notification.created", Event::Notified),
    ];

    /// The type of the resource that it is about.
    pub fn type_id(self) -> Option<i64> {
        match self {
            Event::Created(id) | Event::Updated(id) | Event::Deleted(id) | Event::Tagged(id) | Event::Untagged(id) => {
                Some(id)
            }
            Event::Registered | Event::Activated => Some(crate::users::USER_TYPE),
            Event::TagCreated | Event::TagUpdated | Event::TagDeleted | Event::Notified => None,
        }
    }

    /// As files write it: `invoice.updated`.
    pub fn name(self, model: &Model) -> String {
        if let Some((name, _)) = Event::OTHERS.iter().find(|(_, other)| *other == self) {
            return (*name).to_owned();
        }
        let type_id = self.type_id().unwrap_or_default();
        let word = Event::OF_RESOURCES.iter().find(|(_, of)| of(type_id) == self).map_or("", |(word, _)| word);
        format!("{}.{word}", model.type_by_id(type_id).map_or("", |of| of.name.as_str()))
    }
}

impl Action {
    /// The key that it is written with.
    pub fn word(&self) -> &'static str {
        match self {
            Action::If { .. } => "if",
            Action::Set(_) => "set",
            Action::Create(_) => "create",
            Action::Update(_) => "update",
            Action::Delete(..) => "delete",
            Action::Notify(_) => "notify",
            Action::Mail(_) => "mail",
            Action::Http(_) => "http",
            Action::Each(_) => "forEach",
            Action::Stop(_) => "stop",
        }
    }
}
