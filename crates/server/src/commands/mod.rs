//! The command line: what all commands share, and a file for each.
//!
//! To add a command: a file with `Arguments` (clap's `Args`) and `run(arguments, &Console) -> Result<(), Failure>`,
//! a variant of `PlinthCommand` and a line in [`run`]. It prints by way of `Console` and `output`.

mod account;
mod advise;
mod apply;
mod audit;
mod automation;
mod backup;
mod backup_records;
mod check;
mod client;
mod completions;
mod console;
mod demo;
mod described_rights;
mod doctor;
pub mod environment;
mod eval;
mod explain;
mod export;
mod failure;
mod fixes;
mod healthcheck;
pub mod import;
mod key;
mod local_server;
mod log;
mod lsp;
mod man;
mod openapi;
mod outbox;
mod output;
mod plan;
mod public_role;
mod pull;
mod reference;
mod report;
mod retry;
mod rotate;
mod sarif;
mod secret;
mod serve;
pub(crate) mod settings_file;
mod table;
mod tenant;
mod test;
mod top;
mod user;
mod version;

pub use console::{Console, Shared};
pub use failure::Failure;

use clap::{Parser, Subcommand};
use model::environment::Environment;
use std::io::ErrorKind;
use std::process::ExitCode;

/// Plinth: typed tables, a REST API and keys out of files.
#[derive(Debug, Parser)]
#[command(
    name = "plinth",
    version,
    about = "A data platform in one binary: types in files become tables and a REST API",
    propagate_version = true,
    max_term_width = 100
)]
#[command(after_help = "Examples:\n  plinth demo                    serve 34,000 cities and try the API\n  \
                        plinth apply ./my-tenant       make tables out of a folder of files\n  \
                        plinth serve                   serve all tenants")]
pub struct Plinth {
    #[command(flatten)]
    shared: Shared,
    #[command(subcommand)]
    command: PlinthCommand,
}

#[derive(Debug, Subcommand)]
enum PlinthCommand {
    /// Check a folder of files
    Check(check::CheckArguments),
    /// Show the changes that applying a folder of files would make
    Plan(plan::PlanArguments),
    /// Run the tests of a folder of files
    Test(test::TestArguments),
    /// Apply a folder of files to a tenant
    Apply(apply::ApplyArguments),
    /// Write the files that were applied to a tenant into a folder
    Pull(pull::PullArguments),
    /// Export all resources of a type
    Export(export::ExportArguments),
    /// Import resources from a file
    Import(import::ImportArguments),
    /// Create a demo tenant (cities, a shop or a helpdesk) and serve it
    Demo(demo::DemoArguments),
    /// Evaluate expressions, given on the command line or as JSON lines
    Eval(eval::EvalArguments),
    /// Explain why a user may or may not see, change, create or delete a row
    Explain(explain::ExplainArguments),
    /// Serve an editor: mistakes, completion and renaming in a tenant's files
    Lsp(lsp::LspArguments),
    /// Show the functions of the expression language
    Reference(reference::ReferenceArguments),
    /// Describe a tenant's API in OpenAPI 3.1
    Openapi(openapi::OpenApiArguments),
    /// Write types for programs that use a tenant's API
    Client(client::ClientArguments),
    /// List, create and disable users, and set their passwords
    User(user::UserArguments),
    /// List, create and revoke API keys
    Key(key::KeyArguments),
    /// List, retry, disable and enable automations
    Automation(automation::AutomationArguments),
    /// List mails and SMS, and retry waiting ones
    Outbox(outbox::OutboxArguments),
    /// Show the log of reads of types with logReads
    Log(log::LogArguments),
    /// Show and verify the audit log of accounts, roles, keys and configuration
    Audit(audit::AuditArguments),
    /// Manage secrets used by automations
    Secret(secret::SecretArguments),
    /// List, create, clone, compact, delete and undelete tenants
    Tenant(tenant::TenantArguments),
    /// Back tenants up, restore them, and prove that backups can be restored
    Backup(backup::BackupArguments),
    /// Look for faults of an installation, and say what to do
    Doctor(doctor::DoctorArguments),
    /// Show what a server does, each second: tenants, times, connections, queues
    Top(top::TopArguments),
    /// Propose indexes for the slow statements of a server's log
    Advise(advise::AdviseArguments),
    /// Ask the server of this machine for a sign of life
    Healthcheck(healthcheck::HealthcheckArguments),
    /// Show the version of this program, and check a release
    Version(version::VersionArguments),
    /// Print the script with which a shell completes commands
    Completions(completions::CompletionsArguments),
    /// Write pages for man, one for each command
    Man(man::ManArguments),
    /// Serve all tenants over HTTP
    Serve(serve::ServeArguments),
}

