//! Values of an index that are too long for an entry of PostgreSQL, whose pages hold at least three.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Engine, Server};

const PAPER: &str = "
id: 62
name: paper
unique: [[left, right]]
properties:
  left:  {id: 620, kind: pString, maxLength: 600}
  right: {id: 621, kind: pString, maxLength: 600}
";

/// Han characters in no order: three bytes each, and nothing to compress.
fn text(seed: u32, length: usize) -> String {
    let next = |state: &u32| Some(state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    let characters = std::iter::successors(Some(seed), next).map(|state| 0x4e00 + (state >> 16) % 20_000);
    characters.take(length).map(|code| char::from_u32(code).unwrap()).collect()
}

#[spec]
async fn a_unique_set_of_long_texts_is_kept_or_refused(engine: Engine) {
    let server = Server::with(engine, &[("types/paper.yaml", PAPER)]).await;
    let admin = server.admin();
    let both = |length: usize| -> Json { json!({"left": text(1, length), "right": text(2, length)}) };
    let short = admin.create("paper", both(250)).await["id"].clone();
    let replies = [
        (201, admin.post("collection/paper", both(500)).await),
        (200, admin.patch(&format!("collection/paper/{short}"), both(600)).await),
    ];
    for (kept, reply) in replies {
        match engine {
            Engine::Sqlite => drop(reply.is(kept)),
            Engine::Postgres => {
                let refused = reply.is(400);
                assert_eq!(refused.headers["x-error-code"], "index_entry_too_large");
                refused.says(
                    "The texts of Left and Right have together more bytes than the database keeps in an index, some 2,700 \
                     after compression.",
                );
            }
        }
    }
    admin.get(&format!("collection/paper/{short}")).await.is(200);
}
