//! `plinth top`: looks at a server that runs, by the metrics of its admin listener.

mod source;
mod view;

use super::local_server::LocalServer;
use super::output::print_line;
use super::settings_file;
use super::{Console, Failure};
use crate::settings::AdminAddress;
use clap::{Args, ValueEnum};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;
use view::TopView;

/// The time between two looks.
const EACH: Duration = Duration::from_secs(1);

/// Show what a server does, each second: tenants, times, connections, queues
#[derive(Debug, Args)]
#[command(
    after_help = "It reads the metrics of admin.listen, and those of one node alone. The key q ends it. A server that \
                  starts anew is found again. Where the output is no terminal, it prints one look.\n\nExamples:\n  plinth top --config /etc/plinth/plinth.toml\n  \
                  plinth top --address 127.0.0.1:8081 --sort database\n  plinth top --json"
)]
pub(super) struct TopArguments {
    /// The address of the admin listener, or unix:PATH; without it, that of the settings
    #[arg(long, value_name = "ADDRESS")]
    address: Option<String>,
    /// The order of the tenants: the greatest comes first
    #[arg(long, value_enum, value_name = "COLUMN", default_value_t = TenantOrder::Requests)]
    sort: TenantOrder,
}

/// The column by which tenants are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TenantOrder {
    Requests,
    Database,
    Waiting,
    Cpu,
}

/// Runs the command.
pub(super) fn run(arguments: TopArguments, console: &Console) -> Result<(), Failure> {
    let own = arguments.address.map(|address| ("admin.listen", address));
    let settings = console.settings(own.into_iter().collect())?;
    let Some(address) = settings.admin.listen else {
        return Err(Failure::new(
            "admin.listen is empty, so there are no metrics to look at.",
            format!(
                "{} Set it for the server and start that again; or name the listener with --address ADDRESS.",
                settings_file::told(settings.file.as_deref())
            ),
        ));
    };
    if matches!(address, AdminAddress::Tcp(address) if address.port() == 0) {
        let advice = "The server logs the port that it took: name it with --address ADDRESS.";
        return Err(Failure::new("admin.listen has the port 0.", advice));
    }
    let server = LocalServer::new(address, Some(&settings.admin.token_file))?;
    let terminal = ::console::Term::stdout();
    let is_live = terminal.is_term() && !console.shared.json;
    let mut before = Some(source::read(&server)?);
    let mut is_first = true;
    let end = is_live.then(|| await_end(&terminal)).transpose()?;
    while !has_ended(end.as_ref()) {
        let text = match (before.take(), source::read(&server)) {
            (Some(earlier), Ok(now)) => {
                let view = TopView::between(&earlier, &now, arguments.sort, console.environment.clock.now());
                before = Some(now);
                if console.shared.json {
                    return print_line(view.json());
                }
                view.text(&server, if is_live { usize::from(terminal.size().0).saturating_sub(1) } else { usize::MAX })
            }
            // The server started anew: its counters begin at 0.
            (None, Ok(now)) => {
                before = Some(now);
                continue;
            }
            (_, Err(failure)) if is_live => format!("{}\nIt is asked again each second.", failure.message),
            (_, Err(failure)) => return Err(failure),
        };
        if !is_live {
            return print_line(text);
        }
        show(&terminal, &format!("{}\nq ends it.", text.trim_end()), is_first)?;
        is_first = false;
    }
    Ok(())
}

/// Waits for the key that ends it, on a thread.
fn await_end(terminal: &::console::Term) -> Result<Receiver<()>, Failure> {
    let (tell, end) = mpsc::channel();
    let terminal = terminal.clone();
    std::thread::Builder::new().name("keys".into()).spawn(move || {
        // Without a keyboard there is no key.
        while let Ok(key) = terminal.read_key() {
            if key == ::console::Key::Char('q') {
                // The terminal is as it was: the thread does not look at the next key.
                let _ = tell.send(());
                return;
            }
        }
    })?;
    Ok(end)
}

/// Waits until the next look; returns true if the key was pressed.
fn has_ended(end: Option<&Receiver<()>>) -> bool {
    match end.map(|end| end.recv_timeout(EACH)) {
        Some(Ok(())) => true,
        Some(Err(RecvTimeoutError::Timeout)) => false,
        Some(Err(RecvTimeoutError::Disconnected)) | None => {
            std::thread::sleep(EACH);
            false
        }
    }
}

/// Writes a look over the one before, without a moment of an empty screen.
fn show(terminal: &::console::Term, text: &str, is_first: bool) -> Result<(), Failure> {
    let width = usize::from(terminal.size().1);
    if is_first {
        terminal.clear_screen()?;
    }
    terminal.move_cursor_to(0, 0)?;
    for line in text.lines() {
        let line = ::console::truncate_str(line, width, "…");
        terminal.clear_line()?;
        terminal.write_line(&line)?;
    }
    terminal.clear_to_end_of_screen()?;
    Ok(())
}
