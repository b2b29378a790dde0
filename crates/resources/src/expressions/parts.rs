//! Parts that an evaluation has beside the row that it is about, by the place where its text stands.

use expression::HostProviders;
use expression::value::{Array, Value};
use model::used_properties::UsedProperties;
use std::collections::BTreeMap;

/// The operations of expressions on the tenant's secrets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Secrets {
    /// Nothing: the place has none.
    #[default]
    None,
    /// Read them.
    Read,
    /// Read, save and remove them, in the transaction that the expression runs in.
    Write,
}

/// With whose rights `resource()` asks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Rights {
    /// The acting user's: the place answers that user.
    #[default]
    User,
    /// The same, where what is told of the acting user is shown to them, too.
    Shown,
    /// All: the place is the configuration's own, as its relations are.
    Configuration,
}

/// Answers an expression's requests while it runs; absent ones keep the language's own error.
#[derive(Default, Clone, Copy)]
pub struct Parts<'p> {
    /// Whatever a place has beyond what all places have.
    pub more: Option<&'p dyn HostProviders>,
    /// With whose rights resources are found.
    pub rights: Rights,
    /// The operations on secrets that are allowed.
    pub secrets: Secrets,
    /// The properties of resources that the place's expressions may take: virtual calculations among them are worked
    /// out for rows that are read. Where there is none, they have no value, and the place refuses them by name.
    pub virtuals: Option<&'p UsedProperties>,
    /// True where inverses are read, with all rights: in automations alone (E-076).
    pub inverses: bool,
}

impl Parts<'_> {
    /// Those of what the configuration asks of itself: conditions, validations, defaults, calculations.
    pub const CONFIGURATION: Parts<'static> =
        Parts { more: None, rights: Rights::Configuration, secrets: Secrets::None, virtuals: None, inverses: false };
}

/// Values by name; where there are none, the place may have its own way to them.
#[derive(Default)]
pub struct Handed {
    /// Parameters of the app. A name that is not among them is null.
    pub app: Option<BTreeMap<String, Value>>,
    /// Variables of the template.
    pub template: Option<BTreeMap<String, Value>>,
    /// Local variables.
    pub local: Option<BTreeMap<String, Value>>,
    /// The result of the current query.
    pub data: Option<Value>,
    /// The current query's name and parameters: it is run where something fetches from it, once in each evaluation.
    pub query: Option<(String, Array)>,
}
