//! The `plinth` binary as a process: for what only a process shows.

use crate::Client;
use serde_json::Value as Json;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// A server in a process of its own. It is killed when dropped.
#[derive(Debug)]
pub struct Process {
    child: Child,
    ready: Json,
    log: Arc<Mutex<String>>,
    reader: Option<JoinHandle<()>>,
}

impl Process {
    /// Starts a command that serves and, with `--json`, prints one line when it is ready.
    pub fn start(binary: &str, arguments: &[&str]) -> Self {
        Self::start_with(binary, arguments, &[])
    }

    /// The same, with settings in its environment.
    pub fn start_with(binary: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut command = Command::new(binary);
        // No setting of the developer's own takes part.
        command.args(arguments).env_clear().envs(environment.iter().copied()).stdin(Stdio::null());
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary was built with the tests");
        let log = Arc::new(Mutex::new(String::new()));
        let errors = child.stderr.take().expect("standard error is a pipe");
        let reader = Some(std::thread::spawn({
            let log = Arc::clone(&log);
            move || BufReader::new(errors).lines().map_while(Result::ok).for_each(|line| keep(&log, &line))
        }));
        let mut line = String::new();
        let output = child.stdout.take().expect("standard output is a pipe");
        BufReader::new(output).read_line(&mut line).expect("standard output is text");
        let ready = serde_json::from_str(&line)
            .unwrap_or_else(|error| panic!("{arguments:?}: {error} in {line:?}: {}", text(&log)));
        Self { child, ready, log, reader }
    }

    /// Returns the JSON that the process printed when it was ready.
    pub fn ready(&self) -> &Json {
        &self.ready
    }

    /// Returns the log of the process so far.
    pub fn logged(&self) -> String {
        text(&self.log)
    }

    /// Its number in the system.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// A client without a key.
    pub fn client(&self) -> Client {
        let url = self.ready["url"].as_str().expect("the line names the URL");
        let address: SocketAddr = url.trim_start_matches("http://").trim_end_matches('/').parse().expect("an address");
        Client::new(address)
    }

    /// Asks it to stop.
    pub fn terminate(&self) {
        let kill = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        assert!(kill.is_ok_and(|status| status.success()), "the process was there");
    }

    /// Asks it to stop, waits until it has, and gives what it logged.
    pub fn stop(mut self) -> (ExitStatus, String) {
        self.terminate();
        let status = self.child.wait().expect("it is a child of this process");
        if let Some(reader) = self.reader.take() {
            reader.join().expect("reading a log does not panic");
        }
        (status, text(&self.log))
    }

    /// Kills it, as a power failure would.
    pub fn kill(mut self) {
        self.child.kill().expect("it is a child of this process");
        self.child.wait().expect("it is a child of this process");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // One that has ended already is no error.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn keep(log: &Mutex<String>, line: &str) {
    let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
    log.push_str(line);
    log.push('\n');
}

fn text(log: &Mutex<String>) -> String {
    log.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
