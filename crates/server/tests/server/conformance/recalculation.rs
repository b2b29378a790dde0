//! What a change of configuration leaves to be calculated anew: in batches, by whoever comes, whatever is killed.

use super::rollups::{FILES, LINE};
use serde_json::{Value as Json, json};
use spec::spec;
use std::time::Duration;
use testing::{Client, Engine, Server};

const PLINTH: &str = env!("CARGO_BIN_EXE_plinth");

/// How many lines there are, of 1, 2, 3 … pieces.
const LINES: i64 = 1_100;

async fn lines(engine: Engine) -> (Server, Json) {
    so_many_lines(engine, LINES).await
}

async fn so_many_lines(engine: Engine, count: i64) -> (Server, Json) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    let product = admin.create("product", json!({"price": 1})).await["id"].clone();
    let invoice = admin.create("invoice", json!({})).await["id"].clone();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lines.csv");
    let rows: String = (1..=count).map(|quantity| format!("{invoice},{product},{quantity}\n")).collect();
    std::fs::write(&file, format!("invoice,product,quantity\n{rows}")).unwrap();
    let (done, said) = server.command(PLINTH, &["import", "line", file.to_str().unwrap()]).await;
    assert!(done, "{said}");
    (server, invoice)
}

fn other(amount: &str) -> String {
    LINE.replace("quantity * product.price", amount)
}

async fn net(client: &Client, invoice: &Json) -> Option<f64> {
    client.get(&format!("collection/invoice/{invoice}")).await.is(200).at("/net").as_f64()
}

#[spec]
async fn much_is_calculated_anew_in_batches(engine: Engine) {
    let (server, invoice) = lines(engine).await;
    let admin = server.admin();
    let sum = (LINES * (LINES + 1) / 2) as f64;
    assert_eq!(net(&admin, &invoice).await, Some(sum));
    server.change_in_part(&[("types/line.yaml", &other("quantity * product.price + 1"))]).await;
    // Nothing is calculated yet but what is written.
    assert_eq!(net(&admin, &invoice).await, Some(sum));
    let first = admin.get("collection/line?orderBy=quantity&perPage=2").await.is(200);
    assert_eq!(first.column("amount")[0].as_f64(), Some(1.0));
    let path = format!("collection/line/{}", first.column("id")[1]);
    assert_eq!(admin.patch(&path, json!({"quantity": 3})).await.is(200).at("/amount").as_f64(), Some(4.0));
    assert_eq!(net(&admin, &invoice).await, Some(sum + 2.0));
    let version = admin.get(&format!("{path}?showFields=version")).await.at("/version");
    assert_eq!(server.recalculate().await, (0, 3));
    assert_eq!(net(&admin, &invoice).await, Some(sum + 1.0 + LINES as f64));
    assert_eq!(admin.get(&format!("{path}?showFields=version")).await.at("/version"), version);
    assert_eq!(server.recalculate().await, (0, 0));
    // Where it fails, there is no value; the others have theirs.
    server.change_in_part(&[("types/line.yaml", &other("product.price * 7 / jsonDecode((quantity - 7) ~ '')"))]).await;
    assert_eq!(server.recalculate().await, (1, 3));
    let filters = json!([{"property": "quantity", "type": "in", "param": [7, 8]}]);
    let shown = admin.search("collection/line", json!({"filters": filters, "orderBy": "quantity"})).await.is(200);
    assert_eq!((&shown.column("amount")[0], shown.column("amount")[1].as_f64()), (&Json::Null, Some(7.0)));
}

#[spec]
async fn an_apply_finishes_what_another_one_left(engine: Engine) {
    let (server, invoice) = lines(engine).await;
    server.change_in_part(&[("types/line.yaml", &other("quantity * product.price * 2"))]).await;
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("files");
    let (done, said) = server.command(PLINTH, &["pull", place.to_str().unwrap()]).await;
    assert!(done, "{said}");
    let (done, said) = server.command(PLINTH, &["apply", place.to_str().unwrap()]).await;
    assert!(done && said.contains(&format!("calculated anew: 500 of {LINES} line")), "{said}");
    assert!(said.contains(&format!("all {LINES} line are calculated anew")), "{said}");
    assert_eq!(net(&server.admin(), &invoice).await, Some((LINES * (LINES + 1)) as f64));
}

/// The number of resources that a line of `plinth apply` says are done.
fn done(line: &str) -> i64 {
    let number = line.strip_prefix("calculated anew: ").and_then(|rest| rest.split(' ').next());
    number.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{line:?}"))
}

