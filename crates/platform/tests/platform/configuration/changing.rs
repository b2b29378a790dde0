//! Types that change under data, on both engines: what is planned, what is refused, what becomes of the rows.

use super::tenant::{Tenant, on_both};
use database::ColumnType::{Date, Float, Integer, Text};

/// Files with the type `item` (id 10), whose properties are given.
fn item(properties: &str) -> String {
    format!("--- tenant.yaml\ntenant: acme\n--- types/item.yaml\nid: 10\nname: item\n{properties}")
}

/// Applies a type with one text property, and puts values into rows 1, 2, …
fn with_texts(tenant: &Tenant, values: &[&str]) {
    tenant.apply(&item("properties:\n  a: {id: 100, kind: pString}\n"));
    for value in values {
        match *value {
            "" => tenant.execute("INSERT INTO %t10 (version) VALUES (1)"),
            value => tenant.execute(&format!("INSERT INTO %t10 (version, p100) VALUES (1, '{value}')")),
        }
    }
}

#[test]
fn a_kind_changes_and_values_with_it() {
    on_both(|tenant| {
        with_texts(tenant, &["1", "-20", "", "300"]);
        let after = item("properties:\n  a: {id: 100, kind: pInteger, index: true}\n");
        assert_eq!(
            tenant.plan(&after),
            "\
Slow: convert property item.a, pString to pInteger (3 rows)
Slow: add the index item (a) (4 rows)
Safe: store the changed file types/item.yaml
"
        );
        tenant.apply(&after);
        let rows = tenant.rows("SELECT id, p100 FROM %t10 ORDER BY p100 NULLS LAST", &[Integer, Integer]);
        assert_eq!(rows, ["2 -20", "1 1", "4 300", "3 null"]);
        tenant.apply(&item("properties:\n  a: {id: 100, kind: pFloat}\n"));
        assert_eq!(tenant.rows("SELECT p100 FROM %t10 WHERE id = 4", &[Float]), ["300"]);
    });
}

#[test]
fn rows_that_cannot_convert_are_listed_before_anything_happens() {
    on_both(|tenant| {
        with_texts(tenant, &["1", "two", "", "3x"]);
        let before = tenant.tables();
        let after = item("properties:\n  a: {id: 100, kind: pInteger}\n  b: {kind: pDate}\n");
        let expected = "\
Safe: add property item.b (pDate)
Slow: convert property item.a, pString to pInteger (3 rows)
  2 values of A do not fit the pInteger that it becomes.
  2 \"two\" must be a whole number
  4 \"3x\" must be a whole number
Safe: store the changed file types/item.yaml
";
        assert_eq!(tenant.plan(&after), expected);
        assert_eq!(tenant.refused(&after, true), expected);
        assert_eq!(tenant.tables(), before);
        assert_eq!(tenant.rows("SELECT p100 FROM %t10 ORDER BY id", &[Text]), ["1", "two", "null", "3x"]);
    });
}

#[test]
fn a_part_of_a_value_is_lost_only_where_allowed() {
    on_both(|tenant| {
        with_texts(tenant, &["2026-02-03T00:00:00Z", "2026-02-04T12:30:00Z"]);
        tenant.apply(&item("properties:\n  a: {id: 100, kind: pDateTime}\n"));
        let day = item("properties:\n  a: {id: 100, kind: pDate}\n");
        assert_eq!(
            tenant.refused(&day, false),
            "\
Loss: convert property item.a, pDateTime to pDate (2 rows), 1 of them losing a part of their value
Safe: store the changed file types/item.yaml
"
        );
        tenant.apply(&day);
        assert_eq!(tenant.rows("SELECT p100 FROM %t10 ORDER BY id", &[Date]), ["20487", "20488"]);
    });
}

#[test]
fn options_of_a_kind_narrow() {
    on_both(|tenant| {
        with_texts(tenant, &["short", "much longer"]);
        let narrow = item("properties:\n  a: {id: 100, kind: pString, maxLength: 6}\n");
        assert!(tenant.refused(&narrow, true).contains("2 \"much longer\" must"));
        tenant.execute("DELETE FROM %t10 WHERE id = 2");
        tenant.apply(&narrow);
        let options = item("properties:\n  a: {id: 100, kind: pEnum, options: [short, long]}\n");
        tenant.apply(&options);
        let more = item("properties:\n  a: {id: 100, kind: pEnum, options: [long, other, short]}\n");
        assert_eq!(tenant.plan(&more), "Safe: store the changed file types/item.yaml\n");
        let fewer = item("properties:\n  a: {id: 100, kind: pEnum, options: [long]}\n");
        assert!(tenant.refused(&fewer, true).contains("1 values of A do not fit the pEnum"));
        tenant.apply(&item("properties:\n  a: {id: 100, kind: pEnum, options: {long: {}, short: {archived: true}}}\n"));
    });
}

