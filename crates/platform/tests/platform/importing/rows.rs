//! New and changed rows, and what is wrong with some.

use super::{Importing, create, problems, update, upsert};
use serde_json::json;
use spec::spec;
use transfer::import::ImportOptions;

#[spec("D-24")]
async fn cells_become_values(world: Importing) {
    let lines = "code,name,state,marks,country,at,meta\n\
                 1,One,old,red|blue,CZ,2026-07-20 10:00:00,{}\n\
                 2, Two ,,,,,[1]\n";
    let report = world.csv("thing", create(), lines).unwrap();
    assert_eq!((report.rows, report.created, report.failed, report.kept), (2, 2, 0, true));
    let expected = [
        json!({"code": 1, "name": "One", "state": "old", "marks": ["red", "blue"], "country": 1,
               "at": "2026-07-20T10:00:00+02:00", "meta": {}}),
        json!({"code": 2, "name": " Two ", "state": null, "marks": [], "country": null, "at": null, "meta": [1]}),
    ];
    assert_eq!(world.things("code,name,state,marks,country,at,meta"), expected);
    assert_eq!(world.total(), 2);
    assert_eq!(
        world.things("version,createdBy,number"),
        [
            json!({"version": 1, "createdBy": null, "number": "T-001"}),
            json!({"version": 1, "createdBy": null, "number": "T-002"}),
        ]
    );
}

#[spec("D-24")]
async fn what_a_file_leaves_out_has_its_default(world: Importing) {
    world.csv("thing", create(), "name\nOne\n").unwrap();
    world.json("thing", create(), &[json!({"name": "Two"}), json!({"name": "Three", "state": null})]).unwrap();
    assert_eq!(world.things("state"), [json!({"state": "new"}), json!({"state": "new"}), json!({"state": null})]);
}

#[spec]
async fn what_is_imported_is_found_by_its_words(world: Importing) {
    let found = |text: &str| {
        let filters = json!([{"property": "*", "type": "search", "param": text}]);
        world.0.ids("thing", &filters).unwrap()
    };
    world.csv("thing", create(), "code,name\n1,Žluťoučký kůň\n2,Kůň a pes\n").unwrap();
    assert_eq!((found("kun"), found("kun zlut"), found("t 00")), (vec![1, 2], vec![1], vec![1, 2]));
    world.csv("thing", upsert(), "code,name\n3,Kunhuta\n1,Kočka\n2,Kůň a pes\n").unwrap();
    assert_eq!((found("kun"), found("kocka t 001")), (vec![2, 3], vec![1]));
    // A batch with a row that is refused is written row by row, and undone.
    let report = world.csv("thing", create(), "code,name\n8,Osel\n1,Osel\n").unwrap();
    assert_eq!((report.failed, found("osel")), (1, vec![]));
}

#[spec("R-025")]
async fn what_is_imported_is_counted(world: Importing) {
    let counts = || {
        ["new", "old"].map(|state| {
            let filters = json!([{"property": "state", "type": "eq", "param": state}]).to_string();
            world.0.list("thing", &[("filters", &filters)]).unwrap()["stats"]["total"].as_u64()
        })
    };
    world.csv("thing", create(), "code,name,state\n1,One,old\n2,Two,\n3,Three,new\n4,Four,old\n").unwrap();
    assert_eq!(counts(), [Some(1), Some(2)]);
    world.csv("thing", upsert(), "code,name,state\n1,One,new\n5,Five,old\n2,Two,old\n3,Three,\n").unwrap();
    assert_eq!(counts(), [Some(1), Some(3)]);
    // A batch with a row that is refused is written row by row, and undone.
    let report = world.csv("thing", create(), "code,name,state\n8,Eight,new\n1,One,new\n").unwrap();
    assert_eq!((report.failed, counts()), (1, [Some(1), Some(3)]));
}

#[spec("D-24")]
async fn one_bad_row_undoes_all(world: Importing) {
    let lines = "code,name,marks\n1,One,red\n2,,pink\n,Three,\nx,Four,\n1,Five,\n6,Six\n7,Seven,red,\n";
    let report = world.csv("thing", create(), lines).unwrap();
    assert!(!report.kept);
    assert_eq!((report.rows, report.failed), (7, 5));
    let mut found = problems(&report);
    found.sort_unstable();
    assert_eq!(
        found,
        [
            (3, "marks", "not_option"),
            (3, "name", "required"),
            (5, "code", "not_integer"),
            (6, "code", "unique"),
            (7, "", "cells"),
            (8, "", "cells"),
        ]
    );
    assert_eq!(world.total(), 0);
    // Numbers that were undone are given again.
    world.csv("thing", create(), "name\nOne\n").unwrap();
    assert_eq!(world.things("number"), [json!({"number": "T-001"})]);
}

