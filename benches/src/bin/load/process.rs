//! Child processes: started, asked for their use of CPU and memory, and ended.

use crate::Result;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A process of ours; it ends with this value.
pub(crate) struct Process(Child);

/// What processes have used.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    /// Seconds of CPU, in user and system mode.
    pub(crate) cpu: f64,
    /// Bytes of memory that are in RAM.
    pub(crate) memory: u64,
}

/// Linux counts CPU in hundredths of a second towards programs, and memory here in pages of 4 KB.
const TICKS: f64 = 100.0;
const PAGE: u64 = 4096;

impl Process {
    /// Starts a server and waits for its first line on standard output, a JSON object.
    pub(crate) fn start(command: &mut Command) -> Result<(Self, serde_json::Value)> {
        let mut child = Process(command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?);
        let output = child.0.stdout.take().ok_or("the standard output was not caught")?;
        let mut lines = BufReader::new(output).lines();
        let line = lines.next().ok_or_else(|| format!("{command:?} said nothing"))??;
        // What it says later is read, so that it never waits for us.
        std::thread::spawn(move || lines.for_each(drop));
        let ready = serde_json::from_str(&line).map_err(|error| format!("{command:?} said {line:?}: {error}"))?;
        Ok((child, ready))
    }

    /// What the process has used since it began.
    pub(crate) fn usage(&self) -> Result<Usage> {
        Ok(stat(self.0.id())?.usage)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs a command to its end, and gives what it wrote.
pub(crate) fn run(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{command:?}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?} failed with {}:\n{text}{errors}", output.status).into());
    }
    Ok(text)
}

/// What a process and its children have used, those that ended included.
pub(crate) fn family(parent: u32) -> Result<Usage> {
    let first = stat(parent)?;
    let mut total = Usage { cpu: first.usage.cpu + first.ended, memory: first.usage.memory };
    for entry in std::fs::read_dir("/proc")? {
        let Some(process) = entry?.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        // A process may end while we look.
        let Ok(child) = stat(process) else { continue };
        if child.parent == parent {
            total.cpu += child.usage.cpu + child.ended;
            total.memory += child.usage.memory;
        }
    }
    Ok(total)
}

struct Stat {
    parent: u32,
    usage: Usage,
    /// The CPU of children that ended and were waited for.
    ended: f64,
}

fn stat(process: u32) -> Result<Stat> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    // The name, in brackets, may hold anything.
    let fields: Vec<&str> = text[text.rfind(')').ok_or("no name")? + 2..].split(' ').collect();
    let number = |index: usize| -> Result<u64> { Ok(fields.get(index).ok_or("too few fields")?.parse()?) };
    Ok(Stat {
        parent: number(1)? as u32,
        usage: Usage { cpu: (number(11)? + number(12)?) as f64 / TICKS, memory: number(21)? * PAGE },
        ended: (number(13)? + number(14)?) as f64 / TICKS,
    })
}
