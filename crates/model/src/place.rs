//! Places of expressions: which providers exist there (decisions, "Expressions in the platform").

use expression::catalogue::Availability;
use expression::scope::{AvailableProviders, Fact, ResourceShape, Scope, ValueKind, ValueType};
use expression::{Diagnostic, Program};
use std::collections::HashMap;
use std::sync::Arc;

/// The place of a configured text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpressionPlace {
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

impl ExpressionPlace {
    /// The providers that exist there.
    pub fn available(self) -> AvailableProviders {
        use Availability::{
            AppParameters, Context, DataQuery, Endpoint, Environment, Local, Secrets, Template, Trigger,
        };
        let providers: &[Availability] = match self {
            ExpressionPlace::Condition | ExpressionPlace::Validation | ExpressionPlace::Grant => &[Context],
            ExpressionPlace::Default | ExpressionPlace::Calculation => &[Context, Environment],
            ExpressionPlace::QueryParameter => &[Context, Environment, AppParameters],
            ExpressionPlace::Automation => &[Context, DataQuery, Trigger, Endpoint, Local, Environment, Secrets],
            ExpressionPlace::Canvas => &[Context, DataQuery, Local, Template, AppParameters],
            ExpressionPlace::Test => &[Context, DataQuery, Environment],
            ExpressionPlace::Integration => &[Context, Trigger, Endpoint, Local, Environment, Secrets],
        };
        providers.iter().fold(AvailableProviders::default(), |available, provider| available.with(*provider))
    }
}

/// Compiles a configured text. `context` is the type of the resource that it is about, `parameters` what functions
/// such as `trigger` know there; the mistakes are for whoever configures.
pub fn compile(
    text: &str,
    place: ExpressionPlace,
    context: Option<Arc<dyn ResourceShape>>,
    parameters: HashMap<&'static str, HashMap<String, ValueType>>,
    wants: ValueKind,
) -> Result<Arc<Program>, Vec<Diagnostic>> {
    compile_where(text, place, context, parameters, wants, Vec::new())
}

/// The same where facts hold, whatever the types say.
pub fn compile_where(
    text: &str,
    place: ExpressionPlace,
    context: Option<Arc<dyn ResourceShape>>,
    parameters: HashMap<&'static str, HashMap<String, ValueType>>,
    wants: ValueKind,
    facts: Vec<Fact>,
) -> Result<Arc<Program>, Vec<Diagnostic>> {
    let scope = Scope::of(place.available()).with_context(context).wanting(wants).with_parameters(parameters);
    let decides = matches!(place, ExpressionPlace::Condition | ExpressionPlace::Validation);
    let scope = scope.deciding(decides).with_facts(facts);
    let compiled = Program::template(text, &scope);
    compiled.map(Arc::new).map_err(|mistakes| crate::correction::complete(text, &scope, mistakes))
}
