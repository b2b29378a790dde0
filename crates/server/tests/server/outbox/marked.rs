//! Messages whose texts or requests cannot be made: nothing is told of the values that they are made of.

use crate::outbox::messages::{enqueue, kept, mail, rows, sms};
use messages::outbox::{Message, Values};
use platform::tenants::Settings;
use serde_json::json;
use spec::spec;
use testing::{Engine, Server, SmsGateway};

const MARK: &str = "topsecret-4711";
const TYPE: (&str, &str) = ("types/case.yaml", "id: 90\nname: case\nproperties:\n  hidden: {id: 900, kind: pText}\n");
const QUERY: (&str, &str) = ("queries/cases.yaml", "query: cases\ntype: case\norderBy: id\n");
/// Fails for a value of the tenant, without a comma: some settings are lists.
const FAILS: &str = "{=jsonDecode(queryFetchRow(query('cases')).hidden)}";

/// Delivers what waits, and gives what is told of it to those who look at the outbox.
async fn told(server: &Server) -> String {
    assert_eq!(server.deliver().await.sent, 0);
    let kept = rows(server).await.into_iter().map(|(_, _, told, _)| told).collect::<Vec<_>>().join("\n");
    let shown = server.admin().get("/api/ext/v1/outbox").await.is(200).text;
    assert!(!kept.contains("topsecret") && !shown.contains("topsecret"), "{kept}\n{shown}");
    kept
}

#[spec("D-3", "D-39")]
async fn requests_for_sms_tell_nothing_of_what_they_fail_for(engine: Engine) {
    let gateway = SmsGateway::start().await;
    gateway.says("200 OK", &json!({"said": MARK}).to_string());
    let plain = kept(&gateway.url("/"));
    for (setting, template, expected) in [
        ("sms.url", kept(&format!("{plain}{FAILS}")), "cannot be made"),
        ("sms.headers", kept(&format!("X-Case: {FAILS}")), "cannot be made"),
        ("sms.body", FAILS, "cannot be made"),
        ("sms.vars", kept(&format!("case: {FAILS}")), "cannot be made"),
        ("sms.success", FAILS, "judging it failed"),
        ("sms.success", "{=formatDate(endpoint('body').said, 'Y') == 2026}", "judging it failed"),
        ("sms.success", "{=formatDate(trigger('text'), 'Y') == 2026}", "judging it failed"),
    ] {
        let mut own = vec![("sms.transport", "http"), ("sms.url", plain), ("outgoing.allow_private", "true")];
        own.retain(|(name, _)| *name != setting);
        own.push((setting, template));
        let settings = Settings { address_rate: None, ..Settings::default() };
        let server = Server::settled(engine, settings, own, &[TYPE, QUERY]).await;
        server.admin().create("case", json!({"hidden": MARK})).await;
        let values = Values { message: Some(format!("{MARK} %code%")), ..sms("").values };
        enqueue(&server, vec![Message { values, ..sms("+420601000001") }]).await;
        let told = told(&server).await;
        assert!(told.contains(expected), "{setting}: {told}");
    }
}

#[spec("D-3", "D-39")]
async fn texts_of_mails_tell_nothing_of_what_they_fail_for(engine: Engine) {
    // Each of them can be made of the values with which it is checked.
    let fails = "{% if name|length > 3 %}{{ name|int }}{% endif %}";
    for part in ["subject", "txt", "html"] {
        let path = format!("mail/verify_code.en.{part}");
        let server = Server::with(engine, &[(path.as_str(), fails)]).await;
        let values = Values { name: MARK.to_owned(), ..mail("").values };
        enqueue(&server, vec![Message { values, ..mail("ann@acme.test") }]).await;
        let first = told(&server).await;
        assert!(first.contains(&format!("the text verify_code.en.{part} cannot be made")), "{first}");
    }
}
