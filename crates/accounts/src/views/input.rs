//! A view as a client sends it.

use super::{STATE_BYTES, TITLE};
use context::request_context::RequestContext;
use model::error::{Error, InputProblem, Result};
use model::types::ResourceAction;
use serde_json::{Map, Value as Json, json};

/// The most roles that a view is shared with.
const ROLES: usize = 100;

/// The members of a view that a client gives.
#[derive(Clone, Debug)]
pub struct ViewInput {
    /// The name or id of the type.
    pub resource_type: String,
    /// For people.
    pub title: String,
    /// The state, which the client alone understands.
    pub state: Map<String, Json>,
    /// The other users who see it.
    pub shared: Option<ViewSharing>,
}

/// The users beside its owner who see a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViewSharing {
    /// All who may read its type.
    All,
    /// Those of them with one of these roles.
    Roles(Vec<String>),
}

impl ViewInput {
    /// Reads a body. `type`, `title` and `state` are required; without `shared`, the view is the owner's alone.
    pub fn parse(mut members: Map<String, Json>) -> Result<Self> {
        let mut problems = Vec::new();
        let mut fault = |property: &str, code: &'static str, message: String| {
            problems.push(InputProblem { property: property.to_owned(), code, message });
        };
        let mut text = |name: &str, longest: usize| match members.shift_remove(name) {
            Some(Json::String(text))
                if (1..=longest).contains(&text.chars().count()) && !text.trim().is_empty() && !text.contains('\0') =>
            {
                text
            }
            None | Some(Json::Null) => {
                fault(name, "required", format!("{name} is required."));
                String::new()
            }
            Some(_) => {
                fault(name, "text_invalid", format!("{name} must be a text of 1 to {longest} characters."));
                String::new()
            }
        };
        let (resource_type, title) = (text("type", TITLE), text("title", TITLE));
        let state = match members.shift_remove("state") {
            Some(Json::Object(state)) => state,
            None => {
                fault("state", "required", "state is required.".to_owned());
                Map::new()
            }
            Some(_) => {
                fault("state", "object_needed", "state must be a JSON object.".to_owned());
                Map::new()
            }
        };
        if Json::Object(state.clone()).to_string().len() > STATE_BYTES {
            fault("state", "view_too_large", format!("state must have at most {STATE_BYTES} bytes."));
        }
        let shared = ViewSharing::read(&members.shift_remove("shared").unwrap_or_default());
        if shared.is_none() {
            fault("shared", "shared_invalid", "shared must be null, \"all\" or a list of roles.".to_owned());
        }
        for name in members.keys() {
            fault(name, "property_unknown", format!("There is no property {name:?}."));
        }
        match shared {
            Some(shared) if problems.is_empty() => Ok(ViewInput { resource_type, title, state, shared }),
            _ => Err(Error::problems(problems)),
        }
    }

    /// Returns the id of the type. One that the caller may not read is unknown.
    pub(super) fn type_id(&self, context: &RequestContext) -> Result<i64> {
        let known = context.model.collection(&self.resource_type);
        let shown = known.filter(|of| context.actor.allowed_type(of, ResourceAction::Show).is_ok());
        shown.map(|of| of.id).ok_or_else(|| {
            let message = format!("There is no type {:?}.", self.resource_type);
            Error::problems(vec![InputProblem { property: "type".to_owned(), code: "type_unknown", message }])
        })
    }

    /// Fails where a role does not exist. Administrators alone get that far.
    pub(super) fn check_roles(&self, context: &RequestContext) -> Result<()> {
        let Some(ViewSharing::Roles(roles)) = &self.shared else { return Ok(()) };
        let unknown = roles.iter().filter(|role| !context.model.roles.contains_key(*role));
        let problem = |role: &String| InputProblem {
            property: "shared".to_owned(),
            code: "role_unknown",
            message: format!("There is no role {role:?}."),
        };
        let problems: Vec<InputProblem> = unknown.map(problem).collect();
        if problems.is_empty() { Ok(()) } else { Err(Error::problems(problems)) }
    }
}

impl ViewSharing {
    /// Reads the member of a body; none where it is malformed.
    #[expect(clippy::option_option, reason = "malformed is not the same as not shared")]
    pub(super) fn read(value: &Json) -> Option<Option<Self>> {
        match value {
            Json::Null => Some(None),
            Json::String(text) if text == "all" => Some(Some(ViewSharing::All)),
            Json::Array(roles) if (1..=ROLES).contains(&roles.len()) => {
                let mut names: Vec<String> = Vec::with_capacity(roles.len());
                for role in roles {
                    let role = role.as_str()?;
                    if !names.iter().any(|known| known == role) {
                        names.push(role.to_owned());
                    }
                }
                Some(Some(ViewSharing::Roles(names)))
            }
            _ => None,
        }
    }

    /// The member of an answer, which is also what is stored.
    pub(super) fn json(&self) -> Json {
        match self {
            ViewSharing::All => json!("all"),
            ViewSharing::Roles(roles) => json!(roles),
        }
    }

    /// Returns true if the caller is one of those users.
    pub(super) fn reaches(&self, context: &RequestContext) -> bool {
        match self {
            ViewSharing::All => true,
            ViewSharing::Roles(roles) => roles.iter().any(|role| context.actor.roles.contains(role)),
        }
    }
}
