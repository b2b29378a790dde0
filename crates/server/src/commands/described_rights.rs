//! Options of commands that describe a tenant's API: whose rights it has, and the form of decimals.

use super::Failure;
use clap::{Args, ValueEnum};
use context::actor::Actor;
use context::scopes::KeyScopes;
use model::types::Model;
use openapi::answers::DecimalForm;

/// Whose rights a description has; all rights without an option.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub(super) struct DescribedRights {
    /// Only what requests without a key may do
    #[arg(long)]
    public: bool,
    /// Only what keys of users with this role may do
    #[arg(long, value_name = "NAME")]
    role: Option<String>,
}

/// The form of decimals in answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Decimals {
    /// Numbers
    Number,
    /// Texts, as `_decimals=text` answers them
    Text,
}

impl From<Decimals> for DecimalForm {
    fn from(decimals: Decimals) -> Self {
        match decimals {
            Decimals::Number => DecimalForm::Number,
            Decimals::Text => DecimalForm::Text,
        }
    }
}

impl DescribedRights {
    /// Returns an actor with the rights that were asked for; none for all rights.
    pub(super) fn actor(&self, model: &Model) -> Result<Option<Actor>, Failure> {
        if self.public {
            let nobody = || {
                Failure::new(
                    "The tenant takes no requests without a key.",
                    "Give it a public role in tenant.yaml, or leave out --public.",
                )
            };
            return Actor::public(model).map(Some).ok_or_else(nobody);
        }
        let Some(name) = &self.role else { return Ok(None) };
        if !model.roles.contains_key(name) {
            let names: Vec<&str> = model.roles.keys().map(String::as_str).collect();
            return Err(Failure::new(
                format!("There is no role {name:?}."),
                format!("There are {}.", names.join(", ")),
            ));
        }
        let zone = model.settings.timezone.clone();
        Ok(Some(Actor::of_key(0, zone, model, std::slice::from_ref(name), KeyScopes::all())))
    }
}