#[test]
fn a_schema_narrows_only_where_rows_hold_it() {
    on_both(|tenant| {
        tenant.apply(&item("properties:\n  a: {id: 100, kind: pJson, schema: {enum: [1, a]}}\n"));
        for value in ["1", "\"a\""] {
            tenant.execute(&format!("INSERT INTO %t10 (version, p100) VALUES (1, '{value}')"));
        }
        let after = item("properties:\n  a: {id: 100, kind: pJson, schema: {enum: [1, a], type: string}}\n");
        let plan = "\
Slow: convert property item.a, pJson with other options (2 rows)
  1 values of A do not fit the pJson that it becomes.
  1 \"1\" must be of type string
Safe: store the changed file types/item.yaml
";
        assert_eq!(tenant.plan(&after), plan);
        assert_eq!(tenant.refused(&after, true), plan);
    });
}

#[test]
fn one_becomes_several_and_one_again() {
    on_both(|tenant| {
        with_texts(tenant, &["x", "", "y"]);
        tenant.apply(&item("properties:\n  a: {id: 100, kind: pEnums, options: [x, y, z]}\n"));
        let links = "SELECT owner, position, value FROM %m100 ORDER BY owner, position";
        assert_eq!(tenant.rows(links, &[Integer, Integer, Text]), ["1 0 x", "3 0 y"]);
        tenant.execute("INSERT INTO %m100 (owner, position, value) VALUES (1, 1, 'z')");
        let one = item("properties:\n  a: {id: 100, kind: pEnum, options: [x, y, z]}\n");
        assert!(tenant.refused(&one, true).contains("1 \"x, z\" has 2 members, not one"));
        tenant.execute("DELETE FROM %m100 WHERE position = 1");
        tenant.apply(&one);
        assert_eq!(tenant.rows("SELECT p100 FROM %t10 ORDER BY id", &[Text]), ["x", "null", "y"]);
        assert!(!tenant.tables().iter().any(|table| table.name == "m100"));
    });
}

#[test]
fn required_fills_the_default_or_lists_rows() {
    on_both(|tenant| {
        with_texts(tenant, &["x", "", ""]);
        let required = item("properties:\n  a: {id: 100, kind: pString, required: true}\n");
        assert_eq!(
            tenant.refused(&required, true),
            "\
Slow: require item.a (2 rows)
  A is required, but 2 rows have no value. Give it a fixed default, or give them values first.
  2 \"\" has no value
  3 \"\" has no value
Safe: store the changed file types/item.yaml
"
        );
        let new = "properties:\n  a: {id: 100, kind: pString}\n  b: {id: 101, kind: pInteger, required: true}\n";
        assert!(tenant.refused(&item(new), true).contains("B is required, but 3 rows have no value."));
        tenant.apply(&item(
            "\
properties:
  a: {id: 100, kind: pString, required: true, default: d}
  b: {id: 101, kind: pDate, required: true, default: 1970-01-03}
  c: {id: 102, kind: pEnums, options: [u, v], required: true, default: [v, u]}
",
        ));
        assert_eq!(tenant.rows("SELECT p100, p101 FROM %t10 ORDER BY id", &[Text, Date]), ["x 2", "d 2", "d 2"]);
        assert_eq!(tenant.rows("SELECT value FROM %m102 WHERE owner = 3 ORDER BY position", &[Text]), ["v", "u"]);
    });
}

#[test]
fn indexes_of_several_properties_come_and_go() {
    on_both(|tenant| {
        with_texts(tenant, &["x", "y"]);
        let plain = item("properties:\n  a: {id: 100, kind: pString}\n  b: {id: 101, kind: pInteger}\n");
        tenant.apply(&plain);
        let before = tenant.tables();
        let indexed = plain.replace("properties:", "indexes: [[b, a]]\nproperties:");
        assert_eq!(
            tenant.plan(&indexed),
            "Slow: add the index item (b, a) (2 rows)\nSafe: store the changed file types/item.yaml\n"
        );
        tenant.apply(&indexed);
        assert_ne!(tenant.tables(), before);
        assert_eq!(tenant.plan(&indexed), "");
        tenant.apply(&indexed.replace("pInteger", "pString"));
        tenant.apply(&indexed);
        tenant.apply(&plain);
        assert_eq!(tenant.tables(), before);
        tenant.apply(&indexed);
        tenant.apply(&item("properties:\n  a: {id: 100, kind: pString}\n"));
    });
}

