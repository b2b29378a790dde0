//! Mails to a real mail server, and all that it may do to us.

use crate::outbox::messages::{CODE, due_in, enqueue, kept, mail, mailing, mailing_within, rows, states};
use futures_util::{StreamExt as _, stream};
use messages::outbox::{Delivered, Message, Values};
use platform::tenants::Settings;
use spec::spec;
use std::time::Duration;
use testing::{Engine, Server, SmtpFault, SmtpServer, SmtpStep, SmtpTls};

const SENT: Delivered = Delivered { sent: 1, later: 0, failed: 0 };
/// How long ten thousand registrations may take on a machine that does other work too.
const LIMIT: Duration = Duration::from_secs(900);
const LATER: Delivered = Delivered { sent: 0, later: 1, failed: 0 };

#[spec("D-39")]
async fn a_mail_goes_to_a_mail_server(engine: Engine) {
    let smtp = SmtpServer::start().await;
    let server = mailing(engine, &smtp, &[]).await;
    enqueue(&server, vec![mail("ann@acme.test")]).await;
    assert_eq!(server.deliver().await, SENT);
    let (to, taken) = smtp.taken().remove(0);
    assert_eq!(
        (to.as_slice(), taken.to.as_slice()),
        (["ann@acme.test".to_owned()].as_slice(), ["ann@acme.test".to_owned()].as_slice())
    );
    assert!(taken.text.contains(CODE) && taken.html.contains(CODE), "{}", taken.raw);
    assert!(taken.raw.is_ascii(), "it needs no 8BITMIME");
    assert_eq!(states(&server).await, ["sent"]);
}

#[spec("D-39")]
async fn what_fails_for_now_is_sent_again_as_the_same_mail(engine: Engine) {
    let smtp = SmtpServer::start().await;
    let server = mailing_within("8s", engine, &smtp, &[]).await;
    enqueue(&server, vec![mail("ann@acme.test")]).await;
    let refusal = format!("451 4.3.0 not now, {CODE}");
    let answered = "the mail server answered 451 4.3.0";
    for (step, fault, error) in [
        (SmtpStep::Greeting, SmtpFault::Answer("421 4.3.2 closing".to_owned()), "the mail server answered 421 4.3.2"),
        (SmtpStep::Greeting, SmtpFault::Close, "the mail server"),
        (SmtpStep::Greeting, SmtpFault::Hang, "the mail server took too long"),
        (SmtpStep::Recipient, SmtpFault::Answer(refusal.clone()), answered),
        (SmtpStep::Recipient, SmtpFault::Answer("535 5.7.8 sign in".to_owned()), "the mail server answered 535 5.7.8"),
        (SmtpStep::Content, SmtpFault::Answer(refusal), answered),
        (SmtpStep::Content, SmtpFault::Close, "the mail server"),
    ] {
        smtp.fail(step, fault.clone());
        assert_eq!(server.deliver().await, LATER, "{step:?} {fault:?}");
        let (state, _, told, sealed) = rows(&server).await.remove(0);
        assert_eq!((state.as_str(), sealed), ("waiting", true));
        assert!(told.starts_with(error) && !told.contains(CODE), "{step:?} {fault:?}: {told}");
        server.clock().advance(due_in(&server).await);
    }
    smtp.heal();
    assert_eq!(server.deliver().await, SENT);
    let come = smtp.come();
    assert_eq!(come.len(), 3, "two were not taken, one was");
    assert!(come.iter().all(|mail| mail.id == come[0].id && !mail.id.is_empty()), "each time the same Message-ID");
    assert_eq!(smtp.taken().len(), 1);
}

#[spec]
async fn what_can_never_be_sent_is_given_up_at_once(engine: Engine) {
    let smtp = SmtpServer::start().await;
    let server = mailing(engine, &smtp, &[]).await;
    smtp.fail(SmtpStep::Recipient, SmtpFault::Answer(format!("550 5.1.1 nobody, {CODE}")));
    enqueue(&server, vec![mail("nobody@acme.test"), mail("no address"), mail("a@acme.test\r\nRCPT TO:<b@acme.test>")])
        .await;
    assert_eq!(server.deliver().await, Delivered { sent: 0, later: 0, failed: 3 });
    let rows = rows(&server).await;
    assert_eq!(rows[0], ("failed".to_owned(), 1, "the mail server answered 550 5.1.1".to_owned(), false));
    assert_eq!(rows[1], ("failed".to_owned(), 1, "the recipient is not an address".to_owned(), false));
    assert_eq!(rows[2], rows[1]);
    assert!(!smtp.said().iter().any(|line| line.contains("b@acme.test")), "{:?}", smtp.said());
}

