//! `plinth openapi`: describes a tenant's API.

use super::described_rights::{Decimals, DescribedRights};
use super::output::print_text;
use super::{Console, Failure};
use clap::{Args, ValueEnum};
use model::types::ResourceType;
use openapi::version::ApiAudience;
use std::path::PathBuf;
use std::sync::Arc;
use web::description::{ApiForm, document};

/// Describe a tenant's API in OpenAPI 3.1
#[derive(Debug, Args)]
#[command(after_help = "The server returns the same at /api/ext/v1/openapi.json, within the rights of the caller.\n\n\
                        Examples:\n  plinth openapi --tenant shop > openapi.json\n  plinth openapi --out openapi.json")]
pub(super) struct OpenApiArguments {
    /// The paths for generated clients, or those of the contract
    #[arg(long, value_enum, default_value_t = DescribedPaths::Extended)]
    profile: DescribedPaths,
    #[command(flatten)]
    rights: DescribedRights,
    /// Describe answers with decimals as numbers, or as texts with all digits
    #[arg(long, value_enum, default_value_t = Decimals::Number)]
    decimals: Decimals,
    /// Write to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The paths that are described.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum DescribedPaths {
    /// The contract's, which the first routes under `/api/ext/v1/` share: an empty list is 204, an error a message.
    Contract,
    /// For browsers and generated clients: an empty list is a list, an error has its details (RFC 9457), and `Prefer`
    /// counts.
    Extended,
}

/// Runs the command.
pub(super) fn run(arguments: OpenApiArguments, console: &Console) -> Result<(), Failure> {
    let settings = console.settings(Vec::new())?;
    let platform = console.platform(&settings)?;
    let tenant = console.tenant(&settings, &platform)?;
    let (model, administrator) =
        tenant.read_as_administrator(|_, context| Ok((context.model.clone(), context.actor.clone())))?;
    let actor = arguments.rights.actor(&model)?.map_or(administrator, Arc::new);
    // Where there are several tenants, the path names this one.
    let path = if platform.tenants()?.len() > 1 { format!("/t/{}", tenant.name()) } else { "/".to_owned() };
    let url = model.settings.base_url.as_deref().unwrap_or(&path);
    let rights = |of: &Arc<ResourceType>| actor.grant(of.id);
    let form = match (arguments.profile, arguments.decimals) {
        (DescribedPaths::Extended, decimals) => ApiForm::Extended(decimals.into()),
        (DescribedPaths::Contract, Decimals::Number) => ApiForm::Contract,
        (DescribedPaths::Contract, Decimals::Text) => {
            return Err(Failure::new(
                "The contract's description has numbers alone.",
                "Leave out --decimals or --profile.",
            ));
        }
    };
    let text = format!("{:#}\n", document(form, ApiAudience::of(&actor), &model, url, &rights));
    match arguments.out {
        Some(path) => std::fs::write(&path, text)
            .map_err(|error| Failure::new(format!("{}: {error}", path.display()), "Choose another file with --out.")),
        None => print_text(&text),
    }
}
