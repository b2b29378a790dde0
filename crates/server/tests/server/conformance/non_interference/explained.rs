//! What is explained is what the API does: random rights, rows and values, asked first and done then.

use super::callers::{Caller, callers};
use super::tenant::{KINDS, Kind, Shape, Tenant, UNIQUE, kind};
use super::{fill, own, seed};
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Choices, Reply};

const DEALS: usize = 4;
const ROUNDS: usize = 20;

/// What an explanation says of an action.
struct Said {
    whole: Json,
    action: Json,
}

#[spec("D-12", "D-13")]
async fn explanations_are_what_the_api_does(mut tenant: Tenant) {
    let seed = seed(20_261_122);
    let choices = &mut Choices::new(seed);
    fill(choices, &mut tenant).await;
    let (mut allowed, mut refused, mut unnamed) = (0, 0, 0);
    for deal in 0..DEALS {
        let callers = callers(choices, &tenant.server).await;
        own(choices, &mut tenant, &callers).await;
        for round in 0..ROUNDS {
            let (caller, kind) = (choices.of(&callers), choices.of(&KINDS));
            let id = *choices.of(&tenant.rows[kind.name]);
            let place = format!("seed {seed}, deal {deal}, round {round}: {} and {} {id}", caller.name, kind.name);
            let said = [
                shows(choices, &tenant, caller, (kind, id), &place).await,
                edits(choices, &tenant, caller, (kind, id), &place).await,
                creates(choices, &mut tenant, caller, kind, &place).await,
                deletes(choices, &mut tenant, caller, (kind, id), &place).await,
            ];
            allowed += said.iter().filter(|allowed| **allowed).count();
            refused += said.iter().filter(|allowed| !**allowed).count();
        }
        for caller in &callers {
            unnamed += collide(choices, &tenant, caller, &format!("seed {seed}, deal {deal}: {}", caller.name)).await;
        }
    }
    println!("{allowed} were allowed, {refused} refused; {unnamed} collided with what their caller does not know");
    assert!(unnamed > 0, "nothing collided with what its caller does not know");
    assert!(allowed * 6 > refused && refused * 6 > allowed, "{allowed} were allowed, {refused} refused");
}

async fn ask(tenant: &Tenant, caller: &Caller, kind: &Kind, item: Option<i64>, set: Option<&Json>, name: &str) -> Said {
    let body = json!({"user": caller.user, "type": kind.name, "item": item, "scopes": caller.scopes, "set": set});
    let whole = tenant.admin.post("/api/ext/v1/explain", body.clone()).await.is(200).json();
    for grant in whole["grants"].as_array().unwrap() {
        for rule in [&grant["where"], &grant["check"]] {
            // What decides is only told where the language and the database agree.
            assert_eq!(rule["holds"].is_boolean(), rule["because"].is_array(), "{rule}\n{body}\n{whole}");
        }
    }
    let action = whole["actions"].as_array().unwrap().iter().find(|action| action["action"] == name);
    Said { action: action.unwrap().clone(), whole }
}

impl Said {
    /// Holds the answer of the API against it; gives whether it was allowed.
    fn verify(&self, answer: &Reply, done: u16, place: &str) -> bool {
        let kind = &self.action["refusal"]["kind"];
        let expected = match kind.as_str() {
            None => done,
            Some("forbidden") => 403,
            Some("missing") => 404,
            Some("invalid") => 400,
            Some("conflict") => 409,
            Some(other) => panic!("{other} is no kind"),
        };
        assert_eq!(answer.status, expected, "{place}: {}\n{}\n{}", self.action, answer.text, self.whole);
        if expected != done {
            assert_eq!(answer.at("/message"), self.action["refusal"]["message"], "{place}");
        }
        expected == done
    }
}

/// Whether a write was refused for what is unique, which is found as it is written. It names what the caller knows.
fn collided(said: &Said, caller: &Caller, kind: &Kind, answer: &Reply, place: &str) -> Option<bool> {
    // The row is written before it is checked what it became.
    let writes = said.action["allowed"] == true || said.action["refusal"]["code"] == "check_failed";
    if !writes || answer.status != 409 || kind.name != "place" {
        return None;
    }
    let actions = said.whole["actions"].as_array().unwrap();
    let others = actions.iter().filter(|action| action["action"] != "show");
    let given: Vec<&str> =
        others.flat_map(|action| action["fields"].as_array()).flatten().filter_map(Json::as_str).collect();
    let knows = |name: &str| {
        given.contains(&name) || caller.sees.get(kind.name).is_some_and(|seen| seen.properties.contains(name))
    };
    for (name, title) in UNIQUE {
        let named = answer.text.contains(title) || answer.text.contains(&format!("\"{name}\""));
        assert_eq!(named, knows(name), "{place}: {}\n{}", answer.text, said.whole);
    }
    Some(UNIQUE.iter().any(|(name, _)| !knows(name)))
}

