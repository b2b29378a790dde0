//! What a caller may not see is not there: no field, no filter, no order, no count.

use super::world::{World, people};
use context::caller_key::CallerKey;
use context::passwords::PasswordHash;
use database::ReadCost;

use accounts::users::{NewUser, create, create_key};
use query::request::{FieldsRequest, ItemRef, ListRequest};
use serde_json::{Value as Json, json};
use spec::spec;

/// The key of a user who may read text, owner and people of things, and nothing of people.
fn key(world: &World) -> CallerKey {
    let user = NewUser {
        login: "part@example.com".into(),
        name: "Part".into(),
        password: PasswordHash::new("a long enough one 7", world.tenant.environment().random.as_ref()).unwrap(),
        roles: vec!["part".into()],
    };
    let text = tokio::task::block_in_place(|| {
        world.tenant.write_as_administrator(|tx, context| {
            create(tx, context, &user)?;
            create_key(tx, context, &user.login, None)
        })
    });
    CallerKey::parse(&text.unwrap().text.unwrap()).unwrap()
}

async fn list(world: &World, key: &CallerKey, query: &[(&str, &str)]) -> Result<Json, String> {
    let request = ListRequest::parse(&super::world::pairs(query), None).map_err(|error| error.message)?;
    let page = world
        .tenant
        .read(ReadCost::Scan, key, move |tx, context| resources::list(tx, context, "thing", &request))
        .await;
    page.map(|page| serde_json::from_slice(&page.body).unwrap()).map_err(|error| error.message)
}

#[spec("D-2", "D-3", "D-12", "A069")]
async fn unreadable_fields_are_like_those_that_do_not_exist(world: World) {
    people(&world);
    world
        .put("thing", &[json!({"text": "a", "count": 7, "owner": 1, "people": [1]}), json!({"text": "b", "count": 8})]);
    let key = key(&world);
    let page = list(&world, &key, &[("hideFields", "uuid")]).await.unwrap();
    assert_eq!(
        page["data"],
        // The type's own order is by count, descending: it would tell the counts.
        json!([{"id": 1, "text": "a", "owner": 1, "people": [1]}, {"id": 2, "text": "b", "owner": null, "people": []}])
    );
    for name in ["count", "nothing", "owner.name", "people.country.code", "owner.nothing"] {
        let expected = format!("There is no property {name:?}.");
        let filter = json!([{"property": name, "type": "eq", "param": 7}]).to_string();
        for query in [("filters", filter.as_str()), ("orderBy", name), ("showFields", name), ("hideFields", name)] {
            assert_eq!(list(&world, &key, &[query]).await.unwrap_err(), expected, "{query:?}");
        }
        let other = json!([{"property": "id", "type": "eq", "param": {"$property": name}}]).to_string();
        assert_eq!(list(&world, &key, &[("filters", &other)]).await.unwrap_err(), expected);
    }
    let some = json!([{"property": "people", "type": "some", "param": []}]).to_string();
    assert!(list(&world, &key, &[("filters", &some)]).await.unwrap_err().contains("does not serve"));
    let uuid = json!([{"property": "owner", "type": "eq", "param": world.uuid("person", 1)}]).to_string();
    assert!(list(&world, &key, &[("filters", &uuid)]).await.unwrap_err().contains("needs ids"));
    let found = json!([{"property": "owner", "type": "eq", "param": 1}]).to_string();
    assert_eq!(list(&world, &key, &[("filters", &found)]).await.unwrap()["stats"]["total"], 1);
}

#[spec("D-13", "A069")]
async fn a_type_without_show_is_forbidden_and_passwords_are_nobodys(world: World) {
    people(&world);
    let key = key(&world);
    let get = |tx: &mut database::Tx<'_>, context: &context::request_context::RequestContext| {
        resources::get(tx, context, "person", &ItemRef::Id(1), &FieldsRequest::default())
    };
    let forbidden = world.tenant.read(ReadCost::Point, &key, get).await.unwrap_err();
    assert_eq!(forbidden.kind, model::error::ErrorKind::Forbidden);
    let secret = json!([{"property": "password", "type": "isNotNull"}]);
    assert_eq!(world.ids("user", &secret).unwrap_err(), "There is no property \"password\".");
    assert_eq!(world.list("user", &[("orderBy", "password")]).unwrap_err(), "There is no property \"password\".");
    assert_eq!(world.get("user", "1", &[]).unwrap().get("password"), None);
}
