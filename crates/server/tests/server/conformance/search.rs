//! The filter `search`: full text that follows every write, within the caller's rights.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Choices, Client, Engine, Server};

const WRITER: &str = r#"
id: 50
name: writer
properties:
  name: {id: 500, kind: pString, required: true, searchable: true}
"#;

const BOOK: &str = r#"
id: 51
name: book
properties:
  title:   {id: 510, kind: pString, title: Title, searchable: true}
  text:    {id: 511, kind: pText, title: Text, searchable: true}
  secret:  {id: 512, kind: pString, title: Secret, searchable: true}
  plain:   {id: 513, kind: pString, title: Plain}
  pages:   {id: 514, kind: pInteger, title: Pages}
  isbn:    {id: 515, kind: pAutonumber, title: Number, pattern: "B-{YYYY}-{###}", searchable: true}
  writer:  {id: 516, kind: pRelation, type: writer, onDelete: cascade}
  writers: {id: 517, kind: pRelations, type: writer, onDelete: setNull}
  meta:    {id: 518, kind: pJson}
"#;

const FILES: [(&str, &str); 2] = [("types/writer.yaml", WRITER), ("types/book.yaml", BOOK)];

const NONE: [i64; 0] = [];

fn search(property: &str, text: &str) -> Json {
    json!({"property": property, "type": "search", "param": text})
}

/// The ids that filters find, and what the total says of them.
async fn found(client: &Client, filters: Json) -> Vec<i64> {
    let body = json!({"filters": filters, "showFields": "id", "orderBy": "id", "perPage": 500});
    let reply = client.search("collection/book", body).await;
    assert!([200, 204].contains(&reply.status), "{filters}: {}", reply.text);
    let ids: Vec<i64> = reply.column("id").iter().map(|id| id.as_i64().unwrap()).collect();
    if reply.status == 200 {
        assert_eq!(reply.at("/stats/total"), ids.len(), "{filters}");
    }
    ids
}

async fn everywhere(client: &Client, text: &str) -> Vec<i64> {
    found(client, json!([search("*", text)])).await
}

async fn books(engine: Engine) -> Server {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    for name in ["Božena Němcová", "Karel Čapek"] {
        admin.create("writer", json!({"name": name})).await;
    }
    for book in [
        json!({"title": "Babička", "text": "Dávno, dávno již tomu", "secret": "mlýn", "plain": "kůň", "writer": 1}),
        json!({"title": "Krakatit", "text": "S večerem zhoustla mlha", "writer": 2, "writers": [2], "pages": 300}),
        json!({"title": "R.U.R.", "text": "Továrna Rossumových robotů", "writer": 2, "writers": [1, 2]}),
        json!({}),
    ] {
        admin.create("book", book).await;
    }
    server
}

#[spec]
async fn every_word_is_found_whatever_its_case_and_diacritics(engine: Engine) {
    let server = books(engine).await;
    let admin = server.admin();
    for (text, expected) in [
        ("babička", &[1][..]),
        ("BABICKA", &[1]),
        ("babičk", &[1]),
        ("babičk dávno", &[]),
        ("dávno babičk", &[1]),
        ("davno mlyn", &[1]),
        ("mlh mlha", &[]),
        ("mlha, mlh!", &[2]),
        ("ml", &[1, 2]),
        ("kůň", &[]),
        ("r u r", &[3]),
        ("b 2026 003", &[3]),
        ("2026", &[1, 2, 3, 4]),
        ("čapek", &[]),
        ("\"mlha\" OR* -x {title}:", &[]),
        ("rossumových' robotů:*&|!()\\", &[3]),
    ] {
        assert_eq!(everywhere(&admin, text).await, expected, "{text}");
    }
    assert_eq!(found(&admin, json!([search("text", "m")])).await, [2]);
    assert_eq!(found(&admin, json!([search("title", "dávno")])).await, NONE);
}