/// Has places get an extent that another one of their name has; gives how many callers do not know what they met.
async fn collide(choices: &mut Choices, tenant: &Tenant, caller: &Caller, place: &str) -> usize {
    let mut unnamed = 0;
    let of = kind("place");
    for id in &tenant.rows["place"] {
        let other = choices.of(&tenant.rows["place"]);
        let other = tenant.admin.get(&format!("collection/place/{other}")).await.is(200).json();
        let path = format!("collection/place/{id}");
        if other["size"].is_null() || tenant.admin.patch(&path, json!({"name": other["name"]})).await.status != 200 {
            continue;
        }
        let set = json!({"size": other["size"]});
        let said = ask(tenant, caller, of, Some(*id), Some(&set), "edit").await;
        let answer = caller.client.patch(&path, set).await;
        match collided(&said, caller, of, &answer, place) {
            Some(unknown) => unnamed += usize::from(unknown),
            None => drop(said.verify(&answer, 200, place)),
        }
    }
    unnamed
}

async fn shows(choices: &mut Choices, tenant: &Tenant, caller: &Caller, (kind, id): (&Kind, i64), place: &str) -> bool {
    let said = ask(tenant, caller, kind, Some(id), None, "show").await;
    let path = format!("collection/{}/{id}", kind.name);
    let allowed = said.verify(&caller.client.get(&path).await, 200, place);
    let filters = json!([{"property": "id", "type": "eq", "param": id}]).to_string();
    let listed = caller.client.query(&format!("collection/{}", kind.name), &[("filters", &filters)]).await;
    assert_eq!(listed.status == 200, allowed, "{place}: {}", listed.text);
    if allowed {
        let names = |key: &str| -> Vec<String> {
            said.action[key].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
        };
        let mut fields = names("fields");
        let row = caller.client.get(&format!("{path}?showFields={}", fields.join(","))).await.is(200).json();
        let mut keys: Vec<String> = row.as_object().unwrap().keys().cloned().collect();
        keys.sort();
        fields.sort();
        assert_eq!(keys, fields, "{place}");
        let others = names("others");
        if !others.is_empty() {
            let other = choices.of(&others);
            let row = caller.client.get(&format!("{path}?showFields=id,{other}")).await;
            assert!(row.status == 400 || row.status == 200 && row.json().get(other).is_none(), "{place}: {}", row.text);
        }
    }
    allowed
}

/// Values for some properties. Files are not tried, and roles are others' to give.
async fn values(choices: &mut Choices, tenant: &Tenant, kind: &Kind, whole: bool) -> Json {
    let mut body = json!({});
    let taken: Vec<_> =
        kind.properties.iter().filter(|(_, shape)| !matches!(shape, Shape::File | Shape::Fixed)).copied().collect();
    let few = if whole { choices.some(&taken) } else { vec![choices.of(&taken)] };
    for (name, shape) in few {
        body[*name] = match shape {
            Shape::Made => json!(1),
            shape => tenant.value(choices, kind.name, name, *shape).await,
        };
    }
    body
}

async fn edits(choices: &mut Choices, tenant: &Tenant, caller: &Caller, (kind, id): (&Kind, i64), place: &str) -> bool {
    let whole = choices.once_in(4);
    let set = values(choices, tenant, kind, whole).await;
    let said = ask(tenant, caller, kind, Some(id), Some(&set), "edit").await;
    let answer = caller.client.patch(&format!("collection/{}/{id}", kind.name), set.clone()).await;
    // A circle is found where the row is written.
    if said.action["allowed"] == true && answer.text.contains("below the resource itself") {
        return true;
    }
    if collided(&said, caller, kind, &answer, place).is_some() {
        return true;
    }
    said.verify(&answer, 200, &format!("{place}: {set}"))
}

async fn creates(choices: &mut Choices, tenant: &mut Tenant, caller: &Caller, kind: &Kind, place: &str) -> bool {
    let mut set = values(choices, tenant, kind, true).await;
    if kind.name == "user" {
        set["user_id"] = json!(format!("new{}@acme.test", choices.below(1_000_000)));
        set["user_name"] = json!("New");
    }
    let said = ask(tenant, caller, kind, None, Some(&set), "create").await;
    let answer = caller.client.post(&format!("collection/{}", kind.name), set.clone()).await;
    if collided(&said, caller, kind, &answer, place).is_some() {
        return true;
    }
    let allowed = said.verify(&answer, 201, &format!("{place}: {set}"));
    if allowed {
        let id = answer.at("/id");
        tenant.admin.delete(&format!("collection/{}/{id}", kind.name)).await.is(204);
    }
    allowed
}

async fn deletes(
    choices: &mut Choices,
    tenant: &mut Tenant,
    caller: &Caller,
    (kind, id): (&'static Kind, i64),
    place: &str,
) -> bool {
    let said = ask(tenant, caller, kind, Some(id), None, "delete").await;
    if said.action["allowed"] == true && tenant.rows[kind.name].len() < 4 {
        return true;
    }
    let answer = caller.client.delete(&format!("collection/{}/{id}", kind.name)).await;
    // What refers to it is no right.
    if said.action["allowed"] == true && answer.status == 409 {
        return true;
    }
    let allowed = said.verify(&answer, 204, place);
    if allowed {
        tenant.rows.get_mut(kind.name).unwrap().retain(|row| *row != id);
        tenant.create(choices, kind).await;
    }
    allowed
}
