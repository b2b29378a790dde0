//! No caller gains or removes, directly or through another account, a right that the caller does not hold.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Reply, Server};

/// May do with users whatever a role can grant without `admin`, and read what a reader reads.
pub(super) const CLERK: &str = "role: clerk\nsystem: [restApi]\ntypes:\n  user: {show: true, edit: true, create: true, \
                     delete: true}\n  article: {show: true}\n";

fn refused(reply: &Reply) {
    assert_eq!((reply.status, reply.header("x-error-code")), (403, "rights_exceeded"), "{}", reply.text);
}

#[spec("A074", "D-12")]
async fn an_account_with_rights_that_the_caller_lacks_stays_as_it_is(server: Server) {
    let clerk = server.role("clerk", CLERK).await;
    let mut paths = Vec::new();
    for name in ["admin", "editor", "guest", "both"] {
        let path = format!("collection/user/{}", server.user(name).await);
        let before = server.admin().get(&path).await.json();
        for change in [
            json!({"user_id": "mine@acme.test"}),
            json!({"user_id+=": "x"}),
            json!({"phone": "+420601234567"}),
            json!({"user_id": "mine@acme.test", "user_name": "Mine"}),
        ] {
            refused(&clerk.patch(&path, change).await);
        }
        let named = json!({"user_id": "mine@acme.test", "user_name": before["user_name"]});
        refused(&clerk.put(&path, named).await);
        refused(&clerk.delete(&path).await);
        assert_eq!(server.admin().get(&path).await.json(), before);
        // What is no part of it may change, and what comes back as it was is no change.
        clerk.patch(&path, json!({"user_name": "Renamed", "user_id": before["user_id"]})).await.is(200);
        paths.push(path);
    }
    // Of rights that the caller has as well, there is nothing to gain and to remove.
    let reader = format!("collection/user/{}", server.user("reader").await);
    clerk.patch(&reader, json!({"user_id": "changed@acme.test", "phone": "+420601234567"})).await.is(200);
    clerk.delete(&reader).await.is(204);
    let plain = clerk.post("collection/user", json!({"user_id": "x@acme.test", "user_name": "X"})).await.is(201);
    let plain = format!("collection/user/{}", plain.at("/id"));
    clerk.patch(&plain, json!({"user_id": "y@acme.test"})).await.is(200);
    clerk.delete(&plain).await.is(204);
    // An administrator may.
    server.admin().patch(&paths[1], json!({"user_id": "changed@acme.test"})).await.is(200);
    server.admin().delete(&paths[1]).await.is(204);
}

#[spec("A074", "D-12")]
async fn presets_give_no_right_that_the_caller_lacks(server: Server) {
    let maker = |role: &str| {
        format!(
            "role: maker\nsystem: [restApi]\ntypes:\n  article: {{show: true}}\n  user:\n    show: true\n    \
             create: {{preset: {{roles: [{role}]}}}}\n    edit: {{preset: {{roles: [{role}]}}}}\n"
        )
    };
    let own = json!({"user_id": "x@acme.test", "user_name": "X"});
    let client = server.role("maker", &maker("editor")).await;
    refused(&client.post("collection/user", own.clone()).await);
    let path = format!("collection/user/{}", server.user("maker").await);
    refused(&client.patch(&path, json!({"user_name": "Me"})).await);
    server.change(&[("roles/maker.yaml", &maker("reader"))]).await;
    assert_eq!(client.post("collection/user", own).await.is(201).at("/roles"), json!(["reader"]));
    // To shut somebody out by one is no less.
    let role = "role: maker\nsystem: [restApi]\ntypes:\n  user: {show: true, edit: {preset: {login_expired: true}}}\n";
    server.change(&[("roles/maker.yaml", role)]).await;
    let path = format!("collection/user/{}", server.user("admin").await);
    refused(&client.patch(&path, json!({"user_name": "Shut out"})).await);
}

const FIRM: [(&str, &str); 2] = [
    ("types/firm.yaml", "id: 90\nname: firm\nproperties:\n  name: {id: 900, kind: pString}\n"),
    ("types/user.yaml", "name: user\nproperties:\n  firm: {id: 910, kind: pRelation, type: firm, onDelete: cascade}\n"),
];

#[spec("D-25")]
async fn what_is_deleted_along_are_accounts_of_no_other_rights(engine: Engine) {
    let server = Server::with(engine, &FIRM).await;
    let role = "role: clerk\nsystem: [restApi]\ntypes:\n  firm: {show: true, delete: true}\n  article: {show: true}\n";
    let clerk = server.role("clerk", role).await;
    for (name, may) in [("editor", false), ("reader", true)] {
        let firm = server.admin().create("firm", json!({"name": name})).await["id"].clone();
        server.set_user(name, json!({"firm": firm})).await;
        let user = format!("collection/user/{}", server.user(name).await);
        let reply = clerk.delete(&format!("collection/firm/{firm}")).await;
        if may {
            reply.is(204);
        } else {
            refused(&reply);
        }
        server.admin().get(&user).await.is(if may { 404 } else { 200 });
    }
}

