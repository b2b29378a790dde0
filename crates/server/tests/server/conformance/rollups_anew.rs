//! Totals of rollups that are made anew: after programs that know none wrote in between, and where there is much behind
//! them.

use database::{Name, Sql, Tx};
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};

const PLINTH: &str = env!("CARGO_BIN_EXE_plinth");

/// More than are listed within a request.
const MANY: i64 = 6_000;

const BOX: &str = r#"
id: 60
name: box
properties:
  name:    {id: 600, kind: pString}
  count:   {id: 601, kind: pRollup, relation: item.box, function: count}
  sum:     {id: 602, kind: pRollup, relation: item.box, function: sum, property: size}
  mean:    {id: 603, kind: pRollup, relation: item.box, function: avg, property: weight}
  least:   {id: 604, kind: pRollup, relation: item.box, function: min, property: size}
  largest: {id: 605, kind: pRollup, relation: item.box, function: max, property: size}
"#;

const ITEM: &str = r#"
id: 61
name: item
properties:
  box:    {id: 610, kind: pRelation, type: box, onDelete: cascade}
  size:   {id: 611, kind: pInteger}
  weight: {id: 612, kind: pFloat}
"#;

const FILES: [(&str, &str); 2] = [("types/box.yaml", BOX), ("types/item.yaml", ITEM)];

/// Runs statements past the platform.
async fn execute(server: &Server, statements: &'static [fn(&mut Sql)]) {
    let run = server.elevated(move |tx, _| {
        for statement in statements {
            let mut sql = tx.sql();
            statement(&mut sql);
            tx.execute(&sql)?;
        }
        Ok(())
    });
    run.await.unwrap();
}

fn number(tx: &mut Tx<'_>, table: &'static str, condition: &'static str) -> model::error::Result<i64> {
    let mut sql = tx.sql();
    sql.push("SELECT COUNT(*) FROM ").table(&Name::fixed(table)).push(condition);
    let mut number = 0;
    tx.query(&sql, &mut |row| {
        number = row.integer(0)?;
        Ok(())
    })?;
    Ok(number)
}

/// How many values behind the least one are listed; none where its total is not kept.
async fn listed(server: &Server) -> Option<i64> {
    let read = server.elevated(|tx, _| {
        let kept = number(tx, "plinth_rollup", " WHERE content LIKE '%604 %'")?;
        Ok((number(tx, "plinth_rollup_integer", " WHERE property = 604")?, kept))
    });
    read.await.map(|(listed, kept)| (kept > 0).then_some(listed)).unwrap()
}

async fn sums(client: &Client, of: &Json) -> Json {
    let shown = client.get(&format!("collection/box/{of}")).await.is(200).json();
    json!([shown["count"], shown["sum"], shown["mean"].as_f64(), shown["least"], shown["largest"]])
}

async fn import(server: &Server, text: &str) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("items.csv");
    std::fs::write(&file, text).unwrap();
    let (done, said) = server.command(PLINTH, &["import", "item", file.to_str().unwrap()]).await;
    assert!(done, "{said}");
}

/// A box with items 1 to 3, of that size and weight.
async fn three(server: &Server) -> (Client, Json) {
    let admin = server.admin();
    let of = admin.create("box", json!({"name": "A"})).await["id"].clone();
    for size in 1..=3 {
        admin.create("item", json!({"box": of, "size": size, "weight": size})).await;
    }
    assert_eq!(sums(&admin, &of).await, json!([3, 6, 2.0, 1, 3]));
    (admin, of)
}

/// What a program did that works out values in full, and knows nothing of totals: item 2 is 20 and not 2, 3 is gone.
const OLDER: &[fn(&mut Sql)] = &[
    |sql| _ = sql.push("UPDATE ").table(&Name::numbered("t", 61)).push(" SET p611 = 20, p612 = 20 WHERE id = 2"),
    |sql| _ = sql.push("DELETE FROM ").table(&Name::numbered("t", 61)).push(" WHERE id = 3"),
    |sql| {
        sql.push("UPDATE ").table(&Name::numbered("t", 60));
        sql.push(" SET p601 = 2, p602 = 21, p603 = 10.5, p604 = 1, p605 = 20");
    },
];

