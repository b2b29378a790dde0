//! What a new password, login or phone number ends, whoever sets it.

use super::{Account, failed, open, parameter, secret};
use crate::pages::visitor::Visitor;
use serde_json::json;
use spec::spec;
use testing::{Client, Engine, Server};

/// A link for a new password of the reader.
async fn link(server: &Server, clerk: &Client) -> String {
    // An address gets five mails in an hour.
    server.clock().advance(900);
    clerk.post("app/user.resetpassword", json!({"user_id": "reader@acme.test"})).await.is(200);
    server.deliver().await;
    server.deliver().await;
    parameter(&server.mails().last().unwrap().links[0], "token").unwrap()
}

async fn usable(server: &Server, token: &str) -> bool {
    server.reset_link(token, None).await.unwrap().usable
}

#[spec]
async fn a_new_password_or_login_ends_the_links_of_the_account(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let admin = server.admin();
    let path = format!("collection/user/{}", server.user("reader").await);
    let whole =
        json!({"user_id": "reader@acme.test", "user_name": "Rita", "roles": ["reader"], "password": "a new long one"});
    for change in [
        json!({"password": "another long one"}),
        json!({"user_id": "moved@acme.test"}),
        json!({"user_id+=": "x", "user_name": "Y"}),
    ] {
        let token = link(&server, &clerk).await;
        assert!(usable(&server, &token).await);
        admin.patch(&path, json!({"user_name": "Rita R."})).await.is(200);
        assert!(usable(&server, &token).await, "a name is neither");
        admin.patch(&path, change.clone()).await.is(200);
        assert!(!usable(&server, &token).await, "{change}");
        let late = server.reset_with(&token, "correct horse battery").await;
        assert_eq!(late.unwrap_err().code, "reset_unusable");
        admin.patch(&path, json!({"user_id": "reader@acme.test"})).await.is(200);
    }
    let token = link(&server, &clerk).await;
    admin.put(&path, whole).await.is(200);
    assert!(!usable(&server, &token).await, "PUT");
    let token = link(&server, &clerk).await;
    server.login("reader").await;
    assert!(!usable(&server, &token).await, "the command line");
    // A link that was not sent yet is not.
    server.clock().advance(60);
    clerk.post("app/user.resetpassword", json!({"user_id": "reader@acme.test"})).await.is(200);
    let token = link(&server, &clerk).await;
    assert!(usable(&server, &token).await);
    // A newer one ends it.
    let newer = link(&server, &clerk).await;
    assert!(!usable(&server, &token).await && usable(&server, &newer).await);
}

#[spec]
async fn an_automation_that_moves_an_account_ends_its_links(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let user = server.user("reader").await;
    let file = format!(
        "automation: move\non: {{event: note.created}}\ndo:\n  - update: {{type: user, item: {user}, set: {{user_id: \
         moved@acme.test}}}}\n"
    );
    server.change(&[("automations/move.yaml", &file)]).await;
    let token = link(&server, &clerk).await;
    server.admin().create("note", json!({"text": "now"})).await;
    assert!(usable(&server, &token).await);
    server.run_automations().await;
    assert!(!usable(&server, &token).await);
}

#[spec]
async fn a_new_password_ends_the_keys_of_the_old_one(engine: Engine) {
    let (server, _) = open(engine).await;
    let login = server.login("reader").await;
    let path = format!("collection/user/{}", login.id);
    let admin = server.admin();
    let key = async |password: &str| {
        let made = server.client().post_form("auth", &[("user", &login.user), ("password", password)]).await.is(200);
        server.client().with("key", made.at("/authToken/keyString").as_str().unwrap())
    };
    let first = key(&login.password).await;
    let change = |keep: &'static str, password: &'static str| {
        admin.request("PATCH", &path).header("x-keep-keys", keep).json(&json!({"password": password}))
    };
    change("maybe", "a second password").send().await.is(400);
    change("true", "a second password").send().await.is(200);
    first.get("collection/article").await.is(204);
    let second = key("a second password").await;
    change("false", "a third password").send().await.is(200);
    for client in [&first, &second] {
        client.get("collection/article").await.is(403);
    }
    let third = key("a third password").await;
    admin.patch(&path, json!({"user_id": "moved@acme.test"})).await.is(200);
    third.get("collection/article").await.is(204);
    admin.patch(&path, json!({"password": "a fourth password"})).await.is(200);
    third.get("collection/article").await.is(403);
    // The operator's stays.
    server.reader().get("collection/article").await.is(204);
}

