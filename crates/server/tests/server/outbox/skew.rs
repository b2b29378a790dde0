//! A machine whose clock differs from the database's: its operator is told when the server starts.

use serde_json::Value as Json;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use testing::{Engine, Server};
use tracing_subscriber::fmt::MakeWriter;

const LIMIT: Duration = Duration::from_secs(300);

/// Keeps what is logged.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Kept {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

impl Kept {
    /// By how many seconds clocks were said to be ahead, as far as that is about so many.
    fn told(&self, about: f64) -> usize {
        let log = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
        let lines = log.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
        let ahead = lines.filter_map(|line| line["ahead"].as_str()?.trim_end_matches(" s").parse::<f64>().ok());
        ahead.filter(|ahead| (ahead - about).abs() < 5.0).count()
    }
}

#[test]
fn a_start_warns_of_more_than_two_seconds() {
    testing::run_alone(concat!(module_path!(), "::a_start_warns_of_more_than_two_seconds"), look_for_warnings);
}

fn look_for_warnings() {
    let kept = Kept::default();
    let subscriber = tracing_subscriber::fmt().json().flatten_event(true).with_writer(kept.clone());
    // The subscriber is the process's.
    tracing::subscriber::set_global_default(subscriber.with_max_level(tracing::Level::WARN).finish()).unwrap();
    testing::run_within(LIMIT, Engine::Postgres, "a clock that is off", async |server: Server| {
        let _one = server.node_off_by(1).await;
        let _nodes = [server.node_off_by(20).await, server.node_off_by(-30).await];
        while kept.told(20.0) == 0 || kept.told(-30.0) == 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        // The one that is off by less was looked at before, and each is told of once in an hour.
        tokio::time::sleep(Duration::from_secs(3)).await;
        assert_eq!([kept.told(1.0), kept.told(20.0), kept.told(-30.0)], [0, 1, 1]);
    });
}
