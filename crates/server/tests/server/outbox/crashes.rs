//! The process that sends is killed at each step of its sending.

use crate::outbox::lanes::plain;
use crate::outbox::messages::{CODE, enqueue, kept, mail, mailing, rows, sms, states};
use database::{Name, Value};
use spec::spec;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use testing::{Engine, Process, Server, SmtpFault, SmtpServer, SmtpStep};

const PLINTH: &str = env!("CARGO_BIN_EXE_plinth");
/// An instant before every process's present, and one after it.
const BEFORE: &str = "2000-01-01T00:00:00Z";
const AFTER: &str = "2200-01-01T00:00:00Z";

/// The settings of a process that sends to this mail server.
fn settings(smtp: &SmtpServer, more: &[(&'static str, &'static str)]) -> &'static [(&'static str, &'static str)] {
    let mut all = vec![
        ("PLINTH_MAIL_TRANSPORT", "smtp"),
        ("PLINTH_MAIL_HOST", "127.0.0.1"),
        ("PLINTH_MAIL_PORT", kept(&smtp.port().to_string())),
        ("PLINTH_MAIL_TLS", "none"),
    ];
    all.extend_from_slice(more);
    Box::leak(all.into_boxed_slice())
}

/// Waits until something holds.
pub(crate) async fn until(what: &str, holds: impl AsyncFn() -> bool) {
    for _ in 0..1_200 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{what} did not come about");
}

/// Asserts that something comes about soon in one of three tries: what else the machine does only adds to the time.
pub(crate) async fn soon(what: &str, within: Duration, tried: impl AsyncFn() -> Duration) {
    let mut took = Vec::new();
    while took.len() < 3 && took.iter().all(|took| *took >= within) {
        took.push(tried().await);
    }
    assert!(took.iter().any(|took| *took < within), "{what} took {took:?}");
}

#[spec("D-39")]
async fn nothing_is_lost_when_the_sending_process_is_killed(engine: Engine) {
    for (step, taken_before, come_before) in
        [(SmtpStep::Greeting, 0, 0), (SmtpStep::Recipient, 0, 0), (SmtpStep::Content, 0, 1), (SmtpStep::Goodbye, 1, 1)]
    {
        let smtp = SmtpServer::start().await;
        let server = mailing(engine, &smtp, &[]).await;
        server.clock().set(BEFORE);
        enqueue(&server, vec![mail("ann@acme.test")]).await;
        smtp.fail(step, SmtpFault::Hang);
        let process = server.process(PLINTH, settings(&smtp, &[])).await;
        // A mail that was taken is written down as sent while the server does not say goodbye.
        let reached = if taken_before == 1 { "sent" } else { "sending" };
        until("the step", async || {
            let said = smtp.said().len() >= usize::from(step != SmtpStep::Greeting) * 3;
            said && smtp.come().len() == come_before && states(&server).await == [reached]
        })
        .await;
        process.kill();
        assert_eq!(smtp.taken().len(), taken_before, "{step:?}");
        smtp.heal();
        server.clock().set(AFTER);
        assert_eq!(server.deliver().await.sent, 1 - taken_before, "{step:?}");
        let taken = smtp.taken();
        assert_eq!((taken.len(), states(&server).await), (1, vec!["sent".to_owned()]), "{step:?}");
        assert!(smtp.come().iter().all(|mail| mail.id == taken[0].1.id), "{step:?}: one Message-ID");
    }
}

#[spec]
async fn of_many_each_arrives_whenever_the_process_is_killed(engine: Engine) {
    let smtp = SmtpServer::start().await;
    let server = mailing(engine, &smtp, &[]).await;
    server.clock().set(BEFORE);
    enqueue(&server, (0..200).map(|number| mail(&format!("user-{number}@acme.test"))).collect()).await;
    let process = server.process(PLINTH, settings(&smtp, &[])).await;
    until("some mails", async || smtp.taken().len() >= 20).await;
    process.kill();
    let under_way = states(&server).await.iter().filter(|state| *state == "sending").count();
    server.clock().set(AFTER);
    server.deliver().await;
    let mut by_recipient: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (to, mail) in smtp.taken() {
        by_recipient.entry(to[0].clone()).or_default().push(mail.id);
    }
    assert_eq!(by_recipient.len(), 200, "nothing is lost");
    let repeated: Vec<_> = by_recipient.values().filter(|ids| ids.len() > 1).collect();
    assert!(repeated.len() <= under_way, "{} repeats of {under_way} that were under way", repeated.len());
    assert!(repeated.iter().all(|ids| ids.len() == 2 && ids[0] == ids[1]), "{repeated:?}");
    assert_eq!(states(&server).await, vec!["sent"; 200]);
}