#[spec]
async fn searches_stand_in_groups_and_behind_relations(engine: Engine) {
    let server = books(engine).await;
    let admin = server.admin();
    let either = json!([{"property": "*", "type": "or", "param": [search("*", "mlyn"), search("text", "mlha")]}]);
    assert_eq!(found(&admin, either).await, [1, 2]);
    let not = json!([{"property": "*", "type": "not", "param": [search("title", "babička")]}]);
    assert_eq!(found(&admin, not).await, [2, 3, 4]);
    assert_eq!(found(&admin, json!([search("writer.name", "capek")])).await, [2, 3]);
    assert_eq!(found(&admin, json!([search("writers.name", "nemc")])).await, [3]);
    let related = |how: &str, text: &str| json!([{"property": "writers", "type": how, "param": [search("*", text)]}]);
    assert_eq!(found(&admin, related("some", "karel")).await, [2, 3]);
    assert_eq!(found(&admin, related("none", "božena")).await, [1, 2, 4]);
    assert_eq!(found(&admin, related("every", "karel")).await, [1, 2, 4]);
    let with_others = json!([search("writer.name", "karel"), {"property": "pages", "type": "gt", "param": 1}]);
    assert_eq!(found(&admin, with_others).await, [2]);
    let query = json!([search("*", "mlha")]).to_string();
    let listed = admin.query("collection/book", &[("filters", &query), ("orderBy", "-writer.name")]).await.is(200);
    assert_eq!((listed.column("id"), listed.at("/stats/total")), (vec![json!(2)], json!(1)));
}

#[spec]
async fn the_index_follows_every_write(engine: Engine) {
    let server = books(engine).await;
    let admin = server.admin();
    admin.patch("collection/book/1", json!({"title": "Divá Bára", "pages": 5})).await.is(200);
    assert_eq!(everywhere(&admin, "babička").await, NONE);
    assert_eq!(everywhere(&admin, "davno bara").await, [1]);
    admin.patch("collection/book/1", json!({"text+=": " a Viktorka"})).await.is(200);
    assert_eq!(everywhere(&admin, "bara viktor").await, [1]);
    admin.put("collection/book/2", json!({"title": "Válka s mloky", "writer": 2})).await.is(200);
    assert_eq!((everywhere(&admin, "mlha").await, everywhere(&admin, "mlok").await), (vec![], vec![2]));
    admin.patch("collection/book/2", json!({"title": null})).await.is(200);
    assert_eq!(everywhere(&admin, "mlok").await, NONE);
    // What is refused changes nothing.
    admin.patch("collection/book/3", json!({"title": "Refused", "pages": "many"})).await.is(400);
    assert_eq!((everywhere(&admin, "refused").await, everywhere(&admin, "r u r").await), (vec![], vec![3]));
    admin.delete("collection/book/1").await.is(204);
    assert_eq!(everywhere(&admin, "viktorka").await, NONE);
    // The cascade takes the writer's books along.
    assert_eq!(everywhere(&admin, "tovarna").await, [3]);
    admin.delete("collection/writer/2").await.is(204);
    assert_eq!(everywhere(&admin, "tovarna").await, NONE);
    assert_eq!(everywhere(&admin, "2026").await, [4]);
}

