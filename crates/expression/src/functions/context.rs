//! The context: user, resources, links, and how the request came.

use super::arguments;
use super::rows::{optional, required, row};
use crate::catalogue::{Availability, FunctionEntry, FunctionParameter, NullArgument};
use crate::value::{Array, ArrayKey, Value};
use crate::{Fault, Result, Run};

const ACTIVE: FunctionParameter = optional("activeResource", "ActiveResource", "null").null(NullArgument::Context);
const RESOURCE: &[FunctionParameter] = &[ACTIVE];

pub(crate) const FUNCTIONS: &[FunctionEntry] = &[
    row("currentLink", &[], "string", "Returns the path of the request.", current_link)
        .in_context()
        .example("currentLink()", "\"/orders/42\""),
    row("user", &[optional("property", "string", "null")], "ActiveResource or mixed or null", USER, user)
        .in_context()
        .example("user('name')", "\"Ann\""),
    row(
        "resource",
        &[required("type", "mixed"), required("idOrData", "mixed").null(NullArgument::Passed)],
        "ActiveResource or null",
        "Returns a resource of a type by its id, uuid or code, or by a resource, array or object that has one; null if not found.",
        resource,
    )
    .in_context()
    .example("resource('customer', 7).name", "\"Ann\""),
    row("objectShowLink", RESOURCE, "string", "Returns the address that shows a resource.", show_link)
        .in_context()
        .example("objectShowLink()", "\"https://app/42/show\""),
    row("objectEditLink", RESOURCE, "string", "Returns the address that edits a resource.", edit_link)
        .in_context()
        .example("objectEditLink()", "\"https://app/42/edit\""),
    row("objectCopyLink", RESOURCE, "string", "Returns the address that copies a resource.", copy_link)
        .in_context()
        .example("objectCopyLink()", "\"https://app/42/copy\""),
    row("objectCreateLink", RESOURCE, "string", "Returns the address that creates a resource.", create_link)
        .in_context()
        .example("objectCreateLink()", "\"https://app/42/create\""),
    row("objectDeleteLink", RESOURCE, "string", "Returns the address that deletes a resource.", delete_link)
        .in_context()
        .example("objectDeleteLink()", "\"https://app/42/delete\""),
    row(
        "objectActionLink",
        &[
            ACTIVE,
            optional("action", "string", "null"),
            optional("args", "array", "[]"),
        ],
        "string",
        "Returns the address of a named action of a resource.",
        action_link,
    )
    .in_context()
    .example("objectActionLink(action: 'approve')", "\"https://app/42/approve\""),
    row("isLoginAs", &[], "boolean", "Returns true if an administrator acts as the user.", is_login_as)
        .in_context()
        .example("isLoginAs()", "false"),
    row("isApiRequest", &[], "boolean", "Returns true for a request of the API.", is_api_request)
        .in_context()
        .example("isApiRequest()", "true"),
];

const USER: &str = "Returns the acting user, or one of the user's properties.";

impl FunctionEntry {
    const fn in_context(self) -> Self {
        self.needs(Availability::Context)
    }

    /// The function as one that needs a provider, which may give another value each time.
    pub(crate) const fn needs(mut self, availability: Availability) -> Self {
        self.availability = availability;
        self.pure = false;
        self
    }
}

/// The argument at a place, or the context's resource where it is left out or null.
pub(crate) fn resource_or_context(run: &Run<'_>, arguments: &[Value], index: usize) -> Result<Value> {
    match arguments.get(index) {
        None | Some(Value::Null) => run.providers.resource(),
        Some(value) => Ok(value.clone()),
    }
}

fn current_link(run: &mut Run<'_>, _: &[Value]) -> Result<Value> {
    run.providers.current_link()
}

fn user(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let user = run.providers.user()?;
    super::queries::at_path(run, &user, arguments.first())
}

fn resource(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let (kind, data) = (arguments::at(arguments, 0)?, arguments::at(arguments, 1)?);
    for by in sought(data)?.into_iter().flatten() {
        run.charge(100)?;
        match (run.providers.find_resource(kind, &by)?, data) {
            (Value::Null, _) => {}
            (Value::Resource(found), Value::Resource(given)) if found.type_id() != given.type_id() => {}
            (found, _) => return Ok(found),
        }
    }
    Ok(Value::Null)
}

/// Returns what data names a resource by, in the order of the search: a text that is a number is an id, else a code.
fn sought(data: &Value) -> Result<[Option<Value>; 2]> {
    Ok(match data {
        Value::Array(array) => member(|name| array.get_text(name))?,
        Value::Object(object) => member(|name| object.get(name))?,
        Value::Resource(resource) => [Some(Value::Int(resource.id())), None],
        scalar => one(scalar)?,
    })
}

/// The first member of what it has that names a resource.
fn member<'v>(get: impl Fn(&'static str) -> Option<&'v Value>) -> Result<[Option<Value>; 2]> {
    ["id", "uuid", "code"].into_iter().filter_map(get).find(|value| !value.is_null()).map_or(Ok([None, None]), one)
}

fn one(value: &Value) -> Result<[Option<Value>; 2]> {
    let wrong = || {
        let message = format!("A resource is found by its id, uuid or code, not by {}.", value.kind());
        Fault::new("wrong_kind", message)
    };
    Ok(match value {
        Value::Null => [None, None],
        Value::Int(_) => [Some(value.clone()), None],
        Value::Float(number) if number.fract() != 0.0 => return Err(wrong()),
        Value::Decimal(number) if number.compare(number.truncated().into()).is_ne() => return Err(wrong()),
        Value::Float(_) | Value::Decimal(_) => {
            [Some(Value::Int(arguments::integer(std::slice::from_ref(value), 0).map_err(|_| wrong())?)), None]
        }
        Value::Text(text) if text.is_empty() => [None, None],
        Value::Text(text) => match ArrayKey::from(text.clone()) {
            ArrayKey::Int(id) => [Some(Value::Int(id)), Some(value.clone())],
            ArrayKey::Text(_) => [Some(value.clone()), None],
        },
        _ => return Err(wrong()),
    })
}

fn link(run: &mut Run<'_>, arguments: &[Value], action: &str, parameters: &Value) -> Result<Value> {
    match resource_or_context(run, arguments, 0)? {
        resource @ Value::Resource(_) => run.providers.object_link(&resource, action, parameters),
        _ => Ok("".into()),
    }
}

fn show_link(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    link(run, arguments, "show", &Value::Null)
}

fn edit_link(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    link(run, arguments, "edit", &Value::Null)
}

fn copy_link(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    link(run, arguments, "copy", &Value::Null)
}

fn create_link(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    link(run, arguments, "create", &Value::Null)
}

fn delete_link(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    link(run, arguments, "delete", &Value::Null)
}

fn action_link(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let empty = Value::Array(Array::default());
    match arguments.get(1) {
        None | Some(Value::Null) => Ok("".into()),
        Some(_) => {
            let action = arguments::text(run, arguments, 1)?;
            if action.is_empty() {
                return Ok("".into());
            }
            link(run, arguments, &action.lossy(), arguments.get(2).unwrap_or(&empty))
        }
    }
}

fn is_login_as(run: &mut Run<'_>, _: &[Value]) -> Result<Value> {
    run.providers.is_login_as().map(Value::Bool)
}

fn is_api_request(run: &mut Run<'_>, _: &[Value]) -> Result<Value> {
    run.providers.is_api_request().map(Value::Bool)
}
