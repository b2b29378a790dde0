//! Parameters, as far as no model is needed.

use super::world::{World, pairs, people};
use query::request::{FieldsRequest, ItemRef, ListRequest};
use serde_json::{Value as Json, json};
use spec::spec;

fn list(query: &[(&str, &str)], body: Option<Json>) -> Result<ListRequest, String> {
    let body = body.map(|body| body.as_object().unwrap().clone());
    ListRequest::parse(&pairs(query), body.as_ref()).map_err(|error| error.message)
}

#[spec(plain, "D-17", "A078", "R-110", "R-111")]
fn page_and_per_page_are_positive_integers() {
    for bad in ["-1", "0", "1e3", "0x10", "", "+5", "1.0", "all", " 1", "1000000000000000000000000000000"] {
        assert_eq!(list(&[("page", bad)], None).unwrap_err(), "The parameter page must be a positive integer.");
    }
    for bad in ["0", "-1", "all", "1e3"] {
        assert!(list(&[("perPage", bad)], None).is_err(), "{bad}");
    }
    assert_eq!(list(&[("page", "7")], None).unwrap().page, Some(7));
    assert_eq!(list(&[("perPage", "1000000000")], None).unwrap().per_page, Some(1_000_000_000));
    assert_eq!(list(&[], Some(json!({"page": 2, "perPage": "3"}))).unwrap().page, Some(2));
    for bad in [json!(1.5), json!(1e3), json!(-1), json!(null), json!([1]), json!(true)] {
        assert!(list(&[], Some(json!({"page": bad}))).is_err(), "{bad}");
    }
}

#[spec(plain, "D-2", "D-21")]
fn nothing_is_dropped_silently() {
    let message = |query: &[(&str, &str)], body| list(query, body).unwrap_err();
    assert_eq!(message(&[("pages", "1")], None), "There is no parameter \"pages\". Did you mean \"page\"?");
    assert_eq!(message(&[("page[]", "1")], None), "There is no parameter \"page[]\". Did you mean \"page\"?");
    assert_eq!(message(&[], Some(json!({"x": 1}))), "There is no parameter \"x\".");
    assert_eq!(message(&[("page", "1"), ("page", "1")], None), "The parameter page is given twice.");
    assert_eq!(message(&[("page", "1")], Some(json!({"page": 1}))), "The parameter page is given twice.");
    assert_eq!(list(&[("_noCache", "1"), ("page", "2")], Some(json!({"perPage": 5}))).unwrap().per_page, Some(5));
}

#[spec(plain, "D-18", "R-112", "R-113")]
fn order_takes_keys_and_a_direction() {
    let order = |query: &[(&str, &str)]| list(query, None).unwrap().order_by;
    let keys = |keys: &[(&str, bool)]| keys.iter().map(|(name, down)| ((*name).to_owned(), *down)).collect::<Vec<_>>();
    assert_eq!(order(&[("orderBy", "a,-b")]), keys(&[("a", false), ("b", true)]));
    assert_eq!(order(&[("orderBy", "a,-b"), ("orderDir", "desc")]), keys(&[("a", true), ("b", true)]));
    assert_eq!(order(&[("orderBy[]", "a"), ("orderBy[]", "b")]), keys(&[("a", false), ("b", false)]));
    assert_eq!(list(&[("orderDir", "desc")], None).unwrap().descending, Some(true));
    assert!(list(&[("orderDir", "down")], None).is_err());
}

#[spec(plain, "D-19")]
fn lists_of_names_have_three_forms() {
    let show = |query: &[(&str, &str)]| FieldsRequest::parse(&pairs(query)).unwrap().show.unwrap_or_default();
    for query in [
        &[("showFields", "a,b.c")][..],
        &[("showFields", "a"), ("showFields", "b.c")],
        &[("showFields[]", "a"), ("showFields[]", "b.c")],
    ] {
        assert_eq!(show(query), ["a", "b.c"]);
    }
    assert_eq!(list(&[], Some(json!({"showFields": ["a", "b.c"]}))).unwrap().fields.show.unwrap(), ["a", "b.c"]);
    assert_eq!(FieldsRequest::parse(&pairs(&[("showFields", "")])).unwrap(), FieldsRequest::default());
}

#[spec(plain, "R-125", "R-131", "A072")]
fn filters_are_a_json_array() {
    assert_eq!(list(&[("filters", "[{\"a\":1}]")], None).unwrap().filters, [json!({"a": 1})]);
    assert_eq!(list(&[], Some(json!({"filters": [1]}))).unwrap().filters, [json!(1)]);
    assert!(list(&[("filters", "{}")], None).is_err());
    assert!(list(&[("filters", "x")], None).is_err());
    assert!(list(&[("filters", r#"[{"type": "eq", "type": "neq"}]"#)], None).is_err());
    assert!(list(&[("filters", &"[".repeat(1_000))], None).is_err());
    assert!(list(&[], Some(json!({"filters": "[]"}))).is_err());
    assert!(FieldsRequest::parse(&pairs(&[("filters", "[]")])).is_err());
}

#[spec(plain, "R-108", "D-13")]
fn an_item_is_an_integer_or_a_uuid() {
    assert_eq!(ItemRef::parse("12").unwrap(), ItemRef::Id(12));
    assert!(matches!(ItemRef::parse("0199f3c4-0000-7000-8000-000000000000").unwrap(), ItemRef::Uuid(_)));
    for bad in ["", "x", "-1", "1.0", "99999999999999999999", "0199f3c4000070008000000000000000", "{}"] {
        assert!(ItemRef::parse(bad).is_err(), "{bad}");
    }
}

#[spec("R-107", "R-108", "R-129", "R-130", "D-13")]
async fn one_resource_is_found_by_id_uuid_and_value(world: World) {
    people(&world);
    let uuid = &world.uuid("person", 2);
    let second = world.get("person", "2", &[]).unwrap();
    assert_eq!(second, json!({"id": 2, "uuid": uuid, "name": "Bořek", "country": 2, "chief": 1, "salary": 20}));
    assert_eq!(world.get("11", uuid, &[]).unwrap(), second);
    assert_eq!(world.get_by("person", "name", "Bořek").unwrap(), second);
    assert_eq!(world.get_by("person", "salary", "20").unwrap(), second);
    assert_eq!(world.get_by("person", "chief", "1").unwrap(), second);
    assert_eq!(world.get_by("person", "uuid", uuid).unwrap(), second);
    assert_eq!(world.get_by("person", "country", &world.uuid("country", 2)).unwrap(), second);
    assert_eq!(world.get("person", "9", &[]).unwrap_err(), "There is no such item.");
    assert_eq!(world.get_by("person", "name", "Nobody").unwrap_err(), "There is no such item.");
    assert_eq!(world.get_by("person", "salary", "much").unwrap_err(), "Salary must be a whole number.");
    assert_eq!(world.get_by("person", "wage", "1").unwrap_err(), "There is no property \"wage\".");
    assert_eq!(world.get("people", "1", &[]).unwrap_err(), "There is no such collection.");
}