/// Reads the arguments of the process. Where they ask for help, or are wrong, that is printed: the exit code remains.
pub fn parse() -> Result<Plinth, ExitCode> {
    Plinth::try_parse().map_err(|answer| match answer.print() {
        Err(error) if !answer.use_stderr() && error.kind() != ErrorKind::BrokenPipe => {
            output::tell(format_args!("plinth: {}", output::unwritable(error)));
            ExitCode::FAILURE
        }
        // A message is lost where standard error cannot be written.
        _ => u8::try_from(answer.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from),
    })
}

/// Runs the command line. Exit codes: 0 done, 1 failed, 2 wrong usage, or faults that the doctor found.
pub fn run(plinth: Plinth, environment: Environment, variables: Vec<(String, String)>) -> ExitCode {
    let console = Console::new(plinth.shared, environment, variables);
    let outcome = match plinth.command {
        PlinthCommand::Check(arguments) => check::run(arguments, &console),
        PlinthCommand::Test(arguments) => test::run(arguments, &console),
        PlinthCommand::Plan(arguments) => plan::run(arguments, &console),
        PlinthCommand::Apply(arguments) => apply::run(arguments, &console),
        PlinthCommand::Pull(arguments) => pull::run(arguments, &console),
        PlinthCommand::Export(arguments) => export::run(arguments, &console),
        PlinthCommand::Import(arguments) => import::run(arguments, &console),
        PlinthCommand::Demo(arguments) => demo::run(arguments, &console),
        PlinthCommand::Eval(arguments) => eval::run(arguments, &console),
        PlinthCommand::Explain(arguments) => explain::run(arguments, &console),
        PlinthCommand::Lsp(arguments) => lsp::run(arguments),
        PlinthCommand::Reference(arguments) => reference::run(arguments, &console),
        PlinthCommand::Openapi(arguments) => openapi::run(arguments, &console),
        PlinthCommand::Client(arguments) => client::run(arguments, &console),
        PlinthCommand::User(arguments) => user::run(arguments, &console),
        PlinthCommand::Key(arguments) => key::run(arguments, &console),
        PlinthCommand::Automation(arguments) => automation::run(arguments, &console),
        PlinthCommand::Outbox(arguments) => outbox::run(arguments, &console),
        PlinthCommand::Log(arguments) => log::run(arguments, &console),
        PlinthCommand::Audit(arguments) => audit::run(arguments, &console),
        PlinthCommand::Secret(arguments) => secret::run(arguments, &console),
        PlinthCommand::Tenant(arguments) => tenant::run(arguments, &console),
        PlinthCommand::Backup(arguments) => backup::run(arguments, &console),
        PlinthCommand::Doctor(arguments) => doctor::run(arguments, &console),
        PlinthCommand::Top(arguments) => top::run(arguments, &console),
        PlinthCommand::Advise(arguments) => advise::run(arguments, &console),
        PlinthCommand::Healthcheck(arguments) => healthcheck::run(&arguments, &console),
        PlinthCommand::Version(arguments) => version::run(&arguments, &console),
        PlinthCommand::Completions(arguments) => completions::run(&arguments),
        PlinthCommand::Man(arguments) => man::run(&arguments, &console),
        PlinthCommand::Serve(arguments) => serve::run(arguments, &console),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            console.fail(&failure);
            ExitCode::from(failure.code)
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use std::path::{Path, PathBuf};

    #[test]
    fn the_command_line_is_sound() {
        super::Plinth::command().debug_assert();
    }

    #[test]
    fn every_command_is_tested_and_on_a_page() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (tests, pages) = (texts(&root.join("tests/server")), texts(&root.join("../../docs")));
        for command in super::Plinth::command().get_subcommands() {
            let name = command.get_name();
            assert!(tests.contains(&format!("[\"{name}\"")), "no test runs plinth {name}");
            assert!(pages.contains(&format!("plinth {name}")), "no page has plinth {name}");
        }
    }

    /// Returns the texts of all programs and pages below a folder.
    fn texts(folder: &Path) -> String {
        let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let is_text = |path: &PathBuf| path.is_dir() || path.extension().is_some_and(|end| end == "rs" || end == "md");
        let paths = paths.filter(is_text);
        let text = |path: PathBuf| if path.is_dir() { texts(&path) } else { std::fs::read_to_string(path).unwrap() };
        paths.map(text).collect()
    }
}
