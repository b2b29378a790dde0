//! Rules that read other resources, under parallel writes: what they promise holds as if one write came after the other.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Reply, Server};
use tokio::task::JoinSet;

/// How often each scene is played.
pub(super) const ROUNDS: usize = 12;

macro_rules! shop {
    ($($name:literal),*) => {
        [$((concat!("types/", $name, ".yaml"), include_str!(concat!("../../../../../examples/shop/types/", $name, ".yaml")))),*]
    };
}

const BUDGET: &str = r#"
id: 60
name: budget
properties:
  total: {id: 600, kind: pInteger, required: true}
  spent: {id: 601, kind: pRollup, relation: expense.budget, function: sum, property: amount}
  left:  {id: 602, kind: pInteger, calculate: "{=total - spent}"}
"#;

const EXPENSE: &str = r#"
id: 61
name: expense
properties:
  budget: {id: 610, kind: pRelation, type: budget, required: true}
  amount: {id: 611, kind: pInteger, required: true, validate: [{rule: "{=amount <= budget.left}", message: Too much.}]}
"#;

const FOLDER: &str = r#"
id: 62
name: folder
properties:
  status:
    {id: 620, kind: pEnum, default: open, options: {open: {}, closed: {}}, validate: [{rule: "{=status == 'open' or waiting == 0}", message: Tasks are open.}]}
  waiting: {id: 621, kind: pRollup, relation: task.folder, function: count, where: "{=status == 'open'}"}
  strict:  {id: 622, kind: pBoolean, default: false, validate: [{rule: "{=not strict or silent == 0}", message: A task has no reason.}]}
  silent:  {id: 623, kind: pRollup, relation: task.folder, function: count, where: "{=reason == null}"}
  public:  {id: 624, kind: pBoolean, default: true, validate: [{rule: "{=public or waiting == 0}", message: Tasks are open.}]}
"#;

const TASK: &str = r#"
id: 63
name: task
properties:
  folder: {id: 630, kind: pRelation, type: folder, onDelete: cascade}
  status:
    {id: 631, kind: pEnum, default: open, options: {open: {}, done: {}}, validate: [{rule: "{=status == 'done' or folder.status == 'open'}", message: The folder is closed.}]}
  reason: {id: 632, kind: pString, required: "{=folder.strict}"}
"#;

/// Tasks whose folder is decided about by grants and filters, and not by their own rules.
const TICKET: &str = r#"
id: 63
name: task
properties:
  folder: {id: 630, kind: pRelation, type: folder, filter: [{property: public, type: eq, param: true}]}
  status: {id: 631, kind: pEnum, default: open, options: {open: {}, done: {}}}
  reason: {id: 632, kind: pString}
"#;

