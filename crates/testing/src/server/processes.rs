//! The binary, as processes over the data of a server under test.

use super::Server;
use crate::{Place, Process};
use std::io::{BufRead, BufReader, Lines};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use tokio::task::spawn_blocking;

/// A command that is under way. It is killed when dropped.
pub struct Started {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Started {
    /// The next line that it prints that has this text; none where it ended without one. It blocks.
    pub fn says(&mut self, text: &str) -> Option<String> {
        self.lines.by_ref().map_while(Result::ok).find(|line| line.contains(text))
    }

    /// Kills it, as a power failure would.
    pub fn kill(mut self) {
        self.child.kill().expect("it is a child of this process");
        self.child.wait().expect("it is a child of this process");
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        // One that has ended already is no error.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// The binary, as a process over the same data: `serve` with settings in its environment. It has the system's clock,
    /// and no limit of requests of an address.
    pub async fn process(&self, binary: &'static str, settings: &'static [(&'static str, &'static str)]) -> Process {
        let place = Arc::clone(&self.running.place);
        let started = spawn_blocking(move || {
            let folder = place.folder().display().to_string();
            let mut arguments = vec!["serve", "--json", "--listen", "127.0.0.1:0", "--data", &folder];
            let url = place.served_postgres();
            if let Some(url) = &url {
                arguments.extend(["--postgres", url]);
            }
            let mut environment = vec![("PLINTH_LIMITS_REQUESTS_PER_ADDRESS", "0"), ("PLINTH_DATA_WAIT", super::WAIT)];
            environment.extend_from_slice(settings);
            Process::start_with(binary, &arguments, &environment)
        });
        started.await.expect("starting does not panic")
    }

    /// Runs a command of the binary on the same data and tenant; gives whether it succeeded, and what it printed.
    pub async fn command(&self, binary: &'static str, arguments: &[&str]) -> (bool, String) {
        let mut command = on(&self.running.place, self.tenant.name(), binary, arguments);
        let ran = spawn_blocking(move || command.output().expect("the binary was built with the tests"));
        let output = ran.await.expect("running does not panic");
        let printed = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8(printed).expect("it prints text"))
    }

    /// Starts a command of the binary on the same data and tenant.
    pub fn start(&self, binary: &'static str, arguments: &[&str]) -> Started {
        let mut command = on(&self.running.place, self.tenant.name(), binary, arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the binary was built with the tests");
        let output = child.stdout.take().expect("standard output is a pipe");
        Started { child, lines: BufReader::new(output).lines() }
    }
}

fn on(place: &Place, tenant: &str, binary: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(binary);
    command.env_clear().args(arguments).args(["--tenant", tenant]).arg("--data").arg(place.folder());
    if let Some(url) = place.postgres() {
        command.args(["--postgres", url]);
    }
    command
}