#[spec("D-39")]
async fn a_mail_that_was_taken_is_never_sent_again(engine: Engine) {
    let smtp = SmtpServer::start().await;
    let server = mailing_within("8s", engine, &smtp, &[]).await;
    for fault in [SmtpFault::Hang, SmtpFault::Close, SmtpFault::Answer("421 4.3.2 closing".to_owned())] {
        smtp.fail(SmtpStep::Goodbye, fault);
        enqueue(&server, vec![mail("ann@acme.test")]).await;
        assert_eq!(server.deliver().await, SENT);
        server.clock().advance(100_000);
        assert_eq!(server.deliver().await, Delivered::default());
    }
    assert_eq!(smtp.taken().len(), 3);
}

#[spec]
async fn without_encryption_there_is_no_mail_unless_the_operator_says_so(engine: Engine) {
    let smtp = SmtpServer::start().await;
    let own = vec![
        ("mail.transport", "smtp"),
        ("mail.host", "127.0.0.1"),
        ("mail.port", kept(&smtp.port().to_string())),
        ("mail.user", "plinth"),
        ("mail.password", "a secret password"),
    ];
    let server = Server::settled(engine, Settings::default(), own, &[]).await;
    enqueue(&server, vec![mail("ann@acme.test")]).await;
    assert_eq!(server.deliver().await, LATER);
    assert_eq!(rows(&server).await[0].2, "the mail server does not offer STARTTLS");
    let said = smtp.said();
    assert!(said.iter().all(|line| line.starts_with("EHLO")), "neither mail nor password: {said:?}");
}

#[spec]
async fn encryption_begins_before_anything_is_said(engine: Engine) {
    for (encryption, tls, told) in
        [(SmtpTls::Starttls, "starttls", ["EHLO", "STARTTLS"].as_slice()), (SmtpTls::Wrapped, "tls", &[])]
    {
        let smtp = SmtpServer::start_with(encryption).await;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("mail.pem");
        std::fs::write(&file, smtp.certificate()).unwrap();
        for (believed, ca_file) in [(false, ""), (true, kept(file.to_str().unwrap()))] {
            let own = vec![
                ("mail.transport", "smtp"),
                ("mail.host", "localhost"),
                ("mail.port", kept(&smtp.port().to_string())),
                ("mail.tls", tls),
                ("mail.ca_file", ca_file),
                ("mail.user", "plinth"),
                ("mail.password", "a secret password"),
            ];
            let server = Server::settled(engine, Settings::default(), own, &[]).await;
            enqueue(&server, vec![mail("ann@acme.test")]).await;
            let delivered = server.deliver().await;
            let verbs: Vec<String> =
                smtp.said().iter().map(|line| line.split(' ').next().unwrap().to_owned()).collect();
            if believed {
                assert_eq!(delivered, SENT, "{}", rows(&server).await[0].2);
                assert_eq!(verbs[told.len() * 2..told.len() * 2 + 2], ["EHLO", "AUTH"], "{verbs:?}");
                assert_eq!(smtp.taken().len(), 1);
            } else {
                assert_eq!(delivered, LATER, "a certificate of nobody's");
                assert_eq!(verbs, told, "neither mail nor password");
                let error = rows(&server).await.remove(0).2;
                assert!(error.starts_with("the mail server"), "{error}");
            }
        }
    }
}

#[spec]
async fn what_is_said_before_encryption_does_not_count_after_it(engine: Engine) {
    let smtp = SmtpServer::start_with(SmtpTls::Starttls).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mail.pem");
    std::fs::write(&file, smtp.certificate()).unwrap();
    let own = vec![
        ("mail.transport", "smtp"),
        ("mail.host", "localhost"),
        ("mail.port", kept(&smtp.port().to_string())),
        ("mail.ca_file", kept(file.to_str().unwrap())),
    ];
    let server = Server::settled(engine, Settings::default(), own, &[]).await;
    // Whoever sits between may put words of his own behind the last of the server's that is not encrypted.
    let smuggled = "220 go on\r\n250-mail.test\r\n250 8BITMIME";
    smtp.fail(SmtpStep::Encryption, SmtpFault::Answer(smuggled.to_owned()));
    enqueue(&server, vec![mail("ann@acme.test")]).await;
    assert_eq!(server.deliver().await, LATER);
    assert_eq!(smtp.said().len(), 2, "nothing is said after STARTTLS: {:?}", smtp.said());
    smtp.heal();
    server.clock().advance(due_in(&server).await);
    assert_eq!(server.deliver().await, SENT);
}

