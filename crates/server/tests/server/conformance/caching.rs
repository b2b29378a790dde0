//! The six rules of response caching: what is kept, for whom, and that nothing is kept too long.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Reply, Server, Subject};

/// Reads of the fixture that are eligible. Those that a row by its key answers alone have an ETag and are not stored.
const STORED: [(&str, &str); 6] = [
    ("GET", "collection/article"),
    ("GET", "collection/article?orderBy=-views&perPage=2"),
    ("GET", "collection/note"),
    ("SEARCH", "collection/person"),
    ("GET", "collection/article/1?showFields=name,author.name"),
    ("GET", "collection/article/get-by/code/a1"),
];

/// A server whose articles are logged when they are read.
struct Logging(Server);

impl Subject for Logging {
    async fn on(engine: Engine) -> Self {
        let text = testing::FILES.iter().find(|(path, _)| *path == "types/article.yaml").unwrap().1;
        let logged = text.replace("title: Article\n", "title: Article\nlogReads: true\n");
        Logging(Server::with(engine, &[("types/article.yaml", &logged)]).await)
    }
}

/// Whether asking gives an answer out of the cache.
async fn is_hit(server: &Server, client: &Client, method: &str, path: &str) -> bool {
    let before = server.cache();
    let reply = client.request(method, path).send().await;
    assert!([200, 204].contains(&reply.status), "{}: {}", reply.request, reply.status);
    let after = server.cache();
    assert!(after.misses - before.misses + after.hits - before.hits <= 1);
    after.hits > before.hits
}

/// Checks that an answer, wherever it comes from, is the one of the database.
async fn is_fresh(client: &Client, method: &str, path: &str) {
    let kept = client.request(method, path).send().await;
    let fresh = client.request(method, path).header("cache-control", "no-cache").send().await;
    let parts = |reply: &Reply| (reply.status, reply.text.clone(), reply.header("etag").to_owned());
    assert_eq!(parts(&kept), parts(&fresh), "{method} {path}");
}

/// Two articles of a person, who lives in a country, and a note on the first.
async fn fill(server: &Server) {
    let admin = server.admin();
    admin.create("country", json!({"name": "Czechia", "code": "CZ"})).await;
    admin.create("person", json!({"name": "Ada", "code": "p1", "country": 1, "salary": 5})).await;
    admin.create("article", json!({"name": "A", "code": "a1", "author": 1, "views": 3})).await;
    admin.create("article", json!({"name": "B", "code": "a2", "author": 1, "views": 4})).await;
    admin.create("note", json!({"text": "N", "article": 1})).await;
}

#[spec("R-074", "R-075", "R-076", "R-077")]
async fn eligible_reads_are_kept_and_validated(server: Server) {
    fill(&server).await;
    let admin = server.admin();
    let by_key = [("GET", "collection/article/1"), ("HEAD", "collection/article/2")];
    for (method, path) in STORED.into_iter().chain(by_key) {
        let first = admin.request(method, path).send().await.is(200);
        let again = admin.request(method, path).send().await.is(200);
        assert_eq!(first.text, again.text);
        for reply in [&first, &again] {
            let tag = reply.header("etag");
            let digits = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"')).unwrap();
            assert!(!digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit()), "{tag}");
            assert_eq!(tag, first.header("etag"), "{method} {path}");
            assert_eq!(reply.header("cache-control"), "private, must-revalidate", "{method} {path}");
        }
        let known = admin.with("if-none-match", first.header("etag"));
        let same = known.request(method, path).send().await.is(304);
        assert_eq!((same.text.as_str(), same.header("etag")), ("", first.header("etag")));
        assert_eq!(same.header("cache-control"), "private, must-revalidate");
        let stored = STORED.contains(&(method, path));
        assert_eq!(is_hit(&server, &admin, method, path).await, stored, "{method} {path}");
    }
    // GET and SEARCH with the same parameters are the same list.
    admin.get("collection/article?perPage=3").await.is(200);
    assert!(is_hit(&server, &admin, "SEARCH", "collection/article?perPage=3").await);
    // What is not eligible is not to be stored by anybody.
    for path in ["app/backend.version", "auth", "collection/article/99", "collection/nothing"] {
        assert_eq!(admin.get(path).await.header("cache-control"), "no-store", "{path}");
    }
    let written = admin.patch("collection/article/1", json!({"views": 9})).await.is(200);
    assert_eq!(written.header("cache-control"), "no-store");
}

