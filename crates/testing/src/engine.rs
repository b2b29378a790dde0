//! The two engines, and how a test runs on each.

use std::process::Command;
use std::time::Duration;

/// A database engine to run a test on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// SQLite: files in a folder for temporary files.
    Sqlite,
    /// PostgreSQL: a database of the cluster that the tests start.
    Postgres,
}

/// The argument of a test: an [`Engine`] itself, or something that is started on one.
pub trait Subject: Sized {
    /// Makes one on an engine.
    fn on(engine: Engine) -> impl Future<Output = Self>;
}

impl Subject for Engine {
    async fn on(engine: Engine) -> Self {
        engine
    }
}

/// The time for which one test may take: far more than any needs, on a machine that does other work too.
const TIME_LIMIT: Duration = Duration::from_secs(600);

/// Runs a test on an engine: what `#[spec("…")]` expands to.
pub fn run<S: Subject, R: Future<Output = ()>>(engine: Engine, name: &str, test: impl FnOnce(S) -> R) {
    run_within(TIME_LIMIT, engine, name, test);
}

/// The same for a test of thousands of requests, with a limit of its own.
pub fn run_within<S: Subject, R: Future<Output = ()>>(
    limit: Duration,
    engine: Engine,
    name: &str,
    test: impl FnOnce(S) -> R,
) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.expect("the system gives a runtime its threads");
    let ended = runtime.block_on(async {
        tokio::time::timeout(limit, async {
            test(S::on(engine).await).await;
        })
        .await
    });
    // A blocking job that hangs does not keep the process.
    runtime.shutdown_timeout(Duration::from_secs(5));
    assert!(ended.is_ok(), "{name} on {engine:?} took longer than {limit:?}");
}

/// Set in the process of a test that [`run_alone`] started.
const ALONE: &str = "PLINTH_TEST_ALONE";

/// Runs a test in a process of its own: for what a process has one of, as it has one log. The name is the test's path, as
/// in `concat!(module_path!(), "::name")`.
pub fn run_alone(name: &str, test: impl FnOnce()) {
    if std::env::var_os(ALONE).is_some() {
        return test();
    }
    let (_, name) = name.split_once("::").expect("the path begins with the program");
    let mut command = Command::new(std::env::current_exe().expect("the system names the program"));
    let output = command.args(["--exact", name, "--nocapture"]).env(ALONE, "1").output().expect("it starts as we did");
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && said.contains("1 passed"), "{name}: {said}{errors}");
}
