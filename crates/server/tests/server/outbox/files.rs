//! Messages as files: what their recipients read.

use crate::outbox::messages::{CODE, due_in, enqueue, mail, rows, sms, states};
use messages::outbox;
use messages::outbox::{Delivered, Message, Method, OutboxTask, Template, Values};
use serde_json::json;
use spec::spec;
use testing::Server;

#[spec]
async fn a_mail_is_text_and_html_in_the_language_of_its_recipient(server: Server) {
    let values = Values {
        name: "Ann <b>".to_owned(),
        link: Some("/api/v1/app/user.challenge?userId=1&secret=a".to_owned()),
        expires: Some("2026-11-21T12:00:00Z".parse().unwrap()),
        ..Values::default()
    };
    let english = Message { template: Template::VerifyLink, values: values.clone(), ..mail("ann@acme.test") };
    let czech = Message { language: Some("cs".to_owned()), ..english.clone() };
    let reset = Message { template: Template::Reset, ..english.clone() };
    enqueue(&server, vec![english, czech, reset]).await;
    assert_eq!(server.mails().len(), 0, "nothing leaves before the worker comes");
    assert_eq!(server.deliver().await, Delivered { sent: 3, later: 0, failed: 0 });
    let mails = server.mails();
    let subjects: Vec<&str> = mails.iter().map(|mail| mail.subject.as_str()).collect();
    assert_eq!(
        subjects,
        ["Confirm your e-mail address – ACME", "Potvrďte svou e-mailovou adresu – ACME", "Set a new password – ACME"]
    );
    let link = mails[0].links[0].clone();
    assert!(link.ends_with("/t/acme/api/v1/app/user.challenge?userId=1&secret=a"), "{link}");
    assert!(link.starts_with("http://127.0.0.1:"), "{link}");
    assert!(mails[0].text.contains("Hello Ann <b>,") && mails[0].text.contains("21 November 2026, 13:00 CET"));
    assert!(mails[1].text.contains("21. 11. 2026 13:00 CET"), "{}", mails[1].text);
    assert!(mails[0].html.contains("Ann &lt;b&gt;") && !mails[0].html.contains("<b>"), "{}", mails[0].html);
    for mail in &mails {
        assert_eq!(
            (mail.to.as_slice(), mail.from.as_str()),
            (["ann@acme.test".to_owned()].as_slice(), "no-reply@localhost")
        );
        assert!(mail.raw.contains("Auto-Submitted: auto-generated"), "{}", mail.raw);
        assert_eq!(mail.links, [link.as_str()]);
    }
    assert_eq!(states(&server).await, ["sent"; 3]);
    assert!(rows(&server).await.iter().all(|(.., sealed)| !sealed), "what was sent is wiped");
    assert_eq!(server.deliver().await, Delivered::default());
    assert_eq!(server.mails().len(), 3);
}

#[spec]
async fn an_sms_fills_its_places_once(server: Server) {
    let own = |text: &str, title: &str| {
        let values = Values { title: title.to_owned(), message: Some(text.to_owned()), ..sms("x").values };
        Message { values, ..sms("+420601000001") }
    };
    let first = Message { values: Values { link: Some("/x".to_owned()), ..sms("x").values }, ..sms("+420601000001") };
    let messages =
        vec![first, own("%tenant% %code%, 100 % %unknown% %code", ""), own("a\r\nb\u{0}%validity%%%code%%", "")];
    enqueue(&server, messages).await;
    server.deliver().await;
    let texts = server.texts();
    assert!(texts[0].text.starts_with("ACME: your code is 482913."), "{}", texts[0].text);
    assert!(texts[0].links[0].ends_with("/t/acme/x"));
    assert_eq!(texts[0].to, "+420601000001");
    assert_eq!(texts[1].text, "ACME 482913, 100 % %unknown% %code");
    assert_eq!(texts[2].text, "a\nb%482913%");
}

