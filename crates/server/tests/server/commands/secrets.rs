//! `plinth secret`.

use crate::commands::program::Plinth;
use context::vault::{MasterKey, rotation};
use expression::Value;
use expression::convert::to_text;
use expression::scope::ValueKind;
use model::place::{ExpressionPlace, compile};
use platform::tenants::Platform;
use resources::expressions::{Parts, PlatformProviders, Reading, Secrets, evaluate};
use serde_json::{Value as Json, json};
use server::settings::{Settings, Sources};
use spec::spec;
use std::collections::HashMap;
use std::sync::Arc;

pub(crate) const VALUE: &str = "s3cr3t-of-the-erp-0123456789";

pub(crate) fn with_tenant(plinth: &Plinth) {
    plinth.file("tenant/tenant.yaml", "tenant: acme\n");
    plinth.run(&["apply", plinth.path("tenant").to_str().unwrap()]).done();
}

#[spec]
async fn secrets_are_set_listed_and_removed_and_never_shown(plinth: Plinth) {
    with_tenant(&plinth);
    let set = plinth.run_with(&["secret", "set", "erp", "--title", "The ERP"], format!("{VALUE}\n").as_bytes());
    assert!(set.done().contains("the secret erp is created"));
    let again = plinth.run_with(&["secret", "set", "erp", "--json"], b"another value");
    assert_eq!(again.json(), json!({"name": "erp", "created": false}));
    plinth.run_with(&["secret", "set", "oauth", "--type", "json"], br#"{"id": "a", "key": "b"}"#).done();

    let listed = plinth.run(&["secret", "list", "--json"]).json();
    let listed: Vec<(&str, &str, &str)> = listed["items"].as_array().unwrap().iter().map(named).collect();
    assert_eq!(listed, [("erp", "string", "The ERP"), ("oauth", "json", "")], "the title stays");
    let lines = plinth.run(&["secret", "list"]).done();
    assert!(
        lines.lines().count() == 3
            && lines.starts_with("name   type    set ")
            && !lines.contains("value")
            && !lines.contains(VALUE),
        "{lines}"
    );

    assert!(plinth.run(&["secret", "remove", "erp"]).done().contains("removed"));
    let gone = plinth.run(&["secret", "remove", "erp"]);
    assert!(gone.code == 1 && gone.errors.contains("There is no secret"), "{}", gone.errors);

    let told = plinth.run(&["audit", "list", "--json", "--event", "secret.set,secret.removed"]).json();
    let told: Vec<(&str, &Json)> = told["items"]
        .as_array()
        .unwrap()
        .iter()
        .rev()
        .map(|item| (item["event"].as_str().unwrap(), &item["details"]))
        .collect();
    let set = |name: &str, kind: &str, created: bool| json!({"name": name, "type": kind, "created": created});
    assert_eq!(
        told,
        [
            ("secret.set", &set("erp", "string", true)),
            ("secret.set", &set("erp", "string", false)),
            ("secret.set", &set("oauth", "json", true)),
            ("secret.removed", &json!({"name": "erp"})),
        ]
    );
}

#[spec]
async fn values_come_from_standard_input_alone_and_what_is_wrong_is_not_repeated(plinth: Plinth) {
    with_tenant(&plinth);
    let argument = plinth.run(&["secret", "set", "erp", VALUE]);
    assert_eq!(argument.code, 2, "{}", argument.output);
    for (arguments, input, says) in [
        (["secret", "set", "a b", "--type", "string"], VALUE.to_owned(), "name is of letters"),
        (["secret", "set", "erp", "--type", "string"], "\n".to_owned(), "1 to 65536 bytes"),
        (["secret", "set", "erp", "--type", "string"], VALUE.repeat(3_000), "1 to 65536 bytes"),
        (["secret", "set", "erp", "--type", "json"], VALUE.to_owned(), "no JSON document"),
    ] {
        let refused = plinth.run_with(&arguments, input.as_bytes());
        let printed = format!("{}{}", refused.output, refused.errors);
        assert!(refused.code == 1 && printed.contains(says) && !printed.contains(VALUE), "{printed}");
    }
    let bytes = plinth.run_with(&["secret", "set", "erp"], &[0xff, 0xfe]);
    assert!(bytes.code == 1 && bytes.errors.contains("UTF-8"), "{}", bytes.errors);
    assert_eq!(plinth.run(&["secret", "list"]).done(), "There are no secrets.\n");
    let help = plinth.run(&["secret", "--help"]).done();
    assert!(help.contains("Examples:") && help.contains("plinth secret set erp"), "{help}");
}

fn named(secret: &Json) -> (&str, &str, &str) {
    let text = |name: &str| secret[name].as_str().unwrap();
    let mut keys: Vec<&str> = secret.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(keys, ["created", "name", "title", "type", "updated"]);
    (text("name"), text("type"), text("title"))
}

/// The platform over the data of the command line, as another process has it, with these settings.
pub(crate) fn opened(plinth: &Plinth, settings: &[(&'static str, &str)]) -> Arc<Platform> {
    let mut flags = vec![("data.folder", plinth.path("data").display().to_string())];
    flags.extend(settings.iter().map(|(name, value)| (*name, (*value).to_owned())));
    flags.extend(plinth.postgres.iter().map(|url| ("data.postgres", url.clone())));
    let settings = Settings::load(&Sources { flags, ..Sources::default() }).unwrap();
    server::open(&settings, server::commands::environment::system()).unwrap()
}

/// What an automation is given as a secret.
pub(crate) fn value(platform: &Arc<Platform>, name: &str) -> String {
    value_of(platform, "acme", name)
}

/// The same of another tenant.
pub(crate) fn value_of(platform: &Arc<Platform>, tenant: &str, name: &str) -> String {
    let source = format!("{{=getSecret('{name}')}}");
    let program = compile(&source, ExpressionPlace::Automation, None, HashMap::new(), ValueKind::Any).unwrap();
    let read = platform.open(tenant).unwrap().read_as_administrator(|tx, context| {
        let parts = Parts { secrets: Secrets::Read, ..Parts::default() };
        evaluate(&PlatformProviders::new(tx, context, Reading::Look, parts), &program, Value::Null)
    });
    match read.unwrap().unwrap() {
        Value::Secret(secret) => to_text(&secret.0, &expression::NoProviders).unwrap().lossy().into_owned(),
        other => panic!("{name} is {other:?}"),
    }
}

#[spec]
async fn a_rotation_that_ended_before_its_end_goes_on(plinth: Plinth) {
    with_tenant(&plinth);
    plinth.run_with(&["secret", "set", "erp"], VALUE.as_bytes()).done();
    let key = || std::fs::read_to_string(plinth.path("data/plinth.key")).unwrap();
    let before = key();
    plinth.run(&["secret", "rotate", "--prepare"]).done();
    assert_eq!(key(), before, "nothing has changed yet");
    let next_file = plinth.path("data/plinth.key.next");
    let next = std::fs::read_to_string(&next_file).unwrap();
    plinth.run(&["secret", "rotate", "--prepare"]).done();
    assert_eq!(std::fs::read_to_string(&next_file).unwrap(), next, "the same one is prepared");
    {
        // It ends when the tenant has turned, and nothing was sealed anew.
        let platform = opened(&plinth, &[]);
        rotation::turn(platform.open("acme").unwrap().as_ref(), &MasterKey::parse(&next).unwrap()).unwrap();
    }
    plinth.run_with(&["secret", "set", "later"], VALUE.as_bytes()).done();
    assert!(plinth.run(&["audit", "verify"]).done().contains("intact"));
    let done = plinth.run(&["secret", "rotate", "--json"]);
    assert_eq!((done.code, &done.json()["tenants"]), (0, &json!(1)), "{}", done.errors);
    assert_eq!(key(), next);
    assert!(!next_file.exists());
    let former = done.json()["formerKeyFile"].as_str().unwrap().to_owned();
    assert_eq!(std::fs::read_to_string(&former).unwrap(), before);
    std::fs::remove_file(former).unwrap();

    let platform = opened(&plinth, &[]);
    assert_eq!([value(&platform, "erp"), value(&platform, "later")], [VALUE, VALUE]);
    assert!(plinth.run(&["audit", "verify"]).done().contains("intact"));
    let events = plinth.run(&["audit", "list", "--json", "--event", "vault.rotated"]).json();
    assert_eq!(events["items"].as_array().unwrap().len(), 1);
    // Once more, from the beginning.
    plinth.run(&["secret", "rotate"]).done();
    assert_ne!(key(), next);
    assert!(plinth.run(&["audit", "verify"]).done().contains("intact"));
}

#[spec]
async fn a_rotation_that_ended_while_it_put_the_key_in_place_keeps_the_former_one_once(plinth: Plinth) {
    with_tenant(&plinth);
    plinth.run_with(&["secret", "set", "erp"], VALUE.as_bytes()).done();
    let key = plinth.path("data/plinth.key");
    let kept = |number: u8| plinth.path(&format!("data/plinth.key.former-{number}"));
    plinth.run(&["secret", "rotate"]).done();
    let before = std::fs::read_to_string(&key).unwrap();
    // It ends when the former key has its second name, and the next one not yet its place.
    std::fs::hard_link(&key, kept(2)).unwrap();
    let done = plinth.run(&["secret", "rotate", "--json"]);
    assert_eq!(done.json()["formerKeyFile"], kept(2).to_str().unwrap(), "{}", done.errors);
    assert!(!kept(3).exists(), "what is to be destroyed lies in one place");
    assert_eq!(std::fs::read_to_string(kept(2)).unwrap(), before);
    assert_ne!(std::fs::read_to_string(&key).unwrap(), before);
    assert_eq!(value(&opened(&plinth, &[]), "erp"), VALUE);
}
