//! What is calculated of users follows them from their registration to their end, and so does what rests on them.

use super::{Account, OPEN, ann, secret};
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};

const PLINTH: &str = env!("CARGO_BIN_EXE_plinth");

const USERS: &str = "name: user\nproperties:\n  \
    label: {id: 300, kind: pString, calculate: \"{=user_name ~ (login_expired ? ' waits' : ' is in')}\"}\n  \
    desks: {id: 301, kind: pRollup, relation: desk.owner, function: count}\n";

const DESK: &str = "id: 80\nname: desk\nproperties:\n  owner: {id: 800, kind: pUser, onDelete: setNull}\n  \
    sign:  {id: 801, kind: pString, calculate: \"{=owner.label ?? 'free'}\"}\n";

async fn sign(client: &Client, desk: &Json) -> Json {
    client.get(&format!("collection/desk/{desk}")).await.is(200).at("/sign")
}

#[spec]
async fn what_rests_on_users_follows_them(engine: Engine) {
    let own = [("types/user.yaml", USERS), ("types/desk.yaml", DESK)];
    let files: Vec<_> = OPEN.into_iter().chain(own).collect();
    let server = Server::with(engine, &files).await;
    let admin = server.admin();
    let clerk = server.client().with("key", &server.key("clerk").await);
    let body = ann(json!({"verify_account": {"mail_code": {}}, "password": "correct horse battery"}));
    let account = Account::register(&clerk, body).await;
    let user = format!("collection/user/{}", account.id);
    assert_eq!(admin.get(&user).await.is(200).at("/label"), "Ann waits");
    let desk = admin.create("desk", json!({"owner": account.id})).await;
    assert_eq!(desk["sign"], "Ann waits");
    let desk = desk["id"].clone();
    // The challenge that is met activates the account.
    account.prove(&server.client(), "mail_code", &secret(&server, "mail_code").await).await.is(200);
    assert_eq!(admin.get(&user).await.is(200).at("/label"), "Ann is in");
    assert_eq!((admin.get(&user).await.at("/desks"), sign(&admin, &desk).await), (json!(1), json!("Ann is in")));
    // The command line, and an administrator.
    for (command, expected) in [("disable", "Ann waits"), ("enable", "Ann is in")] {
        let (done, said) = server.command(PLINTH, &["user", command, "ann@example.com"]).await;
        assert!(done, "{said}");
        assert_eq!(sign(&admin, &desk).await, expected);
    }
    admin.patch(&user, json!({"login_expired": true})).await.is(200);
    assert_eq!(sign(&admin, &desk).await, "Ann waits");
    admin.patch(&user, json!({"login_expired": false, "user_name": "Anna"})).await.is(200);
    assert_eq!(sign(&admin, &desk).await, "Anna is in");
    // A file of users changes them, too.
    let file = |name: &str| format!("user: ann@example.com\nname: {name}\nroles: [reader]\n");
    server.change(&[("users/ann.yaml", &file("Annie"))]).await;
    assert_eq!(sign(&admin, &desk).await, "Annie is in");
    server.change(&[("users/ann.yaml", &file("Ann"))]).await;
    assert_eq!(
        (admin.get(&user).await.at("/label"), sign(&admin, &desk).await),
        (json!("Ann is in"), json!("Ann is in"))
    );
    admin.delete(&user).await.is(204);
    assert_eq!(sign(&admin, &desk).await, "free");
}

#[spec]
async fn what_rests_on_users_of_the_command_line_and_on_cancelled_ones(engine: Engine) {
    let own = [("types/user.yaml", USERS), ("types/desk.yaml", DESK)];
    let files: Vec<_> = OPEN.into_iter().chain(own).collect();
    let server = Server::with(engine, &files).await;
    let admin = server.admin();
    let clerk = server.client().with("key", &server.key("clerk").await);
    let account = Account::register(&clerk, ann(json!({"verify_account": {"mail_code": {}}}))).await;
    let desk = admin.create("desk", json!({"owner": account.id})).await["id"].clone();
    assert_eq!(sign(&admin, &desk).await, "Ann waits");
    clerk.post("app/user.cancelregistration", json!({"userId": account.id})).await.is(200);
    assert_eq!(sign(&admin, &desk).await, "free");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("users.csv");
    std::fs::write(&file, "user_id,user_name\nbob@example.com,Bob\n").unwrap();
    let (done, said) = server.command(PLINTH, &["import", "user", file.to_str().unwrap()]).await;
    assert!(done, "{said}");
    let bob = admin.get("collection/user/get-by/user_id/bob@example.com").await.is(200);
    assert_eq!(bob.at("/label"), "Bob is in");
    let desk = admin.create("desk", json!({"owner": bob.at("/id")})).await["id"].clone();
    std::fs::write(&file, "user_id,user_name\nbob@example.com,Robert\n").unwrap();
    let arguments = ["import", "user", "--mode", "update", file.to_str().unwrap()];
    let (done, said) = server.command(PLINTH, &arguments).await;
    assert!(done, "{said}");
    assert_eq!(sign(&admin, &desk).await, "Robert is in");
}
