//! The master key as a setting, and keys that are not the tenant's.

use crate::program::{Plinth, Run};
use crate::secrets::{opened, value};
use serde_json::json;
use spec::spec;

const VALUE: &str = "s3cr3t-of-the-erp-0123456789";
/// Keys: 32 bytes in base64.
const ONE: &str = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";
const TWO: &str = "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=";
const FOREIGN: &str = "is not this tenant's";

const KEY: &str = "PLINTH_SECURITY_KEY";
const NEXT_KEY: &str = "PLINTH_SECURITY_NEXT_KEY";
const KEY_FILE: &str = "PLINTH_SECURITY_KEY_FILE";

fn apply(plinth: &Plinth, environment: &[(&str, &str)]) {
    plinth.file("tenant/tenant.yaml", "tenant: acme\n");
    plinth.run_in(environment, &["apply", plinth.path("tenant").to_str().unwrap()], b"").done();
}

#[track_caller]
fn foreign(run: &Run) {
    assert!(run.code == 1 && run.errors.contains(FOREIGN), "{}{}", run.output, run.errors);
}

#[spec]
async fn the_key_may_be_a_setting_and_be_rotated_as_one(plinth: Plinth) {
    apply(&plinth, &[(KEY, ONE)]);
    let set = |environment: &[(&str, &str)], name: &str| {
        plinth.run_in(environment, &["secret", "set", name], VALUE.as_bytes())
    };
    set(&[(KEY, ONE)], "erp").done();
    assert!(!plinth.path("data/plinth.key").exists(), "no file is made beside it");
    // A file of settings serves as well.
    let file = plinth.file("plinth.toml", format!("[security]\nkey = \"{ONE}\"\n"));
    plinth.run_with(&["secret", "set", "other", "--config", &file], VALUE.as_bytes()).done();

    foreign(&set(&[(KEY, TWO)], "erp"));
    let short = set(&[(KEY, "AQEB")], "erp");
    assert!(short.code != 0 && short.errors.contains("32 ") && !short.errors.contains("AQEB"), "{}", short.errors);

    let rotate = |environment: &[(&str, &str)], arguments: &[&str]| {
        plinth.run_in(environment, &[&["secret", "rotate"], arguments].concat(), b"")
    };
    let lacking = rotate(&[(KEY, ONE)], &[]);
    assert!(lacking.code == 1 && lacking.errors.contains("security.next_key is missing"), "{}", lacking.errors);
    let prepared = rotate(&[(KEY, ONE), (NEXT_KEY, TWO)], &["--prepare"]);
    assert!(prepared.code == 1 && prepared.errors.contains("there is no file to prepare"), "{}", prepared.errors);
    let done = rotate(&[(KEY, ONE), (NEXT_KEY, TWO)], &["--json"]);
    assert_eq!((done.code, done.json()), (0, json!({"tenants": 1, "rows": 2, "formerKeyFile": null})));
    assert!(!plinth.path("data/plinth.key.next").exists());

    // Whoever has both is served meanwhile, whoever has the former one alone no more.
    set(&[(KEY, ONE), (NEXT_KEY, TWO)], "later").done();
    set(&[(KEY, TWO)], "last").done();
    foreign(&set(&[(KEY, ONE)], "erp"));
    let platform = opened(&plinth, &[("security.key", TWO)]);
    for name in ["erp", "other", "later", "last"] {
        assert_eq!(value(&platform, name), VALUE, "{name}");
    }
    assert!(plinth.run_in(&[(KEY, TWO)], &["audit", "verify"], b"").done().contains("hold"));
}

#[spec]
async fn a_command_with_another_key_file_is_refused_and_changes_nothing(plinth: Plinth) {
    apply(&plinth, &[]);
    plinth.run_with(&["secret", "set", "erp"], VALUE.as_bytes()).done();
    let other = plinth.path("other.key").display().to_string();
    for arguments in [["secret", "set", "erp"].as_slice(), &["secret", "set", "new"], &["secret", "rotate"]] {
        foreign(&plinth.run_in(&[(KEY_FILE, &other)], arguments, b"another value"));
    }
    assert_eq!(value(&opened(&plinth, &[]), "erp"), VALUE);
    assert_eq!(plinth.run(&["secret", "list"]).done().lines().count(), 1);
    plinth.run(&["secret", "rotate"]).done();
    assert_eq!(value(&opened(&plinth, &[]), "erp"), VALUE);
}
