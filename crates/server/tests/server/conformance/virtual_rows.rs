//! Virtual calculations, by whatever way their rows are read and whatever is shown beside them.

use serde_json::json;
use spec::spec;
use testing::{Engine, Server};

const OWNER: &str = r#"
id: 50
name: owner
properties:
  name: {id: 500, kind: pString}
"#;

const ITEM: &str = r#"
id: 51
name: item
properties:
  amount: {id: 510, kind: pInteger}
  price:  {id: 511, kind: pDecimal, scale: 2}
  owner:  {id: 512, kind: pRelation, type: owner}
  labels: {id: 513, kind: pRelations, type: owner}
  note:   {id: 514, kind: pString, condition: "{=amount > 1}"}
  cost:   {id: 515, kind: pCalculated, calculate: "{=amount * price}"}
  double: {id: 516, kind: pInteger, stored: false, calculate: "{=cost * 2}"}
  whose:  {id: 517, kind: pString, stored: false, calculate: "{=owner.name ~ amount}"}
  many:   {id: 518, kind: pCalculated, calculate: "{=length(labels)}"}
  share:  {id: 519, kind: pDecimal, stored: false, calculate: "{=amount != null ? price / jsonDecode(amount ~ '') : null}"}
  shares: {id: 530, kind: pDecimal, stored: false, calculate: "{=(share ?? 100) * 2}"}
"#;

const PARCEL: &str = r#"
id: 52
name: parcel
properties:
  item: {id: 520, kind: pRelation, type: item}
"#;

#[spec]
async fn virtual_values_are_the_same_however_their_rows_are_read(engine: Engine) {
    let files = [("types/owner.yaml", OWNER), ("types/item.yaml", ITEM), ("types/parcel.yaml", PARCEL)];
    let server = Server::with(engine, &files).await;
    let admin = server.admin();
    let owner = admin.create("owner", json!({"name": "Anna"})).await["id"].clone();
    let body = json!({"amount": 3, "price": 2.5, "owner": owner, "labels": [owner], "note": "n"});
    let item = admin.create("item", body).await;
    let bare = admin.create("item", json!({"amount": 1, "price": 4.5})).await;
    // Its share is none, whatever that of the one before it is.
    let none = admin.create("item", json!({"amount": 0, "price": 1})).await;
    let expected =
        json!({"cost": 7.5, "double": 15, "whose": "Anna3", "many": 1, "note": "n", "share": 0.83, "shares": 1.66});
    let of_bare = json!({"cost": 4.5, "double": 9, "whose": "1", "many": 0, "share": 4.5, "shares": 9.0});
    let of_none = json!({"cost": 0.0, "double": 0, "whose": "0", "many": 0, "share": null, "shares": 200.0});
    let values = ["cost", "double", "whose", "many", "note", "share", "shares"];
    let mut shares = Vec::new();
    for (made, expected) in [(&item, &expected), (&bare, &of_bare), (&none, &of_none)] {
        let parcel = admin.create("parcel", json!({"item": made["id"]})).await["id"].clone();
        let path = format!("collection/item/{}", made["id"]);
        let whole = admin.get(&path).await.is(200).json();
        let list = admin.get("collection/item?orderBy=-amount").await.is(200);
        let listed = list.at("/data").as_array().unwrap().iter().find(|row| row["id"] == made["id"]).unwrap().clone();
        for name in values {
            let wanted = expected.get(name);
            for shown in [made, &whole, &listed] {
                assert_eq!(shown.get(name), wanted, "{name}: {shown}");
            }
            let alone = admin.get(&format!("{path}?showFields={name}")).await.is(200).json();
            assert_eq!(alone.get(name), wanted, "{name}: {alone}");
            let embedded = admin.get(&format!("collection/parcel/{parcel}?showFields=item.{name}")).await.is(200);
            assert_eq!(embedded.json()["item"].get(name), wanted, "{name}");
            let listed = admin.get(&format!("collection/parcel?showFields=item.{name}&orderBy=-id")).await.is(200);
            assert_eq!(listed.json()["data"][0]["item"].get(name), wanted, "{name}");
        }
        shares.push(json!({"id": made["id"], "shares": expected["shares"]}));
    } // These take nothing but their row.
    let list = admin.get("collection/item?orderBy=-amount&showFields=shares").await.is(200);
    assert_eq!(list.at("/data"), json!(shares));
}

/// Each row of a list has its own values, with other fields behind the virtual ones, too.
#[spec]
async fn virtual_values_are_those_of_their_row_wherever_they_stand(engine: Engine) {
    let files = [("types/owner.yaml", OWNER), ("types/item.yaml", ITEM)];
    let server = Server::with(engine, &files).await;
    let admin = server.admin();
    for amount in 1..=4 {
        admin.create("item", json!({"amount": amount, "price": 2})).await;
    }
    for fields in ["cost,amount", "amount,cost", "cost,amount,double,price", "cost,double,amount", "price,cost,amount"]
    {
        let list = admin.get(&format!("collection/item?showFields={fields}&orderBy=amount")).await.is(200);
        for (row, amount) in (1..=4).enumerate() {
            assert_eq!(
                list.at(&format!("/data/{row}/cost")),
                json!(2.0 * f64::from(amount)),
                "{fields}: {}",
                list.text
            );
            if fields.contains("double") {
                assert_eq!(list.at(&format!("/data/{row}/double")), json!(4 * amount), "{fields}: {}", list.text);
            }
        }
    }
}
