//! Requests to a real server, and all that it may do to us.

use crate::automations::runs::{done, runs, waiting};
use automation::RunRequest;
use context::secret_store::{NewSecret, SecretKind};
use platform::tenants::Settings;
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Engine, GatewayAnswer, Server, SmsGateway};

/// The value of the secret `erp`.
pub(crate) const SECRET: &str = "tiger-4711-stripes";

/// A server whose automation runs these steps for each new article, with `env('URL')` and a secret.
pub(crate) async fn asking(engine: Engine, url: &str, steps: &str, private: bool) -> Server {
    let automation = format!("automation: one\non: {{event: article.created}}\ndo:\n{steps}");
    let environment = format!("URL: \"{url}\"\n");
    let files = [("automations/one.yaml", automation.as_str()), ("env.yaml", environment.as_str())];
    let own = vec![("outgoing.allow_private", if private { "true" } else { "false" })];
    let server = Server::settled(engine, Settings { address_rate: None, ..Settings::default() }, own, &files).await;
    let secret = NewSecret { name: "erp".into(), title: None, kind: SecretKind::String, value: SECRET.into() };
    server.elevated(move |tx, context| context::secret_store::set(tx, context, &secret).map(drop)).await.unwrap();
    server
}

/// A header of a request; empty without.
pub(crate) fn header<'r>(request: &'r str, name: &str) -> &'r str {
    let line = request.lines().find(|line| line.to_lowercase().starts_with(&format!("{name}: ")));
    line.map_or("", |line| &line[name.len() + 2..])
}

#[spec("R-306")]
async fn branches_and_payloads_are_built_of_expressions(engine: Engine) {
    let erp = SmsGateway::start().await;
    let steps = r#"
  - if: "{=price > 10 && contains(labels, 'red')}"
    then:
      - http:
          name: erp
          method: PUT
          url: "{=env('URL')}/{=webalize(name)}?n={=views}"
          headers: {Authorization: "Bearer {=getSecret('erp')}", X-Event: "{=trigger('event')}"}
          body: {id: "{=id}", price: "{=price}", labels: "{=labels}", author: {name: "{=author.name}", token: "{=getSecret('erp')}"}, fixed: [1, x]}
      - update: {type: article, item: "{=id}", set: {code: "{=endpoint('body').reference}", views: "{=endpoint('status')}", body: "{=endpoint('headers')['x-kind']}"}}
    else:
      - update: {type: article, item: "{=id}", set: {code: cheap}}
"#;
    let server = asking(engine, &erp.url(""), steps, true).await;
    let body = r#"{"reference": "E-17"}"#;
    let head =
        format!("HTTP/1.1 201 Made\r\nX-Kind: order\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
    erp.answers(GatewayAnswer::Bytes(format!("{head}{body}")));
    let admin = server.admin();
    admin.create("person", json!({"name": "Ann"})).await;
    let article = json!({"name": "Žluť One", "price": 12.5, "views": 3, "labels": ["red"], "author": 1});
    admin.create("article", article).await;
    admin.create("article", json!({"name": "Two", "price": 1})).await;
    assert_eq!(server.run_automations().await, done(2), "{:?}", runs(&server).await);
    let request = erp.requests().remove(0);
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("PUT /zlut-one?n=3 HTTP/1.1\r\n"), "{head}");
    assert_eq!(header(head, "authorization"), format!("Bearer {SECRET}"));
    assert_eq!([header(head, "x-event"), header(head, "content-type")], ["article.created", "application/json"]);
    assert!(header(head, "idempotency-key").ends_with("-0.then.0"), "{head}");
    let body: Json = serde_json::from_str(body).unwrap();
    let author = json!({"name": "Ann", "token": SECRET});
    assert_eq!(body, json!({"id": 1, "price": 12.5, "labels": ["red"], "author": author, "fixed": [1, "x"]}));
    let one = admin.get("collection/article/1").await.is(200);
    assert_eq!([one.at("/code"), one.at("/views"), one.at("/body")], [json!("E-17"), json!(201), json!("order")]);
    assert_eq!(admin.get("collection/article/2").await.is(200).at("/code"), "cheap");
    let log = runs(&server).await[0]["log"].clone();
    assert_eq!([&log[1]["name"], &log[1]["result"]], [&json!("erp"), &json!({"status": 201})]);
}