/// What was being sent by a process that is gone may be sent again, in the order in which it was claimed.
async fn leases_end(server: &Server) {
    let ended = server.elevated(|tx, _| {
        let mut sql = tx.sql();
        sql.push("SELECT id FROM ")
            .table(&Name::fixed("plinth_outbox"))
            .push(" WHERE state = 'sending' ORDER BY due, id");
        let mut ids = Vec::new();
        tx.query(&sql, &mut |row| {
            ids.push(row.integer(0)?);
            Ok(())
        })?;
        for (place, id) in (0..).zip(ids) {
            let mut sql = tx.sql();
            sql.push("UPDATE ").table(&Name::fixed("plinth_outbox")).push(" SET due = ").bind(Value::Timestamp(place));
            sql.push(" WHERE id = ").bind(id);
            tx.execute(&sql)?;
        }
        Ok(())
    });
    ended.await.unwrap();
}

#[spec]
async fn what_ends_each_process_is_given_up_and_takes_no_other_with_it(engine: Engine) {
    let smtp = SmtpServer::start().await;
    let server = mailing(engine, &smtp, &[]).await;
    server.clock().set(BEFORE);
    let fatal = "fatal@acme.test";
    enqueue(&server, [fatal, "ann@acme.test", "bob@acme.test"].map(mail).to_vec()).await;
    let come = |to: &str| smtp.come().iter().filter(|mail| mail.to == [to]).count();
    // The first process ends while it sends all three. Each later one ends, too, when it comes to the one.
    smtp.fail(SmtpStep::Content, SmtpFault::Hang);
    for tries in 1..=10 {
        let process = server.process(PLINTH, settings(&smtp, &[])).await;
        until("the fatal mail", async || come(fatal) == tries && smtp.come().len() >= 3).await;
        process.kill();
        leases_end(&server).await;
        smtp.fail_content_to(fatal, SmtpFault::Hang);
    }
    assert_eq!([come("ann@acme.test"), come("bob@acme.test")], [2, 2], "they were not with it when it came again");
    assert_eq!(states(&server).await, ["sending", "sent", "sent"]);
    let process = server.process(PLINTH, settings(&smtp, &[])).await;
    until("the end", async || states(&server).await == ["failed", "sent", "sent"]).await;
    let (status, log) = tokio::task::spawn_blocking(move || process.stop()).await.unwrap();
    assert!(status.success() && log.contains("given up"), "{log}");
    let error = "each process that sent it ended before it was sent".to_owned();
    assert_eq!(rows(&server).await[0], ("failed".to_owned(), 10, error, false));
    assert_eq!(come(fatal), 10);
}

#[spec]
async fn a_server_that_is_asked_to_stop_ends_what_it_sends(engine: Engine) {
    let smtp = SmtpServer::start().await;
    let server = mailing(engine, &smtp, &[]).await;
    server.clock().set(BEFORE);
    enqueue(&server, vec![mail("ann@acme.test")]).await;
    smtp.fail(SmtpStep::Content, SmtpFault::Hang);
    let process = server.process(PLINTH, settings(&smtp, &[("PLINTH_MAIL_TIMEOUT", "3s")])).await;
    until("the mail", async || smtp.come().len() == 1).await;
    let (status, _) = tokio::task::spawn_blocking(move || process.stop()).await.unwrap();
    assert!(status.success());
    assert_eq!(states(&server).await, ["waiting"], "it waited for the answer, which did not come, and wrote that down");
}

#[spec]
async fn a_server_that_is_asked_to_stop_sends_no_more_of_a_backlog(engine: Engine) {
    let smtp = SmtpServer::start().await;
    let server = mailing(engine, &smtp, &[]).await;
    server.clock().set(BEFORE);
    enqueue(&server, (0..400).map(|number| mail(&format!("user@r{number}.test"))).collect()).await;
    smtp.fail(SmtpStep::Content, SmtpFault::Late(Duration::from_secs(1)));
    let process = server.process(PLINTH, settings(&smtp, &[("PLINTH_OUTBOX_PLACES", "2")])).await;
    until("some mails", async || smtp.taken().len() >= 4).await;
    let (status, log) = tokio::task::spawn_blocking(move || process.stop()).await.unwrap();
    assert!(status.success() && !log.contains("may be sent again"), "{log}");
    let states = states(&server).await;
    let count = |state: &str| states.iter().filter(|one| *one == state).count();
    assert_eq!((count("sending"), count("sent")), (0, smtp.come().len()), "what came is written down");
}

