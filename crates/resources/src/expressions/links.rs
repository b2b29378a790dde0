//! Links that expressions make: to what a request is about, and to resources and what is done with them.

use super::providers::PlatformProviders;
use expression::convert::to_text;
use expression::value::Value;
use expression::{Fault, Result};
use url::form_urlencoded;

impl PlatformProviders<'_, '_> {
    /// The path of the request that is answered; empty where there is none.
    pub fn path(&self) -> Value {
        Value::text(self.request.path.as_deref().unwrap_or_default())
    }

    /// The link of a resource's action: the resource's address in the console. What is to be done with it stands behind
    /// `#`, which no server is sent, so that the link leads somewhere whatever the action.
    pub(super) fn link_to(&self, resource: &Value, action: &str, arguments: &Value) -> Result<Value> {
        let Value::Resource(resource) = resource else { return Ok("".into()) };
        let Some(of) = self.request.model.type_by_id(resource.type_id()) else { return Ok("".into()) };
        let mut link = match action {
            "create" => format!("{}/c/{}", self.request.base, of.name),
            _ => format!("{}/{}/{}/show", self.request.base, of.name, resource.id()),
        };
        if action != "show" {
            link.push('#');
            link.extend(form_urlencoded::byte_serialize(action.as_bytes()));
        }
        let arguments: Vec<(String, &Value)> = match arguments {
            Value::Array(array) => {
                array.iter().map(|(name, value)| (name.text().lossy().into_owned(), value)).collect()
            }
            Value::Object(object) => object.iter().map(|(name, value)| (name.lossy().into_owned(), value)).collect(),
            _ => Vec::new(),
        };
        if !arguments.is_empty() {
            let mut query = form_urlencoded::Serializer::new(String::new());
            for (name, value) in arguments {
                let value = to_text(value, self)?;
                let text = value.as_str().ok_or_else(|| Fault::new("not_utf8", "An argument of a link is text."))?;
                query.append_pair(&name, text);
            }
            link.push('?');
            link.push_str(&query.finish());
        }
        Ok(Value::text(&link))
    }
}
