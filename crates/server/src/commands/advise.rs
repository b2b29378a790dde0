//! `plinth advise`: indexes that would serve the slow statements of a log.

use super::console::tenants_advice;
use super::output::tell;
use super::{Console, Failure};
use clap::Args;
use monitoring::advice::{IndexAdvice, SlowLog, advise};
use serde_json::json;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal};
use std::path::PathBuf;

/// Propose indexes for the slow statements of a server's log
#[derive(Debug, Args)]
#[command(after_help = "Each statement is planned anew by the database: an index that is there is not proposed.\n\n\
                        Examples:\n  journalctl -u plinth -o cat | plinth advise\n  plinth advise plinth.log\n  \
                        plinth advise plinth.log --tenant acme --json")]
pub(super) struct AdviseArguments {
    /// Files with lines of the log, in JSON; standard input without any
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Runs the command.
pub(super) fn run(AdviseArguments { files }: AdviseArguments, console: &Console) -> Result<(), Failure> {
    let mut log = SlowLog::default();
    for file in &files {
        let read = File::open(file).and_then(|opened| add(&mut log, BufReader::new(opened)));
        read.map_err(|error| Failure::new(format!("{} cannot be read: {error}.", file.display()), ""))?;
    }
    if files.is_empty() {
        if io::stdin().is_terminal() {
            let advice = "Name a file, or pipe the log in: journalctl -u plinth -o cat | plinth advise.";
            return Err(Failure::new("There is no log to read.", advice));
        }
        add(&mut log, io::stdin().lock())?;
    }
    if log.is_unreadable() {
        let advice = "Set log.format = \"json\", which is the default where the log goes to no terminal.";
        return Err(Failure::new("The log has no line in JSON.", advice));
    }
    let settings = console.settings(Vec::new())?;
    let platform = console.platform(&settings)?;
    let (there, chosen) = (platform.tenants()?, console.shared.tenant.as_deref());
    if let Some(name) = chosen.filter(|name| there.iter().all(|tenant| tenant != name)) {
        return Err(Failure::new(format!("There is no tenant {name}."), tenants_advice(&there)));
    }
    let mut advice: Vec<IndexAdvice> = Vec::new();
    for name in log.tenants().into_iter().filter(|name| chosen.is_none_or(|chosen| chosen == *name)) {
        if there.iter().any(|tenant| tenant == name) {
            let tenant = console.open_tenant(&settings, &platform, name)?;
            advice.extend(advise(&tenant, &log)?);
        } else {
            tell(format_args!("The log has statements of {}, which is no tenant here.", name.escape_debug()));
        }
    }
    let mut text: Vec<String> = advice.iter().map(IndexAdvice::text).collect();
    let forms = log.forms(chosen);
    if text.is_empty() {
        text.push(match (chosen, forms) {
            (Some(name), 0) => format!("No index is proposed. The log has no slow statement of the tenant {name}."),
            (Some(name), _) => {
                format!("No index is proposed. The log has {forms} slow statements of the tenant {name}.")
            }
            (None, _) => format!("No index is proposed. The log has {forms} slow statements."),
        });
    }
    let items: Vec<_> = advice.iter().map(IndexAdvice::json).collect();
    console.print(&text.join("\n"), &json!({"items": items, "statements": forms}))
}

/// Adds the lines of a log.
fn add(log: &mut SlowLog, mut lines: impl BufRead) -> io::Result<()> {
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line)? > 0 {
        log.add(String::from_utf8_lossy(&line).trim_end());
        line.clear();
    }
    Ok(())
}