#[spec("D-12")]
async fn what_grants_ask_of_a_user_is_a_right(engine: Engine) {
    let server = Server::with(engine, &FIRM).await;
    let rep = "role: rep\nsystem: [restApi]\ntypes:\n  user: {show: true, edit: true}\n  \
               firm: {show: {where: \"{=id == user('firm.id')}\"}}\n";
    let boss = "role: boss\nsystem: [restApi]\ntypes:\n  user: {show: true, edit: true}\n  firm: {show: true}\n";
    let (rep, boss) = (server.role("rep", rep).await, server.role("boss", boss).await);
    let mut firms = Vec::new();
    for name in ["One", "Two"] {
        firms.push(server.admin().create("firm", json!({"name": name})).await["id"].clone());
    }
    server.set_user("rep", json!({"firm": firms[0]})).await;
    let own = format!("collection/user/{}", server.user("rep").await);
    // The target is one that the caller does not see: the first firm can be tried alone.
    refused(&rep.patch(&own, json!({"firm": null})).await);
    rep.patch(&own, json!({"user_id": "other@acme.test", "firm": firms[0]})).await.is(200);
    boss.patch(&own, json!({"firm": firms[1]})).await.is(200);
    assert_eq!(rep.get("collection/firm").await.column("name"), [json!("Two")]);
    let plain = server.admin().create("user", json!({"user_id": "x@acme.test", "user_name": "X"})).await;
    rep.patch(&format!("collection/user/{}", plain["id"]), json!({"firm": firms[1]})).await.is(200);
    // Neither is it lost with what it refers to.
    let types = FIRM[1].1.replace("cascade", "setNull");
    server.change(&[("types/user.yaml", &types)]).await;
    let role = "role: cleaner\nsystem: [restApi]\ntypes:\n  firm: {show: {fields: [name]}, delete: true}\n";
    let cleaner = server.role("cleaner", role).await;
    refused(&cleaner.delete(&format!("collection/firm/{}", firms[1])).await);
    cleaner.delete(&format!("collection/firm/{}", firms[0])).await.is(204);
}

/// Users and notes with a region.
const REGION: (&str, &str) = (
    "types/user.yaml",
    "name: user\nproperties:\n  region: {id: 911, kind: pString}\n  approved: {id: 912, kind: pBoolean}\n",
);

#[spec("D-12")]
async fn a_property_is_asked_of_a_user_however_that_is_written(engine: Engine) {
    let server = Server::with(engine, &[REGION]).await;
    let role =
        |rights: &str| format!("role: rep\nsystem: [restApi]\ntypes:\n  user: {{show: true, edit: true}}\n{rights}");
    let rep = server.role("rep", &role("")).await;
    let own = format!("collection/user/{}", server.user("rep").await);
    rep.patch(&own, json!({"region": "US", "user_name": "Rep"})).await.is(200);
    for (asked, named) in [
        ("user('region')", true),
        ("user().region.upper()", true),
        ("user('region').upper()", true),
        ("toString(user()['region'])", false),
        ("toString(user('reg' ~ 'ion'))", false),
        ("join('', map([user()], 'region'))", false),
    ] {
        let shown = format!("  note: {{show: {{where: \"{{=text === {asked}}}\"}}}}\n");
        let given = format!("  note: {{show: true, create: {{preset: {{text: \"{{={asked}}}\"}}}}}}\n");
        let within = format!("  note: {{show: true, create: {{preset: {{text: \"In {{={asked}}}\"}}}}}}\n");
        for rights in [shown, given, within] {
            server.change(&[("roles/rep.yaml", &role(&rights))]).await;
            refused(&rep.patch(&own, json!({"region": "EU"})).await);
            // Where it is not written out which one is asked for, it may be any.
            let other = rep.patch(&own, json!({"approved": named})).await;
            assert_eq!(other.status, if named { 200 } else { 403 }, "{rights}: {}", other.text);
        }
        server.change(&[("roles/rep.yaml", &role(""))]).await;
        rep.patch(&own, json!({"approved": null})).await.is(200);
    }
    // Neither is it hidden by a relation that leads to the account.
    let shown = "  article: {show: {where: \"{=owner.id == user('id') and owner.region === name}\"}}\n";
    server.change(&[("roles/rep.yaml", &role(shown))]).await;
    refused(&rep.patch(&own, json!({"region": "EU"})).await);
    rep.patch(&own, json!({"approved": true})).await.is(200);
    server.change(&[("roles/rep.yaml", &role(""))]).await;
    // Who it is, no other property says.
    for rights in [
        "show: {where: \"{=createdBy == user('id')}\"}",
        "show: {where: \"{=user() == null or createdBy == user('id')}\"}",
    ] {
        server.change(&[("roles/rep.yaml", &role(&format!("  note: {{{rights}}}\n")))]).await;
        rep.patch(&own, json!({"region": "EU"})).await.is(200);
        rep.patch(&own, json!({"region": "US"})).await.is(200);
    }
}