const CLERK: &str = "
role: editor
system: [restApi]
types:
  folder: {show: true}
  task:   {show: true, edit: {check: \"{=folder.status == 'open'}\"}, create: {check: \"{=folder.status == 'open'}\"}}
";

const SEAT: &str = r#"
id: 64
name: seat
properties:
  name: {id: 640, kind: pString, validate: [{rule: "{=queryCount(query('seats')) < 3}", message: All seats are taken.}]}
"#;

const BOX: &str = "id: 65\nname: box\nproperties:\n  name: {id: 650, kind: pString}\n";
/// Things without rules, which take no turns.
const THING: &str = "
id: 66
name: thing
properties:
  box:   {id: 660, kind: pRelation, type: box, onDelete: cascade}
  loose: {id: 661, kind: pRelation, type: box, onDelete: setNull}
";

const SEATS: &str = "query: seats\ntype: seat\n";

/// Sends all at once; gives the answers in the order of the requests.
pub(super) async fn at_once(requests: Vec<(Client, &'static str, String, Json)>) -> Vec<Reply> {
    let mut tasks = JoinSet::new();
    for (index, (client, method, path, body)) in requests.into_iter().enumerate() {
        tasks.spawn(async move { (index, client.request(method, &path).json(&body).send().await) });
    }
    let mut replies = tasks.join_all().await;
    replies.sort_by_key(|(index, _)| *index);
    replies.into_iter().map(|(_, reply)| reply).collect()
}

/// How many were accepted; all others must have been refused for their input.
pub(super) fn accepted(replies: &[Reply]) -> usize {
    let refused = |reply: &&Reply| !matches!(reply.status, 200 | 201 | 204);
    for reply in replies.iter().filter(refused) {
        assert!(matches!(reply.status, 400 | 403 | 412), "{} {}: {}", reply.request, reply.status, reply.text);
    }
    replies.len() - replies.iter().filter(refused).count()
}

async fn row(client: &Client, path: &str) -> Json {
    client.get(path).await.is(200).json()
}

#[spec]
async fn an_invoice_is_not_paid_twice(engine: Engine) {
    let mut files: Vec<(&str, &str)> = testing::FILES
        .into_iter()
        .filter(|(path, _)| matches!(*path, "tenant.yaml" | "roles/admin.yaml" | "users/admin.yaml"))
        .collect();
    files.extend(shop!["company", "invoice", "line", "payment"]);
    let server = Server::files(engine, &files).await;
    let admin = server.admin();
    let company = admin.create("company", json!({"code": "ACME", "name": "Acme"})).await["id"].clone();
    for round in 0..ROUNDS {
        let invoice = admin.create("invoice", json!({"company": company})).await["id"].clone();
        admin.create("line", json!({"invoice": invoice, "text": "Work", "price": 100})).await;
        let body = json!({"invoice": invoice, "amount": 121});
        let pay = (0..6).map(|_| (admin.clone(), "POST", "collection/payment".to_owned(), body.clone()));
        assert_eq!(accepted(&at_once(pay.collect()).await), 1, "round {round}");
        let invoice = row(&admin, &format!("collection/invoice/{invoice}")).await;
        assert_eq!((invoice["paid"].as_f64(), invoice["balance"].as_f64()), (Some(121.0), Some(0.0)), "round {round}");
    }
}

#[spec]
async fn a_budget_is_not_overdrawn(engine: Engine) {
    let server = Server::with(engine, &[("types/budget.yaml", BUDGET), ("types/expense.yaml", EXPENSE)]).await;
    let admin = server.admin();
    for round in 0..ROUNDS {
        let budget = admin.create("budget", json!({"total": 100})).await["id"].clone();
        let path = "collection/expense".to_owned();
        let body = json!({"budget": budget, "amount": 60});
        let posts = (0..6).map(|_| (admin.clone(), "POST", path.clone(), body.clone()));
        assert_eq!(accepted(&at_once(posts.collect()).await), 1, "round {round}: POST");

        let budget = admin.create("budget", json!({"total": 100})).await["id"].clone();
        let mut changes = Vec::new();
        for number in 0..6 {
            let expense = admin.create("expense", json!({"budget": budget, "amount": 1})).await["id"].clone();
            let method = if number % 2 == 0 { "PATCH" } else { "PUT" };
            changes.push((admin.clone(), method, format!("{path}/{expense}"), json!({"budget": budget, "amount": 60})));
        }
        assert_eq!(accepted(&at_once(changes).await), 1, "round {round}: PATCH and PUT");
        assert_eq!(row(&admin, &format!("collection/budget/{budget}")).await["left"], 35, "round {round}");
    }
}

/// Two writes each of which forbids the other: one of them is refused, whichever comes first.
pub(super) async fn one_or_the_other(pair: [(&Client, &'static str, String, Json); 2], round: usize) {
    let requests = pair.into_iter().map(|(client, method, path, body)| (client.clone(), method, path, body));
    let replies = at_once(requests.collect()).await;
    let said: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
    assert_eq!(accepted(&replies), 1, "round {round}: {said:?}");
}

#[spec]
async fn a_folder_closes_without_open_tasks_and_takes_none_then(engine: Engine) {
    let server = Server::with(engine, &[("types/folder.yaml", FOLDER), ("types/task.yaml", TASK)]).await;
    let admin = &server.admin();
    for round in 0..ROUNDS {
        let folder = admin.create("folder", json!({})).await["id"].clone();
        let task = admin.create("task", json!({"folder": folder, "status": "done", "reason": "r"})).await["id"].clone();
        let (folder, task) = (format!("collection/folder/{folder}"), format!("collection/task/{task}"));
        let close = (admin, "PATCH", folder.clone(), json!({"status": "closed"}));
        one_or_the_other([close, (admin, "PATCH", task, json!({"status": "open"}))], round).await;

        let folder = admin.create("folder", json!({})).await["id"].clone();
        let close = (admin, "PATCH", format!("collection/folder/{folder}"), json!({"status": "closed"}));
        let open = (admin, "POST", "collection/task".to_owned(), json!({"folder": folder}));
        one_or_the_other([close, open], round).await;
    }
}

#[spec]
async fn what_is_required_by_another_resource_is_there(engine: Engine) {
    let server = Server::with(engine, &[("types/folder.yaml", FOLDER), ("types/task.yaml", TASK)]).await;
    let admin = &server.admin();
    for round in 0..ROUNDS {
        let folder = admin.create("folder", json!({})).await["id"].clone();
        let strict = (admin, "PATCH", format!("collection/folder/{folder}"), json!({"strict": true}));
        let silent = (admin, "POST", "collection/task".to_owned(), json!({"folder": folder}));
        one_or_the_other([strict, silent], round).await;

        let folder = admin.create("folder", json!({})).await["id"].clone();
        let task = admin.create("task", json!({"folder": folder, "reason": "r"})).await["id"].clone();
        let strict = (admin, "PATCH", format!("collection/folder/{folder}"), json!({"strict": true}));
        let silent = (admin, "PATCH", format!("collection/task/{task}"), json!({"reason": null}));
        one_or_the_other([strict, silent], round).await;
    }
}

#[spec("D-12", "D-24")]
async fn what_grants_and_filters_of_relations_look_at_stays(engine: Engine) {
    let files = [("types/folder.yaml", FOLDER), ("types/task.yaml", TICKET), ("roles/editor.yaml", CLERK)];
    let server = Server::with(engine, &files).await;
    let (admin, editor) = (&server.admin(), &server.editor());
    let tasks = || "collection/task".to_owned();
    for round in 0..ROUNDS {
        let folder = admin.create("folder", json!({})).await["id"].clone();
        let close = (admin, "PATCH", format!("collection/folder/{folder}"), json!({"status": "closed"}));
        one_or_the_other([close, (editor, "POST", tasks(), json!({"folder": folder}))], round).await;

        let folder = admin.create("folder", json!({})).await["id"].clone();
        let task = admin.create("task", json!({"folder": folder, "status": "done"})).await["id"].clone();
        let close = (admin, "PATCH", format!("collection/folder/{folder}"), json!({"status": "closed"}));
        let open = (editor, "PATCH", format!("collection/task/{task}"), json!({"status": "open"}));
        one_or_the_other([close, open], round).await;

        let folder = admin.create("folder", json!({})).await["id"].clone();
        let hide = (admin, "PATCH", format!("collection/folder/{folder}"), json!({"public": false}));
        one_or_the_other([hide, (admin, "POST", tasks(), json!({"folder": folder}))], round).await;
    }
}

/// No row stands for those that are not there yet.
#[spec]
async fn what_a_rule_looks_for_is_found(engine: Engine) {
    let server = Server::with(engine, &[("types/seat.yaml", SEAT), ("queries/seats.yaml", SEATS)]).await;
    let admin = &server.admin();
    for round in 0..ROUNDS {
        let take = (0..8).map(|_| (admin.clone(), "POST", "collection/seat".to_owned(), json!({"name": "a"})));
        let replies = at_once(take.collect()).await;
        assert_eq!(accepted(&replies), 3, "round {round}");
        for reply in replies.iter().filter(|reply| reply.status == 201) {
            admin.delete(&format!("collection/seat/{}", reply.at("/id"))).await.is(204);
        }
    }
}

/// A thing that is moved away in time stays as it is; one that comes too late is gone, or refers to nothing.
#[spec("D-25")]
async fn what_moved_away_is_not_deleted_with_its_box(engine: Engine) {
    let server = Server::with(engine, &[("types/box.yaml", BOX), ("types/thing.yaml", THING)]).await;
    let admin = &server.admin();
    let other = admin.create("box", json!({"name": "other"})).await["id"].clone();
    for round in 0..ROUNDS * 2 {
        let relation = ["box", "loose"][round % 2];
        let left = admin.create("box", json!({"name": "left"})).await["id"].clone();
        let thing = admin.create("thing", json!({relation: left})).await["id"].clone();
        let path = format!("collection/thing/{thing}");
        let replies = at_once(vec![
            (admin.clone(), "PATCH", path.clone(), json!({relation: other})),
            (admin.clone(), "DELETE", format!("collection/box/{left}"), json!({})),
        ])
        .await;
        let (moved, deleted) = (replies[0].status, replies[1].status);
        let there = admin.get(&format!("{path}?showFields=box,loose,version")).await;
        let seen = (moved, deleted, there.status);
        assert!(matches!(seen, (200, 204, 200) | (404, 204, 404)), "round {round}: {seen:?}");
        if there.status == 200 {
            // Where it was let go first, that was a version of its own.
            let row = there.json();
            assert_eq!(row[relation], other, "round {round}");
            assert!(row["version"] == 2 || relation == "loose" && row["version"] == 3, "round {round}: {row}");
        }
    }
}