#[spec]
async fn an_apply_goes_on_where_another_one_was_killed_in_the_middle(engine: Engine) {
    const MANY: i64 = 4_100;
    let (server, invoice) = so_many_lines(engine, MANY).await;
    let admin = server.admin();
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("files");
    let sum = (MANY * (MANY + 1) / 2) as f64;
    let versions = async || {
        let path = "collection/line?orderBy=id&perPage=100&showFields=version&page=41";
        admin.get(path).await.is(200).column("version")
    };
    let before = versions().await;
    server.change_in_part(&[("types/line.yaml", &other("quantity * product.price * 2"))]).await;
    let (pulled, said) = server.command(PLINTH, &["pull", place.to_str().unwrap()]).await;
    assert!(pulled, "{said}");
    let arguments = ["apply", place.to_str().unwrap()];
    let mut killed = server.start(PLINTH, &arguments);
    let (killed, line) = tokio::task::spawn_blocking(move || {
        let line = killed.says("calculated anew: ");
        (killed, line)
    })
    .await
    .unwrap();
    killed.kill();
    // It was in the middle: some of the sum is of the new calculation and some of the old.
    let first = done(&line.unwrap());
    let halfway = net(&admin, &invoice).await.unwrap();
    assert!(first < MANY && halfway > sum && halfway < sum * 2.0, "{first}: {halfway} of {sum}");
    let (finished, said) = server.command(PLINTH, &arguments).await;
    assert!(finished, "{said}");
    // The next one begins with the batch behind the last that is whole, and does each of the rest once.
    let steps: Vec<i64> = said.lines().filter(|line| line.starts_with("calculated anew: ")).map(done).collect();
    assert!(steps[0] > first && steps.windows(2).all(|pair| pair[1] > pair[0]), "{first}, then {steps:?}");
    let (whole, of) = ((steps[0] - 1) / 500 * 500, |count: i64| sum + (count * (count + 1) / 2) as f64);
    // PostgreSQL may have ended the batch that was under way after this looked.
    assert!([of(whole), of(whole - 500)].contains(&halfway), "{whole} were done: {halfway} of {sum}");
    assert_eq!(steps.last(), Some(&MANY), "{said}");
    assert!(said.contains(&format!("all {MANY} line are calculated anew")), "{said}");
    assert_eq!(net(&admin, &invoice).await, Some(sum * 2.0));
    assert_eq!(versions().await, before);
    assert_eq!(server.recalculate().await, (0, 0));
}

#[spec]
async fn a_server_goes_on_where_another_one_was_killed(engine: Engine) {
    let (server, invoice) = lines(engine).await;
    let before = net(&server.admin(), &invoice).await;
    server.change_in_part(&[("types/line.yaml", &other("quantity * product.price * 2"))]).await;
    let first = server.process(PLINTH, &[]).await;
    // As soon as something differs, or it is too late.
    while net(&server.admin(), &invoice).await == before {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    first.kill();
    let second = server.process(PLINTH, &[]).await;
    let expected = Some((LINES * (LINES + 1)) as f64);
    for _ in 0..600 {
        if net(&server.admin(), &invoice).await == expected {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(net(&server.admin(), &invoice).await, expected);
    second.kill();
    assert_eq!(server.recalculate().await, (0, 0));
}

#[spec]
async fn a_condition_that_changes_clears_what_does_not_apply(engine: Engine) {
    let product = |condition: &str| {
        format!(
            "id: 53\nname: product\ntitleProperty: name\nproperties:\n  name:  {{id: 530, kind: pString}}\n  \
             price: {{id: 531, kind: pDecimal, scale: 2}}\n  note:  {{id: 532, kind: pString{condition}}}\n"
        )
    };
    let mut files = FILES.to_vec();
    let plain = product("");
    files[3].1 = &plain;
    let server = Server::with(engine, &files).await;
    let admin = server.admin();
    for price in [1, 5] {
        admin.create("product", json!({"price": price, "note": "N"})).await;
    }
    let filled = || admin.search("collection/product", json!({"filters": [{"property": "note", "type": "isNotNull"}]}));
    assert_eq!(filled().await.is(200).column("price").len(), 2);
    // It is a loss, which the plan says.
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("files");
    let (done, said) = server.command(PLINTH, &["pull", place.to_str().unwrap()]).await;
    assert!(done, "{said}");
    let changed = product(", condition: \"{=price > 2}\"");
    std::fs::write(place.join("types/product.yaml"), &changed).unwrap();
    let (done, said) = server.command(PLINTH, &["apply", place.to_str().unwrap()]).await;
    assert!(!done && said.contains("clear product.note where it does not apply"), "{said}");
    assert_eq!(filled().await.is(200).column("price").len(), 2);
    let (done, said) = server.command(PLINTH, &["apply", "--allow-loss", place.to_str().unwrap()]).await;
    assert!(done, "{said}");
    assert_eq!(filled().await.is(200).column("price")[0].as_f64(), Some(5.0));
    assert_eq!(filled().await.is(200).at("/stats/total"), 1);
    // What was cleared is gone, when the condition is.
    server.change(&[("types/product.yaml", &plain)]).await;
    assert_eq!(filled().await.is(200).at("/stats/total"), 1);
    // The other way, in batches.
    let changed = product(", condition: \"{=price < 2}\"");
    server.change_in_part(&[("types/product.yaml", &changed)]).await;
    assert_eq!(server.recalculate().await, (0, 1));
    filled().await.is(204);
}
