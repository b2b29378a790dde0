//! PgBouncer in front of a cluster: each transaction gets the server's connection that has rested longest.

use super::{Cluster, unprivileged};
use std::fs;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A pooler that runs until this is dropped.
#[derive(Debug)]
pub struct Pooler {
    folder: PathBuf,
    port: u32,
    /// Its standard input ties the pooler to this process, as that of a cluster does.
    _watchdog: Child,
}

/// Starts the pooler and waits for the end of standard input.
const WATCHDOG: &str = r#"
folder=$1 program=$2
cd "$folder" || exit 1
trap '' HUP INT TERM
"$program" -q pooler.ini >pooler.log 2>&1 </dev/null &
pooler=$!
cat >/dev/null
kill -INT "$pooler"
"#;

/// Places of the program, which Debian keeps from the search path of ordinary users.
const PROGRAMS: [&str; 3] = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer"];

impl Pooler {
    /// Starts a pooler of transactions with a few lines of configuration beside those that it needs.
    ///
    /// Panics, with what to install, where the machine has no PgBouncer.
    pub fn start(cluster: &Cluster, lines: &str) -> Self {
        let program = PROGRAMS.iter().find(|program| fs::exists(program).unwrap_or_default());
        let program = program.expect("PgBouncer is not installed. Run ./test, or install it (Debian: pgbouncer).");
        let folder = cluster.folder().join(format!("pooler-{}", cluster.next_number()));
        fs::create_dir(&folder).expect("the folder of the cluster is writable");
        let (port, server) = (cluster.port() + 1, cluster.folder().display());
        let configuration = format!(
            "[databases]\n* = host={server} port={} user=postgres\n[pgbouncer]\nunix_socket_dir = {}\n\
             listen_port = {port}\nauth_type = any\npool_mode = transaction\nserver_round_robin = 1\n\
             max_client_conn = 4000\nserver_idle_timeout = 5\n{lines}\n",
            cluster.port(),
            folder.display()
        );
        fs::write(folder.join("pooler.ini"), configuration).expect("the folder was just made");
        let mut command = Command::new("/bin/sh");
        command.args(["-c", WATCHDOG, "plinth-test-pooler"]).arg(&folder).arg(program);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        command.current_dir("/").process_group(0);
        if let Some((user, group)) = unprivileged(&folder) {
            for path in [folder.join("pooler.ini"), folder.clone()] {
                chown(path, Some(user), Some(group)).expect("root may give its folder away");
            }
            command.uid(user).gid(group);
        }
        let watchdog = command.spawn().expect("/bin/sh starts");
        let (socket, began) = (folder.join(format!(".s.PGSQL.{port}")), Instant::now());
        while !socket.exists() {
            let log = fs::read_to_string(folder.join("pooler.log")).unwrap_or_default();
            assert!(began.elapsed() < Duration::from_secs(60), "PgBouncer did not start:\n{log}");
            sleep(Duration::from_millis(5));
        }
        Pooler { folder, port, _watchdog: watchdog }
    }

    /// The URL of one of the cluster's databases by way of the pooler.
    pub fn url(&self, database_url: &str) -> String {
        let host = self.folder.display().to_string().replace('/', "%2F");
        let (_, rest) = database_url.rsplit_once('/').expect("a URL of the cluster");
        format!("postgresql://postgres@{host}:{}/{rest}", self.port)
    }
}