#[spec("D-3")]
async fn what_may_not_be_read_is_not_searched(engine: Engine) {
    let server = books(engine).await;
    let partly =
        "role: partly\nsystem: [restApi]\ntypes:\n  book: {show: {fields: [title, plain, writer]}, edit: true}\n";
    let partly = server.role("partly", partly).await;
    assert_eq!(everywhere(&partly, "babička").await, [1]);
    for hidden in ["mlýn", "dávno", "2026", "babička mlýn"] {
        assert_eq!(everywhere(&partly, hidden).await, NONE, "{hidden}");
    }
    for (hidden, absent) in [("secret", "absent"), ("writer.name", "writer.absent")] {
        let refusal = async |name: &str| {
            let reply = partly.search("collection/book", json!({"filters": [search(name, "mlýn")]})).await.is(400);
            reply.text.replace(name, "…")
        };
        assert_eq!(refusal(hidden).await, refusal(absent).await);
    }
    // Whoever may read nothing searchable learns as little as where there is nothing searchable.
    let blind = "role: blind\nsystem: [restApi]\ntypes:\n  book: {show: {fields: [plain]}}\n  article: {show: true}\n";
    let blind = server.role("blind", blind).await;
    let refusal = async |path: &str| {
        let reply = blind.search(path, json!({"filters": [search("*", "mlýn")]})).await.is(400);
        (reply.at("/errorCode"), reply.at("/message"))
    };
    assert_eq!(refusal("collection/book").await, refusal("collection/article").await);
}

#[spec]
async fn a_search_for_nothing_is_refused(engine: Engine) {
    let server = books(engine).await;
    let admin = server.admin();
    let many = |count: usize| vec!["word"; count].join(" ");
    for (filter, says) in [
        (search("*", ""), "needs a text with a letter or a digit"),
        (search("title", " !!! "), "needs a text with a letter or a digit"),
        (json!({"property": "*", "type": "search"}), "search needs a param"),
        (json!({"property": "*", "type": "search", "param": 5}), "needs a text as param"),
        (json!({"property": "*", "type": "search", "param": ["x"]}), "needs a text as param"),
        (json!({"property": "title", "type": "search", "param": {"$property": "text"}}), "needs a text as param"),
        (json!({"property": "*", "type": "search", "param": "x", "fold": true}), "takes no fold"),
        (search("*", &many(33)), "at most 32 words"),
        (search("plain", "x"), "\\\"plain\\\" is not searchable"),
        (search("pages", "1"), "search does not serve"),
        (search("writers", "x"), "search does not serve"),
        (search("meta.a", "x"), "search does not serve"),
        (search("absent", "x"), "no property"),
        (search("writer.*", "x"), "no property"),
    ] {
        admin.search("collection/book", json!({"filters": [filter]})).await.is(400).says(says);
    }
    admin.search("collection/book", json!({"filters": [search("*", &many(32))]})).await.is(204);
    admin.search("collection/article", json!({"filters": [search("*", "x")]})).await.is(400).says("no searchable");
}

#[spec]
async fn an_apply_builds_the_index_anew(engine: Engine) {
    let server = books(engine).await;
    let admin = server.admin();
    let apply = async |from: &str, to: &str| server.change(&[("types/book.yaml", &BOOK.replace(from, to))]).await;
    apply("title: Plain}", "title: Plain, searchable: true}").await;
    assert_eq!(everywhere(&admin, "kůň").await, [1]);
    assert_eq!(everywhere(&admin, "kun babicka").await, [1]);
    apply("title: Text, searchable: true}", "title: Text}").await;
    assert_eq!((everywhere(&admin, "dávno").await, everywhere(&admin, "kůň").await), (vec![], vec![]));
    admin.search("collection/book", json!({"filters": [search("text", "x")]})).await.is(400).says("not searchable");
    apply(", searchable: true", "").await;
    admin.search("collection/book", json!({"filters": [search("*", "x")]})).await.is(400);
    admin.patch("collection/book/1", json!({"title": "Nová"})).await.is(200);
    apply("", "").await;
    assert_eq!((everywhere(&admin, "babička").await, everywhere(&admin, "nova dav").await), (vec![], vec![1]));
    // Values that become others are found as what they are now.
    apply("{id: 512, kind: pString, title: Secret, searchable: true}", "{id: 512, kind: pText, searchable: true}")
        .await;
    assert_eq!(everywhere(&admin, "mlyn").await, [1]);
    let filled = "{id: 512, kind: pString, searchable: true, required: true, default: Žádné}";
    apply("{id: 512, kind: pString, title: Secret, searchable: true}", filled).await;
    assert_eq!(found(&admin, json!([search("secret", "zadne")])).await, [2, 3, 4]);
}