#[spec]
async fn a_server_that_misbehaves_is_not_followed_and_is_asked_again(engine: Engine) {
    let erp = SmsGateway::start().await;
    let inner = SmsGateway::start().await;
    let steps = r#"
  - http: {url: "{=env('URL')}", timeout: 8, success: "{=endpoint('status') == 200 && endpoint('body').ok}"}
  - create: {type: note, set: {text: "{=endpoint('body').ok}"}}
"#;
    let server = asking(engine, &erp.url("/"), steps, true).await;
    server.admin().create("article", json!({"name": "One"})).await;
    let redirect =
        format!("HTTP/1.1 307 Gone\r\nlocation: {}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n", inner.url("/"));
    let status = |line: &str, body: &str| {
        let length = body.len();
        GatewayAnswer::Bytes(format!("HTTP/1.1 {line}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"))
    };
    for (answer, expected) in [
        (GatewayAnswer::Bytes(redirect), "answered 307"),
        (status("500 Oops", "{\"ok\": true}"), "answered 500"),
        (status("200 OK", "{\"ok\": fal"), ""),
        (GatewayAnswer::Hang, "took too long"),
        (GatewayAnswer::Endless, ""),
    ] {
        erp.answers(answer);
        let ran = server.run_automations().await;
        assert_eq!((ran.done, ran.later), (0, 1), "{expected}");
        let run = runs(&server).await.remove(0);
        assert!(run["error"].as_str().unwrap().contains(expected), "{expected}: {run}");
        server.clock().advance(8 * 60 * 60);
    }
    assert!(inner.requests().is_empty(), "no redirect is followed");
    assert!(erp.sent() < 64 << 20, "{} bytes of 10 GB", erp.sent());
    erp.answers(status("200 OK", "{\"ok\": 1}"));
    assert_eq!(server.run_automations().await, done(1));
    let requests = erp.requests();
    let keys: Vec<&str> = requests.iter().map(|request| header(request, "idempotency-key")).collect();
    assert_eq!(keys.len(), 6);
    assert!(keys.iter().all(|key| !key.is_empty() && *key == keys[0]), "each try has the same key: {keys:?}");
}

#[spec]
async fn private_addresses_are_not_asked(engine: Engine) {
    let inner = SmsGateway::start().await;
    let steps = "  - http: {url: \"http://{=name}:{=env('URL')}/\"}\n";
    let server = asking(engine, &inner.port().to_string(), steps, false).await;
    for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433", "0", "169.254.169.254"] {
        server.admin().create("article", json!({"name": host})).await;
    }
    assert_eq!(server.run_automations().await.later, 6);
    for run in runs(&server).await {
        assert!(run["error"].as_str().unwrap().contains("private"), "{run}");
    }
    for (name, expected) in [("ftp", "must be http or https"), ("a b", "must be http or https")] {
        let server = asking(engine, "x", "  - http: {url: \"{=name}://x/\"}\n", true).await;
        server.admin().create("article", json!({"name": name})).await;
        server.run_automations().await;
        let run = runs(&server).await.remove(0);
        assert!(run["error"].as_str().unwrap().contains(expected), "{run}");
    }
    assert!(inner.requests().is_empty());
}

#[spec("A126")]
async fn a_secret_leaves_in_requests_and_nowhere_else(engine: Engine) {
    let erp = SmsGateway::start().await;
    let echo = format!("{{\"token\": \"{SECRET}\", \"text\": \"you sent Bearer {SECRET}!\"}}");
    erp.says("200 OK", &echo);
    let refused = [
        "set: {x: \"{=getSecret('erp')}\"}",
        "set: {x: \"{=[upper(getSecret('erp'))]}\"}",
        "create: {type: note, set: {text: \"{=getSecret('erp')}\"}}",
        "create: {type: note, set: {text: \"{=base64_encode('x' ~ getSecret('erp'))}\"}}",
        "notify: {to: \"{=user()}\", title: \"{=getSecret('erp')}\"}",
        "notify: {to: \"{=user()}\", title: x, data: {x: \"{=getSecret('erp')}\"}}",
        "mail: {to: a@b.test, subject: x, text: \"{=getSecret('erp')}\"}",
        "stop: \"{=getSecret('erp')}\"",
        "forEach: {in: \"{=[getSecret('erp')]}\", as: x, do: [{stop: true}]}",
        "http: {url: \"http://{=getSecret('erp')} x/\"}",
        "http: {url: \"{=env('URL')}\", headers: {X: \"{=getSecret('erp')}\\n\"}}",
    ];
    for step in refused {
        let server = asking(engine, &erp.url("/"), &format!("  - {step}\n"), true).await;
        server.admin().create("article", json!({"name": "One"})).await;
        let ran = server.run_automations().await;
        assert_eq!((ran.done, ran.later), (0, 1), "{step}");
        let told = format!("{:?}", runs(&server).await);
        assert!(!told.contains(SECRET), "{step}: {told}");
    }
    let steps = r#"
  - if: "{=getSecret('erp') != ''}"
    then: [{create: {type: note, set: {text: decided}}}]
  - http: {url: "{=env('URL')}", headers: {Authorization: "Bearer {=getSecret('erp')}"}}
  - set: {answer: "{=endpoint('body')}"}
  - create: {type: note, set: {text: "{=var('answer').text}"}}
"#;
    let server = asking(engine, &erp.url("/"), steps, true).await;
    server.admin().create("article", json!({"name": "One"})).await;
    server.run_automations().await;
    let told = format!("{:?}", runs(&server).await);
    assert!(!told.contains(SECRET) && told.contains("you sent ***!"), "{told}");
    assert_eq!(waiting(&server).await, 0);
    let notes = server.admin().query("collection/note", &[("showFields", "text")]).await.is(200);
    assert_eq!(notes.column("text"), ["you sent ***!"], "what a secret went into decides nothing");
    assert!(erp.requests().iter().any(|request| request.contains(SECRET)));
    let page = server.elevated(|tx, context| automation::list(tx, context, &RunRequest::default())).await.unwrap();
    assert_eq!(page.items.len(), 1);
}