#[spec("D-24")]
async fn good_rows_are_kept_where_that_is_asked_for(world: Importing) {
    world.csv("thing", create(), "code,name\n3,Three\n").unwrap();
    let options = ImportOptions { keep_going: true, ..create() };
    let report = world.csv("thing", options, "code,name\n1,One\n2,\n3,Three\n4,Four\n").unwrap();
    assert_eq!((report.created, report.failed, report.kept), (2, 2, true));
    assert_eq!(problems(&report), [(3, "name", "required"), (4, "code", "unique")]);
    assert_eq!(world.total(), 3);
    let dry = world.csv("thing", ImportOptions { dry_run: true, ..create() }, "code,name\n9,Nine\n").unwrap();
    assert_eq!((dry.created, dry.kept), (1, false));
    assert_eq!(world.total(), 3);
}

#[spec("D-24")]
async fn rows_are_found_by_a_key(world: Importing) {
    world.csv("thing", create(), "code,name,marks\n1,One,red\n2,Two,\n").unwrap();
    let report = world.csv("thing", update(), "code,name,marks\n2,Zwei,green|red\n1,One,red\n").unwrap();
    assert_eq!((report.created, report.updated, report.unchanged), (0, 1, 1));
    assert_eq!(
        world.things("name,marks,version"),
        [
            // Nothing was changed in this one.
            json!({"name": "One", "marks": ["red"], "version": 1}),
            json!({"name": "Zwei", "marks": ["green", "red"], "version": 2}),
        ]
    );
    let report = world.csv("thing", update(), "code,name\n3,Three\n,Four\n1,\n").unwrap();
    assert_eq!(problems(&report), [(2, "code", "row_missing"), (3, "code", "key_missing"), (4, "name", "required")]);
    // The same key twice: the later row changes what the earlier one made.
    let report = world.csv("thing", upsert(), "code,name\n3,Three\n2,Two\n3,Drei\n").unwrap();
    assert_eq!((report.created, report.updated), (1, 2));
    assert_eq!(world.things("name"), [json!({"name": "One"}), json!({"name": "Two"}), json!({"name": "Drei"})]);
    assert_eq!(world.total(), 3);
}

#[spec("D-24")]
async fn rows_are_found_by_id_and_uuid(world: Importing) {
    world.csv("thing", create(), "code,name\n1,One\n2,Two\n").unwrap();
    let by = |key: &str| ImportOptions { key: Some(key.to_owned()), ..update() };
    world.csv("thing", by("id"), "id,name\n2,Zwei\n").unwrap();
    let uuid = world.0.uuid("thing", 1);
    world.csv("thing", by("uuid"), &format!("uuid,name\n{uuid},Eins\n")).unwrap();
    assert_eq!(world.things("name"), [json!({"name": "Eins"}), json!({"name": "Zwei"})]);
    let error = world.csv("thing", by("name"), "name,code\nEins,9\n").unwrap_err();
    assert_eq!(error.code, "key_not_unique");
}

#[spec("D-2")]
async fn unknown_columns_are_refused(world: Importing) {
    let refused = |lines: &str| world.csv("thing", create(), lines).unwrap_err().message;
    assert_eq!(refused("nmae\nx\n"), "There is no property \"nmae\". Did you mean \"name\"?");
    assert_eq!(refused("name,name\nx,y\n"), "The column \"name\" is given twice.");
    assert_eq!(
        refused("name,number\nx,y\n"),
        "The property \"number\" is given by the platform: leave its column out."
    );
    let report = world.json("thing", create(), &[json!({"name": "x", "nmae": 1})]).unwrap();
    assert_eq!(problems(&report), [(1, "nmae", "property_unknown")]);
    let user = world.csv("user", create(), "user_id,user_name,password\na,A,secret word\n").unwrap_err();
    assert_eq!(user.message, "The property \"password\" cannot be imported: leave its column out.");
    let report = world.csv("user", create(), "user_id,user_name,timezone\na,A,Europe/Brno\n").unwrap();
    assert_eq!(problems(&report), [(2, "timezone", "not_time_zone")]);
    // What the platform gives is ignored, as exports have it; a column may be taken for another.
    let renamed = ImportOptions { renamed: vec![("title".to_owned(), "name".to_owned())], ..create() };
    world.csv("thing", renamed, "id,uuid,created,title\n99,x,y,One\n").unwrap();
    assert_eq!(world.things("name"), [json!({"name": "One"})]);
    assert_eq!(world.csv("nothing", create(), "a\n").unwrap_err().code, "collection_missing");
}

