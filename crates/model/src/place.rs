//! Places of expressions: which providers exist there (decisions, "Expressions in the platform").

use expression::catalogue::Availability;
use expression::scope::{Available, Kind, Scope, Shape, Type};
use expression::{Diagnostic, Program};
use std::collections::HashMap;
use std::sync::Arc;

/// The place of a configured text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// True if a property applies.
    Condition,
    /// True if a value is valid, or required.
    Validation,
    /// The rows and fields that a grant is about.
    Grant,
    /// A property's value where none is given.
    Default,
    /// A property's value, always.
    Calculation,
    /// A value of a query's parameter where none is given.
    QueryParameter,
    /// A branch or a value of an automation.
    Automation,
    /// An item of a canvas.
    Canvas,
    /// A helper of an integration.
    Integration,
    /// The expectation of a test of the configuration.
    Test,
}

impl Place {
    /// The providers that exist there.
    pub fn available(self) -> Available {
        use Availability::{
            AppParameters, Context, DataQuery, Endpoint, Environment, Local, Secrets, Template, Trigger,
        };
        let providers: &[Availability] = match self {
            Place::Condition | Place::Validation | Place::Grant => &[Context],
            Place::Default | Place::Calculation => &[Context, Environment],
            Place::QueryParameter => &[Context, Environment, AppParameters],
            Place::Automation => &[Context, DataQuery, Trigger, Endpoint, Local, Environment, Secrets],
            Place::Canvas => &[Context, DataQuery, Local, Template, AppParameters],
            Place::Test => &[Context, DataQuery, Environment],
            Place::Integration => &[Context, Trigger, Endpoint, Local, Environment, Secrets],
        };
        providers.iter().fold(Available::default(), |available, provider| available.with(*provider))
    }
}

/// Compiles a configured text. `context` is the type of the resource that it is about, `parameters` what functions
/// such as `trigger` know there; the mistakes are for whoever configures.
pub fn compile(
    text: &str,
    place: Place,
    context: Option<Arc<dyn Shape>>,
    parameters: HashMap<&'static str, HashMap<String, Type>>,
    wants: Kind,
) -> Result<Arc<Program>, Vec<Diagnostic>> {
    let scope = Scope::of(place.available()).with_context(context).wanting(wants).with_parameters(parameters);
    Program::template(text, &scope).map(Arc::new)
}
