//! Secrets and files in automations: where secrets come out, which is nowhere, and files that become those of resources.

use crate::automations::runs::{done, runs};
use context::secret_store::{NewSecret, SecretKind};
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Engine, Server};

const VALUE: &str = "s3cr3t-of-the-erp-0123456789";
/// The same in base64.
const ENCODED: &str = "czNjcjN0LW9mLXRoZS1lcnAtMDEyMzQ1Njc4OQ";

async fn with(engine: Engine, files: &[(&str, &str)]) -> Server {
    let server = Server::with(engine, files).await;
    let secret = NewSecret { name: "erp".into(), title: None, kind: SecretKind::String, value: VALUE.into() };
    server.elevated(move |tx, context| context::secret_store::set(tx, context, &secret)).await.unwrap();
    server
}

/// All that the API tells of what automations did.
async fn told(server: &Server) -> String {
    let admin = server.admin();
    let mut told = runs(server).await.iter().map(Json::to_string).collect::<String>();
    for path in [
        "collection/note",
        "collection/article",
        "collection/notifications",
        "/api/ext/v1/audit?limit=1000",
        "/api/ext/v1/outbox",
    ] {
        told.push_str(&admin.get(path).await.text);
    }
    server.deliver().await;
    for mail in server.mails() {
        told.push_str(&format!("{} {} {}", mail.subject, mail.text, mail.html));
    }
    told
}

#[spec("A126")]
async fn a_secret_comes_out_of_no_step(engine: Engine) {
    let steps = [
        "create: {type: note, set: {text: \"{=getSecret('erp')}\"}}",
        "create: {type: note, set: {text: \"a {=getSecret('erp')} b\"}}",
        "create: {type: note, set: {text: \"{=base64_encode(getSecret('erp'))}\"}}",
        "create: {type: note, set: {text: \"{=jsonEncode({a: getSecret('erp')})}\"}}",
        "create: {type: note, set: {text: \"{=firstNChars(getSecret('erp'), 1)}\"}}",
        "create: {type: note, set: {text: \"{=if(startsWith(getSecret('erp'), 's'), 'yes', 'no')}\"}}",
        "create: {type: article, set: {name: A, views: \"{=length(getSecret('erp'))}\"}}",
        "update: {type: article, item: \"{=id}\", set: {body: \"{=concat([getSecret('erp')])}\"}}",
        "update: {type: article, item: \"{=getSecret('erp')}\", set: {body: B}}",
        "delete: {type: note, item: \"{=getSecret('erp')}\"}",
        "set: {kept: \"{=getSecret('erp')}\"}",
        "set: {kept: {a: [\"{=sha256(getSecret('erp'))}\"]}}",
        "notify: {to: 1, title: \"{=getSecret('erp')}\"}",
        "notify: {to: 1, title: T, body: \"{=getSecret('erp')}\", data: {a: \"{=getSecret('erp')}\"}}",
        "mail: {to: ann@example.com, subject: \"{=getSecret('erp')}\", text: T}",
        "mail: {to: ann@example.com, subject: S, text: \"{=getSecret('erp')}\"}",
        "mail: {to: \"{=getSecret('erp')}@example.com\", subject: S, text: T}",
        "forEach: {in: \"{=explode('-', getSecret('erp'))}\", as: part, do: [{create: {type: note, set: {text: \"{=var('part')}\"}}}]}",
        "stop: \"{=getSecret('erp')}\"",
        "create: {type: note, set: {text: \"{=jsonDecode('0') / getSecret('erp')}\"}}",
        "create: {type: note, set: {text: \"{=join('', map([getSecret('erp')], 'upper()'))}\"}}",
        "create: {type: note, set: {text: \"{=resource('article', getSecret('erp')).name}\"}}",
        "create: {type: note, set: {text: \"{=objectActionLink(trigger('resource'), getSecret('erp'))}\"}}",
        "create: {type: note, set: {text: \"{=fileFromData(getSecret('erp'), 'a').title}\"}}",
    ];
    let files: Vec<(String, String)> = steps
        .iter()
        .enumerate()
        .map(|(number, step)| {
            let text = format!("automation: s{number}\non: {{event: article.created}}\ndo:\n  - {step}\n");
            (format!("automations/s{number}.yaml"), text)
        })
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let server = with(engine, &files).await;
    server.admin().create("article", json!({"name": "A", "views": 1})).await;
    server.run_automations().await;
    let runs = runs(&server).await;
    assert_eq!(runs.len(), steps.len());
    for run in &runs {
        let number: usize = run["automation"].as_str().unwrap()[1..].parse().unwrap();
        assert!(run["state"] != "done" && run["state"] != "stopped", "{}: {run}", steps[number]);
    }
    let told = told(&server).await;
    for hidden in [VALUE, ENCODED, "0123456789", "s3cr3t", "\"yes\"", "\"28\""] {
        assert!(!told.contains(hidden), "{hidden}: {told}");
    }
}

