//! `plinth automation`: automations, and what became of their runs.

use super::console::{cell, shown};
use super::{Console, Failure, retry};
use automation::{RetryRequest, RunRequest};
use clap::{Args, Subcommand};
use context::request_context::RequestContext;
use database::Tx;
use serde_json::{Value as Json, json};

/// List, retry, disable and enable automations
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  plinth automation list\n  plinth automation runs paid --state failed\n  \
                        plinth automation show 12 --json\n  plinth automation retry 12\n  \
                        plinth automation retry --all --automation paid\n  \
                        plinth automation retry 12 --from-start\n  \
                        plinth automation disable paid --reason 'the ERP is moved'\n  plinth automation enable paid")]
pub(super) struct AutomationArguments {
    #[command(subcommand)]
    command: AutomationCommand,
}

#[derive(Debug, Subcommand)]
enum AutomationCommand {
    /// List automations
    List,
    /// List runs, the newest first
    Runs {
        /// Only runs of this automation
        automation: Option<String>,
        /// Only runs in this state
        #[arg(long, value_name = "STATE", value_parser = ["waiting", "running", "done", "failed", "stopped"])]
        state: Option<String>,
        /// The number of runs; at most 1000
        #[arg(long, value_name = "NUMBER", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000))]
        limit: u64,
    },
    /// Show a run with its input and the result of each step
    Show {
        /// The run's id
        id: i64,
    },
    /// Retry a run from its failed step; a running server, or the next one, does so within a minute
    Retry {
        /// The run's id
        #[arg(required_unless_present = "all")]
        id: Option<i64>,
        /// All failed runs, up to 1000
        #[arg(long, conflicts_with = "id")]
        all: bool,
        /// With --all: only runs of this automation
        #[arg(long, value_name = "NAME", requires = "all")]
        automation: Option<String>,
        /// Run all steps, also the completed ones
        #[arg(long)]
        from_start: bool,
    },
    /// Disable an automation: its events start no runs, and its runs wait
    Disable {
        /// The automation's name
        automation: String,
        /// The reason that lists show
        #[arg(long, value_name = "TEXT", default_value = "an administrator switched it off")]
        reason: String,
    },
    /// Enable an automation
    Enable {
        /// The automation's name
        automation: String,
    },
}

/// Runs the command.
pub(super) fn run(arguments: AutomationArguments, console: &Console) -> Result<(), Failure> {
    let settings = console.settings(Vec::new())?;
    let platform = match arguments.command {
        AutomationCommand::List | AutomationCommand::Runs { .. } | AutomationCommand::Show { .. } => {
            console.platform(&settings)?
        }
        _ => console.changed_platform(&settings)?,
    };
    let tenant = console.tenant(&settings, &platform)?;
    match arguments.command {
        AutomationCommand::List => {
            let items = tenant.read_as_administrator(automation::overview)?;
            let headings = ["automation", "state", "trigger", "next", "reason"];
            console.print_table(headings, automation_row, "There are no automations.", items, false)?;
        }
        AutomationCommand::Runs { automation, state, limit } => {
            let request = RunRequest { automation, state, limit, ..RunRequest::default() };
            let page = tenant.read_as_administrator(|tx, context| automation::list(tx, context, &request))?;
            let headings = ["id", "created", "state", "tries", "automation", "event", "error"];
            let row = |run: &Json| headings.map(|name| cell(&run[name]));
            console.print_table(headings, row, "There are no such runs.", page.items, page.next.is_some())?;
        }
        AutomationCommand::Show { id } => {
            let run = tenant.read_as_administrator(|tx, context| automation::get(tx, context, id))?;
            let members = run.as_object().into_iter().flatten().filter(|(name, _)| *name != "log");
            let members = members.map(|(name, value)| format!("{name:10} {}", shown(value)));
            let steps = run["log"].as_array().into_iter().flatten().map(step_line);
            console.print(&members.chain(steps).collect::<Vec<_>>().join("\n"), &run)?;
        }
        AutomationCommand::Retry { id: Some(id), from_start, .. } => {
            let run = tenant.write_as_administrator(|tx, context| {
                automation::retry(tx, context, id, RetryRequest { from_start })
            })?;
            console.print(&format!("run {id} is due now"), &run)?;
        }
        AutomationCommand::Retry { id: None, automation, from_start, .. } => {
            let state = Some("failed".to_owned());
            let request = RunRequest { automation, state, limit: 1_000, ..RunRequest::default() };
            let list = |tx: &mut Tx<'_>, context: &RequestContext| Ok(automation::list(tx, context, &request)?.items);
            let go_on = |tx: &mut Tx<'_>, context: &RequestContext, id| {
                automation::retry(tx, context, id, RetryRequest { from_start })
            };
            retry::all(console, &tenant, "runs", list, go_on)?;
        }
        AutomationCommand::Disable { automation, reason } => {
            tenant.write_as_administrator(|tx, context| automation::disable(tx, context, &automation, &reason))?;
            console.print(
                &format!("{automation} is switched off"),
                &json!({"automation": automation, "enabled": false}),
            )?;
        }
        AutomationCommand::Enable { automation } => {
            tenant.write_as_administrator(|tx, context| automation::enable(tx, context, &automation))?;
            console
                .print(&format!("{automation} is switched on"), &json!({"automation": automation, "enabled": true}))?;
        }
    }
    Ok(())
}

fn automation_row(item: &Json) -> [String; 5] {
    let text = |name: &str| cell(&item[name]);
    let kind = ["event", "schedule", "hook"].into_iter().find(|name| !item[*name].is_null()).unwrap_or("event");
    let off = item["enabled"] == false;
    let reason = if off { text("reason") } else { String::new() };
    let state = if off { "disabled" } else { "enabled" };
    [text("automation"), state.to_owned(), format!("{kind} {}", text(kind)), text("next"), reason]
}

fn step_line(step: &Json) -> String {
    let text = |name: &str| shown(&step[name]);
    let outcome = if step["error"].is_null() { text("result") } else { format!("failed: {}", text("error")) };
    format!("step {:8} {}  {:8} {outcome}", text("position"), text("started"), text("kind"))
}
