//! `resource()` and `toApiArray()`: resources by id, uuid or code, and what the API shows of them.

use super::parts::Rights;
use super::providers::PlatformProviders;
use super::seen::SeenResource;
use crate::files;

use context::request_context::RequestContext;
use context::value_json::of_json;
use database::Tx;
use expression::value::{FileValue, Object, Text, Value};
use expression::{Fault, HostProviders, Result};
use model::error::{Error, ErrorKind};
use model::kinds::ValueContext;
use model::types::ResourceType;
use query::request::{FieldsRequest, ItemRef, ListRequest};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// The body of a list, as far as it matters here.
#[derive(Deserialize)]
struct ListBody {
    data: Vec<ItemId>,
}

#[derive(Deserialize)]
struct ItemId {
    id: i64,
}

impl PlatformProviders<'_, '_> {
    /// The resource of a type by its id, which is an integer, or by its uuid or code: null where there is none, or the
    /// acting user does not see it and the place is one that answers that user.
    pub fn find(&self, resource_type: &Value, by: &Value) -> Result<Value> {
        let of = self.named(resource_type)?;
        let Some((property, param)) = sought(&of, by, self) else { return Ok(Value::Null) };
        let list = ListRequest {
            filters: vec![json!({"property": property, "type": "eq", "param": param})],
            per_page: Some(1),
            fields: FieldsRequest { show: Some(vec!["id".to_owned()]), ..FieldsRequest::default() },
            ..ListRequest::default()
        };
        let all = (self.rights() == Rights::Configuration).then(|| self.request.elevated(self.request.actor.user));
        let request = all.as_ref().unwrap_or(self.request);
        let page = self.asked(request, |tx, request| crate::list(tx, request, &of.name, &list))?;
        let Some(page) = page else { return Ok(Value::Null) };
        let body: Option<ListBody> = serde_json::from_slice(&page.body).ok();
        let Some(ItemId { id }) = body.and_then(|body| body.data.into_iter().next()) else { return Ok(Value::Null) };
        match all {
            Some(_) => self.row(of.id, id),
            None => Ok(SeenResource::value(&self.request.model, of.id, id)),
        }
    }

    /// Returns the answer of the API to the acting user who asks for a resource: null where they do not see it. Of a
    /// file it returns what the API tells of files, as far as one that is stored nowhere has it.
    pub(super) fn as_api(&self, value: &Value) -> Result<Value> {
        let resource = match value {
            Value::Resource(resource) => resource,
            Value::File(file) => return Ok(described(file)),
            other => return Ok(other.clone()),
        };
        let Some(of) = self.request.model.type_by_id(resource.type_id()) else { return Ok(Value::Null) };
        let item = ItemRef::Id(resource.id());
        let get = |tx: &mut Tx<'_>, request: &RequestContext| {
            crate::get(tx, request, &of.name, &item, &FieldsRequest::default())
        };
        let body = self.asked(self.request, get)?;
        let json: Option<Json> = body.and_then(|body| serde_json::from_slice(&body).ok());
        Ok(json.map_or(Value::Null, |json| of_json(&json)))
    }

    /// Returns the answer of the database; nothing where the user may not ask, or there is nothing.
    fn asked<T>(
        &self,
        request: &RequestContext,
        question: impl FnOnce(&mut Tx<'_>, &RequestContext) -> model::error::Result<T>,
    ) -> Result<Option<T>> {
        self.ask(request, |tx, request| match question(tx, request) {
            Ok(found) => Ok(Some(found)),
            Err(Error { kind: ErrorKind::Invalid | ErrorKind::Forbidden | ErrorKind::Missing, .. }) => Ok(None),
            Err(error) => Err(error),
        })
    }

    fn named(&self, resource_type: &Value) -> Result<Arc<ResourceType>> {
        let name = match resource_type {
            Value::Int(id) => id.to_string(),
            Value::Text(name) => name.lossy().into_owned(),
            other => {
                return Err(Fault::new(
                    "wrong_kind",
                    format!("A type is named by its name or id, not by {}.", other.kind()),
                ));
            }
        };
        let found = self.request.model.collection(&name).cloned();
        found.ok_or_else(|| Fault::new("type_unknown", "There is no type of that name or id."))
    }
}

/// The property that a resource is sought by, and the value as a request has it. A code that the property cannot have is
/// that of none.
fn sought(of: &ResourceType, by: &Value, providers: &PlatformProviders<'_, '_>) -> Option<(String, Json)> {
    match by {
        Value::Int(id) => Some(("id".to_owned(), json!(id))),
        Value::Text(text) => {
            let text = text.as_str()?;
            if uuid::Uuid::try_parse(text).is_ok() {
                return Some(("uuid".to_owned(), json!(text)));
            }
            let code = &of.fields[of.code_property?];
            let context =
                ValueContext { zone: providers.zone(), now: providers.request.now, links: None, texts: false };
            let forms = [Json::from(text), serde_json::from_str(text).unwrap_or_default()];
            let form = forms.into_iter().find(|form| !form.is_null() && code.kind.read(form, &context).is_ok())?;
            Some((code.name.clone(), form))
        }
        _ => None,
    }
}

/// A file that is stored nowhere.
fn described(file: &FileValue) -> Value {
    let described = files::describe(&file.title, file.data.as_bytes());
    let members = [
        ("name", Value::text(&described.name)),
        ("title", Value::text(&described.title)),
        ("size", Value::Int(described.size)),
        ("mime", Value::text(&described.mime)),
        ("hash", Value::text(&described.hash)),
    ];
    Value::Object(members.into_iter().map(|(name, value)| (Text::from(name), value)).collect::<Object>())
}