#[spec("R-078", "R-079")]
async fn it_can_be_passed_by(server: Server) {
    fill(&server).await;
    let admin = server.admin();
    for (method, path) in STORED {
        let tag = admin.request(method, path).send().await.is(200).header("etag").to_owned();
        let known = admin.with("if-none-match", &tag);
        known.request(method, path).send().await.is(304);
        let before = server.cache();
        let sign = if path.contains('?') { '&' } else { '?' };
        let parameter = format!("{path}{sign}_noCache=1");
        for request in [
            known.request(method, path).header("cache-control", "no-cache"),
            known.request(method, path).header("cache-control", "max-age=0, No-Cache"),
            known.request(method, &parameter),
            known.request(method, &parameter.replace("_noCache=1", "_noCache=true")),
            known.request(method, &parameter.replace("_noCache=1", "%5FnoCache=1")),
        ] {
            let reply = request.send().await.is(200);
            assert_eq!(reply.header("etag"), tag);
            assert!(!reply.text.is_empty());
        }
        assert_eq!(server.cache(), before, "{method} {path}");
        // It says how this request is answered, not what others find.
        for said in ["_noCache=0", "_noCache=false"] {
            known.request(method, &parameter.replace("_noCache=1", said)).send().await.is(304);
        }
        for said in ["_noCache=", "_noCache", "_noCache=yes", "_noCache=1&_noCache=1x"] {
            known.request(method, &parameter.replace("_noCache=1", said)).send().await.is(400).says("_noCache");
        }
        if *method == *"SEARCH" {
            known.request(method, path).json(&json!({"_noCache": true})).send().await.is(400).says("_noCache");
        }
        assert!(is_hit(&server, &admin, method, path).await, "{method} {path}");
    }
}

#[spec("R-080")]
async fn logged_types_are_not_kept_one_by_one(Logging(server): Logging) {
    fill(&server).await;
    let admin = server.admin();
    for path in [
        "collection/article/1",
        "collection/article/1?showFields=name,author.name",
        "collection/article/get-by/code/a1",
    ] {
        let reply = admin.get(path).await.is(200);
        assert_eq!(reply.header("cache-control"), "no-store");
        admin.with("if-none-match", reply.header("etag")).get(path).await.is(200);
        assert!(!is_hit(&server, &admin, "GET", path).await, "{path}");
    }
    // Each reading of a list, or of what embeds the type, is logged as well.
    for path in ["collection/article", "collection/note/1?showFields=text,article.name"] {
        admin.get(path).await.is(200);
        assert!(!is_hit(&server, &admin, "GET", path).await, "{path}");
    }
}

#[spec("R-081")]
async fn everybody_has_answers_of_their_own(server: Server) {
    fill(&server).await;
    let (admin, reader) = (server.admin(), server.reader());
    let path = "collection/article?orderBy=-views";
    for client in [&admin, &reader, &server.editor()] {
        assert!(!is_hit(&server, client, "GET", path).await);
        assert!(is_hit(&server, client, "GET", path).await);
        is_fresh(client, "GET", path).await;
    }
    assert_ne!(admin.get(path).await.text, reader.get(path).await.text);
    // Another key of the same user is the same reader, unless it may do less.
    let other = server.client().with("key", &server.key("admin").await);
    assert!(is_hit(&server, &other, "GET", path).await || is_hit(&server, &other, "GET", path).await);
    let login = server.login("admin").await;
    let scope = "collection:article:show";
    let form = [("user", login.user.as_str()), ("password", login.password.as_str()), ("permissions", scope)];
    let made = server.client().post_form("auth", &form).await.is(200);
    let narrow = server.client().with("key", made.at("/authToken/keyString").as_str().unwrap());
    admin.get("collection/person").await.is(200);
    narrow.with("if-none-match", "*").get("collection/person").await.is(403);
    admin.get(path).await.is(200);
    assert!(!is_hit(&server, &narrow, "GET", path).await, "a key with other scopes asks for itself");
    assert!(is_hit(&server, &narrow, "GET", path).await);
}

#[spec("R-081", "A017")]
async fn changes_of_rights_end_answers(server: Server) {
    fill(&server).await;
    let (reader, path) = (server.reader(), "collection/article");
    let prime = async || {
        let tag = reader.get(path).await.is(200).header("etag").to_owned();
        assert!(is_hit(&server, &reader, "GET", path).await);
        reader.with("if-none-match", &tag)
    };
    let known = prime().await;
    server.set_user("reader", json!({"roles": ["guest"]})).await;
    known.get(path).await.is(403);
    server.set_user("reader", json!({"roles": ["reader", "editor"]})).await;
    known.get(path).await.is(200).says("body");
    server.set_user("reader", json!({"roles": ["reader"]})).await;
    let known = prime().await;
    server.set_user("reader", json!({"login_expired": true})).await;
    known.get(path).await.is(403);
    server.set_user("reader", json!({"login_expired": false})).await;
    // What a role may read, and how the type looks.
    let known = prime().await;
    let role = "role: reader\ntitle: Reader\nsystem: [restApi]\ntypes:\n  article: {show: {fields: [name]}}\n";
    server.change(&[("roles/reader.yaml", role)]).await;
    known.get(path).await.is(200).lacks("views");
    // The display zone.
    let admin = server.admin();
    admin.patch("collection/article/1", json!({"published": "2026-06-01T12:00:00+00:00"})).await.is(200);
    for zone in ["Asia/Tokyo", "America/Lima"] {
        server.set_user("admin", json!({"timezone": zone})).await;
        is_fresh(&admin, "GET", path).await;
        is_fresh(&admin, "GET", path).await;
    }
    // A key that is revoked, and one whose time is over.
    let key = server.key("admin").await;
    let client = server.client().with("key", &key);
    client.get(path).await.is(200);
    assert!(is_hit(&server, &client, "GET", path).await);
    server.client().post_form("deauth", &[("key", &key)]).await.is(200);
    client.with("if-none-match", "*").get(path).await.is(403);
}

