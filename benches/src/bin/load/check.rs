//! Whether two servers answer the same: only then are their figures comparable.

use crate::Result;
use crate::client::Connection;
use crate::requests::{collection, list_query, pages, request};
use crate::servers::Server;
use serde_json::Value;

/// Fails where the servers answer some requests differently, but for what is random.
pub(crate) async fn same_answers(first: &Server, second: &Server, rows: u32) -> Result<()> {
    let lists = [("published", 1, Some("-views")), ("draft", pages(rows), Some("-views")), ("review", 3, None)];
    let lists = lists.map(|(status, page, order)| list_query(status, page, order));
    let others = ["/1", "/777", "?page=2&perPage=25"].map(str::to_owned);
    for path in others.into_iter().chain(lists) {
        let (one, other) = (answer(first, &path).await?, answer(second, &path).await?);
        if one != other {
            let (first, second) = (&first.name, &second.name);
            return Err(format!("{first} and {second} differ at {path}:\n{one:#}\n{other:#}").into());
        }
    }
    Ok(())
}

async fn answer(server: &Server, path: &str) -> Result<Value> {
    let mut bytes = Vec::new();
    request(&mut bytes, "GET", &collection(path), &server.keys.writer, "", b"");
    let mut connection = Connection::open(server.address).await?;
    let (status, body) = connection.request(&bytes).await?;
    if status != 200 {
        return Err(format!("{} answers {path} with {status}: {}", server.name, String::from_utf8_lossy(body)).into());
    }
    let mut answer: Value = serde_json::from_slice(body)?;
    forget_random(&mut answer);
    Ok(answer)
}

fn forget_random(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if let Some(uuid) = members.get_mut("uuid") {
                *uuid = Value::from(uuid.as_str().map_or(0, str::len));
            }
            members.values_mut().for_each(forget_random);
            members.sort_keys();
        }
        Value::Array(items) => items.iter_mut().for_each(forget_random),
        _ => {}
    }
}