/// What looks like an expression is text, wherever it comes from.
#[spec("A125")]
async fn values_are_never_programs(engine: Engine) {
    const TEXT: &str = "{=getSecret('erp')}";
    let automation = "automation: copy\non: {event: note.created}\ndo:\n  \
        - create: {type: article, set: {name: \"{=text}\", body: \"{=join('', map([trigger('resource')], 'text')) ~ concat([text])}\"}}\n  \
        - notify: {to: \"{=user()}\", title: \"{=text}\", body: \"<{=text}>\"}\n";
    let kind = "id: 62\nname: echo\nproperties:\n  a: {id: 630, kind: pString, default: \"{='{' ~ '=1 + 1}'}\"}\n  \
                b: {id: 631, kind: pString, calculate: \"{=a}\"}\n  c: {id: 632, kind: pCalculated, calculate: \"{=a ~ b}\"}\n";
    let server = with(engine, &[("automations/copy.yaml", automation), ("types/echo.yaml", kind)]).await;
    let admin = server.admin();
    let note = admin.create("note", json!({"text": TEXT})).await;
    assert_eq!(admin.get(&format!("collection/note/{}", note["id"])).await.is(200).at("/text"), json!(TEXT));
    assert_eq!(server.run_automations().await, done(1));
    let copy = admin.get("collection/article?showFields=name,body").await.is(200);
    assert_eq!((copy.at("/data/0/name"), copy.at("/data/0/body")), (json!(TEXT), json!(format!("{TEXT}{TEXT}"))));
    let notified = admin.get("collection/notifications").await.is(200);
    notified.says(TEXT).says(&format!("<{TEXT}>"));
    let echo = admin.create("echo", json!({})).await;
    let shown = admin.get(&format!("collection/echo/{}?showFields=a,b,c", echo["id"])).await.is(200).json();
    assert_eq!([&shown["a"], &shown["b"], &shown["c"]], ["{=1 + 1}", "{=1 + 1}", "{=1 + 1}{=1 + 1}"]);
    let (exported, lines) =
        server.command(env!("CARGO_BIN_EXE_plinth"), &["export", "note", "--format", "jsonl"]).await;
    assert!(exported && lines.contains(TEXT), "{lines}");
}

#[spec]
async fn files_of_expressions_become_those_of_resources(engine: Engine) {
    let kind = "id: 63\nname: doc\nproperties:\n  one: {id: 640, kind: pFile, maxSize: 100, title: One}\n  \
                many: {id: 641, kind: pFiles, maxFiles: 3}\n  picture: {id: 642, kind: pFile, accept: [image/png], title: Picture}\n  \
                number: {id: 643, kind: pInteger}\n";
    let automation = r#"automation: filed
on: {event: note.created, if: "{=text == 'files'}"}
do:
  - create: {type: doc, as: made, set: {number: 0, one: "{=fileFromData('hello', '../letter.txt')}"}}
  - update: {type: doc, item: "{=var('made')}", set: {many: "{=[fileFromData('a', 'a.txt'), fileFromData('b', 'a.txt')]}"}}
  - forEach:
      in: [1, 2, 3, 4, 5, 6]
      as: number
      do:
        - create: {type: doc, set: {number: "{=var('number')}", one: "{=fileFromData('same', 'same.txt')}"}}
"#;
    let refused = r#"automation: refused
on: {event: note.created, if: "{=text == 'refused'}"}
do:
  - create: {type: doc, set: {number: 7, picture: "{=fileFromData('no picture', 'a.png')}"}}
"#;
    let large = r#"automation: large
on: {event: note.created, if: "{=text == 'large'}"}
do:
  - create: {type: doc, set: {number: 8, one: "{=fileFromData(join('', map(range(1, 101), 'toString()')), 'a.txt')}"}}
"#;
    let files = [
        ("types/doc.yaml", kind),
        ("automations/filed.yaml", automation),
        ("automations/refused.yaml", refused),
        ("automations/large.yaml", large),
    ];
    let server = with(engine, &files).await;
    let admin = server.admin();
    admin.create("note", json!({"text": "files"})).await;
    assert_eq!(server.run_automations().await, done(1));
    let listed = admin.get("collection/doc?orderBy=number&showFields=number,one,many").await.is(200);
    let one = listed.at("/data/0/one");
    assert_eq!((&one["name"], &one["size"], &one["mime"]), (&json!("letter.txt"), &json!(5), &json!("text/plain")));
    assert_eq!(admin.get(one["url"].as_str().unwrap()).await.is(200).bytes[..], *b"hello");
    assert_eq!(listed.at("/data/0/many/0/name"), json!("a.txt"));
    assert_eq!(listed.at("/data/0/many/1/name"), json!("a (2).txt"), "names are made unique");
    for number in 1..=6 {
        assert_eq!(listed.at(&format!("/data/{number}/one/name")), json!("same.txt"));
    }
    for text in ["refused", "large"] {
        admin.create("note", json!({"text": text})).await;
    }
    assert_eq!(server.run_automations().await.later, 2);
    let runs = runs(&server).await;
    let errors: Vec<&str> = runs.iter().filter_map(|run| run["error"].as_str()).collect();
    assert!(errors.iter().any(|error| error.contains("Picture does not take \"a.png\"")), "{errors:?}");
    assert!(errors.iter().any(|error| error.contains("One takes files of at most 100 bytes")), "{errors:?}");
    assert_eq!(admin.get("collection/doc").await.is(200).at("/stats/total"), json!(7));
    let swept = server.sweep_files().await;
    assert_eq!(swept, Default::default(), "no bytes without a row, no row without bytes");
}