#[spec]
async fn a_secret_is_neither_in_logs_nor_left_behind(engine: Engine) {
    let smtp = SmtpServer::start().await;
    let server = mailing(engine, &smtp, &[]).await;
    server.clock().set(BEFORE);
    enqueue(&server, vec![mail("ann@acme.test"), mail("bob@acme.test"), sms("+420601000001")]).await;
    smtp.fail(SmtpStep::Content, SmtpFault::Answer(format!("554 5.7.1 no mail with {CODE} in it")));
    let process = server.process(PLINTH, settings(&smtp, &[("PLINTH_LOG_LEVEL", "trace")])).await;
    until("the end", async || states(&server).await == ["failed", "failed", "sent"]).await;
    let (_, log) = tokio::task::spawn_blocking(move || process.stop()).await.unwrap();
    assert!(log.contains("554 5.7.1") && !log.contains(CODE), "{log}");
    let rows = rows(&server).await;
    assert!(rows.iter().all(|(.., sealed)| !sealed), "{rows:?}");
    // The key of the tests is of a later day.
    server.clock().set(AFTER);
    let seen = server.admin().get("/api/ext/v1/outbox").await.is(200).text;
    assert!(seen.contains("554 5.7.1") && !seen.contains(CODE), "{seen}");
}

#[spec("D-39")]
async fn what_a_killed_process_leaves_is_sent_in_seconds(engine: Engine) {
    // A lease has eight seconds. One of a minute would end long behind this.
    soon("what a killed process left", Duration::from_secs(30), async || sent_by_the_survivor(engine).await).await;
}

/// The time from the end of one of two processes until all mails are sent.
async fn sent_by_the_survivor(engine: Engine) -> Duration {
    let smtp = SmtpServer::start().await;
    let server = mailing(engine, &smtp, &[]).await;
    server.clock().set(BEFORE);
    enqueue(&server, (0..150).map(|number| plain(&format!("user-{number}@r{}.test", number % 8))).collect()).await;
    let places: &[_] = &[("PLINTH_OUTBOX_PLACES", "3")];
    let survivor = server.process(PLINTH, settings(&smtp, places)).await;
    let killed = server.process(PLINTH, settings(&smtp, places)).await;
    until("some mails", async || smtp.taken().len() >= 40).await;
    killed.kill();
    let since = Instant::now();
    until("all mails", async || states(&server).await.iter().all(|state| state == "sent")).await;
    let took = since.elapsed();
    is_missed(engine, &survivor).await;
    let taken: Vec<String> = smtp.taken().into_iter().map(|(to, _)| to[0].clone()).collect();
    let repeated = taken.len() - taken.iter().collect::<std::collections::BTreeSet<_>>().len();
    assert!(repeated <= 3, "{repeated} repeats: one for each place");
    survivor.kill();
    took
}

/// Asserts that a process misses one that is gone: on PostgreSQL by its heartbeat. SQLite's are on one machine, and
/// nobody says anything there.
pub(crate) async fn is_missed(engine: Engine, survivor: &Process) {
    let told = || survivor.logged().contains("a node is missed");
    match engine {
        Engine::Postgres => until("missing the other node", async || told()).await,
        Engine::Sqlite => assert!(!told(), "{}", survivor.logged()),
    }
}

#[test]
fn a_node_that_knew_nothing_of_it_takes_over_what_a_killed_one_left() {
    testing::run_within(Duration::from_secs(400), Engine::Postgres, "a node that is missed", async |engine: Engine| {
        // Without a heartbeat, it would look into the tenant in a minute.
        soon("taking over", Duration::from_secs(40), async || taken_over(engine).await).await;
    });
}

/// The time from the look of a process into all tenants until it has sent what another left, which began later.
async fn taken_over(engine: Engine) -> Duration {
    let smtp = SmtpServer::start().await;
    let server = mailing(engine, &smtp, &[]).await;
    server.clock().set(BEFORE);
    let survivor = server.process(PLINTH, settings(&smtp, &[])).await;
    let since = Instant::now();
    // It has looked into all tenants, and does so again in a minute.
    tokio::time::sleep(Duration::from_secs(3)).await;
    enqueue(&server, (0..100).map(|number| mail(&format!("user-{number}@r{}.test", number % 8))).collect()).await;
    smtp.fail(SmtpStep::Content, SmtpFault::Hang);
    let killed = server.process(PLINTH, settings(&smtp, &[])).await;
    until("the first mails", async || smtp.come().len() >= 16).await;
    killed.kill();
    smtp.heal();
    until("all mails", async || states(&server).await.iter().all(|state| state == "sent")).await;
    let took = since.elapsed();
    is_missed(engine, &survivor).await;
    let mut recipients: Vec<String> = smtp.taken().into_iter().map(|(to, _)| to[0].clone()).collect();
    recipients.sort();
    recipients.dedup();
    assert_eq!((smtp.taken().len(), recipients.len()), (100, 100), "none was taken twice");
    survivor.kill();
    took
}
