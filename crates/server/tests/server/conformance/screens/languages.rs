//! The language of the titles that no file gives.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};

const MODEL: &str = "/api/ext/v1/model";

async fn titles(client: &Client, name: &str) -> Json {
    let model = client.get(MODEL).await.is(200).json();
    let of = model["types"].as_array().unwrap().iter().find(|of| of["name"] == name).unwrap().clone();
    let properties = of["properties"].as_array().unwrap().iter();
    let titles = properties.map(|property| (property["identifier"].as_str().unwrap(), &property["title"]));
    std::iter::once(("*", &of["title"])).chain(titles).map(|(name, title)| (name.to_owned(), title.clone())).collect()
}

#[spec("E-159")]
async fn built_in_titles_have_the_language_of_the_caller(engine: Engine) {
    let user = "name: user\nproperties:\n  version_: {id: 310, kind: pInteger, title: Version of the badge}\n";
    let files = [
        ("types/user.yaml", user),
        ("types/made.yaml", "id: 30\nname: made\nproperties:\n  password: {id: 300, kind: pString}\n"),
    ];
    let server = Server::with(engine, &files).await;
    let admin = server.admin();
    let czech = admin.with("accept-language", "cs-CZ, en;q=0.5");
    let english = titles(&admin, "article").await;
    assert_eq!(
        (&english["id"], &english["created"], &english["createdBy"]),
        (&json!("Id"), &json!("Created"), &json!("Created by"))
    );
    let told = titles(&czech, "article").await;
    assert_eq!(
        (&told["created"], &told["createdBy"], &told["version"]),
        (&json!("Vytvořeno"), &json!("Vytvořil"), &json!("Verze"))
    );
    assert_eq!((&told["name"], &told["*"]), (&json!("Name"), &json!("Article")), "titles of files stay");
    let users = titles(&czech, "user").await;
    assert_eq!((&users["*"], &users["roles"]), (&json!("Uživatel"), &json!("Role")));
    assert_eq!(users["version_"], "Version of the badge");
    assert_eq!(titles(&czech, "made").await["password"], "Password", "a property of a file is no built-in one");
    // Each language has its own answer, validator and header.
    let (ours, theirs) = (admin.get(MODEL).await.is(200), czech.get(MODEL).await.is(200));
    assert_eq!((ours.header("content-language"), theirs.header("content-language")), ("en", "cs"));
    assert!(theirs.header("vary").contains("Accept-Language") && theirs.header("vary").contains("X-Plinth-Proof"));
    assert_ne!(ours.header("etag"), theirs.header("etag"));
    czech.with("if-none-match", theirs.header("etag")).get(MODEL).await.is(304);
    czech.with("if-none-match", ours.header("etag")).get(MODEL).await.is(200);
    // A caller who asks for none of our languages gets the tenant's.
    let unknown = admin.with("accept-language", "de");
    assert_eq!(titles(&unknown, "article").await["created"], "Created");
    server.change(&[("tenant.yaml", "tenant: acme\ntitle: Acme\nlocale: cs\n")]).await;
    assert_eq!(titles(&unknown, "article").await["created"], "Vytvořeno");
    assert_eq!(titles(&admin, "article").await["created"], "Vytvořeno");
    let asked = admin.with("accept-language", "en");
    assert_eq!(titles(&asked, "article").await["created"], "Created");
}