#[spec]
async fn codes_end_with_what_they_were_sent_for(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let account = Account::verified_by(&clerk, json!({"mail_code": {}, "sms_code": {}})).await;
    let (mail, text) = (secret(&server, "mail_code").await, secret(&server, "sms_code").await);
    let (admin, client) = (server.admin(), server.client());
    let path = format!("collection/user/{}", account.id);
    admin.patch(&path, json!({"phone": "+420601234568"})).await.is(200);
    assert_eq!(account.prove(&client, "sms_code", &text).await.is(200).json(), failed());
    admin.patch(&path, json!({"user_id": "ann.b@example.com"})).await.is(200);
    assert_eq!(account.prove(&client, "mail_code", &mail).await.is(200).json(), failed());
    account.retry(&clerk).await.is(200);
    for method in ["mail_code", "sms_code"] {
        let renewed = secret(&server, method).await;
        account.prove(&client, method, &renewed).await.is(200).says("\"methodDone\":true");
    }
    assert_eq!(server.mails().last().unwrap().to, ["ann.b@example.com"]);
    assert_eq!(account.state(&server).await, Some(true));
}

#[spec]
async fn codes_end_with_a_new_password(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let account = Account::verified_by(&clerk, json!({"mail_code": {}})).await;
    let code = secret(&server, "mail_code").await;
    let path = format!("collection/user/{}", account.id);
    server.admin().patch(&path, json!({"password": "a new long one"})).await.is(200);
    assert_eq!(account.prove(&server.client(), "mail_code", &code).await.is(200).json(), failed());
    assert_eq!(account.state(&server).await, Some(false));
}

/// Open means of accounts: a link, a session and a key of the reader, and a code of somebody who registers.
struct Open {
    link: String,
    session: Visitor,
    key: Client,
    account: Account,
    code: String,
}

impl Open {
    async fn of(server: &Server, clerk: &Client) -> Self {
        let login = server.login("reader").await;
        let mut session = Visitor::new(server);
        session.sign_in(&login.user, &login.password).await.is(303);
        let form = [("user", login.user.as_str()), ("password", login.password.as_str())];
        let made = server.client().post_form("auth", &form).await.is(200).at("/authToken/keyString");
        let key = server.client().with("key", made.as_str().unwrap());
        let link = link(server, clerk).await;
        let account = Account::verified_by(clerk, json!({"mail_code": {}})).await;
        let code = secret(server, "mail_code").await;
        assert!(usable(server, &link).await);
        session.get("/account").await.is(200);
        key.get("collection/article").await.is(204);
        Open { link, session, key, account, code }
    }

    /// Asserts that link, session and code are over; and the key, unless it is kept.
    async fn expect_over(mut self, server: &Server, way: &str, key_is_kept: bool) {
        assert!(!usable(server, &self.link).await, "the link: {way}");
        assert_eq!(self.session.get("/account").await.status, 303, "the session: {way}");
        let proof = self.account.prove(&server.client(), "mail_code", &self.code).await.is(200);
        assert_eq!(proof.json(), failed(), "the code: {way}");
        assert_eq!(self.key.get("collection/article").await.status, if key_is_kept { 204 } else { 403 }, "{way}");
        // As it was before, for the next way.
        server.admin().delete(&format!("collection/user/{}", self.account.id)).await.is(204);
    }
}

#[spec]
async fn the_command_line_ends_links_codes_sessions_and_keys(engine: Engine) {
    let (server, clerk) = open(engine).await;
    for (way, is_kept) in [(&[][..], false), (&["--keep-keys"], true)] {
        let opened = Open::of(&server, &clerk).await;
        for login in ["reader@acme.test", "ann@example.com"] {
            let set = ["user", "password", login, "--insecure-password", "a password of the operator"];
            let (done, said) = server.command(env!("CARGO_BIN_EXE_plinth"), &[&set, way].concat()).await;
            assert!(done, "{said}");
        }
        opened.expect_over(&server, &format!("plinth user password {way:?}"), is_kept).await;
        let form = [("user", "reader@acme.test"), ("password", "a password of the operator")];
        server.client().post_form("auth", &form).await.is(200);
    }
}

