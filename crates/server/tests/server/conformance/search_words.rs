//! The filter `search` for several words, common and rare ones, over properties that not everybody may read.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Choices, Client, Engine, Server};

const NOTE: &str = r#"
id: 61
name: note
properties:
  title:  {id: 610, kind: pString, searchable: true}
  text:   {id: 620, kind: pText, searchable: true}
  secret: {id: 1000, kind: pString, searchable: true}
  number: {id: 613, kind: pInteger, index: true}
"#;

/// Reads no secret.
const PARTLY: &str = "role: partly\nsystem: [restApi]\ntypes:\n  note: {show: {fields: [title, text, number]}}\n";

/// Reads some rows, without secrets.
const FEW: &str = "role: few\nsystem: [restApi]\ntypes:\n  note: {show: {fields: [title, text, number], where: \"{=number < 40}\"}}\n";

/// Reads secrets of some rows, titles of others, and texts of all.
const MIXED: &str = "role: mixed\nsystem: [restApi]\ntypes:\n  note:\n    show:\n      - {fields: [text, number]}\n      - \
                     {fields: [text, number, secret], where: \"{=number < 50}\"}\n      - {fields: [title, text, \
                     number], where: \"{=number >= 30}\"}\n";

const ROWS: usize = 240;

/// The places of texts that administrators read, and those of others.
const ALL: [usize; 3] = [0, 1, 2];
const SHOWN: [usize; 2] = [0, 1];

/// A row's texts, and its number.
struct Note {
    texts: [String; 3],
    number: i64,
}

/// Words of which one is everywhere, some are in many rows, and some in few.
fn text(choices: &mut Choices) -> String {
    const WORDS: [&str; 8] = ["common", "common", "frequent", "frequent", "article", "artless", "comma", "x"];
    let mut words = vec!["everywhere"];
    words.extend((0..choices.below(3)).map(|_| *choices.of(&WORDS)));
    match choices.below(30) {
        0 => words.push("seldom"),
        1 => words.push("unusual"),
        2 => words = Vec::new(),
        _ => {}
    }
    words.join(" ")
}

/// Returns whether each word stands in one of the texts, the last as a beginning.
fn holds(note: &Note, visible: &[usize], asked: &str) -> bool {
    let there: Vec<&str> = visible.iter().flat_map(|at| note.texts[*at].split_whitespace()).collect();
    let asked: Vec<&str> = asked.split_whitespace().collect();
    let (last, whole) = asked.split_last().unwrap();
    whole.iter().all(|word| there.contains(word)) && there.iter().any(|word| word.starts_with(last))
}

async fn check(client: &Client, (property, asked): (&str, &str), filter: Option<Json>, expected: &[i64]) {
    let search = json!({"property": property, "type": "search", "param": asked});
    let filters: Vec<Json> = [search].into_iter().chain(filter).collect();
    for (order, per_page) in [("id", 7), ("-id", 50), ("number", 60)] {
        let mut found = Vec::new();
        for page in 1..=expected.len().div_ceil(per_page).max(1) {
            let body =
                json!({"filters": filters, "showFields": "id", "orderBy": order, "perPage": per_page, "page": page});
            let reply = client.search("collection/note?_noCache=1", body).await;
            assert!([200, 204].contains(&reply.status), "{}", reply.text);
            if reply.status == 200 {
                assert_eq!(reply.at("/stats/total"), expected.len(), "{filters:?} by {order}");
            }
            found.extend(reply.column("id").iter().map(|id| id.as_i64().unwrap()));
        }
        match order {
            "-id" => found.reverse(),
            "number" => found.sort_unstable(),
            _ => {}
        }
        assert_eq!(found, expected, "{filters:?} by {order}");
    }
}

#[spec("D-3")]
async fn words_common_and_rare_are_found_in_what_each_caller_reads(engine: Engine) {
    let server = Server::with(engine, &[("types/note.yaml", NOTE)]).await;
    let admin = server.admin();
    let mut choices = Choices::new(20_261_123);
    let mut notes = Vec::new();
    for _ in 0..ROWS {
        let note = Note {
            texts: [text(&mut choices), text(&mut choices), text(&mut choices)],
            number: i64::try_from(choices.below(80)).unwrap(),
        };
        let [title, text, secret] = &note.texts;
        admin.create("note", json!({"title": title, "text": text, "secret": secret, "number": note.number})).await;
        notes.push(note);
    }
    let (partly, few) = (server.role("partly", PARTLY).await, server.role("few", FEW).await);
    let mixed = server.role("mixed", MIXED).await;
    // What one grant shows is searched by itself: a word of each of two grants is not enough.
    let by_grant = |note: &Note, asked: &str| {
        let grants = [(true, vec![1]), (note.number < 50, vec![1, 2]), (note.number >= 30, vec![0, 1])];
        grants.iter().any(|(given, shown)| *given && holds(note, shown, asked))
    };
    let below = |note: &Note| note.number < 40;
    let lower = json!({"property": "number", "type": "lt", "param": 25});
    let asked = [
        "everywhere",
        "e",
        "seldom",
        "everywhere seldom",
        "seldom everywhere",
        "seldom e",
        "common seldom",
        "seldom com",
        "common frequent",
        "common everywhere frequent art",
        "everywhere everywhere every",
        "seldom unusual",
        "absent e",
        "everywhere absent",
    ];
    for asked in asked {
        let ids = |holds: &dyn Fn(&Note) -> bool| -> Vec<i64> {
            (1..).zip(&notes).filter(|(_, note)| holds(note)).map(|(id, _)| id).collect()
        };
        check(&admin, ("*", asked), None, &ids(&|note| holds(note, &ALL, asked))).await;
        check(&admin, ("secret", asked), None, &ids(&|note| holds(note, &[2], asked))).await;
        let filtered = ids(&|note| note.number < 25 && holds(note, &ALL, asked));
        check(&admin, ("*", asked), Some(lower.clone()), &filtered).await;
        check(&partly, ("*", asked), None, &ids(&|note| holds(note, &SHOWN, asked))).await;
        check(&few, ("*", asked), None, &ids(&|note| below(note) && holds(note, &SHOWN, asked))).await;
        let filtered = ids(&|note| note.number < 25 && holds(note, &SHOWN, asked));
        check(&few, ("*", asked), Some(lower.clone()), &filtered).await;
        check(&mixed, ("*", asked), None, &ids(&|note| by_grant(note, asked))).await;
    }
}
