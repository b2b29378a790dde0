//! Whether a login exists cannot be told from a failed sign-in: not from its answer, and not from its time.

use crate::wire::Wire;
use crate::{LIMIT, alone, samples};
use spec::spec;
use std::time::{Duration, Instant};
use testing::{Engine, Server, form};

/// Connections that try at a time: as many as there are hashes at once, so that none waits for another.
const LANES: usize = 2;
/// Pairs of each at most. The row asks for 2,000 in all; with these the standard error of the estimate is 0.0075.
const PAIRS: usize = 1_500;
/// The distance of an estimate from 0.5 that a row allows.
const TOLERANCE: f64 = 0.03;
/// Logins that have a password, and as many of the same lengths that nobody has.
const KNOWN: [&str; 3] = ["editor@acme.test", "reader@acme.test", "admin@acme.test"];
const UNKNOWN: [&str; 3] = ["edytor@acme.test", "raider@acme.test", "adnin@acme.test"];

#[spec(plain, "A001")]
fn a_failed_sign_in_does_not_tell_whether_the_login_exists() {
    let _machine = alone();
    for engine in [Engine::Sqlite, Engine::Postgres] {
        testing::run_within(
            LIMIT,
            engine,
            "sign-ins",
            |server: Server| async move { distinguish(&server, engine).await },
        );
    }
}

async fn distinguish(server: &Server, engine: Engine) {
    for login in KNOWN {
        server.login(login.split('@').next().unwrap()).await;
    }
    let mut lanes = tokio::task::JoinSet::new();
    for lane in 0..LANES {
        let server = server.clone();
        lanes.spawn(async move { pairs(&server, lane).await });
    }
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for [of_known, of_unknown] in lanes.join_all().await {
        known.extend(of_known);
        unknown.extend(of_unknown);
    }
    let area = area_under_curve(&known, &unknown);
    println!("{engine:?}: AUC {area:.4} of {} pairs", known.len());
    let tolerance = tolerance(known.len(), unknown.len());
    assert!((area - 0.5).abs() <= tolerance, "{engine:?}: an existing login is told from a missing one: AUC {area}");
}

/// The times of wrong passwords and of unknown users. Which of a pair comes first is drawn.
async fn pairs(server: &Server, lane: usize) -> [Vec<Duration>; 2] {
    let mut wire = Wire::open(server.client().address()).await;
    let head = "POST /api/v1/auth HTTP/1.1\r\nhost: acme.test\r\ncontent-type: application/x-www-form-urlencoded\r\n";
    let mut draw = 0x9E37_79B9_7F4A_7C15 + lane as u64;
    let pairs = samples(PAIRS);
    let mut times = [Vec::with_capacity(pairs), Vec::with_capacity(pairs)];
    let mut constant = String::new();
    // The first tries fill caches and are not counted.
    for number in 0..pairs + 20 {
        // Past every throttle: both counters begin anew.
        server.clock().advance(1_000);
        draw ^= draw << 13;
        draw ^= draw >> 7;
        draw ^= draw << 17;
        let first = usize::from(draw & 1 == 1);
        for which in [first, 1 - first] {
            let login = [KNOWN, UNKNOWN][which][number % KNOWN.len()];
            let body = form(&[("user", login), ("password", "not the password")]);
            let start = Instant::now();
            let answer = wire.send(head, &body).await;
            let time = start.elapsed();
            assert_eq!(answer.status, 401, "{}", answer.constant());
            if constant.is_empty() {
                constant = answer.constant();
            }
            assert_eq!(answer.constant(), constant);
            if number >= 20 {
                times[which].push(time);
            }
        }
    }
    times
}

/// Returns the distance from 0.5 that an estimate of so many times may have: what a row allows, or four standard errors
/// where the samples are too few for that.
pub(crate) fn tolerance(ones: usize, others: usize) -> f64 {
    let (ones, others) = (ones as f64, others as f64);
    TOLERANCE.max(4.0 * ((ones + others + 1.0) / (12.0 * ones * others)).sqrt())
}

/// How often a time of the one is greater than one of the other: Mann and Whitney's U over the number of pairs.
pub(crate) fn area_under_curve(greater: &[Duration], than: &[Duration]) -> f64 {
    let mut than = than.to_vec();
    than.sort_unstable();
    let wins: f64 = greater
        .iter()
        .map(|time| {
            let below = than.partition_point(|other| other < time);
            let same = than.partition_point(|other| other <= time) - below;
            below as f64 + same as f64 / 2.0
        })
        .sum();
    wins / (greater.len() * than.len()) as f64
}
