//! Random writes and random reads on two nodes: an answer that may come out of a cache is the one that does not.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Server, form};

/// How many steps, each a write or a read.
const STEPS: usize = 1_500;

/// Numbers that look random and are the same in every run.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut number = self.0;
        number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (number ^ number >> 31) % end
    }

    pub(crate) fn one<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len() as u64) as usize]
    }
}

#[spec("R-082", "D-28")]
async fn what_is_kept_is_what_would_be_made(server: Server) {
    let node = server.node().await;
    let clients = [[server.admin(), server.editor(), server.reader()], [node.admin(), node.editor(), node.reader()]];
    let mut dice = Dice(7);
    let mut hits = 0;
    let mut asked: Vec<String> = vec![question(&mut dice)];
    for step in 0..STEPS {
        let there = &clients[dice.below(2) as usize];
        if dice.below(12) == 0 {
            write(&mut dice, &there[0], step).await;
            continue;
        }
        // One of the last questions once more, or a new one.
        let recent = asked.len().saturating_sub(1 + dice.below(8) as usize);
        let path = if dice.below(3) > 0 { asked[recent].clone() } else { question(&mut dice) };
        asked.push(path.clone());
        let client = &there[dice.below(3) as usize];
        let (before, kept) = (server.cache().hits + node.cache().hits, client.get(&path).await);
        hits += server.cache().hits + node.cache().hits - before;
        let fresh = client.with("cache-control", "no-cache").get(&path).await;
        assert_eq!((kept.status, &kept.text), (fresh.status, &fresh.text), "step {step}: {path}");
        assert_eq!(kept.header("etag"), fresh.header("etag"), "step {step}: {path}");
        if !kept.header("etag").is_empty() {
            client.with("if-none-match", kept.header("etag")).get(&path).await.is(304);
        }
    }
    assert!(hits > STEPS as u64 / 20, "only {hits} answers came out of the cache");
}

/// A write that may well be refused.
async fn write(dice: &mut Dice, admin: &Client, step: usize) {
    let (article, person, country) = (1 + dice.below(12), 1 + dice.below(5), 1 + dice.below(3));
    let status = dice.one(&["draft", "live", "old"]);
    let article_of = json!({"name": format!("N{}", dice.below(4)), "code": format!("c{step}"), "status": status,
        "views": dice.below(5), "author": person, "active": dice.below(2) == 0, "labels": ["red"]});
    let (method, path, body) = match dice.below(12) {
        0..=3 => ("POST", "collection/article".to_owned(), article_of),
        4 => ("PUT", format!("collection/article/{article}"), article_of),
        5 | 6 => ("PATCH", format!("collection/article/{article}"), json!({"views+=": 1, "status": status})),
        7 => ("DELETE", format!("collection/article/{article}"), Json::Null),
        8 => ("POST", "collection/person".to_owned(), json!({"name": format!("P{step}"), "country": country})),
        9 => ("PATCH", format!("collection/person/{person}"), json!({"name": format!("Q{step}"), "country": country})),
        10 => ("DELETE", format!("collection/person/{person}"), Json::Null),
        _ => ("POST", "collection/country".to_owned(), json!({"name": format!("C{step}"), "code": format!("{step}")})),
    };
    let request = admin.request(method, &path);
    let request = if body.is_null() { request } else { request.json(&body) };
    let reply = request.send().await;
    assert!(reply.status < 500, "{method} {path}: {}", reply.text);
}

/// A list or a single resource, out of not too many.
fn question(dice: &mut Dice) -> String {
    let filter = match dice.below(6) {
        0 => json!([{"property": "views", "type": "gte", "param": dice.below(3)}]),
        1 => json!([{"property": "author.name", "type": "startsWith", "param": dice.one(&["P", "Q"])}]),
        2 => json!([{"property": "views", "type": "eq", "param": {"$property": "id"}}]),
        3 => json!([{"property": "author", "type": "isNull"}]),
        _ => json!([]),
    };
    let order = dice.one(&["-views", "name,-id", "author.name", "id", "-id"]);
    let show = dice.one(&["name,views", "name,author.name", "name,author.id"]);
    let (page, per_page) = ((1 + dice.below(3)).to_string(), dice.one(&["2", "5"]).to_owned());
    match dice.below(8) {
        0 => format!("collection/article/{}?showFields={show}", 1 + dice.below(12)),
        1 => format!("collection/article/get-by/name/N{}", dice.below(4)),
        2 => "collection/person?orderBy=name".to_owned(),
        _ => {
            let filter = filter.to_string();
            let parameters = [
                ("filters", &*filter),
                ("orderBy", order),
                ("showFields", show),
                ("page", &page),
                ("perPage", &per_page),
            ];
            format!("collection/article?{}", form(&parameters))
        }
    }
}
