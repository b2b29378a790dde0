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

#[spec("R-025")]
async fn totals_by_a_relation_follow_imports(world: Importing) {
    let totals = || [world.total_of(1), world.total_of(2), world.total_of(3)];
    world.csv("thing", create(), "code,name,country\n1,A,CZ\n2,B,CZ\n3,C,AT\n4,D,\n").unwrap();
    assert_eq!(totals(), [2, 1, 0]);
    world.csv("thing", upsert(), "code,name,country\n1,A,AT\n2,B,CZ\n3,C,\n5,E,AT\n").unwrap();
    assert_eq!(totals(), [1, 2, 0]);
    // A row that is refused leaves nothing of the others either.
    let report = world.csv("thing", upsert(), "code,name,country\n2,B,AT\n6,F,XX\n").unwrap();
    assert!(!report.kept);
    assert_eq!(totals(), [1, 2, 0]);
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
    assert_eq!(report.problems[0].problem.message, "Country: there is no country whose code is \"XX\".");
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

/// The files of these tests, with filters on relations of things.
fn filtered(world: &Importing) {
    let files: Vec<(&str, String)> = super::FILES.iter().map(|(path, text)| (*path, filtered_text(text))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    tokio::task::block_in_place(|| world.0.apply(&files));
}

fn filtered_text(text: &str) -> String {
    let czech = "type: country, filter: [{property: name, type: isNotNull}]}";
    let new = "type: thing, filter: [{property: state, type: eq, param: new}]}";
    text.replace("type: country, index: true}", czech).replace("type: country}", czech).replace("type: thing}", new)
}

#[spec("D-24")]
async fn filters_of_relations_hold_for_rows(world: Importing) {
    world.csv("thing", create(), "code,name,country\n1,A,AT\n").unwrap();
    filtered(&world);
    let report = world.csv("thing", create(), "name,country,countries\nB,CZ,CZ\nC,AT,\nD,,CZ|2\n").unwrap();
    let refused = "relation_refused";
    assert_eq!(problems(&report), [(3, "country", refused), (4, "countries", refused)]);
    assert!(report.problems[0].problem.message.starts_with("Country must not refer to the country 2,"));
    // What stands stays.
    let report = world.csv("thing", upsert(), "code,name,country\n1,B,AT\n2,C,CZ\n").unwrap();
    assert_eq!((report.problem_count, report.updated, report.created), (0, 1, 1));
    let report = world.csv("thing", upsert(), "code,country\n2,AT\n1,AT\n").unwrap();
    assert_eq!(problems(&report), [(2, "country", refused)]);
}

#[spec("D-24")]
async fn filters_see_what_the_rows_before_made(world: Importing) {
    filtered(&world);
    let lines = "code,name,state,parent.code\n1,A,new,\n2,B,old,1\n3,C,new,2\n4,D,new,1\n";
    let report = world.csv("thing", create(), lines).unwrap();
    assert_eq!(problems(&report), [(4, "parent", "relation_refused")]);
    world.csv("thing", create(), "code,name,state\n1,A,new\n2,B,old\n3,C,new\n").unwrap();
    // The second row makes of 2 what may be referred to, the fourth of 1 what may not.
    let lines = "code,state,parent.code\n3,new,1\n2,new,\n3,new,2\n1,old,\n3,new,1\n";
    assert_eq!(problems(&world.csv("thing", upsert(), lines).unwrap()), [(6, "parent", "relation_refused")]);
    let lines = "code,state,parent.code\n2,new,\n3,new,2\n";
    assert_eq!(world.csv("thing", upsert(), lines).unwrap().problem_count, 0);
}

#[spec("D-24")]
async fn an_archived_option_may_stay_in_rows(world: Importing) {
    world.csv("thing", create(), "code,name,state,marks\n1,A,old,red|blue\n").unwrap();
    let archived =
        |text: &str| text.replace("old: {}", "old: {archived: true}").replace("red: {}", "red: {archived: true}");
    let files: Vec<(&str, String)> = super::FILES.iter().map(|(path, text)| (*path, archived(text))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    tokio::task::block_in_place(|| world.0.apply(&files));
    let report = world.csv("thing", upsert(), "code,name,state,marks\n1,B,old,green|red\n").unwrap();
    assert_eq!((report.problem_count, report.updated), (0, 1));
    let lines = "code,name,state,marks\n2,C,old,\n3,D,new,red\n4,E,new,green\n";
    let archived = "option_archived";
    assert_eq!(
        problems(&world.csv("thing", upsert(), lines).unwrap()),
        [(2, "state", archived), (3, "marks", archived)]
    );
    world.csv("thing", upsert(), "code,name,state,marks\n1,B,new,green\n").unwrap();
    let report = world.csv("thing", upsert(), "code,state\n1,old\n").unwrap();
    assert_eq!(problems(&report), [(2, "state", archived)]);
}
