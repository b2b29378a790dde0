//! One evaluation: what it is given, what it may use up.

use crate::value::{Array, Value};
use crate::{Fault, Result};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::collections::HashMap;

/// How much an evaluation may use (decisions, "Limits").
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Steps: one for each node, element and some bytes touched; 1,000,000.
    pub fuel: u64,
    /// Bytes of live values; 10 MB.
    pub memory: usize,
    /// Items of one array; 100,000.
    pub items: usize,
    /// Calls of `query()`; 20.
    pub queries: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { fuel: 1_000_000, memory: 10 * 1024 * 1024, items: 100_000, queries: 20 }
    }
}

/// An evaluation under way. Functions are given it to charge what they do and to ask the providers.
pub struct Run<'r> {
    /// The one present of the whole request.
    pub now: Timestamp,
    /// The acting user's display zone, and its IANA name.
    pub zone: TimeZone,
    /// What exists in this place beyond the values.
    pub providers: &'r dyn Providers,
    /// Random bytes.
    pub random: &'r mut dyn FnMut(&mut [u8]),
    /// Variables that setVar made.
    pub variables: HashMap<String, Value>,
    /// The limits.
    pub limits: Limits,
    pub(crate) fuel: u64,
    pub(crate) memory: usize,
    queries: u32,
}

impl<'r> Run<'r> {
    /// An evaluation with full supplies.
    pub fn new(
        now: Timestamp,
        zone: TimeZone,
        providers: &'r dyn Providers,
        random: &'r mut dyn FnMut(&mut [u8]),
        limits: Limits,
    ) -> Self {
        let (fuel, memory) = (limits.fuel, limits.memory);
        Run { now, zone, providers, random, variables: HashMap::new(), limits, fuel, memory, queries: 0 }
    }

    /// Uses up steps, before the work that they pay for.
    pub fn charge(&mut self, steps: u64) -> Result<()> {
        match self.fuel.checked_sub(steps) {
            Some(rest) => {
                self.fuel = rest;
                Ok(())
            }
            None => {
                Err(Fault::new("fuel_spent", format!("The expression takes more than {} steps.", self.limits.fuel)))
            }
        }
    }

    /// Uses up memory, before it is allocated; 64 bytes cost a step, too.
    pub fn reserve(&mut self, bytes: usize) -> Result<()> {
        self.charge(bytes as u64 / 64)?;
        match self.memory.checked_sub(bytes) {
            Some(rest) => {
                self.memory = rest;
                Ok(())
            }
            None => Err(Fault::new(
                "memory_spent",
                format!("The values of the expression take more than {} bytes.", self.limits.memory),
            )),
        }
    }

    /// Counts a call of `query()`.
    pub(crate) fn take_query(&mut self) -> Result<()> {
        if self.queries >= self.limits.queries {
            let message = format!("An expression may call query() {} times.", self.limits.queries);
            return Err(Fault::new("too_many_queries", message));
        }
        self.queries += 1;
        Ok(())
    }

    /// Refuses arrays that are too long, before they are made.
    pub fn items(&mut self, count: usize) -> Result<()> {
        if count > self.limits.items {
            let message = format!("An array may have at most {} items.", self.limits.items);
            return Err(Fault::new("array_too_long", message));
        }
        self.reserve(count * size_of::<Value>())
    }
}

/// What exists where an expression runs, beside the functions that are always there. Each returns
/// `Err(Fault::new("provider_missing", …))` by default; compile time refuses what the place does not have.
/// Names follow the specification's availability kinds.
pub trait Providers {
    /// `trigger(name)`.
    fn trigger(&self, _name: &str) -> Result<Value> {
        Err(missing("trigger"))
    }
    /// `endpoint(name)`.
    fn endpoint(&self, _name: &str) -> Result<Value> {
        Err(missing("endpoint"))
    }
    /// `var(name)`.
    fn local(&self, _name: &str) -> Result<Value> {
        Err(missing("var"))
    }
    /// `templateVar(name)`.
    fn template(&self, _name: &str) -> Result<Value> {
        Err(missing("templateVar"))
    }
    /// `env(name)`: null for unknown names.
    fn environment(&self, _name: &str) -> Result<Value> {
        Err(missing("env"))
    }
    /// `appParameter(name)`, and `selection()` as the one named so.
    fn app_parameter(&self, _name: &str) -> Result<Value> {
        Err(missing("appParameter"))
    }
    /// The context's resource, for optional `activeResource` parameters and bare names.
    fn resource(&self) -> Result<Value> {
        Err(missing("resource"))
    }
    /// `user()`.
    fn user(&self) -> Result<Value> {
        Err(missing("user"))
    }
    /// `resource(type, idOrData)`.
    fn find_resource(&self, _resource_type: &Value, _data: &Value) -> Result<Value> {
        Err(missing("resource"))
    }
    /// `query(query, params)`: a [`Value::Rows`].
    fn query(&self, _name: &str, _parameters: &Array) -> Result<Value> {
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
    /// `saveSecret(name, value, title, type)`.
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
    /// `toApiArray(object)` of a resource or file.
    fn api_array(&self, _value: &Value) -> Result<Value> {
        Err(missing("toApiArray"))
    }
    /// `fileFromFile(filename)`: the file's bytes, below the tenant's file root.
    fn read_file(&self, _name: &str) -> Result<Vec<u8>> {
        Err(missing("fileFromFile"))
    }
}

fn missing(function: &str) -> Fault {
    Fault::new("provider_missing", format!("{function}() is not available here."))
}