#[spec]
async fn users_from_files_are_found_too(engine: Engine) {
    let user = "name: user\nproperties:\n  motto: {id: 900, kind: pString, searchable: true}\n";
    let someone = "user: some@acme.test\nname: Some One\nmotto: Vidím dálku\n";
    let server = Server::with(engine, &[("types/user.yaml", user), ("users/some.yaml", someone)]).await;
    let admin = server.admin();
    let names = async |text: &str| {
        let body = json!({"filters": [search("*", text)], "showFields": "user_name"});
        admin.search("collection/user", body).await.column("user_name")
    };
    assert_eq!(names("vidim").await, ["Some One"]);
    server.change(&[("users/some.yaml", &someone.replace("dálku", "blízko"))]).await;
    assert_eq!((names("dalku").await.len(), names("blizko").await), (0, vec![json!("Some One")]));
}

#[spec]
async fn a_relation_may_take_only_what_is_found(engine: Engine) {
    let review = "id: 52\nname: review\nproperties:\n  book: {id: 520, kind: pRelation, type: book, filter: \
                  [{property: title, type: search, param: krakatit}]}\n";
    let server = Server::with(engine, &[FILES[0], FILES[1], ("types/review.yaml", review)]).await;
    let admin = server.admin();
    admin.create("book", json!({"title": "Krakatit!"})).await;
    admin.create("book", json!({"title": "Hordubal"})).await;
    admin.create("review", json!({"book": 1})).await;
    admin.post("collection/review", json!({"book": 2})).await.is(400).says("Book must not refer to the book 2");
    admin.patch("collection/book/2", json!({"title": "Krakatit II"})).await.is(200);
    admin.create("review", json!({"book": 2})).await;
}

/// A few characters.
fn text(choices: &mut Choices) -> String {
    const LETTERS: [&str; 16] =
        ["a", "b", "Á", "č", " ", " ", "B", "-", "1", "日", "Σ", "ς", "e\u{301}", "'", "й", "ß"];
    (0..choices.below(9)).map(|_| *choices.of(&LETTERS)).collect()
}

/// Whether a book is found: by its words as `contains` with `fold` sees them.
fn holds(book: &[String; 2], columns: &[usize], text: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let folded = database::fold(text);
        folded
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let (asked, has): (Vec<String>, Vec<String>) =
        (words(text), columns.iter().flat_map(|column| words(&book[*column])).collect());
    let (last, whole) = asked.split_last().unwrap();
    whole.iter().all(|word| has.contains(word)) && has.iter().any(|word| word.starts_with(last.as_str()))
}

#[spec]
async fn random_searches_agree_with_a_plain_look_at_the_words(server: Server) {
    // The number would be found too.
    let book = BOOK.replace("\"B-{YYYY}-{###}\", searchable: true", "\"{#}\"");
    server.change(&[FILES[0], ("types/book.yaml", &book)]).await;
    let admin = server.admin();
    let mut choices = Choices::new(20_261_121);
    let mut books: Vec<Option<[String; 2]>> = Vec::new();
    let mut hits = 0;
    for _ in 0..300 {
        let texts = [text(&mut choices), text(&mut choices)];
        let body = json!({"title": texts[0], "text": texts[1]});
        let at = if books.is_empty() { 0 } else { choices.below(books.len()) };
        match choices.below(6) {
            0 if books.get(at).is_some_and(Option::is_some) => {
                admin.patch(&format!("collection/book/{}", at + 1), body).await.is(200);
                books[at] = Some(texts);
            }
            1 if books.get(at).is_some_and(Option::is_some) => {
                admin.delete(&format!("collection/book/{}", at + 1)).await.is(204);
                books[at] = None;
            }
            _ => {
                admin.create("book", body).await;
                books.push(Some(texts));
            }
        }
        let asked = text(&mut choices);
        if !database::fold(&asked).contains(char::is_alphanumeric) {
            continue;
        }
        for (property, columns) in [("title", &[0][..]), ("text", &[1]), ("*", &[0, 1])] {
            let there = |book: &Option<[String; 2]>| book.as_ref().is_some_and(|book| holds(book, columns, &asked));
            let expected: Vec<i64> = (1..).zip(&books).filter(|(_, book)| there(book)).map(|(id, _)| id).collect();
            hits += expected.len();
            assert_eq!(found(&admin, json!([search(property, &asked)])).await, expected, "{property} {asked:?}");
        }
    }
    assert!(hits > 300, "{hits}");
}

