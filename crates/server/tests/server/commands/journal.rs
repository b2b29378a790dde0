//! The log in systemd's journal: lines with their priorities, and one form where all go to one stream.

use super::program::Plinth;
use serde_json::Value as Json;
use spec::spec;
use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tokio::task::block_in_place;

/// A server whose output and log go to one file. It is killed when dropped.
struct Joined {
    child: Child,
    file: PathBuf,
}

impl Joined {
    fn start(plinth: &Plinth, settings: &[(&str, &str)], is_journal: bool) -> Self {
        let path = plinth.path(&format!("log-{is_journal}-{}", settings.len()));
        let file = File::create(&path).unwrap();
        let metadata = file.metadata().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_plinth"));
        command.args(["serve", "--data"]).arg(plinth.path("data")).env_clear();
        command.env("PLINTH_LISTEN", "127.0.0.1:0").envs(settings.iter().copied());
        if let Some(url) = &plinth.postgres {
            command.args(["--postgres", url]);
        }
        // Another stream than that of the output changes nothing.
        let number = metadata.ino() + u64::from(!is_journal);
        command.env("JOURNAL_STREAM", format!("{}:{number}", metadata.dev()));
        command.stdin(Stdio::null()).stdout(file.try_clone().unwrap()).stderr(file);
        Joined { child: command.spawn().unwrap(), file: path }
    }

    /// Waits for a line.
    fn line(&self, part: &str) -> String {
        let began = Instant::now();
        loop {
            let text = read(&self.file);
            if let Some(line) = text.lines().find(|line| line.contains(part)) {
                return line.to_owned();
            }
            assert!(began.elapsed() < Duration::from_secs(60), "{part} is not in {text}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits for the end; returns all that was written.
    fn end(mut self) -> String {
        self.child.wait().unwrap();
        read(&self.file)
    }
}

impl Drop for Joined {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// Returns a line as JSON, behind its priority.
fn json(line: &str, priority: &str) -> Json {
    let rest = line.strip_prefix(priority).unwrap_or_else(|| panic!("{priority}: {line}"));
    serde_json::from_str(rest).unwrap_or_else(|error| panic!("{error}: {line}"))
}

#[spec("E-223")]
async fn lines_of_the_journal_have_priorities(plinth: Plinth) {
    block_in_place(|| {
        let server = Joined::start(&plinth, &[], true);
        let serves = json(&server.line("Plinth serves on "), "<6>");
        assert_eq!(serves["message"], format!("Plinth serves on {}", serves["url"].as_str().unwrap()));
        assert_eq!(json(&server.line("There is no tenant yet"), "<4>")["level"], "WARN");
        drop(server);

        let text = [("PLINTH_LOG_FORMAT", "text"), ("PLINTH_LOG_LEVEL", "debug")];
        let server = Joined::start(&plinth, &text, true);
        assert!(server.line("There is no tenant yet").starts_with("<4>"));
        // It is the output of the command, which is for people here.
        assert!(server.line("Plinth serves on ").starts_with("Plinth serves on http://127.0.0.1:"));
        drop(server);

        // The reason for which it ends is an error, each line of it.
        let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = taken.local_addr().unwrap().to_string();
        let settings = [("PLINTH_LISTEN", address.as_str()), ("PLINTH_LOG_LEVEL", "warn"), ("PLINTH_LOG_SLOW", "0s")];
        let said = Joined::start(&plinth, &settings, true).end();
        assert!(said.contains(&format!("<3>plinth: Cannot listen on {address}: ")), "{said}");
        assert!(said.contains("\n<3>Choose another with --listen ADDR:PORT.\n"), "{said}");
    });
}

#[spec("E-223")]
async fn other_streams_have_none(plinth: Plinth) {
    block_in_place(|| {
        let server = Joined::start(&plinth, &[], false);
        json(&server.line("Plinth serves on "), "");
        assert_eq!(json(&server.line("There is no tenant yet"), "")["level"], "WARN");
        drop(server);
        // Where the log leaves it out, it is printed all the same.
        let server = Joined::start(&plinth, &[("PLINTH_LOG_LEVEL", "error")], false);
        assert!(server.line("Plinth serves on ").starts_with("Plinth serves on http://127.0.0.1:"));
    });
}