#[spec]
async fn the_tenants_own_texts_and_sender_are_used(server: Server) {
    let tenant = "tenant: acme\ntitle: ACME\nhosts: [acme.test]\nbaseUrl: https://acme.test\napi: {rate: 0}\n\
                  mail: {from: 'ACME <hello@acme.test>'}\n";
    let subject = ("mail/verify_code.en.subject", "{{ code }}\nfor {{ name }}");
    let html = ("mail/verify_code.en.html", "<p>{{ name }} {{ link }}</p>");
    let text = ("mail/verify_sms.en.txt", "%code%!");
    server.change(&[("tenant.yaml", tenant), subject, html, text]).await;
    let named = |name: &str| {
        let values = Values { name: name.to_owned(), link: Some("/x".to_owned()), ..mail("x").values };
        Message { values, ..mail("ann@acme.test") }
    };
    enqueue(&server, vec![named("A\r\nBcc: b@acme.test\r\n\u{202E}<script>"), sms("+420601000001")]).await;
    server.deliver().await;
    let mail = &server.mails()[0];
    assert_eq!(mail.subject, "482913 for A Bcc: b@acme.test <script>");
    assert_eq!(mail.to, ["ann@acme.test"]);
    assert!(!mail.raw.lines().any(|line| line.starts_with("Bcc")), "{}", mail.raw);
    assert!(mail.html.contains("&lt;script&gt; https:"), "{}", mail.html);
    assert!(mail.text.contains("Hello A  Bcc: b@acme.test  <script>,"), "{}", mail.text);
    assert_eq!(mail.links, ["https://acme.test/x"]);
    assert_eq!(mail.from, "hello@acme.test");
    assert!(mail.id.ends_with("@acme.test"), "{}", mail.id);
    assert_eq!(server.texts()[0].text, format!("{CODE}!"));
}

#[spec("D-39")]
async fn what_cannot_be_sent_comes_back_later_and_later_and_is_given_up(server: Server) {
    server
        .elevated(|tx, context| {
            outbox::later(tx, context, &OutboxTask { kind: "unknown".to_owned(), input: json!({}) })
        })
        .await
        .unwrap();
    let mut pauses = Vec::new();
    for tries in 1..10 {
        assert_eq!(server.deliver().await, Delivered { sent: 0, later: 1, failed: 0 }, "try {tries}");
        assert_eq!(server.deliver().await, Delivered::default(), "it waits");
        let (state, tried, error, sealed) = rows(&server).await.remove(0);
        assert_eq!((state.as_str(), tried, sealed), ("waiting", tries, true), "{error}");
        pauses.push(due_in(&server).await);
        server.clock().advance(*pauses.last().unwrap());
    }
    let bounds = [1, 2, 4, 8, 16, 32, 64, 128, 256].map(|minutes| (minutes * 48, minutes * 72 + 1));
    assert!(pauses.iter().zip(bounds).all(|(pause, (least, most))| (least..=most).contains(pause)), "{pauses:?}");
    assert_eq!(server.deliver().await, Delivered { sent: 0, later: 0, failed: 1 });
    let (state, tried, _, sealed) = rows(&server).await.remove(0);
    assert_eq!((state.as_str(), tried, sealed), ("failed", 10, false), "what is given up is wiped");
    server.clock().advance(1_000_000);
    assert_eq!(server.deliver().await, Delivered::default());
}

#[spec]
async fn cancelled_messages_are_not_sent(server: Server) {
    enqueue(&server, vec![mail("ann@acme.test"), sms("+420601000001")]).await;
    let cancelled =
        server.elevated(|tx, context| outbox::cancel(tx, context, 1, Some(Method::MailCode))).await.unwrap();
    assert_eq!(cancelled, 2, "both have the reference");
    assert_eq!(server.deliver().await, Delivered::default());
    assert_eq!(states(&server).await, ["cancelled", "cancelled"]);
}