/// What a grant gives by itself is a right to have it written, be it not among the fields.
#[spec("D-12")]
async fn what_presets_give_is_a_right(engine: Engine) {
    let server = Server::with(engine, &[REGION]).await;
    let maker = "role: maker\nsystem: [restApi]\ntypes:\n  user: {create: {fields: [user_id, user_name], preset: {approved: true}}}\n";
    server.role("maker", maker).await;
    let path = format!("collection/user/{}", server.user("maker").await);
    let clerk = |fields: &str| {
        format!(
            "role: clerk\nsystem: [restApi]\ntypes:\n  user: {{show: true, edit: {{fields: [user_id, user_name]}}, \
             create: {{fields: [{fields}]}}}}\n"
        )
    };
    let client = server.role("clerk", &clerk("user_id, user_name")).await;
    refused(&client.patch(&path, json!({"user_id": "mine@acme.test"})).await);
    server.change(&[("roles/clerk.yaml", &clerk("user_id, user_name, approved"))]).await;
    client.patch(&path, json!({"user_id": "mine@acme.test"})).await.is(200);
}

#[spec("D-9")]
async fn a_key_with_scopes_holds_no_more_than_they_leave(server: Server) {
    server.role("clerk", CLERK).await;
    let login = server.login("clerk").await;
    let key = async |permissions: &str| {
        let form = [("user", login.user.as_str()), ("password", &login.password), ("permissions", permissions)];
        let made = server.client().post_form("auth", &form).await.is(200).at("/authToken/keyString");
        server.client().with("key", made.as_str().unwrap())
    };
    let scopes = "collection:user:show,collection:user:edit,collection:user:delete";
    let (narrow, whole) = (key(scopes).await, key("*").await);
    let own = format!("collection/user/{}", login.id);
    refused(&narrow.patch(&own, json!({"user_id": "thief@acme.test"})).await);
    refused(&narrow.delete(&own).await);
    whole.patch(&own, json!({"user_id": "moved@acme.test"})).await.is(200);
}

#[spec]
async fn an_automation_acts_with_the_rights_of_its_file(engine: Engine) {
    let file = "automation: rename\non: {event: note.created}\ndo:\n  - update: {type: user, item: 1, set: {user_id: \
                \"{=text}\"}}\n";
    let role =
        "role: clerk\nsystem: [restApi]\ntypes:\n  note: {show: true, edit: true}\n  user: {show: true, edit: true}\n";
    let server = Server::with(engine, &[("automations/rename.yaml", file)]).await;
    let clerk = server.role("clerk", role).await;
    refused(&clerk.patch("collection/user/1", json!({"user_id": "new@acme.test"})).await);
    clerk.create("note", json!({"text": "new@acme.test"})).await;
    server.run_automations().await;
    assert_eq!(server.admin().get("collection/user/1").await.at("/user_id"), "new@acme.test");
}

/// Roles with rights of every sort: a caller may change the login of whoever has no right that the caller lacks.
#[spec]
async fn sets_of_rights_are_compared(engine: Engine) {
    const ROLES: [(&str, &str, &str); 8] = [
        ("none", "", ""),
        ("profile", "profile", ""),
        ("tags", "profile, manageTags", ""),
        ("notes", "", "note: {show: true}"),
        ("editing", "", "note: {show: true, edit: true}"),
        ("some", "", "note: {show: {where: \"{=text == 'a'}\"}}"),
        ("fields", "", "article: {show: {fields: [name]}}"),
        ("more", "", "article: {show: {fields: [name, views]}}"),
    ];
    // Each with those whose rights it has all of, beside itself.
    let has = |caller: &str, target: &str| {
        let within: &[&str] = match caller {
            "tags" => &["profile"],
            "notes" => &["some"],
            "editing" => &["notes", "some"],
            "more" => &["fields"],
            _ => &[],
        };
        caller == target || target == "none" || within.contains(&target)
    };
    let mut files = vec![(
        "roles/changing.yaml".to_owned(),
        "role: changing\nsystem: [restApi]\ntypes: {user: {show: true, edit: true}}\n".to_owned(),
    )];
    for (name, system, types) in ROLES {
        files.push((format!("roles/{name}.yaml"), format!("role: {name}\nsystem: [{system}]\ntypes: {{{types}}}\n")));
        let user = |role: &str, roles: &str| format!("user: {role}@acme.test\nname: {role}\nroles: [{roles}]\n");
        files.push((format!("users/{name}.yaml"), user(name, name)));
        let caller = format!("by-{name}");
        files.push((format!("users/{caller}.yaml"), user(&caller, &format!("changing, {name}"))));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let server = Server::with(engine, &files).await;
    for (caller, ..) in ROLES {
        let client = server.client().with("key", &server.key(&format!("by-{caller}")).await);
        for (target, ..) in ROLES {
            try_pair(&server, &client, (caller, target), has(caller, target)).await;
        }
    }
}

async fn try_pair(server: &Server, client: &Client, (caller, target): (&str, &str), may: bool) {
    let path = format!("collection/user/{}", server.user(target).await);
    let reply = client.patch(&path, json!({"phone": format!("+4206010000{:02}", caller.len() + target.len())})).await;
    assert_eq!(reply.status == 200, may, "{caller} changes {target}: {}", reply.text);
    server.admin().patch(&path, json!({"phone": Json::Null})).await.is(200);
}
