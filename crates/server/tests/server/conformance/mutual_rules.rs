//! Rows whose rules or grants look at each other, under parallel writes: each write is answered, and soon.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};
use tokio::task::JoinSet;

/// The number of clients that write at a time, and of writes of each.
const CLIENTS: usize = 8;
const WRITES: usize = 12;

const ACCOUNT: &str = r#"
id: 70
name: account
properties:
  peer:    {id: 700, kind: pRelation, type: account}
  balance: {id: 701, kind: pInteger, validate: [{rule: "{=balance + (peer.balance ?? 0) >= 0}", message: Overdrawn.}]}
"#;

const WALLET: &str = r#"
id: 71
name: wallet
properties:
  start:    {id: 710, kind: pInteger}
  incoming: {id: 711, kind: pRollup, relation: transfer.to, function: sum, property: amount}
  outgoing: {id: 712, kind: pRollup, relation: transfer.from, function: sum, property: amount}
  balance:  {id: 713, kind: pInteger, calculate: "{=start + incoming - outgoing}"}
"#;

const TRANSFER: &str = r#"
id: 72
name: transfer
properties:
  from:   {id: 720, kind: pRelation, type: wallet, required: true}
  to:     {id: 721, kind: pRelation, type: wallet, required: true}
  amount: {id: 722, kind: pInteger, validate: [{rule: "{=amount <= from.balance and to.balance >= 0}", message: Too much.}]}
"#;

/// A switch without rules of its own: grants look at the other one.
const SWITCH: &str = "
id: 73
name: switch
properties:
  other: {id: 730, kind: pRelation, type: switch}
  note:  {id: 731, kind: pInteger}
  on:    {id: 732, kind: pBoolean, default: true}
";

const ROLE: &str = r#"
role: editor
system: [restApi]
types:
  switch: {show: true, edit: {where: "{=other.on == true}"}}
"#;

/// Has all clients write at once, each its own number of times; gives the answers that are not 200.
async fn write(client: &Client, targets: &[(String, &'static str)]) -> Vec<String> {
    let mut tasks = JoinSet::new();
    for number in 0..CLIENTS {
        let ((path, member), client) = (targets[number % targets.len()].clone(), client.clone());
        tasks.spawn(async move {
            let mut refused = Vec::new();
            for write in 0..WRITES {
                let body: Json = json!({ member: 1 + (number + write) % 5 });
                let reply = client.patch(&path, body).await;
                if reply.status != 200 {
                    refused.push(format!("{} {}", reply.status, reply.text));
                }
            }
            refused
        });
    }
    tasks.join_all().await.concat()
}

/// The first writes may meet in a deadlock, which PostgreSQL sees after a second. They are tried again, and from then on
/// they go one by one.
async fn each_is_answered(client: &Client, targets: &[(String, &'static str)]) {
    for round in ["first", "second"] {
        assert_eq!(write(client, targets).await, Vec::<String>::new(), "the {round} round");
    }
}

#[spec]
async fn rows_whose_rules_read_each_other_are_written_side_by_side(engine: Engine) {
    let server = Server::with(engine, &[("types/account.yaml", ACCOUNT)]).await;
    let admin = server.admin();
    let one = admin.create("account", json!({"balance": 1})).await["id"].clone();
    let other = admin.create("account", json!({"balance": 1, "peer": one})).await["id"].clone();
    admin.patch(&format!("collection/account/{one}"), json!({"peer": other})).await.is(200);
    let targets = [&one, &other].map(|id| (format!("collection/account/{id}"), "balance"));
    each_is_answered(&admin, &targets).await;
}

#[spec]
async fn transfers_in_both_directions_are_written_side_by_side(engine: Engine) {
    let server = Server::with(engine, &[("types/wallet.yaml", WALLET), ("types/transfer.yaml", TRANSFER)]).await;
    let admin = server.admin();
    let one = admin.create("wallet", json!({"start": 1_000})).await["id"].clone();
    let other = admin.create("wallet", json!({"start": 1_000})).await["id"].clone();
    let mut targets = Vec::new();
    for (from, to) in [(&one, &other), (&other, &one), (&one, &other), (&other, &one)] {
        let made = admin.create("transfer", json!({"from": from, "to": to, "amount": 1})).await;
        targets.push((format!("collection/transfer/{}", made["id"]), "amount"));
    }
    each_is_answered(&admin, &targets).await;
    let sums = admin.get("collection/wallet").await.is(200);
    assert_eq!(sums.at("/data/0/incoming"), sums.at("/data/1/outgoing").clone());
}

#[spec]
async fn rows_whose_grants_read_each_other_are_written_side_by_side(engine: Engine) {
    let server = Server::with(engine, &[("types/switch.yaml", SWITCH), ("roles/editor.yaml", ROLE)]).await;
    let admin = server.admin();
    let one = admin.create("switch", json!({"note": 1})).await["id"].clone();
    let other = admin.create("switch", json!({"note": 1, "other": one})).await["id"].clone();
    admin.patch(&format!("collection/switch/{one}"), json!({"other": other})).await.is(200);
    let targets = [&one, &other].map(|id| (format!("collection/switch/{id}"), "note"));
    each_is_answered(&server.editor(), &targets).await;
}
