//! user.register: what it makes and answers, and who may ask.

use super::{Account, OPEN, TENANT, ann, failed, open, secret};
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Engine, Server};

#[spec("R-052", "R-053", "R-168", "R-177", "R-183", "D-1", "D-6")]
async fn an_account_waits_until_it_is_verified(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let body = json!({"user_id": "Ann@Example.com", "user_name": " Ann ", "verify_account": {}});
    let answer = clerk.post("app/user.register", body).await.is(200).json();
    assert_eq!(answer.as_object().unwrap().keys().collect::<Vec<_>>(), ["object", "apiKey", "challenge"]);
    assert_eq!((&answer["apiKey"], &answer["challenge"]), (&Json::Null, &json!(false)));
    let object = &answer["object"];
    assert_eq!((&object["user_id"], &object["user_name"]), (&json!("ann@example.com"), &json!("Ann")));
    assert_eq!(object["login_expired"], true);
    assert!(object["valid_from"].as_str().unwrap().starts_with("9999-"), "{object}");
    // What is stored is what was answered.
    let stored = server.admin().get(&format!("collection/user/{}", object["id"])).await.is(200).json();
    assert_eq!(&stored, object);
    server.deliver().await;
    assert!(server.mails().is_empty() && server.texts().is_empty(), "nothing is sent");
}

/// Whatever has no method in it is an empty configuration; one that is left out is a mailed link.
#[spec("D-30", "R-055", "R-056", "R-181")]
async fn without_a_method_nothing_is_sent_and_without_a_configuration_a_link_is(engine: Engine) {
    let (server, clerk) = open(engine).await;
    for (number, configuration) in
        [json!({}), json!({"title": "Welcome"}), json!({"redirect_url": "https://a.example"})].into_iter().enumerate()
    {
        let body =
            json!({"user_id": format!("u{number}@example.com"), "user_name": "U", "verify_account": configuration});
        assert_eq!(clerk.post("app/user.register", body).await.is(200).at("/challenge"), false);
    }
    server.deliver().await;
    assert_eq!(server.mails().len(), 0);
    let ann = Account::register(&clerk, ann(json!({}))).await;
    server.deliver().await;
    let mails = server.mails();
    assert_eq!((mails.len(), mails[0].to.as_slice()), (1, ["ann@example.com".to_owned()].as_slice()));
    let done = ann.prove(&server.client(), "mail_link", &secret(&server, "mail_link").await).await;
    assert_eq!(done.is(200).json(), json!({"methodDone": true, "challengeCompleted": true}));
    assert_eq!(ann.state(&server).await, Some(true));
}

