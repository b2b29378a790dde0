//! SMS to a real gateway, and all that it may do to us.

use crate::outbox::messages::{CODE, due_in, enqueue, rows, sms, states, texting};
use context::secret_store::{NewSecret, SecretKind};
use messages::outbox::{Delivered, Gateway, GatewayOptions, Message, Values};
use spec::spec;
use testing::{Engine, GatewayAnswer, Server, SmsGateway};

const SENT: Delivered = Delivered { sent: 1, later: 0, failed: 0 };
const LATER: Delivered = Delivered { sent: 0, later: 1, failed: 0 };

/// A message whose text would leave JSON, headers and addresses, if it could.
fn difficult() -> Message {
    let text = "Žluť \"%code%\"\\ &to=x\r\nX-Evil: 1";
    Message { values: Values { message: Some(text.to_owned()), ..sms("").values }, ..sms("+420601000001") }
}

/// Tries the one message that waits; gives what is told of it.
async fn told(server: &Server) -> String {
    assert_eq!(server.deliver().await, LATER);
    let (state, _, told, sealed) = rows(server).await.pop().unwrap();
    assert_eq!((state.as_str(), sealed), ("waiting", true));
    assert!(!told.contains(CODE), "{told}");
    server.clock().advance(due_in(server).await);
    told
}

#[spec("D-39")]
async fn an_sms_is_a_request_of_templates(engine: Engine) {
    let gateway = SmsGateway::start().await;
    let server = texting(engine, &gateway, &[]).await;
    enqueue(&server, vec![difficult()]).await;
    assert_eq!(server.deliver().await, SENT);
    let request = gateway.requests().remove(0);
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("POST /send?to=%2B420601000001 HTTP/1.1\r\n"), "{head}");
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    let text = format!("Žluť \"{CODE}\"\\ &to=x\nX-Evil: 1");
    assert_eq!(body, serde_json::json!({"to": "+420601000001", "text": text, "from": "ACME"}));
    let named = |name: &str| head.lines().filter(|line| line.to_lowercase().starts_with(name)).count();
    assert_eq!(
        [named("content-type: application/json"), named("idempotency-key: "), named("x-evil")],
        [1, 1, 0],
        "{head}"
    );
    assert_eq!(states(&server).await, ["sent"]);
}

#[spec("A113")]
async fn a_gateway_that_misbehaves_is_not_followed_and_is_asked_again(engine: Engine) {
    let gateway = SmsGateway::start().await;
    let success = "{=trigger('status') == 200 && jsonDecode(trigger('body')).ok}";
    let server = texting(engine, &gateway, &[("sms.success", success)]).await;
    enqueue(&server, vec![difficult()]).await;
    let inner = SmsGateway::start().await;
    for target in ["http://169.254.169.254/latest/meta-data".to_owned(), inner.url("/")] {
        let head = format!("HTTP/1.1 307 Gone\r\nlocation: {target}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        gateway.answers(GatewayAnswer::Bytes(head));
        assert!(told(&server).await.starts_with("the SMS gateway answered 307"));
    }
    assert_eq!(inner.requests().len(), 0, "no redirect is followed");
    gateway.says("500 Oops", "{\"ok\":true}");
    assert_eq!(told(&server).await, "the SMS gateway answered 500, which is not a success");
    gateway.says("200 OK", "{\"ok\":fal");
    let bad = told(&server).await;
    assert!(bad.starts_with("the SMS gateway answered 200"), "{bad}");
    gateway.answers(GatewayAnswer::Hang);
    assert_eq!(told(&server).await, "the SMS gateway took too long");
    gateway.answers(GatewayAnswer::Endless);
    let cut = told(&server).await;
    assert!(cut.starts_with("the SMS gateway answered 200"), "{cut}");
    assert!(gateway.sent() < 64 << 20, "{} bytes of 10 GB", gateway.sent());
    gateway.says("200 OK", "{\"ok\":true}");
    assert_eq!(server.deliver().await, SENT);
    let keys = gateway.requests();
    let key = |request: &String| {
        request.lines().find(|line| line.to_lowercase().starts_with("idempotency-key")).unwrap().to_owned()
    };
    assert!(keys.iter().all(|request| key(request) == key(&keys[0])), "each try has the same id");
}

#[spec]
async fn private_addresses_are_not_asked(engine: Engine) {
    let gateway = SmsGateway::start().await;
    let port = gateway.port();
    for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433", "0"] {
        let url = crate::outbox::messages::kept(&format!("http://{host}:{port}/"));
        let server = texting(engine, &gateway, &[("sms.url", url), ("outgoing.allow_private", "false")]).await;
        enqueue(&server, vec![difficult()]).await;
        let told = told(&server).await;
        assert!(told.contains("private"), "{host}: {told}");
    }
    assert_eq!(gateway.requests().len(), 0);
}