#[test]
fn unique_sets_name_the_rows_against_them() {
    on_both(|tenant| {
        with_texts(tenant, &["x", "y", "x", "", ""]);
        let unique = item("properties:\n  a: {id: 100, kind: pString, unique: true}\n");
        assert_eq!(
            tenant.refused(&unique, true),
            "\
Slow: add the unique set item (a) (5 rows)
  A must be unique, but 2 rows share values.
  1 \"x\" is there more than once
  3 \"x\" is there more than once
Safe: store the changed file types/item.yaml
"
        );
        // What only a conversion makes equal is found while it is run, and undone.
        tenant.execute("UPDATE %t10 SET p100 = ' y' WHERE id = 3");
        let before = tenant.tables();
        let trimmed = item("properties:\n  a: {id: 100, kind: pString, trim: true, unique: true}\n");
        assert!(tenant.refused(&trimmed, true).contains("A must be unique, but 2 rows share values."));
        assert_eq!(tenant.tables(), before);
        assert_eq!(tenant.rows("SELECT p100 FROM %t10 WHERE id = 3", &[Text]), [" y"]);
        tenant.apply(&unique);
        assert!(tenant.refused(&trimmed, true).contains("A must be unique, but 2 rows share values."));
        // So is what only the default makes equal.
        let filled = "properties:\n  a: {id: 100, kind: pString, unique: true, required: true, default: d}\n";
        assert!(tenant.refused(&item(filled), true).contains("4: d: is there more than once"));
        tenant.apply(&item("properties:\n  a: {id: 100, kind: pString}\n"));
    });
}

#[test]
fn nothing_is_lost_unless_allowed() {
    on_both(|tenant| {
        with_texts(tenant, &["x", "y"]);
        let without = item("properties:\n  b: {id: 101, kind: pString}\n");
        let expected = "\
Loss: drop property item.a with its values (2 rows)
Safe: add property item.b (pString)
Safe: store the changed file types/item.yaml
";
        assert_eq!(tenant.refused(&without, false), expected);
        assert_eq!(tenant.rows("SELECT p100 FROM %t10", &[Text]), ["x", "y"]);
        // A kind that values cannot become is a loss too.
        let relation = item("properties:\n  a: {id: 100, kind: pRelation, type: item}\n");
        assert!(
            tenant.refused(&relation, false).starts_with("Loss: empty property item.a, for pString to pRelation (2")
        );
        tenant.apply(&without);
        let nothing = "--- tenant.yaml\ntenant: acme\n";
        assert!(tenant.refused(nothing, false).starts_with("Loss: drop type item with its resources (2 rows)"));
        tenant.apply(nothing);
        assert!(!tenant.tables().iter().any(|table| table.name == "t10" || table.name == "item"));
        // Ids of what went are not given again.
        let again = tenant.refused(&item("properties:\n  a: {id: 100, kind: pString}\n"), true);
        assert_eq!(
            again,
            "\
types/item.yaml:1:5: retired_id: The id 10 belonged to a type that was dropped. Ids are never reused. Leave the id out to be given a new one.
types/item.yaml:4:11: retired_id: The id 100 belonged to a property that was dropped. Ids are never reused. Leave the id out to be given a new one.
"
        );
        let applied = tenant.apply(
            "--- tenant.yaml\ntenant: acme\n--- types/item.yaml\nname: item\nproperties: {a: {kind: pString}}\n",
        );
        let text = applied.files.get("types/item.yaml").unwrap();
        assert_eq!(text, "id: 11\nname: item\nproperties: {a: {id: 102, kind: pString}}\n");
    });
}

#[test]
fn renames_keep_values() {
    on_both(|tenant| {
        with_texts(tenant, &["x"]);
        let renamed = "--- tenant.yaml\ntenant: acme\n--- types/part.yaml\nid: 10\nname: part\nproperties:\n  label: {id: 100, kind: pString}\n";
        assert_eq!(
            tenant.plan(renamed),
            "\
Safe: rename type item to part
Safe: rename property item.a to label
Safe: store the new file types/part.yaml
Safe: forget the file types/item.yaml
"
        );
        tenant.apply(renamed);
        assert_eq!(tenant.rows("SELECT label FROM %part", &[Text]), ["x"]);
        assert!(!tenant.tables().iter().any(|table| table.name == "item"));
    });
}