#[spec("R-040", "R-041", "R-042", "R-054", "R-182", "R-198", "R-199")]
async fn each_method_is_sent_at_once(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let methods = json!({"title": "Join us", "mail_link": {}, "mail_code": {}, "sms_code": {}});
    let account = Account::verified_by(&clerk, methods).await;
    let challenge = account.challenge.strip_prefix("ch_").unwrap();
    assert!(challenge.len() == 26 && challenge.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{challenge}");
    server.deliver().await;
    let (mails, texts) = (server.mails(), server.texts());
    assert_eq!((mails.len(), texts.len()), (2, 1));
    assert!(mails.iter().all(|mail| mail.to == ["ann@example.com"]), "{mails:?}");
    assert!(mails.iter().any(|mail| mail.subject.contains("Join us")), "{mails:?}");
    assert_eq!(texts[0].to, "+420601234567");
    let link = &mails.iter().find(|mail| mail.links.iter().any(|link| link.contains("mail_link"))).unwrap().links[0];
    let way = "https://acme.example/app/api/v1/app/user.challenge?";
    assert!(link.starts_with(way), "{link}");
    let [link, mail, sms] =
        [secret(&server, "mail_link").await, secret(&server, "mail_code").await, secret(&server, "sms_code").await];
    // Each method has its own secret.
    let client = server.client();
    assert_eq!(account.prove(&client, "sms_code", &link).await.is(200).json(), failed());
    for (method, secret, completed) in [("mail_code", mail, false), ("sms_code", sms, false), ("mail_link", link, true)]
    {
        let answer = account.prove(&client, method, &secret).await.is(200).json();
        assert_eq!(answer, json!({"methodDone": true, "challengeCompleted": completed}), "{method}");
        assert_eq!(account.state(&server).await, Some(completed));
    }
}

#[spec("R-178", "D-35", "A018")]
async fn a_key_is_given_with_a_password_and_a_role_and_works_once_verified(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let password = "correct horse battery";
    for (number, own) in [
        json!({}),
        json!({"password": password}),
        json!({"roles": ["reader"]}),
        json!({"password": password, "roles": ["guest"]}),
    ]
    .into_iter()
    .enumerate()
    {
        let mut body = ann(own);
        body["user_id"] = json!(format!("u{number}@example.com"));
        assert_eq!(clerk.post("app/user.register", body).await.is(200).at("/apiKey"), Json::Null);
    }
    let body = ann(json!({"password": password, "roles": ["reader", "guest"], "verify_account": {"mail_code": {}}}));
    let answer = clerk.post("app/user.register", body).await.is(200).lacks(password).json();
    assert_eq!(answer["object"]["roles"], json!(["reader", "guest"]));
    let key = answer["apiKey"].as_str().unwrap();
    let own = server.client().with("key", key);
    for path in
        ["collection/article", "app/user.current", "app/backend.version", "collection/tags", "app/user.register"]
    {
        own.get(path).await.is(403);
    }
    own.post("app/user.register", json!({})).await.is(403);
    own.post("app/user.cancelregistration", json!({"userId": answer["object"]["id"]})).await.is(403);
    assert_eq!(own.get("auth").await.is(200).json(), json!({"status": "invalid", "validTo": ""}));
    let form = [("user", "ann@example.com"), ("password", password)];
    server.client().post_form("auth", &form).await.is(401);
    let account = Account {
        id: answer["object"]["id"].as_i64().unwrap(),
        challenge: answer["challenge"].as_str().unwrap().to_owned(),
        key: None,
    };
    account.prove(&server.client(), "mail_code", &secret(&server, "mail_code").await).await.is(200);
    own.get("collection/article").await.is(204);
    assert_eq!(own.get("auth").await.is(200).at("/status"), "valid");
    server.client().post_form("auth", &form).await.is(200);
}

#[spec("R-166", "R-167", "R-250", "R-278", "D-36")]
async fn the_permission_and_the_tenants_lists_decide(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let envelope = clerk.get("app/user.register").await.is(200).json();
    let expected = json!({"allowedDomains": [], "allowedRoles": ["reader", "guest"], "allowedGroups": ["red"]});
    assert_eq!(envelope, expected);
    for client in [server.reader(), server.client()] {
        client.get("app/user.register").await.is(403);
        // Who may not ask is not told what is wrong with the question.
        client.post("app/user.register", json!({"x": 1})).await.is(403);
        client.post("app/user.retrychallenge", json!({"x": 1})).await.is(403);
        client.post("app/user.cancelregistration", json!({"x": 1})).await.is(403);
        client.post("app/user.resetpassword", json!({"x": 1})).await.is(403);
    }
    for own in [
        json!({"roles": ["editor"]}),
        json!({"roles": ["reader", "nobody"]}),
        json!({"user_group": "blue"}),
        json!({"user_group": "nothing"}),
    ] {
        clerk.post("app/user.register", ann(own)).await.is(403);
    }
    let tenant = TENANT.replace("registration: {", "registration: {allowedDomains: [allowed.cz, Example.org], ");
    server.change(&[("tenant.yaml", &tenant.replace("[reader, guest]", "[]").replace("[red]", "[]"))]).await;
    clerk.post("app/user.register", ann(json!({}))).await.is(403).says("example.com");
    for own in [json!({"roles": ["reader"]}), json!({"user_group": "red"})] {
        let mut body = ann(own);
        body["user_id"] = json!("ann@allowed.cz");
        clerk.post("app/user.register", body).await.is(403);
    }
    let body = json!({"user_id": "ann@EXAMPLE.org", "user_name": "Ann", "roles": []});
    clerk.post("app/user.register", body).await.is(200);
}

#[spec("R-171", "R-172", "R-173", "R-174", "R-208")]
async fn what_is_asked_for_is_what_the_user_has(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let own = json!({"roles": ["guest", "guest"], "user_group": "red", "phone": "+420 601 234 567"});
    let account = Account::register(&clerk, ann(own)).await;
    let user = server.admin().get(&format!("collection/user/{}", account.id)).await.is(200).json();
    assert_eq!((&user["roles"], &user["user_group"]), (&json!(["guest"]), &json!("red")));
    assert_eq!(user["phone"], "+420601234567");
    // The clerk has no right on users at all: what is done for the registration is done with more.
    clerk.get("collection/user").await.is(403);
    clerk.post("app/user.cancelregistration", json!({"userId": account.id})).await.is(200);
    assert_eq!(account.state(&server).await, None);
}

#[spec("R-279", "R-291", "R-273")]
async fn an_address_that_is_taken_is_a_conflict(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let account = Account::register(&clerk, ann(json!({}))).await;
    for address in ["ann@example.com", "ANN@example.com"] {
        let mut body = ann(json!({"verify_account": {"mail_code": {}}}));
        body["user_id"] = json!(address);
        let conflict = clerk.post("app/user.register", body).await.is(409).says("E-mail").json();
        assert_eq!(conflict.as_object().unwrap().keys().collect::<Vec<_>>(), ["message"]);
    }
    server.deliver().await;
    assert_eq!(server.mails().len(), 1, "nothing is sent to whoever is there already");
    // What the conflict calls for works.
    account.retry(&clerk).await.is(200);
    clerk.post("app/user.cancelregistration", json!({"userId": account.id})).await.is(200);
    clerk.post("app/user.register", ann(json!({}))).await.is(200);
}

/// Of many who register one address at once, one does.
#[spec("R-279", "D-24")]
async fn an_address_is_registered_once_whoever_comes_together(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let node = server.node().await;
    let there = node.client().with("key", &server.key("clerk").await);
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..12 {
        let client = if number % 2 == 0 { clerk.clone() } else { there.clone() };
        tasks.spawn(async move { client.post("app/user.register", ann(json!({}))).await.status });
    }
    let mut statuses = tasks.join_all().await;
    statuses.sort_unstable();
    assert_eq!((statuses[0], &statuses[1..]), (200, [409; 11].as_slice()));
    server.deliver().await;
    assert_eq!(server.mails().len(), 1);
}

/// The properties that a tenant adds to users hold for registrations, and are told only to who may read them.
#[spec("R-177", "D-3")]
async fn a_tenants_own_properties_of_users_hold(engine: Engine) {
    let users = "name: user\nproperties:\n  badge: {id: 300, kind: pString, title: Badge, default: none}\n";
    let files: Vec<_> = OPEN.into_iter().chain([("types/user.yaml", users)]).collect();
    let server = Server::with(engine, &files).await;
    let clerk = server.client().with("key", &server.key("clerk").await);
    let answer = clerk.post("app/user.register", ann(json!({}))).await.is(200).lacks("badge").json();
    let path = format!("collection/user/{}", answer["object"]["id"]);
    assert_eq!(server.admin().get(&path).await.at("/badge"), "none");
}

#[spec("R-166", "D-9")]
async fn a_scoped_key_calls_the_commands_that_it_names(engine: Engine) {
    let (server, _) = open(engine).await;
    let login = server.login("clerk").await;
    for (scope, command, allowed) in [
        ("app:user.register", "user.register", true),
        ("app:user.register", "user.retrychallenge", false),
        ("app:user.retrychallenge", "user.retrychallenge", true),
        ("app:user.cancelregistration", "user.cancelregistration", true),
        ("app:user.cancelregistration", "user.register", false),
        ("app:user.resetpassword", "user.resetpassword", true),
        ("app:user.resetpassword", "user.register", false),
        ("collection:*:edit", "user.register", false),
    ] {
        let form = [("user", login.user.as_str()), ("password", login.password.as_str()), ("permissions", scope)];
        let made = server.client().post_form("auth", &form).await.is(200);
        let client = server.client().with("key", made.at("/authToken/keyString").as_str().unwrap());
        // An empty body is what is found wrong once the permission is there.
        let expected = if allowed { 400 } else { 403 };
        client.post(&format!("app/{command}"), json!({})).await.is(expected);
    }
}

#[spec("R-179", "R-042")]
async fn a_verification_has_a_title_in_the_tenants_language(engine: Engine) {
    let (server, clerk) = open(engine).await;
    for (number, (locale, title, expected)) in [
        ("en", None, "User account verification"),
        ("cs", None, "Ov\u{11b}\u{159}en\u{ed} u\u{17e}ivatelsk\u{e9}ho \u{fa}\u{10d}tu"),
        ("cs", Some("V\u{ed}tejte"), "V\u{ed}tejte"),
    ]
    .into_iter()
    .enumerate()
    {
        server.change(&[("tenant.yaml", &format!("{TENANT}locale: {locale}\n"))]).await;
        let verification = json!({"title": title, "mail_link": {}});
        let own = json!({"user_id": format!("u{number}@example.com"), "verify_account": verification});
        clerk.post("app/user.register", ann(own)).await.is(200);
        server.deliver().await;
        let mail = server.mails().pop().unwrap();
        assert!(mail.subject.contains(expected), "{}", mail.subject);
    }
}