#[spec("A112")]
async fn what_is_in_a_mail_never_ends_it(engine: Engine) {
    let smtp = SmtpServer::start().await;
    let evil = "MAIL FROM:<evil@acme.test>\r\nRCPT TO:<victim@acme.test>\r\nDATA\r\nSubject: smuggled\r\n\r\nx";
    let text = format!(
        "a\n.\nb\n.\r\n{evil}\n.\nc\r.\r\n{evil}\r.\r\nd\r\n.\r\n{evil}\r\n.\r\n.\n..\n...e {{{{ name }}}} {{{{ title }}}}\n.\n"
    );
    let files = [("mail/verify_code.en.txt", text.as_str()), ("mail/verify_code.en.html", text.as_str())];
    let server = mailing(engine, &smtp, &files).await;
    let breaks = ["\n.\n", "\r.\r\n", "\n.\r\n", "\r\n.\n", "\r\n.\r\n", "\r.\r", "\n.\r"];
    let messages: Vec<Message> = breaks
        .iter()
        .map(|ends| {
            let said = format!("x{ends}{evil}{ends}QUIT\r\n");
            Message { values: Values { name: said.clone(), title: said, ..mail("").values }, ..mail("ann@acme.test") }
        })
        .collect();
    enqueue(&server, messages).await;
    assert_eq!(server.deliver().await, Delivered { sent: breaks.len(), later: 0, failed: 0 });
    let taken = smtp.taken();
    assert_eq!((taken.len(), smtp.come().len()), (breaks.len(), breaks.len()), "as many mails as were sent");
    for (to, mail) in &taken {
        assert_eq!(to, &["ann@acme.test"]);
        assert!(mail.subject.starts_with("x . MAIL FROM:<evil@acme.test>"), "{}", mail.subject);
        assert!(mail.text.contains("...e x"), "all of it arrives: {}", mail.text);
        assert!(mail.text.starts_with("a\n.\nb") || mail.text.starts_with("a\r\n.\r\nb"), "{:?}", mail.text);
    }
    let verbs = |verb: &str| smtp.said().iter().filter(|line| line.starts_with(verb)).count();
    assert_eq!([verbs("MAIL"), verbs("RCPT"), verbs("DATA")], [breaks.len(); 3]);
}

/// Registers users of mailboxes that do not exist, over HTTP, eight at a time.
async fn registrations(server: &Server, count: usize) {
    let clerk = server.client().with("key", &server.key("clerk").await);
    let register = |number: usize| {
        let clerk = &clerk;
        async move {
            let body = serde_json::json!({
                "user_id": format!("nobody-{number}@acme.test"), "user_name": "Nobody", "roles": ["reader"],
                "verify_account": {"mail_code": {}},
            });
            clerk.post("app/user.register", body).await.is(200);
        }
    };
    stream::iter(0..count).for_each_concurrent(8, register).await;
}

#[spec(plain, "A115")]
fn a_storm_of_bounces_meets_the_tenants_cap_on_sqlite() {
    testing::run_within(LIMIT, Engine::Sqlite, "a storm of bounces", bounces);
}

#[spec(plain, "A115")]
fn a_storm_of_bounces_meets_the_tenants_cap_on_postgres() {
    testing::run_within(LIMIT, Engine::Postgres, "a storm of bounces", bounces);
}

async fn bounces(engine: Engine) {
    let smtp = SmtpServer::start().await;
    smtp.fail(SmtpStep::Recipient, SmtpFault::Answer("550 5.1.1 no such mailbox".to_owned()));
    let tenant = "tenant: acme\ntitle: ACME\nhosts: [acme.test]\napi: {rate: 0}\nmail: {perHour: 50}\n\
        registration: {allowedRoles: [reader]}\n";
    let clerk = "role: clerk\nsystem: [restApi, apiUserRegistration]\ntypes: {}\n";
    let user = "user: clerk@acme.test\nname: Clara\nroles: [clerk]\n";
    let files = [("tenant.yaml", tenant), ("roles/clerk.yaml", clerk), ("users/clerk.yaml", user)];
    let server = mailing(engine, &smtp, &files).await;
    registrations(&server, 10_000).await;
    let tries = || smtp.said().iter().filter(|line| line.starts_with("RCPT")).count();
    for hour in 1..=2 {
        let (delivered, read) = tokio::join!(server.deliver(), async {
            for _ in 0..20 {
                server.admin().get("collection/article?perPage=1").await.is(204);
                server.admin().create("note", serde_json::json!({"text": "it works"})).await;
            }
        });
        let () = read;
        assert_eq!(delivered, Delivered { sent: 0, later: 0, failed: 50 });
        assert_eq!(server.deliver().await, Delivered::default(), "the rest of the hour, mails wait");
        assert_eq!(tries(), hour * 50);
        server.clock().advance(60 * 60);
    }
    let states = states(&server).await;
    let count = |wanted: &str| states.iter().filter(|state| *state == wanted).count();
    assert_eq!([count("waiting"), count("failed")], [9_900, 100]);
}