#[test]
fn relations_come_change_and_go() {
    on_both(|tenant| {
        let two = |kind: &str| {
            let part =
                "--- types/part.yaml\nid: 11\nname: part\nproperties:\n  up: {id: 110, kind: pRelation, type: item}\n";
            item(&format!("properties:\n  a: {{id: 100, {kind}}}\n")) + part
        };
        tenant.apply(&two("kind: pRelation, type: part, onDelete: setNull"));
        tenant.execute("INSERT INTO %t11 (version) VALUES (1)");
        tenant.execute("INSERT INTO %t10 (version, p100) VALUES (1, 1)");
        assert_eq!(
            tenant.plan(&two("kind: pRelation, type: part, onDelete: cascade")),
            "Safe: store the changed file types/item.yaml\n"
        );
        tenant.apply(&two("kind: pRelations, type: part"));
        assert_eq!(tenant.rows("SELECT owner, value FROM %m100", &[Integer, Integer]), ["1 1"]);
        tenant.apply(&two("kind: pRelation, type: part"));
        assert_eq!(tenant.rows("SELECT p100 FROM %t10", &[Integer]), ["1"]);
        tenant.apply(&two("kind: pInteger"));
        assert_eq!(tenant.rows("SELECT p100 FROM %t10", &[Integer]), ["1"]);
        let other = two("kind: pRelation, type: item");
        assert!(tenant.refused(&other, false).starts_with("Loss: empty property item.a"), "{}", tenant.plan(&other));
        tenant.apply(&other);
        // Types that refer to each other go together.
        tenant.apply("--- tenant.yaml\ntenant: acme\n");
        assert!(!tenant.tables().iter().any(|table| ["t10", "t11", "m100"].contains(&table.name.as_str())));
    });
}

#[test]
fn views_show_readable_values() {
    on_both(|tenant| {
        tenant.apply(&item(
            "\
properties:
  net: {id: 100, kind: pDecimal, scale: 2}
  day: {id: 101, kind: pDate}
  at: {id: 102, kind: pDateTime}
  marks: {id: 103, kind: pEnums, options: [x, y]}
",
        ));
        tenant.execute("INSERT INTO %t10 (version, p100) VALUES (1, 1234)");
        tenant.execute("INSERT INTO %m103 (owner, position, value) VALUES (1, 0, 'y'), (1, 1, 'x')");
        let net = tenant.rows("SELECT CAST(net AS text) FROM %item", &[Text]);
        assert_eq!(net, ["12.34"]);
        assert_eq!(tenant.rows("SELECT marks FROM %item", &[Text]), ["[\"y\",\"x\"]"]);
        let view = tenant.tables().into_iter().find(|table| table.name == "item").unwrap();
        let names: Vec<&str> = view.columns.iter().map(|(name, ..)| name.as_str()).collect();
        let expected =
            ["at", "created", "createdBy", "day", "id", "marks", "net", "updated", "updatedBy", "uuid", "version"];
        assert_eq!(names, expected);
        let user = tenant.tables().into_iter().find(|table| table.name == "user").unwrap();
        assert!(!user.columns.iter().any(|(name, ..)| name == "password"));
    });
}

#[test]
fn users_of_files_are_created_then_follow_their_file() {
    on_both(|tenant| {
        let files = |roles: &str| {
            format!(
                "--- tenant.yaml\ntenant: acme\n--- roles/a.yaml\nrole: a\n--- roles/b.yaml\nrole: b\n\
                 --- types/user.yaml\nname: user\nproperties:\n  badge: {{id: 100, kind: pInteger}}\n\
                 --- users/anna.yaml\nuser: Anna\nname: Anna\nroles: {roles}\nbadge: 7\n"
            )
        };
        tenant.apply(&files("[a]"));
        assert_eq!(tenant.rows("SELECT p1, p100, version FROM %t1", &[Text, Integer, Integer]), ["anna 7 1"]);
        tenant.execute("UPDATE %t1 SET p2 = 'Anne', version = 2");
        // Nothing in the file changed: what was changed elsewhere stays.
        assert_eq!(tenant.plan(&files("[a]")), "");
        assert!(tenant.plan(&files("[b, a]")).ends_with("Safe: update user anna\n"));
        tenant.apply(&files("[b, a]"));
        assert_eq!(tenant.rows("SELECT p2, version FROM %t1", &[Text, Integer]), ["Anna 3"]);
        assert_eq!(tenant.rows("SELECT value FROM %m6 ORDER BY position", &[Text]), ["b", "a"]);
        assert_eq!(tenant.rows("SELECT type, rows FROM %plinth_counter", &[Integer, Integer]), ["1 1"]);
    });
}