#[spec]
async fn an_import_of_logins_ends_links_codes_and_sessions(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("users.csv");
    let opened = Open::of(&server, &clerk).await;
    let (reader, ann) = (server.user("reader").await, opened.account.id);
    std::fs::write(&file, format!("id,user_id\n{reader},moved@acme.test\n{ann},ann.b@example.com\n")).unwrap();
    let arguments = ["import", "user", file.to_str().unwrap(), "--mode", "update", "--key", "id"];
    let (done, said) = server.command(env!("CARGO_BIN_EXE_plinth"), &arguments).await;
    assert!(done, "{said}");
    opened.expect_over(&server, "an import", true).await;
}

#[spec]
async fn an_automation_ends_links_codes_and_sessions(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let opened = Open::of(&server, &clerk).await;
    let update =
        |user: i64, login: &str| format!("  - update: {{type: user, item: {user}, set: {{user_id: {login}}}}}\n");
    let steps =
        update(server.user("reader").await, "moved@acme.test") + &update(opened.account.id, "ann.b@example.com");
    let file = format!("automation: move\non: {{event: note.created}}\ndo:\n{steps}");
    server.change(&[("automations/move.yaml", &file)]).await;
    server.admin().create("note", json!({"text": "now"})).await;
    server.run_automations().await;
    opened.expect_over(&server, "an automation", true).await;
}

#[spec("R-189")]
async fn a_code_of_letters_of_one_case_may_be_typed_in_the_other(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let options = json!({"mail_code": {"charlist": "A-Z", "length": 12}});
    let account = Account::verified_by(&clerk, options).await;
    server.deliver().await;
    let text = server.mails().last().unwrap().text.clone();
    let mut words = text.split(|character: char| !character.is_ascii_alphanumeric());
    let upper = |word: &&str| word.len() == 12 && word.bytes().all(|byte| byte.is_ascii_uppercase());
    let code = words.find(upper).unwrap().to_lowercase();
    account.prove(&server.client(), "mail_code", &code).await.is(200).says("\"challengeCompleted\":true");
    let refused =
        json!({"user_id": "b@example.com", "user_name": "B", "verify_account": {"mail_code": {"charlist": "z-a"}}});
    clerk.post("app/user.register", refused).await.is(400).says("charlist");
    let nothing = json!({"user_id": "b@example.com", "user_name": "B", "verify_account": {"mail_link": null}});
    clerk.post("app/user.register", nothing).await.is(400).says("verify_account.mail_link");
}

#[spec("R-173")]
async fn a_password_is_not_the_login_of_its_account(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let body = |password: &str| json!({"user_id": "ann@example.com", "user_name": "Ann", "password": password});
    clerk.post("app/user.register", body("Ann@Example.com")).await.is(400).says("login or e-mail address");
    clerk.post("app/user.register", body("Ann@Example.com 2")).await.is(200);
    let admin = server.admin();
    let path = format!("collection/user/{}", server.user("reader").await);
    admin.patch(&path, json!({"password": "READER@acme.test"})).await.is(400).says("login or e-mail address");
    let both = json!({"user_id": "new@acme.test", "user_name": "N", "password": "new@acme.test"});
    admin.put(&path, both.clone()).await.is(400).says("login or e-mail address");
    admin.post("collection/user", both).await.is(400).says("login or e-mail address");
    let token = link(&server, &clerk).await;
    let refused = server.reset_with(&token, "reader@ACME.test").await.unwrap_err();
    assert_eq!(refused.code, "password_weak");
    // However letters are composed, it is the same password.
    admin.patch(&path, json!({"password": "p\u{159}\u{ed}li\u{161} \u{17e}lu\u{165}ou\u{10d}k\u{fd}"})).await.is(200);
    let decomposed = "pr\u{30c}i\u{301}lis\u{30c} z\u{30c}lut\u{30c}ouc\u{30c}ky\u{301}";
    server.client().post_form("auth", &[("user", "reader@acme.test"), ("password", decomposed)]).await.is(200);
}

#[spec("R-180", "R-203")]
async fn a_redirect_has_an_international_host_and_one_status(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let account = Account::verified_by(
        &clerk,
        json!({"mail_code": {}, "redirect_url": "https://příklad.example/a?status=new&b=1"}),
    )
    .await;
    let code = secret(&server, "mail_code").await;
    let answer = account.prove(&server.client(), "mail_code", &code).await.is(200);
    assert_eq!(answer.at("/redirect"), "https://xn--pklad-zsa96e.example/a?b=1&status=success");
}
