//! showFields and hideFields, with relations expanded by dotted paths.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::Server;

/// An article by a person of a country, and the ids of the three.
async fn family(server: &Server) -> (Json, Json, Json) {
    let admin = server.admin();
    let country = admin.create("country", json!({"name": "Czechia", "code": "CZ"})).await["id"].clone();
    let person = admin.create("person", json!({"name": "Božena", "country": country, "salary": 9})).await["id"].clone();
    let body = json!({"name": "Babička", "author": person, "readers": [person], "views": 1});
    (admin.create("article", body).await["id"].clone(), person, country)
}

#[spec("R-115", "D-19")]
async fn shown_fields_are_an_allow_list(server: Server) {
    let (article, person, _) = family(&server).await;
    let admin = server.admin();
    let expected = json!({"id": article, "name": "Babička", "author": person});
    for query in [
        "showFields=name,author",
        "showFields=name&showFields=author",
        "showFields[]=name&showFields[]=author",
        "showFields%5B%5D=name&showFields%5B%5D=author",
    ] {
        assert_eq!(admin.get(&format!("collection/article?{query}")).await.is(200).at("/data/0"), expected, "{query}");
    }
    let body = json!({"showFields": ["name", "author"]});
    assert_eq!(admin.search("collection/article", body).await.is(200).at("/data/0"), expected);
    let body = json!({"showFields": "name,author"});
    assert_eq!(admin.search("collection/article", body).await.is(200).at("/data/0"), expected);
    admin.get("collection/article?showFields=nothing").await.is(400).says("nothing");
}

#[spec("R-116", "D-19")]
async fn hidden_fields_are_a_deny_list_after_the_allow_list(server: Server) {
    let (article, ..) = family(&server).await;
    let admin = server.admin();
    let row = admin.get("collection/article?hideFields=body,uuid").await.is(200).at("/data/0");
    assert_eq!((row.get("body"), row.get("uuid"), &row["id"]), (None, None, &article));
    let query = "collection/article?showFields=name,views&hideFields=views,id";
    assert_eq!(admin.get(query).await.is(200).at("/data/0"), json!({"name": "Babička"}));
    admin.get("collection/article?hideFields=nothing").await.is(400).says("nothing");
}

#[spec("D-19")]
async fn a_dotted_path_expands_a_relation(server: Server) {
    let (article, person, country) = family(&server).await;
    let admin = server.admin();
    let show =
        async |fields: &str| admin.get(&format!("collection/article?showFields={fields}")).await.is(200).at("/data/0");
    assert_eq!(show("author").await, json!({"id": article, "author": person}));
    assert_eq!(show("author.name").await["author"], json!({"id": person, "name": "Božena"}));
    assert_eq!(show("readers.name").await["readers"], json!([{"id": person, "name": "Božena"}]));
    assert_eq!(show("author.country.code").await["author"]["country"], json!({"id": country, "code": "CZ"}));
    let both = show("author.name,author.country.code").await;
    assert_eq!(both["author"], json!({"id": person, "name": "Božena", "country": {"id": country, "code": "CZ"}}));
    let one = admin.get(&format!("collection/article/{article}?showFields=author.name")).await.is(200);
    assert_eq!(one.at("/author/name"), "Božena");
    admin
        .check(&[
            ("GET collection/article?showFields=author.nothing", 400, "author.nothing"),
            ("GET collection/article?showFields=name.length", 400, "name.length"),
            ("GET collection/person?showFields=chief.chief.chief.chief.name", 400, "chief"),
            ("GET collection/article?showFields=author..name", 400, "author"),
        ])
        .await;
    admin.create("article", json!({"name": "Anonymous"})).await;
    let reply = admin.get("collection/article?showFields=author.name&orderBy=-id").await.is(200);
    assert_eq!(reply.at("/data/0/author"), Json::Null);
}

#[spec("D-2", "D-3", "D-12")]
async fn what_may_not_be_read_is_as_if_it_were_not_there(server: Server) {
    family(&server).await;
    let editor = server.editor();
    let row = editor.get("collection/article").await.is(200).at("/data/0");
    assert!(row.get("name").is_some() && row.get("cost").is_none(), "{row}");
    // Reader is granted four fields; the person's type is not granted at all, but its id is a field of the article.
    let row = server.reader().get("collection/article").await.is(200).at("/data/0");
    let mut names: Vec<&String> = row.as_object().unwrap().keys().collect();
    names.sort_unstable();
    assert_eq!(names, ["author", "id", "name", "published", "uuid", "views"]);
    for (client, hidden) in [
        (server.editor(), "cost"),
        (server.reader(), "body"),
        (server.editor(), "author.salary"),
        (server.reader(), "author.name"),
    ] {
        for parameter in ["showFields", "hideFields", "orderBy"] {
            if parameter == "hideFields" && hidden.contains('.') {
                continue;
            }
            let hidden_text = client.query("collection/article", &[(parameter, hidden)]).await.is(400).text.clone();
            let leaf = hidden.rsplit('.').next().unwrap();
            let absent = hidden.replace(leaf, "absent");
            let absent_text = client.query("collection/article", &[(parameter, &absent)]).await.is(400).text.clone();
            assert_eq!(hidden_text.replace(leaf, "absent"), absent_text, "{parameter}={hidden}");
        }
        let filter = |name: &str| json!({"filters": [{"property": name, "type": "isNull"}]});
        let hidden_text = client.search("collection/article", filter(hidden)).await.is(400).text.clone();
        let leaf = hidden.rsplit('.').next().unwrap();
        let absent_text =
            client.search("collection/article", filter(&hidden.replace(leaf, "absent"))).await.is(400).text.clone();
        assert_eq!(hidden_text.replace(leaf, "absent"), absent_text, "{hidden}");
    }
    let by_hidden = server.reader().get("collection/article/get-by/body/x").await.is(400).text.clone();
    let by_absent = server.reader().get("collection/article/get-by/absent/x").await.is(400).text.clone();
    assert_eq!(by_hidden.replace("body", "absent"), by_absent);
}

#[spec("D-19")]
async fn an_expansion_that_grows_beyond_measure_is_refused(engine: testing::Engine) {
    let knot = "id: 40\nname: knot\nproperties:\n  ends: {id: 400, kind: pRelations, type: knot}\n";
    let server = Server::with(engine, &[("types/knot.yaml", knot)]).await;
    let admin = server.admin();
    let id = admin.create("knot", json!({})).await["id"].clone();
    let path = format!("collection/knot/{id}");
    admin.patch(&path, json!({"ends": vec![id.clone(); 1_000]})).await.is(200);
    let ends = admin.get(&format!("{path}?showFields=ends.version")).await.is(200).at("/ends");
    assert_eq!(ends, json!(vec![json!({"id": id, "version": 2}); 1_000]));
    // A thousand times a thousand times a thousand.
    for request in [&path, "collection/knot"] {
        let refused = admin.get(&format!("{request}?showFields=ends.ends.ends.version")).await.is(400);
        assert_eq!(refused.header("x-error-code"), "answer_too_large");
    }
}