/// The least that one of some lists takes: what else the machine does only adds to it.
async fn quickest(client: &Client, body: &Json) -> std::time::Duration {
    let mut quickest = std::time::Duration::MAX;
    for page in 1..8 {
        let mut body = body.clone();
        // No two are the same, so that none is remembered.
        body["perPage"] = json!(20 + page);
        let begun = std::time::Instant::now();
        client.search("collection/book", body).await.is(200);
        quickest = quickest.min(begun.elapsed());
    }
    quickest
}

/// A page of many that match is found in the order of ids, and counted in the index alone.
#[spec]
async fn a_search_that_finds_much_gives_its_pages(engine: Engine) {
    const ROWS: i64 = 5_000;
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("books.csv");
    let line = |row: i64| match row {
        row if row % 1_000 == 0 => format!("rare volume {row},{row}\n"),
        row if row % 5 == 0 => format!("common volume {row},{row}\n"),
        row => format!("volume {row},{row}\n"),
    };
    std::fs::write(&file, format!("title,pages\n{}", (1..=ROWS).map(line).collect::<String>())).unwrap();
    let (done, said) = server.command(env!("CARGO_BIN_EXE_plinth"), &["import", "book", file.to_str().unwrap()]).await;
    assert!(done, "{said}");
    let common: Vec<i64> = (1..=ROWS).filter(|row| row % 5 == 0 && row % 1_000 != 0).collect();
    let body = |order: &str, page: i64, text: &str| json!({"filters": [search("title", text)], "orderBy": order, "page": page, "perPage": 25, "showFields": "id"});
    let check = async |order: &str, page: usize, expected: &[i64]| {
        let reply = admin.search("collection/book", body(order, page as i64, "comm")).await.is(200);
        assert_eq!(reply.column("id"), expected.iter().map(|id| json!(id)).collect::<Vec<_>>(), "{order} {page}");
        assert_eq!(reply.at("/stats/total"), common.len(), "{order} {page}");
    };
    let backwards: Vec<i64> = common.iter().rev().copied().collect();
    for page in [1, 2, 20, 39] {
        check("id", page, &common[(page - 1) * 25..page * 25]).await;
        check("-id", page, &backwards[(page - 1) * 25..page * 25]).await;
    }
    // What goes is not found, and what another filter leaves out is not counted.
    admin.delete("collection/book/5").await.is(204);
    let reply = admin.search("collection/book", body("id", 1, "common volume")).await.is(200);
    assert_eq!((reply.at("/stats/total"), reply.column("id")[0].clone()), (json!(common.len() - 1), json!(10)));
    let both = json!([search("title", "common"), {"property": "pages", "type": "lte", "param": 1_000}]);
    let both = json!({"filters": both, "showFields": "id"});
    assert_eq!(admin.search("collection/book", both).await.is(200).at("/stats/total"), 198);
    let (rare, common) = (body("id", 1, "rare"), body("id", 1, "common"));
    let (mut few, mut many) = (std::time::Duration::MAX, std::time::Duration::MAX);
    for _ in 0..5 {
        few = few.min(quickest(&admin, &rare).await);
        many = many.min(quickest(&admin, &common).await);
    }
    assert!(many < few * 8, "{many:?} beside {few:?}");
}
