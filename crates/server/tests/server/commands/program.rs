//! Runs the program in a folder of its own.

use serde_json::Value as Json;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tempfile::TempDir;
use testing::Process;

/// A folder with data in it, and the database's address where it is PostgreSQL.
pub(crate) struct Plinth {
    pub(crate) folder: TempDir,
    pub(crate) postgres: Option<String>,
}

/// What a run printed, and how it ended.
pub(crate) struct Run {
    pub(crate) output: String,
    pub(crate) errors: String,
    pub(crate) code: i32,
}

impl testing::Subject for Plinth {
    async fn on(engine: testing::Engine) -> Self {
        let postgres = match engine {
            testing::Engine::Sqlite => None,
            testing::Engine::Postgres => Some(testing::postgres().database()),
        };
        Plinth { folder: TempDir::new().unwrap(), postgres }
    }
}

impl Plinth {
    /// Writes a file into the folder; gives its path.
    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// The path of a file in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs the program.
    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.run_with(arguments, b"")
    }

    /// Runs the program; the bytes are its standard input.
    pub(crate) fn run_with(&self, arguments: &[&str], input: &[u8]) -> Run {
        self.run_in(&[], arguments, input)
    }

    /// The same, with settings in its environment.
    pub(crate) fn run_in(&self, environment: &[(&str, &str)], arguments: &[&str], input: &[u8]) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plinth"));
        command.env_clear().envs(environment.iter().copied()).args(arguments).arg("--data").arg(self.path("data"));
        if let Some(url) = &self.postgres {
            command.args(["--postgres", url]);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // One that refuses its settings does not read it.
        let _ = child.stdin.take().unwrap().write_all(input);
        let output = child.wait_with_output().unwrap();
        Run {
            output: String::from_utf8(output.stdout).unwrap(),
            errors: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code().unwrap(),
        }
    }
}

impl Plinth {
    /// Starts a command that serves on a port of its own.
    pub(crate) fn start(&self, command: &str) -> Process {
        self.start_with(command, &[])
    }

    /// The same, with settings in its environment.
    pub(crate) fn start_with(&self, command: &str, environment: &[(&str, &str)]) -> Process {
        self.start_of(&[command], environment)
    }

    /// The same for a command with arguments of its own.
    pub(crate) fn start_of(&self, command: &[&str], environment: &[(&str, &str)]) -> Process {
        let data = self.path("data").display().to_string();
        let mut arguments = command.to_vec();
        arguments.extend(["--json", "--listen", "127.0.0.1:0", "--data", &data]);
        // A demo makes its tenant itself.
        let serves = command.first() == Some(&"serve");
        let url = self.postgres.as_deref().map(|url| if serves { testing::served_url(url) } else { url.to_owned() });
        if let Some(url) = &url {
            arguments.extend(["--postgres", url]);
        }
        // No request is told to come again on a busy machine, unless the test is about that.
        let environment = [&[("PLINTH_DATA_WAIT", "60s")], environment].concat();
        Process::start_with(env!("CARGO_BIN_EXE_plinth"), &arguments, &environment)
    }
}

impl Run {
    /// Fails unless the run succeeded.
    #[track_caller]
    pub(crate) fn done(self) -> String {
        assert_eq!(self.code, 0, "{}{}", self.output, self.errors);
        self.output
    }

    /// The JSON that was printed, whatever the exit code.
    #[track_caller]
    pub(crate) fn json(&self) -> Json {
        serde_json::from_str(&self.output).unwrap_or_else(|_| panic!("{}{}", self.output, self.errors))
    }
}