fn token() -> NewSecret {
    NewSecret { name: "sms".to_owned(), title: None, kind: SecretKind::String, value: "hush-4711".to_owned() }
}

#[spec("R-308")]
async fn helpers_ask_the_tenant_the_variables_and_the_answer(engine: Engine) {
    let gateway = SmsGateway::start().await;
    let own = [
        ("sms.url", crate::outbox::messages::kept(&gateway.url("/{=var('account')}?to={=trigger('phoneEncoded')}"))),
        ("sms.vars", "account: {=env('SMS_ACCOUNT') ?? 'shared'},note: {='for ' ~ var('account')}"),
        (
            "sms.headers",
            "X-Account: {=var('note')},X-Env: {=env('PATH') ?? 'none'},Authorization: Bearer {=getSecret('sms')}",
        ),
        ("sms.body", "{=jsonEncode([trigger('text'), user(), queryFetchRow(query('popular'), 'name')])}"),
        (
            "sms.success",
            "{=endpoint('status') == 202 && endpoint('body').taken[1] == trigger('phone') && \
             endpoint('headers')['x-via'] == var('account')}",
        ),
    ];
    let server = texting(engine, &gateway, &own).await;
    server.admin().create("article", serde_json::json!({"name": "Žluť", "views": 30})).await;
    // A helper that fails tells neither what it was made of nor that a secret is missing by name.
    enqueue(&server, vec![sms("+420601000001")]).await;
    assert_eq!(
        told(&server).await,
        "a header of the request for the SMS cannot be made: secret_missing: There is no secret of that name."
    );
    server.elevated(|tx, context| context::secret_store::set(tx, context, &token())).await.unwrap();
    let said = |via: &str, body: &str| {
        let head = format!("HTTP/1.1 202 Taken\r\nX-Via: {via}\r\ncontent-length: {}\r\nconnection: close", body.len());
        gateway.answers(GatewayAnswer::Bytes(format!("{head}\r\n\r\n{body}")));
    };
    // No condition but the last holds of these: another number, no JSON, another header.
    said("shared", r#"{"taken": [0, "+420601000002"]}"#);
    assert_eq!(told(&server).await, "the SMS gateway answered 202, which is not a success");
    said("shared", "taken");
    assert!(told(&server).await.starts_with("the SMS gateway answered 202"));
    said("acme", r#"{"taken": [0, "+420601000001"]}"#);
    assert_eq!(told(&server).await, "the SMS gateway answered 202, which is not a success");
    server.change(&[("env.yaml", "SMS_ACCOUNT: acme\n")]).await;
    assert_eq!(server.deliver().await, SENT);
    let requests = gateway.requests();
    for (request, account) in [(&requests[0], "shared"), (&requests[3], "acme")] {
        let (head, body) = request.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with(&format!("POST /{account}?to=%2B420601000001 HTTP/1.1\r\n")), "{head}");
        let head = head.to_lowercase();
        assert!(head.contains(&format!("x-account: for {account}\r\n")) && head.contains("x-env: none"), "{head}");
        assert!(head.contains("authorization: bearer hush-4711\r\n"), "{head}");
        let body: serde_json::Value = serde_json::from_str(body).unwrap();
        assert_eq!((&body[1], &body[2]), (&serde_json::Value::Null, &"Žluť".into()));
    }
}

#[spec]
async fn mistakes_in_helpers_are_told_at_the_start(_engine: Engine) {
    let with = |change: fn(&mut GatewayOptions)| {
        let mut options = GatewayOptions {
            url: "http://localhost/".to_owned(),
            method: "POST".to_owned(),
            headers: Vec::new(),
            body: String::new(),
            sender: String::new(),
            vars: Vec::new(),
            success: "{=endpoint('body').ok}".to_owned(),
            allow_private: true,
        };
        change(&mut options);
        Gateway::new(&options).map(drop).map_err(|error| error.message)
    };
    assert_eq!(with(|_| ()), Ok(()));
    for (change, message) in [
        ((|options| options.url = "{=net}".to_owned()) as fn(&mut GatewayOptions), "sms.url cannot be compiled"),
        (|options| options.body = "{=trigger('phon')}".to_owned(), "trigger() knows no `phon` here"),
        (|options| options.body = "{=endpoint('body')}".to_owned(), "endpoint() knows no `body` here"),
        (|options| options.success = "{=endpoint('boddy')}".to_owned(), "endpoint() knows no `boddy` here"),
        (|options| options.headers = vec!["X: {=var('x')}".to_owned()], "var() knows no `x` here"),
        (|options| options.vars = vec!["a b: x".to_owned()], "names of letters, digits and _"),
        (|options| options.body = "{=saveSecret('a', 'b')}".to_owned(), "it works in automations alone"),
        (|options| options.body = "{=appParameter('a')}".to_owned(), "appParameter() is not available here"),
    ] {
        let told = with(change).unwrap_err();
        assert!(told.contains(message), "{told}");
    }
}