/// The text in base64, as the language has it.
fn base64(text: &str) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let groups = text.as_bytes().chunks(3).map(|group| {
        let bits = group.iter().chain([&0, &0]).take(3).fold(0_usize, |bits, byte| bits << 8 | usize::from(*byte));
        let letter = |place: usize| char::from(LETTERS[bits >> (18 - 6 * place) & 63]);
        (0..4).map(|place| if place <= group.len() { letter(place) } else { '=' }).collect::<String>()
    });
    groups.collect()
}

/// However the other side writes it: escaped by JSON, as a key, in a header, in an address, in base64.
#[spec("A126")]
async fn a_secret_comes_back_in_no_other_form(engine: Engine) {
    const ODD: &str = "p/\u{e4}\"s\\w\u{f6}rd&<geheim>";
    let erp = SmsGateway::start().await;
    let encoded = |before: &str| base64(&format!("{before}{ODD}!"));
    let quoted = serde_json::to_string(ODD).unwrap();
    let escaped: String = ODD.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect();
    let percent: String = ODD.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let body = format!(
        "{{\"a\": {quoted}, \"b\": {}, \"c\": \"{escaped}\", {quoted}: 1, \"d\": [\"{percent}\", \"{}\", \"{}\", \"{}\"], \
         \"e\": \"token={}\", \"f\": \"user:x\"}}",
        quoted.replace('/', "\\/"),
        encoded(""),
        encoded("x"),
        encoded("xy").trim_end_matches('='),
        percent.to_uppercase(),
    );
    let head =
        format!("HTTP/1.1 200 OK\r\nx-echo: {percent}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
    erp.answers(GatewayAnswer::Bytes(format!("{head}{body}")));
    let steps = r#"
  - http: {url: "{=env('URL')}", headers: {Authorization: "Basic {=base64_encode('user:' ~ getSecret('odd'))}"}}
  - create: {type: note, set: {text: "{=jsonEncode(endpoint('body'))}|{=jsonEncode(endpoint('headers'))}"}}
"#;
    let server = asking(engine, &erp.url("/"), steps, true).await;
    let secret = NewSecret { name: "odd".into(), title: None, kind: SecretKind::String, value: ODD.into() };
    server.elevated(move |tx, context| context::secret_store::set(tx, context, &secret).map(drop)).await.unwrap();
    server.admin().create("article", json!({"name": "One"})).await;
    assert_eq!(server.run_automations().await, done(1), "{:?}", runs(&server).await);
    let note =
        server.admin().query("collection/note", &[("showFields", "text")]).await.is(200).column("text").remove(0);
    let text = note.as_str().unwrap();
    let (body, headers) = text.split_once('|').unwrap();
    let body: Json = serde_json::from_str(body).unwrap();
    assert_eq!(
        [&body["a"], &body["b"], &body["c"], &body["***"]],
        [&json!("***"), &json!("***"), &json!("***"), &json!(1)]
    );
    assert_eq!([&body["d"][0], &body["e"], &body["f"]], [&json!("***"), &json!("token=***"), &json!("user:x")]);
    for index in 1..4 {
        let cleared = body["d"][index].as_str().unwrap();
        assert!(cleared.contains("***") && cleared.len() < 12, "{cleared}");
    }
    assert_eq!(serde_json::from_str::<Json>(headers).unwrap()["x-echo"], "***");
}
