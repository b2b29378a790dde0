//! Whatever writes: the old row must be one that the grant is for, the new row one that passes its check.

use super::Office;
use serde_json::json;
use spec::spec;

#[spec("D-12", "D-13")]
async fn only_rows_of_the_grant_are_changed(Office { admin, clerk, .. }: Office) {
    let body = json!({"number": "new"});
    for path in ["collection/invoice/1", "collection/invoice/4"] {
        // Seen and not granted: 403.
        clerk.patch(path, body.clone()).await.is(403).says("edit");
        clerk.put(path, body.clone()).await.is(403);
    }
    let missing = clerk.patch("collection/invoice/99", body.clone()).await.is(404).text;
    assert_eq!(clerk.patch("collection/invoice/2", body.clone()).await.is(404).text, missing);
    assert_eq!(clerk.put("collection/invoice/2", body.clone()).await.is(404).text, missing);
    assert_eq!(clerk.patch("collection/invoice/3", body).await.is(200).at("/number"), "new");
    // A property that is shown and not granted.
    clerk.patch("collection/invoice/3", json!({"above": 1})).await.is(403).says("Above");
    // What was sent back as it was read is no change.
    let read = clerk.get("collection/invoice/3").await.is(200);
    let etag = read.header("etag").to_owned();
    let mut row = read.json();
    row["amount"] = json!(31);
    let put = clerk.request("PUT", "collection/invoice/3").header("if-match", &etag).json(&row).send().await.is(200);
    assert_eq!(put.at("/amount"), 31);
    clerk.request("PATCH", "collection/invoice/3").header("if-match", &etag).json(&json!({})).send().await.is(412);
    assert_eq!(admin.get("collection/invoice/2").await.at("/number"), "two");
}

#[spec("D-12", "D-24")]
async fn the_new_row_passes_the_check_or_nothing_is_written(Office { admin, clerk, user, .. }: Office) {
    let before = admin.get("collection/invoice/3").await.is(200).text;
    clerk.patch("collection/invoice/3", json!({"state": "sealed", "amount": 1})).await.is(403).says("Invoice");
    clerk.put("collection/invoice/3", json!({"state": "sealed"})).await.is(403);
    assert_eq!(admin.get("collection/invoice/3").await.is(200).text, before);
    // The version too: `updated` is asked for by name.
    let show = [("showFields", "version,state")];
    assert_eq!(admin.query("collection/invoice/3", &show).await.at("/version"), 1);
    clerk.patch("collection/invoice/3", json!({"state": "open"})).await.is(200);
    // A row that was sealed by somebody else may be changed by its owner to be open again.
    admin.patch("collection/invoice/3", json!({"state": "sealed"})).await.is(200);
    clerk.patch("collection/invoice/3", json!({"amount": 7})).await.is(403);
    clerk.patch("collection/invoice/3", json!({})).await.is(200);
    clerk.patch("collection/invoice/3", json!({"state": "open", "amount": 7})).await.is(200);
    assert_eq!(admin.get("collection/invoice/3").await.at("/owner"), user);
}

#[spec("D-12")]
async fn the_check_is_the_where_unless_it_is_given(Office { server, admin, .. }: Office) {
    let role = "role: mover\nsystem: [restApi]\ntypes:\n  invoice:\n    show: {where: \"{=state == 'open'}\"}\n    \
                edit: {where: \"{=state == 'open'}\"}\n";
    let mover = server.role("mover", role).await;
    mover.patch("collection/invoice/1", json!({"state": "paid"})).await.is(403);
    mover.patch("collection/invoice/1", json!({"amount": 11})).await.is(200);
    // Create and delete follow edit: the new row must be one that may be changed, a deleted one as well.
    mover.post("collection/invoice", json!({"state": "paid"})).await.is(403);
    mover.post("collection/invoice", json!({"state": "open"})).await.is(201);
    mover.delete("collection/invoice/2").await.is(404);
    mover.delete("collection/invoice/1").await.is(204);
    assert_eq!(admin.get("collection/invoice?showFields=id").await.at("/stats/total"), 5);
}

