//! What waits for what: nothing for a receiver that hangs, and mails of accounts for no others.

use crate::outbox::crashes::until;
use crate::outbox::messages::{enqueue, kept, mail, rows, sms};
use messages::outbox::{Message, Template, Values};
use platform::tenants::Settings;
use spec::spec;
use std::time::Duration;
use testing::{Engine, Server, SmtpFault, SmtpServer, SmtpStep};

/// A mail of an automation.
pub(crate) fn plain(to: &str) -> Message {
    let values = Values { title: "News".to_owned(), message: Some("There are some.".to_owned()), ..Values::default() };
    Message { template: Template::Plain, values, reference: None, ..mail(to) }
}

/// A server that waits long for a mail server, with this tenant file's settings of mails.
async fn patient(engine: Engine, smtp: &SmtpServer, mails: &str) -> Server {
    let own = vec![
        ("mail.transport", "smtp"),
        ("mail.host", "127.0.0.1"),
        ("mail.port", kept(&smtp.port().to_string())),
        ("mail.tls", "none"),
        ("mail.timeout", "300s"),
    ];
    let tenant = format!("tenant: acme\ntitle: ACME\nhosts: [acme.test]\nmail: {mails}\n");
    let settings = Settings { address_rate: None, ..Settings::default() };
    Server::settled(engine, settings, own, &[("tenant.yaml", &tenant)]).await
}

/// The number of rows that somebody waits for no more.
async fn tried_in_vain(server: &Server) -> usize {
    rows(server).await.iter().filter(|(_, _, error, _)| !error.is_empty()).count()
}

#[spec]
async fn a_receiver_that_hangs_holds_up_no_other(engine: Engine) {
    let smtp = SmtpServer::start().await;
    let server = patient(engine, &smtp, "{perHour: 1000}").await;
    smtp.fail_content_to("@r0.test", SmtpFault::Hang);
    enqueue(&server, (0..160).map(|number| plain(&format!("user-{number}@r{}.test", number % 16))).collect()).await;
    let delivering = tokio::spawn({
        let server = server.clone();
        async move { server.deliver().await }
    });
    until("all others", async || smtp.taken().len() == 150).await;
    assert_eq!(tried_in_vain(&server).await, 0, "nobody waited for the one that hangs to be given up");
    // What is put there meanwhile is sent, too, of each channel.
    enqueue(&server, vec![mail("ann@acme.test"), sms("+420601000001")]).await;
    until("the mail of an account", async || smtp.taken().len() == 151 && server.texts().len() == 1).await;
    assert_eq!(tried_in_vain(&server).await, 0);
    delivering.abort();
}

#[spec]
async fn receivers_that_hang_hold_up_no_mail_of_an_account(engine: Engine) {
    let smtp = SmtpServer::start().await;
    let server = patient(engine, &smtp, "{perHour: 1000}").await;
    smtp.fail_content_to("@slow.test", SmtpFault::Hang);
    let slow = |number| plain(&format!("user-{number}@slow.test"));
    enqueue(&server, (0..200).map(slow).chain([mail("ann@acme.test")]).collect()).await;
    let delivering = tokio::spawn({
        let server = server.clone();
        async move { server.deliver().await }
    });
    until("the mail of an account", async || smtp.taken().len() == 1).await;
    until("that mails of others step aside", async || {
        smtp.come().len() <= 10 && rows(&server).await.iter().filter(|(state, ..)| state == "sending").count() <= 8
    })
    .await;
    enqueue(&server, vec![plain("eve@acme.test")]).await;
    until("a mail behind them", async || smtp.taken().len() == 2).await;
    assert_eq!(tried_in_vain(&server).await, 0);
    delivering.abort();
}

#[spec]
async fn mails_of_accounts_go_first_and_have_a_quota_of_their_own(engine: Engine) {
    let smtp = SmtpServer::start().await;
    let server = patient(engine, &smtp, "{perHour: 20, accountPerHour: 3}").await;
    enqueue(&server, (0..100).map(|number| plain(&format!("user-{number}@acme.test"))).collect()).await;
    enqueue(&server, vec![mail("ann@acme.test")]).await;
    assert_eq!(server.deliver().await.sent, 21);
    let place = smtp.taken().iter().position(|(to, _)| to == &["ann@acme.test"]).unwrap();
    assert!(place < 16, "it is among those that are sent first: {place}");
    enqueue(&server, vec![mail("bob@acme.test")]).await;
    assert_eq!(server.deliver().await.sent, 1, "others have used up their quota, and not that of accounts");
    enqueue(&server, ["eve@acme.test", "joe@acme.test"].map(mail).to_vec()).await;
    assert_eq!(server.deliver().await.sent, 1, "accounts have a quota, too");
    server.clock().advance(60 * 60);
    assert_eq!(server.deliver().await.sent, 21);
}

#[spec]
async fn a_server_that_hangs_at_its_greeting_keeps_no_sms_waiting(engine: Engine) {
    let smtp = SmtpServer::start().await;
    let server = patient(engine, &smtp, "{perHour: 1000}").await;
    smtp.fail(SmtpStep::Greeting, SmtpFault::Hang);
    let mails = (0..100).map(|number| plain(&format!("user@r{number}.test")));
    enqueue(&server, mails.chain([sms("+420601000001")]).collect()).await;
    let delivering = tokio::spawn({
        let server = server.clone();
        async move { server.deliver().await }
    });
    until("the SMS", async || server.texts().len() == 1).await;
    assert_eq!(tried_in_vain(&server).await, 0);
    delivering.abort();
}

#[spec]
async fn mails_of_accounts_wait_for_no_others_to_the_same_slow_domain(engine: Engine) {
    let smtp = SmtpServer::start().await;
    let server = patient(engine, &smtp, "{perHour: 1000}").await;
    smtp.fail(SmtpStep::Content, SmtpFault::Late(Duration::from_secs(6)));
    enqueue(&server, (0..100).map(|number| plain(&format!("user-{number}@slow.test"))).collect()).await;
    let delivering = tokio::spawn({
        let server = server.clone();
        async move { server.deliver().await }
    });
    until("the first mails", async || smtp.come().len() == 8).await;
    // By now the domain is known to be slow.
    tokio::time::sleep(Duration::from_secs(3)).await;
    let before = smtp.come().len();
    enqueue(&server, vec![mail("ann@slow.test")]).await;
    until("the mail of an account", async || smtp.come().iter().any(|mail| mail.to == ["ann@slow.test"])).await;
    let place = smtp.come().iter().position(|mail| mail.to == ["ann@slow.test"]).unwrap();
    assert!(place <= before + 8, "it is next: {place} after {before}");
    until("that it is taken", async || smtp.taken().iter().any(|(to, _)| to == &["ann@slow.test"])).await;
    delivering.abort();
}
