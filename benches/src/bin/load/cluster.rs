//! A PostgreSQL of our own for one run: a temporary folder, a private socket, nothing on the network.
//!
//! It is as durable as it comes, `fsync` and `synchronous_commit` on: writes are compared at equal durability.

use crate::Result;
use crate::process::{Usage, family, run};
use std::fs::File;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A running cluster; it ends with this value.
pub(crate) struct Cluster {
    programs: PathBuf,
    folder: TempDir,
    server: Child,
}

const READY_WITHIN: Duration = Duration::from_secs(60);

impl Cluster {
    pub(crate) fn start() -> Result<Self> {
        let programs = programs()?;
        let folder = TempDir::with_prefix("bench-postgres-")?;
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o777))?;
        let data = folder.path().join("data");
        run(as_nobody(&programs.join("initdb"))
            .args(["--username=bench", "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync", "-D"])
            .arg(&data))?;
        let log = File::create(folder.path().join("log"))?;
        let mut server = as_nobody(&programs.join("postgres"));
        server.arg("-D").arg(&data).arg("-k").arg(folder.path());
        server.args(["-c", "listen_addresses=", "-c", "shared_buffers=512MB", "-c", "max_connections=100"]);
        // Whoever is measured while the tables of another one are tidied up would pay for that: see `tidy`.
        server.args(["-c", "autovacuum=off"]);
        let server = server.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).spawn()?;
        let cluster = Cluster { programs, folder, server };
        cluster.await_ready(&data)?;
        Ok(cluster)
    }

    /// What a client needs to reach a database of the cluster.
    pub(crate) fn url(&self, database: &str) -> String {
        let host = self.folder.path().display().to_string().replace('/', "%2F");
        format!("postgresql://bench@{host}/{database}")
    }

    pub(crate) fn create_database(&self, name: &str) -> Result<()> {
        let folder = self.folder.path();
        run(Command::new(self.programs.join("createdb")).arg("-h").arg(folder).args(["-U", "bench", name]))?;
        Ok(())
    }

    /// Brings all tables into the state that the server's own upkeep would bring them to while nobody looks.
    pub(crate) fn tidy(&self) -> Result<()> {
        let folder = self.folder.path();
        run(Command::new(self.programs.join("vacuumdb")).arg("-h").arg(folder).args([
            "-U",
            "bench",
            "--all",
            "--analyze",
            "--quiet",
        ]))?;
        Ok(())
    }

    /// What all processes of the cluster have used.
    pub(crate) fn usage(&self) -> Result<Usage> {
        family(self.server.id())
    }

    fn await_ready(&self, data: &Path) -> Result<()> {
        let start = Instant::now();
        while start.elapsed() < READY_WITHIN {
            // The eighth line is the state: it is what pg_ctl waits for.
            let state = std::fs::read_to_string(data.join("postmaster.pid")).unwrap_or_default();
            if state.lines().nth(7).is_some_and(|state| state.trim() == "ready") {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let log = std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
        Err(format!("PostgreSQL did not start:\n{log}").into())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // Not a kill: the server has shared memory to give back.
        let _ = run(Command::new("kill").args(["-QUIT", &self.server.id().to_string()]));
        let _ = self.server.wait();
    }
}

/// The newest server programs of the system.
fn programs() -> Result<PathBuf> {
    let mut found: Vec<(u32, PathBuf)> = Vec::new();
    for entry in std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten() {
        let entry = entry?;
        if let Some(version) = entry.file_name().to_str().and_then(|name| name.parse().ok()) {
            found.push((version, entry.path().join("bin")));
        }
    }
    found.sort();
    let newest = found.pop().ok_or("PostgreSQL's server programs are missing: apt install postgresql")?;
    Ok(newest.1)
}

/// PostgreSQL refuses to run as root; where we are root it runs as `nobody`.
fn as_nobody(program: &Path) -> Command {
    let root = run(Command::new("id").arg("-u")).is_ok_and(|user| user.trim() == "0");
    if !root {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups"]).arg(program).current_dir("/");
    command
}
