//! Relations in files: by id, uuid, code, or another unique property.

use super::{Importing, create, problems, upsert};
use serde_json::json;
use spec::spec;

#[spec("D-24")]
async fn relations_are_ids_uuids_or_codes(world: Importing) {
    let uuid = world.0.uuid("country", 2);
    let lines = format!("code,name,country,countries\n1,A,2,CZ|2\n2,B,{uuid},[\"AT\"]\n3,C,CZ,\n4,D,,{uuid}\n");
    world.csv("thing", create(), &lines).unwrap();
    let expected = [
        json!({"country": 2, "countries": [1, 2]}),
        json!({"country": 2, "countries": [2]}),
        json!({"country": 1, "countries": []}),
        json!({"country": null, "countries": [2]}),
    ];
    assert_eq!(world.things("country,countries"), expected);
}

#[spec("D-24")]
async fn a_column_may_name_a_property_of_the_target(world: Importing) {
    for (line, name) in ["country.code", "country_code"].into_iter().enumerate() {
        world.csv("thing", create(), &format!("name,{name}\nA,AT\n")).unwrap();
        assert_eq!(world.things("country")[line], json!({"country": 2}), "{name}");
    }
    world.json("thing", create(), &[json!({"name": "B", "country": {"code": "CZ"}, "countries": ["CZ", 2]})]).unwrap();
    assert_eq!(world.things("country,countries")[2], json!({"country": 1, "countries": [1, 2]}));
    let error = world.csv("thing", create(), "name,country.name\nA,x\n").unwrap_err();
    assert_eq!(error.code, "not_unique");
}

#[spec("D-24")]
async fn missing_targets_are_told(world: Importing) {
    let lines = "name,country\nA,XX\nB,7\nC,CZ\nD,019a9f4e-0000-7000-8000-0123456789ab\n";
    let report = world.csv("thing", create(), lines).unwrap();
    let missing = "reference_missing";
    assert_eq!(problems(&report), [(2, "country", missing), (3, "country", missing), (5, "country", missing)]);
    assert_eq!(
        report.problems[0].problem.message,
        "Country refers to a country whose code is \"XX\", which does not exist."
    );
    let report = world.json("thing", create(), &[json!({"name": "A", "country": true})]).unwrap();
    assert_eq!(problems(&report), [(1, "country", "not_reference")]);
}

#[spec("D-24")]
async fn rows_may_refer_to_rows_before_them(world: Importing) {
    world.csv("thing", create(), "code,name,parent.code\n1,Root,\n2,Child,1\n3,Grandchild,2\n4,Child,1\n").unwrap();
    let parents: Vec<_> = world.things("parent").iter().map(|thing| thing["parent"].clone()).collect();
    assert_eq!(parents, [json!(null), json!(1), json!(2), json!(1)]);
    let report = world.csv("thing", create(), "code,name,parent.code\n5,A,6\n6,B,\n").unwrap();
    assert_eq!(problems(&report), [(2, "parent", "reference_missing")]);
    // A circle cannot be made.
    let report = world.csv("thing", upsert(), "code,parent.code\n1,3\n").unwrap();
    assert_eq!(report.problem_count, 1);
    assert!(!report.kept);
}