#[spec("D-24")]
async fn many_rows_go_in_batches(world: Importing) {
    let rows: String = (1..=2_500).map(|number| format!("{number},Thing {number},red|green\n")).collect();
    let report = world.csv("thing", create(), &format!("code,name,marks\n{rows}")).unwrap();
    assert_eq!((report.created, report.kept), (2_500, true));
    assert_eq!(world.total(), 2_500);
    let last = world.0.get_by("thing", "code", "2500").unwrap();
    assert_eq!((&last["number"], &last["marks"]), (&json!("T-2500"), &json!(["red", "green"])));
    // One row of the last batch is there already: its line is told, and all is undone.
    let more = "code,name\n3000,A\n2500,B\n3001,C\n";
    let report = world.csv("thing", create(), more).unwrap();
    assert_eq!(problems(&report), [(3, "code", "unique")]);
    assert_eq!(world.total(), 2_500);
}

/// New, changed and unchanged rows side by side, some of them twice, over several batches.
#[spec("D-24")]
async fn an_upsert_writes_only_what_differs(world: Importing) {
    let row = |number: u32, name: &str| format!("{number},{name} {number},red|green,CZ\n");
    let header = "code,name,marks,country.code\n";
    let rows: String = (1..=1_500).map(|number| row(number, "Thing")).collect();
    world.csv("thing", create(), &format!("{header}{rows}")).unwrap();
    // Every third is another than before, and 100 are new.
    let name = |number: u32| if number.is_multiple_of(3) { "Changed" } else { "Thing" };
    let mut rows: String = (1..=1_600).map(|number| row(number, name(number))).collect();
    // Changed and changed again in one batch; unchanged twice; new and then changed; members that differ alone.
    rows +=
        "3,Again,red|green,CZ\n3,Last,red|green,CZ\n4,Thing 4,red|green,CZ\n1600,Late,,CZ\n5,Thing 5,green|red,CZ\n";
    rows += "7,Thing 7,red,CZ\n8,Thing 8,red|green,AT\n";
    let report = world.csv("thing", upsert(), &format!("{header}{rows}")).unwrap();
    assert_eq!((report.rows, report.created, report.failed, report.kept), (1_607, 100, 0, true));
    assert_eq!((report.updated, report.unchanged), (500 + 6, 1_000 + 1));
    let see = |code: &str| {
        let filters = format!(r#"[{{"property":"code","type":"eq","param":{code}}}]"#);
        let query = [("filters", filters.as_str()), ("showFields", "name,marks,version")];
        let thing = world.0.list("thing", &query).unwrap()["data"][0].take();
        (thing["name"].clone(), thing["marks"].clone(), thing["version"].as_i64().unwrap())
    };
    for (code, name, marks, version) in [
        ("1", "Thing 1", json!(["red", "green"]), 1),
        ("2", "Thing 2", json!(["red", "green"]), 1),
        ("3", "Last", json!(["red", "green"]), 4),
        ("4", "Thing 4", json!(["red", "green"]), 1),
        ("5", "Thing 5", json!(["green", "red"]), 2),
        ("7", "Thing 7", json!(["red"]), 2),
        ("8", "Thing 8", json!(["red", "green"]), 2),
        ("1500", "Changed 1500", json!(["red", "green"]), 2),
        ("1501", "Thing 1501", json!(["red", "green"]), 1),
        ("1600", "Late", json!([]), 2),
    ] {
        assert_eq!(see(code), (json!(name), marks, version), "{code}");
    }
    assert_eq!(world.total(), 1_600);
    let untouched = [("filters", r#"[{"property":"version","type":"eq","param":1}]"#), ("perPage", "1")];
    // Of 1,500 all but the thirds and 5, 7 and 8; of the new ones all but the last.
    let counted = world.0.list("thing", &untouched).unwrap()["stats"]["total"].clone();
    assert_eq!(counted, 1_000 - 3 + 99);
}

/// What one row of a batch does wrong is told by its line, and the rows around it are undone or kept.
#[spec("D-24")]
async fn a_changed_row_that_cannot_be_is_told_by_its_line(world: Importing) {
    world.csv("thing", create(), "code,name\n1,One\n2,Two\n3,Three\n").unwrap();
    let by_id = |keep_going| ImportOptions { key: Some("id".to_owned()), keep_going, ..update() };
    let lines = "id,code,name,parent\n1,11,Eins,\n2,3,Zwei,\n3,3,Drei,3\n";
    let report = world.csv("thing", by_id(false), lines).unwrap();
    assert_eq!((report.updated, report.kept), (1, false));
    assert_eq!(problems(&report), [(3, "code", "unique"), (4, "parent", "hierarchy_circle")]);
    let names = |names: [&str; 3]| names.map(|name| json!({"name": name})).to_vec();
    assert_eq!(world.things("name"), names(["One", "Two", "Three"]));
    world.csv("thing", by_id(true), lines).unwrap();
    assert_eq!(world.things("name"), names(["Eins", "Two", "Three"]));
}