#[spec("D-12")]
async fn what_is_changed_is_granted_by_grants_that_hold_for_both(Office { server, admin, user, .. }: Office) {
    let role = r#"
role: clerk
system: [restApi]
types:
  invoice:
    show: {where: "{=state != 'sealed'}"}
    edit:
      - {where: "{=state == 'open'}", fields: [amount, state], check: "{=state == 'open' or state == 'paid'}"}
      - {where: "{=owner.id == user('id')}", fields: [note, state, owner]}
"#;
    let clerk = server.role("clerk", role).await;
    let note = json!({"note": "x"});
    clerk.patch("collection/invoice/1", note.clone()).await.is(403).says("Note");
    clerk.patch("collection/invoice/1", json!({"amount": 1})).await.is(200);
    clerk.patch("collection/invoice/3", json!({"amount": 1})).await.is(403);
    clerk.patch("collection/invoice/3", note.clone()).await.is(200);
    admin.patch("collection/invoice/1", json!({"owner": user})).await.is(200);
    clerk.patch("collection/invoice/1", json!({"note": "x", "amount": 2})).await.is(200);
    // The owner's grant alone leads to sealed rows, and it knows no amount.
    clerk.patch("collection/invoice/1", json!({"state": "sealed", "amount": 3})).await.is(403);
    assert_eq!(admin.get("collection/invoice/1").await.at("/amount"), 2);
    // The answer shows what the new row shows: nothing, where it is not seen any more.
    let gone = clerk.patch("collection/invoice/1", json!({"state": "sealed"})).await.is(200).json();
    assert!(gone["id"] == 1 && gone.get("state").is_none() && gone.get("note").is_none(), "{gone}");
    clerk.get("collection/invoice/1").await.is(404);
    // Given away, it is not the clerk's any more: the check is the `where`.
    clerk.patch("collection/invoice/3", json!({"owner": null})).await.is(403);
}

#[spec("D-12")]
async fn presets_and_checks_of_new_rows(Office { admin, clerk, user, .. }: Office) {
    let made = clerk.create("invoice", json!({"number": "six", "amount": 1})).await;
    assert_eq!((&made["state"], &made["owner"]), (&json!("open"), &json!(user)));
    let stored = admin.get(&format!("collection/invoice/{}", made["id"])).await.is(200).json();
    assert_eq!((&stored["state"], &stored["owner"]), (&json!("open"), &json!(user)));
    // What has a preset is not the caller's to give, unless its fields grant it.
    clerk.post("collection/invoice", json!({"number": "x", "state": "paid"})).await.is(403).says("State");
    clerk.post("collection/invoice", json!({"number": "x", "note": "n"})).await.is(403);
    let count = admin.get("collection/invoice").await.at("/stats/total");
    clerk.post("collection/invoice", json!({"number": "x", "amount": 13})).await.is(403).says("create");
    assert_eq!(admin.get("collection/invoice").await.at("/stats/total"), count);
}

#[spec("D-12", "D-13")]
async fn rows_of_the_grant_are_deleted(Office { admin, clerk, .. }: Office) {
    clerk.delete("collection/invoice/1").await.is(403).says("delete");
    // Of a row that is not seen the grant to delete serves all the same; one that is neither is missing.
    clerk.delete("collection/invoice/2").await.is(204);
    admin.create("invoice", json!({"number": "seven", "state": "sealed"})).await;
    clerk.delete("collection/invoice/6").await.is(404);
    clerk.delete("collection/invoice/3").await.is(204);
    assert_eq!(super::ids(&admin, &[]).await, [1, 4, 5, 6]);
}

#[spec("D-3", "D-24")]
async fn a_target_that_is_not_seen_is_missing(Office { admin, clerk, .. }: Office) {
    let uuid = admin.get("collection/company/2").await.at("/uuid");
    let missing = clerk.patch("collection/invoice/3", json!({"customer": 99})).await.is(400).text;
    // It was read: what refers to it already may stay.
    clerk.patch("collection/invoice/3", json!({"customer": 2, "amount": 3})).await.is(200);
    clerk.patch("collection/invoice/3", json!({"customer": 1})).await.is(200);
    assert_eq!(clerk.patch("collection/invoice/3", json!({"customer": 2})).await.is(400).text, missing);
    assert_eq!(clerk.patch("collection/invoice/3", json!({"customer": uuid})).await.is(400).text, missing);
    assert_eq!(clerk.post("collection/invoice", json!({"customer": 2})).await.is(400).text, missing);
    clerk.post("collection/invoice", json!({"customer": 1})).await.is(201);
}

#[spec("D-3", "D-12")]
async fn a_taken_value_of_a_property_that_is_not_known_is_not_named(Office { server, admin, .. }: Office) {
    let role = "role: scribe\nsystem: [restApi]\ntypes:\n  company:\n    show: {fields: [name]}\n    \
                create: {fields: [name], preset: {code: A}}\n";
    let scribe = server.role("scribe", role).await;
    let told = scribe.post("collection/company", json!({"name": "Gamma"})).await.is(409);
    assert_eq!(told.at("/message"), "There is already such a Company.");
    admin.post("collection/company", json!({"name": "Gamma", "code": "A"})).await.is(409).says("same Code");
}