#[spec("R-082")]
async fn every_write_ends_what_rests_on_it(server: Server) {
    fill(&server).await;
    let admin = server.admin();
    let views = r#"[{"property":"views","type":"gte","param":3}]"#;
    let by_author = r#"[{"property":"author.country.code","type":"eq","param":"CZ"}]"#;
    let lists: Vec<String> = vec![
        "collection/article".into(),
        "collection/article?orderBy=author.name,-views&showFields=name,author.country.name".into(),
        format!("collection/article?{}", testing::form(&[("filters", views), ("orderBy", "-views")])),
        format!("collection/article?{}", testing::form(&[("filters", by_author)])),
        "collection/article/1?showFields=name,author.country.name".into(),
        "collection/article/get-by/code/a1".into(),
        "collection/note?showFields=text,article.author.name".into(),
        "collection/person".into(),
        "collection/country".into(),
        "collection/user?showFields=user_name".into(),
    ];
    let writes: Vec<(&str, &str, Json, u16)> = vec![
        ("POST", "collection/article", json!({"name": "C", "code": "a3", "author": 1, "views": 7}), 201),
        ("PATCH", "collection/article/1", json!({"views+=": 1}), 200),
        ("PUT", "collection/article/1", json!({"name": "A!", "code": "a1", "author": 1}), 200),
        ("PATCH", "collection/article/1", json!({"labels": ["red"], "readers": [1]}), 200),
        ("PATCH", "collection/person/1", json!({"name": "Eva"}), 200),
        ("PATCH", "collection/country/1", json!({"name": "Česko"}), 200),
        ("PATCH", "collection/country/1", json!({"code": "CS"}), 200),
        ("PATCH", "collection/user/1", json!({"user_name": "Somebody"}), 200),
        // Notes go with their article; articles lose their author, whose country is free then.
        ("DELETE", "collection/article/1", Json::Null, 204),
        ("POST", "collection/note", json!({"text": "M", "article": 2}), 201),
        ("DELETE", "collection/person/1", Json::Null, 204),
        ("DELETE", "collection/country/1", Json::Null, 204),
        ("DELETE", "collection/article/2", Json::Null, 204),
    ];
    for (method, path, body, status) in writes {
        for list in &lists {
            // Twice and a third time, so that counts and orders are remembered as well.
            for _ in 0..3 {
                admin.get(list).await;
            }
        }
        let request = admin.request(method, path);
        let request = if body.is_null() { request } else { request.json(&body) };
        request.send().await.is(status);
        for list in &lists {
            is_fresh(&admin, "GET", list).await;
        }
    }
}

#[spec("D-28")]
async fn what_depends_on_the_present_is_not_stored(server: Server) {
    fill(&server).await;
    let admin = server.admin();
    admin.patch("collection/article/1", json!({"published": "2026-06-01T12:00:00+00:00"})).await.is(200);
    for filter in [
        json!({"property": "published", "type": "lte", "param": {"$now": ""}}),
        json!({"property": "published", "type": "onDay"}),
        json!({"property": "published", "type": "inPeriod", "param": "today"}),
        json!({"property": "*", "type": "not", "param": [{"property": "published", "type": "inLast", "param": "2 days"}]}),
    ] {
        let path = format!("collection/article?{}", testing::form(&[("filters", &json!([filter]).to_string())]));
        for _ in 0..3 {
            assert!(!is_hit(&server, &admin, "GET", &path).await, "{filter}");
            is_fresh(&admin, "GET", &path).await;
        }
        let tag = admin.get(&path).await.header("etag").to_owned();
        admin.with("if-none-match", &tag).get(&path).await.is(304);
    }
    // A day that is named is the same tomorrow.
    let filter = json!([{"property": "published", "type": "onDay", "param": "2026-06-01"}]).to_string();
    let path = format!("collection/article?{}", testing::form(&[("filters", &filter)]));
    admin.get(&path).await.is(200);
    assert!(is_hit(&server, &admin, "GET", &path).await);
}
