//! The words of a platform: users, related rows, queries, secrets, links, files.

use crate::providers::Providers;
use crate::value::{Array, Value};
use crate::{Fault, Result};

/// The words that a platform with users, rows, queries, secrets, links and files adds to [`Providers`]. Each method
/// returns `Err(Fault::new("provider_missing", …))` by default; compile time refuses what the place does not have.
/// Names follow the specification's availability kinds.
pub trait HostProviders: Providers {
    /// `trigger(name)`.
    fn trigger(&self, _name: &str) -> Result<Value> {
        Err(missing("trigger"))
    }
    /// `endpoint(name)`.
    fn endpoint(&self, _name: &str) -> Result<Value> {
        Err(missing("endpoint"))
    }
    /// `templateVar(name)`.
    fn template(&self, _name: &str) -> Result<Value> {
        Err(missing("templateVar"))
    }
    /// `appParameter(name)`, and `selection()` as the one named so.
    fn app_parameter(&self, _name: &str) -> Result<Value> {
        Err(missing("appParameter"))
    }
    /// `user()`.
    fn user(&self) -> Result<Value> {
        Err(missing("user"))
    }
    /// `resource(type, idOrData)`: by an id, which is an integer, or by a text, which is a uuid or a code. Null where
    /// there is none.
    fn find_resource(&self, _resource_type: &Value, _by: &Value) -> Result<Value> {
        Err(missing("resource"))
    }
    /// The resource of a type with an id, read where it was not yet: for relations that a path walks along. Null where
    /// there is none.
    fn row(&self, _type_id: i64, _id: i64) -> Result<Value> {
        Err(Fault::new("provider_missing", "Related resources cannot be read here."))
    }
    /// The resources that a to-many relation refers to, in order: an array, read at once.
    fn rows(&self, type_id: i64, ids: &[i64]) -> Result<Value> {
        let rows = ids.iter().map(|id| self.row(type_id, *id)).collect::<Result<Vec<_>>>()?;
        Ok(Value::Array(Array::from(rows)))
    }
    /// The resources that refer to the resource of a type with an id, by the name of that inverse: an array, or one
    /// resource or null where the relation is unique.
    fn inverse(&self, _type_id: i64, _id: i64, _name: &str) -> Result<Value> {
        Err(Fault::new("provider_missing", "Resources that refer to others cannot be read here."))
    }
    /// Returns the part of a resource that the acting user sees: an object of the properties that they may read. Null
    /// where they do not see it.
    fn seen(&self, _type_id: i64, _id: i64) -> Result<Value> {
        Err(Fault::new("provider_missing", "Resources cannot be read here."))
    }
    /// `query(query, params)`: a [`Value::Rows`].
    fn query(&self, _name: &str, _parameters: &Array) -> Result<Value> {
        Err(missing("query"))
    }
    /// The row at a place of a result that the platform keeps under a number: for its [`crate::value::QueryRows`].
    fn result_row(&self, _result: usize, _index: usize) -> Result<Option<Value>> {
        Err(missing("query"))
    }
    /// The resource at a place of such a result.
    fn result_resource(&self, _result: usize, _index: usize) -> Result<Option<Value>> {
        Err(missing("query"))
    }
    /// `getDataQuery()`: a [`Value::Rows`], the current DataQuery.
    fn data_query(&self) -> Result<Value> {
        Err(missing("getDataQuery"))
    }
    /// `getSecret(name)`; the language taints what this gives.
    fn secret(&self, _name: &str) -> Result<Value> {
        Err(missing("getSecret"))
    }
    /// `saveSecret(name, value, title, type)`: the value may have been made of a secret, all else was not.
    fn save_secret(&self, _name: &str, _value: &Value, _title: &str, _kind: &str) -> Result<Value> {
        Err(missing("saveSecret"))
    }
    /// `removeSecret(name)`.
    fn remove_secret(&self, _name: &str) -> Result<Value> {
        Err(missing("removeSecret"))
    }
    /// `currentLink()`.
    fn current_link(&self) -> Result<Value> {
        Err(missing("currentLink"))
    }
    /// The link of an object action (`show`, `edit`, `copy`, `create`, `delete`, or a named one); empty without.
    fn object_link(&self, _resource: &Value, _action: &str, _arguments: &Value) -> Result<Value> {
        Err(missing("objectActionLink"))
    }
    /// `isLoginAs()`.
    fn is_login_as(&self) -> Result<bool> {
        Err(missing("isLoginAs"))
    }
    /// `isApiRequest()`.
    fn is_api_request(&self) -> Result<bool> {
        Err(missing("isApiRequest"))
    }
    /// `toApiArray(object)` of a resource or file, as an object or array.
    fn api_array(&self, _value: &Value) -> Result<Value> {
        Err(missing("toApiArray"))
    }
    /// `fileFromFile(filename)`: the file's bytes, below the tenant's file root. Where there are more than so many, one
    /// more is read and no further: the language then refuses the file.
    fn read_file(&self, _name: &str, _most: usize) -> Result<Vec<u8>> {
        Err(missing("fileFromFile"))
    }
}

/// The fault of a function that the place does not have.
pub fn missing(function: &str) -> Fault {
    Fault::new("provider_missing", format!("{function}() is not available here."))
}
