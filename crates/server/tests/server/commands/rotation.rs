//! `plinth secret rotate`, where tenants are made just while another key takes the place of the former one.

use crate::commands::program::Plinth;
use crate::commands::secrets::{VALUE, opened, value, value_of, with_tenant};
use serde_json::json;
use spec::spec;

/// Reads a file of the data folder.
fn read(plinth: &Plinth, name: &str) -> String {
    std::fs::read_to_string(plinth.path(&format!("data/{name}"))).unwrap()
}

/// Makes the tenant `late`, with a secret, by a process with these settings of keys.
fn make_late(plinth: &Plinth, environment: &[(&str, &str)]) {
    plinth.run_in(environment, &["tenant", "create", "late"], b"").done();
    plinth.run_in(environment, &["secret", "set", "erp", "--tenant", "late"], VALUE.as_bytes()).done();
}

#[spec]
async fn a_tenant_of_the_last_moment_is_taken_over_though_the_rotation_was_killed(plinth: Plinth) {
    with_tenant(&plinth);
    plinth.run_with(&["secret", "set", "erp"], VALUE.as_bytes()).done();
    let before = read(&plinth, "plinth.key");
    plinth.run(&["secret", "rotate"]).done();
    let next = read(&plinth, "plinth.key");
    assert_ne!(next, before);
    // As it lies when the rotation ends right after the next key has its place, and a tenant was being made meanwhile.
    let (kept, previous) = (plinth.path("data/plinth.key.former-1"), plinth.path("data/plinth.key.previous"));
    std::fs::rename(&kept, &previous).unwrap();
    let process = [("PLINTH_SECURITY_KEY", before.trim()), ("PLINTH_SECURITY_NEXT_KEY", next.trim())];
    make_late(&plinth, &process);
    {
        let platform = opened(&plinth, &[]);
        assert_eq!([value_of(&platform, "late", "erp"), value(&platform, "erp")], [VALUE, VALUE]);
    }

    let done = plinth.run(&["secret", "rotate", "--json"]);
    let told = json!({"tenants": 2, "rows": 1, "formerKeyFile": kept.to_str().unwrap()});
    assert_eq!((done.code, done.json()), (0, told), "{}", done.errors);
    assert_eq!([read(&plinth, "plinth.key"), read(&plinth, "plinth.key.former-1")], [next.clone(), before]);
    assert!(!previous.exists() && !plinth.path("data/plinth.key.next").exists(), "it goes on, and begins no other");
    std::fs::remove_file(&kept).unwrap();
    {
        let platform = opened(&plinth, &[]);
        assert_eq!([value_of(&platform, "late", "erp"), value(&platform, "erp")], [VALUE, VALUE]);
    }
    assert!(plinth.run(&["audit", "verify", "--tenant", "late"]).done().contains("intact"));
    plinth.run(&["secret", "rotate"]).done();
    assert_ne!(read(&plinth, "plinth.key"), next, "the one after that is another");
}

#[spec]
async fn a_rotation_that_was_killed_before_the_next_key_has_its_place_goes_on_with_it(plinth: Plinth) {
    with_tenant(&plinth);
    plinth.run_with(&["secret", "set", "erp"], VALUE.as_bytes()).done();
    plinth.run(&["secret", "rotate", "--prepare"]).done();
    let [before, next] = ["plinth.key", "plinth.key.next"].map(|name| read(&plinth, name));
    std::fs::hard_link(plinth.path("data/plinth.key"), plinth.path("data/plinth.key.previous")).unwrap();
    make_late(&plinth, &[]);
    assert_eq!(plinth.run(&["secret", "rotate", "--json"]).json()["tenants"], 2);
    assert_eq!([read(&plinth, "plinth.key"), read(&plinth, "plinth.key.former-1")], [next, before]);
    for gone in ["plinth.key.next", "plinth.key.previous", "plinth.key.former-2"] {
        assert!(!plinth.path(&format!("data/{gone}")).exists(), "{gone}");
    }
    assert_eq!(value_of(&opened(&plinth, &[]), "late", "erp"), VALUE);
}

#[spec]
async fn each_node_rotates_to_the_same_key_and_finds_what_it_made_with_the_former_one(plinth: Plinth) {
    with_tenant(&plinth);
    plinth.run_with(&["secret", "set", "erp"], VALUE.as_bytes()).done();
    plinth.run(&["secret", "rotate", "--prepare"]).done();
    let [before, next] = ["plinth.key", "plinth.key.next"].map(|name| read(&plinth, name));
    let other = plinth.file("other/plinth.key", &before);
    plinth.file("other/plinth.key.next", &next);
    plinth.run(&["secret", "rotate"]).done();
    make_late(&plinth, &[("PLINTH_SECURITY_KEY_FILE", &other)]);

    let done = plinth.run_in(&[("PLINTH_SECURITY_KEY_FILE", &other)], &["secret", "rotate", "--json"], b"");
    assert_eq!((done.code, &done.json()["tenants"]), (0, &json!(2)), "{}", done.errors);
    let others = ["other/plinth.key", "other/plinth.key.former-1"];
    let others = others.map(|name| std::fs::read_to_string(plinth.path(name)).unwrap());
    assert_eq!((others, read(&plinth, "plinth.key")), ([next.clone(), before], next));
    for settings in [&[][..], &[("security.key_file", other.as_str())]] {
        let platform = opened(&plinth, settings);
        assert_eq!([value_of(&platform, "late", "erp"), value(&platform, "erp")], [VALUE, VALUE]);
    }
}
