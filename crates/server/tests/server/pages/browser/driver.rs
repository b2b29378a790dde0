//! ChromeDriver as a process of the test's own.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A ChromeDriver, which ends with this value.
pub(crate) struct Driver {
    child: Child,
    pub(crate) url: String,
}

impl Driver {
    /// Starts one on a port that it takes itself. It blocks.
    pub(crate) fn start() -> Self {
        let mut command = Command::new("chromedriver");
        command.arg("--port=0").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap_or_else(|error| {
            panic!("chromedriver: {error}. ./test installs it (Debian: apt-get install chromium chromium-driver).")
        });
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let port = lines.into_iter().find_map(|line| {
            let (_, rest) = line.split_once("started successfully on port ")?;
            rest.trim_end_matches('.').parse::<u16>().ok()
        });
        let url = format!("http://127.0.0.1:{}", port.expect("chromedriver tells its port"));
        Self { child, url }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
