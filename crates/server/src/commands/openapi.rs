//! `plinth openapi`: describes a tenant's API.

use super::output::print_text;
use super::{Console, Failure};
use crate::description::document;
use crate::routes::route::Profile;
use clap::Args;
use model::types::ResourceType;
use openapi::version::ApiAudience;
use std::path::PathBuf;
use std::sync::Arc;

/// Describe a tenant's API in OpenAPI 3.1
#[derive(Debug, Args)]
#[command(after_help = "The server returns the same at /api/ext/v1/openapi.json, within the rights of the caller.\n\n\
                        Examples:\n  plinth openapi --tenant shop > openapi.json\n  plinth openapi --out openapi.json")]
pub(super) struct OpenApiArguments {
    /// The paths for generated clients, or those of the contract
    #[arg(long, value_enum, default_value_t = Profile::Extended)]
    profile: Profile,
    /// Write to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub(super) fn run(arguments: OpenApiArguments, console: &Console) -> Result<(), Failure> {
    let settings = console.settings(Vec::new())?;
    let platform = console.platform(&settings)?;
    let tenant = console.tenant(&settings, &platform)?;
    let (model, actor) =
        tenant.read_as_administrator(|_, context| Ok((context.model.clone(), context.actor.clone())))?;
    // Where there are several tenants, the path names this one.
    let path = if platform.tenants()?.len() > 1 { format!("/t/{}", tenant.name()) } else { "/".to_owned() };
    let url = model.settings.base_url.as_deref().unwrap_or(&path);
    let rights = |of: &Arc<ResourceType>| actor.grant(of.id);
    let text = format!("{:#}\n", document(arguments.profile, ApiAudience::KeyOwners, &model, url, &rights));
    match arguments.out {
        Some(path) => std::fs::write(&path, text)
            .map_err(|error| Failure::new(format!("{}: {error}", path.display()), "Choose another file with --out.")),
        None => print_text(&text),
    }
}