#[spec]
async fn a_total_that_is_not_of_the_stored_value_is_made_anew(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let (admin, of) = three(&server).await;
    execute(&server, OLDER).await;
    admin.patch("collection/item/1", json!({"size": 2, "weight": 2})).await.is(200);
    let shown = sums(&admin, &of).await;
    assert_eq!(json!([shown[0], shown[1], shown[2]]), json!([2, 22, 11.0]));
    // It goes on from what was made.
    admin.patch("collection/item/2", json!({"size": 4, "weight": 4})).await.is(200);
    let shown = sums(&admin, &of).await;
    assert_eq!(json!([shown[0], shown[1], shown[2]]), json!([2, 6, 3.0]));
}

#[spec]
async fn a_store_that_another_version_had_forgets_its_totals(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let (admin, of) = three(&server).await;
    execute(&server, OLDER).await;
    execute(
        &server,
        &[|sql| {
            sql.push("UPDATE ").table(&Name::fixed("plinth_meta"));
            sql.push(" SET content = 'of another version' WHERE name = 'tables'");
        }],
    )
    .await;
    // A program of this version opens it, and writes.
    import(&server, &format!("box,size,weight\n{of},9,9\n")).await;
    assert_eq!(sums(&admin, &of).await, json!([3, 30, 10.0, 1, 20]));
    // Item 3, which is gone, is not the largest.
    admin.patch("collection/item/2", json!({"size": 2})).await.is(200);
    assert_eq!(sums(&admin, &of).await, json!([3, 12, 10.0, 1, 9]));
}

#[spec]
async fn extremes_of_many_are_not_listed_within_a_request(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    let of = admin.create("box", json!({"name": "A"})).await["id"].clone();
    let rows: String = (1..=MANY).map(|size| format!("{of},{size},1\n")).collect();
    import(&server, &format!("box,size,weight\n{rows}")).await;
    let sum = MANY * (MANY + 1) / 2;
    assert_eq!(sums(&admin, &of).await, json!([MANY, sum, 1.0, 1, MANY]));
    assert_eq!(listed(&server).await, Some(MANY));
    execute(&server, &[|sql| _ = sql.push("DELETE FROM ").table(&Name::fixed("plinth_rollup"))]).await;
    // The least one is no more, then another one is.
    admin.patch("collection/item/1", json!({"size": 10_000})).await.is(200);
    assert_eq!(sums(&admin, &of).await, json!([MANY, sum + 9_999, 1.0, 2, 10_000]));
    admin.patch("collection/item/7", json!({"size": -7})).await.is(200);
    assert_eq!(sums(&admin, &of).await, json!([MANY, sum + 9_985, 1.0, -7, 10_000]));
    assert_eq!(listed(&server).await, None);
    // A command lists them, and requests go by that.
    import(&server, &format!("box,size,weight\n{of},5,1\n")).await;
    assert_eq!(listed(&server).await, Some(MANY + 1));
    admin.delete("collection/item/7").await.is(204);
    assert_eq!(sums(&admin, &of).await, json!([MANY, sum + 9_997, 1.0, 2, 10_000]));
    assert_eq!(listed(&server).await, Some(MANY));
}

#[spec]
async fn what_was_listed_of_many_goes_in_steps(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    let of = admin.create("box", json!({"name": "A"})).await["id"].clone();
    let rows: String = (1..=MANY).map(|size| format!("{of},{size},1\n")).collect();
    import(&server, &format!("box,size,weight\n{rows}")).await;
    execute(
        &server,
        &[
            |sql| _ = sql.push("DELETE FROM ").table(&Name::fixed("plinth_rollup")),
            |sql| _ = sql.push("DELETE FROM ").table(&Name::numbered("t", 61)).push(" WHERE id > 3"),
        ],
    )
    .await;
    for (size, kept) in [(7, None), (8, Some(3)), (9, Some(3))] {
        admin.patch("collection/item/1", json!({"size": size})).await.is(200);
        assert_eq!(sums(&admin, &of).await, json!([3, 5 + size, 1.0, 2, size]));
        assert_eq!(listed(&server).await, kept, "{size}");
    }
}
