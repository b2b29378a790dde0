//! Full text indexes come, change and go with what is searchable, on both engines.

use super::tenant::{Tenant, on_both};
use database::Name;

/// Files with the type `item` (id 10), whose properties are given.
fn item(properties: &str) -> String {
    format!("--- tenant.yaml\ntenant: acme\n--- types/item.yaml\nid: 10\nname: item\nproperties:\n{properties}")
}

/// Two properties with those options.
fn both(a: &str, b: &str) -> String {
    item(&format!("  a: {{id: 100, kind: pString{a}}}\n  b: {{id: 101, kind: pText{b}}}\n"))
}

/// The ids of the items in whose properties a text is found.
fn found(tenant: &Tenant, properties: &[i64], text: &str) -> Vec<i64> {
    let columns: Vec<Name> = properties.iter().map(|id| Name::numbered("p", *id)).collect();
    let mut ids = Vec::new();
    let read: database::Result<()> = tenant.store.read_blocking(|tx| {
        let mut sql = tx.sql();
        sql.push("SELECT id FROM ").table(&Name::numbered("t", 10)).push(" WHERE id");
        sql.found_in(&Name::numbered("f", 10), &columns, &database::words(text)).push(" ORDER BY id");
        tx.query(&sql, &mut |row| {
            ids.push(row.integer(0)?);
            Ok(())
        })
    });
    read.unwrap();
    ids
}

fn indexed(tenant: &Tenant) -> Option<Vec<String>> {
    let table = tenant.tables().into_iter().find(|table| table.name == "f10")?;
    Some(table.columns.into_iter().map(|(name, ..)| name).filter(|name| name != "id").collect())
}

const SEARCHABLE: &str = ", searchable: true";

#[test]
fn the_index_is_planned_and_built_when_what_is_searchable_changes() {
    on_both(|tenant| {
        tenant.apply(&both("", ""));
        assert_eq!(indexed(tenant), None);
        tenant.execute("INSERT INTO %t10 (version, p100, p101) VALUES (1, 'Žluťoučký', 'kůň'), (1, 'kun', NULL)");
        let one = both(SEARCHABLE, "");
        let plan = "Slow: build search index of item (a) (2 rows)\nSafe: store the changed file types/item.yaml\n";
        assert_eq!(tenant.plan(&one), plan);
        tenant.apply(&one);
        assert_eq!((indexed(tenant), found(tenant, &[100], "ku")), (Some(vec!["p100".to_owned()]), vec![2]));

        let two = both(SEARCHABLE, SEARCHABLE);
        assert!(tenant.plan(&two).starts_with("Slow: build search index of item (a, b) (2 rows)\nSafe: store"));
        tenant.apply(&two);
        assert_eq!((found(tenant, &[100, 101], "ku"), found(tenant, &[101], "ku")), (vec![1, 2], vec![1]));
        // Another order, title or name asks for no other index.
        let turned = item(
            "  b: {id: 101, kind: pText, searchable: true}\n  c: {id: 100, kind: pString, searchable: true, required: true}\n",
        );
        assert!(!tenant.plan(&turned).contains("search"), "{}", tenant.plan(&turned));
        tenant.apply(&turned);
        assert_eq!(found(tenant, &[101, 100], "kun"), [1, 2]);

        let none = item("  b: {id: 101, kind: pText}\n  c: {id: 100, kind: pString}\n");
        let plan = "Safe: remove the search index of item\nSafe: store the changed file types/item.yaml\n";
        assert_eq!(tenant.plan(&none), plan);
        tenant.apply(&none);
        assert_eq!(indexed(tenant), None);
    });
}

#[test]
fn the_index_follows_values_that_an_apply_changes() {
    on_both(|tenant| {
        tenant.apply(&both(SEARCHABLE, SEARCHABLE));
        tenant.execute("INSERT INTO %t10 (version, p100, p101) VALUES (1, 'one', NULL), (1, 'two', '{\"x\":1}')");
        let filled = both(SEARCHABLE, ", searchable: true, required: true, default: Nothing yet");
        assert_eq!(
            tenant.plan(&filled),
            "\
Slow: require item.b, filling in the default (1 row)
Slow: build search index of item (a, b) (2 rows)
Safe: store the changed file types/item.yaml
"
        );
        tenant.apply(&filled);
        assert_eq!((found(tenant, &[101], "nothing y"), found(tenant, &[100, 101], "two x")), (vec![1], vec![2]));
        // A value that is no text is not searchable; one that becomes a text is.
        tenant.apply(&item(
            "  a: {id: 100, kind: pEnum, options: [one, two]}\n  b: {id: 101, kind: pText, searchable: true}\n",
        ));
        assert_eq!(indexed(tenant), Some(vec!["p101".to_owned()]));
        tenant.apply(&both(SEARCHABLE, SEARCHABLE));
        assert_eq!(found(tenant, &[100], "tw"), [2]);
        tenant.apply(&item("  b: {id: 101, kind: pText, searchable: true}\n"));
        assert_eq!((indexed(tenant), found(tenant, &[101], "x")), (Some(vec!["p101".to_owned()]), vec![2]));
        tenant.apply("--- tenant.yaml\ntenant: acme\n");
        assert_eq!(indexed(tenant), None);
    });
}

#[test]
fn many_rows_are_built_in_batches() {
    on_both(|tenant| {
        tenant.apply(&both("", ""));
        let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1203) ";
        tenant
            .execute(&format!("INSERT INTO %t10 (version, p100) {numbers} SELECT 1, 'word' || CAST(i AS text) FROM n"));
        tenant.apply(&both(SEARCHABLE, ""));
        for number in [1, 500, 501, 1000, 1203] {
            let expected: Vec<i64> = (1..=1203).filter(|id| id.to_string().starts_with(&number.to_string())).collect();
            assert_eq!(found(tenant, &[100], &format!("word{number}")), expected);
        }
    });
}

#[test]
fn a_store_of_an_earlier_version_gets_its_indexes_when_it_is_opened() {
    on_both(|tenant| {
        tenant.apply(&both(SEARCHABLE, ""));
        let lose = |tx: &mut database::Tx<'_>| tx.drop_search(&Name::numbered("f", 10));
        tenant.store.write_blocking(lose).unwrap();
        tenant.execute("DELETE FROM %plinth_meta WHERE name = 'search'");
        tenant.execute("UPDATE %plinth_meta SET content = 'older' WHERE name = 'tables'");
        tenant.execute("INSERT INTO %t10 (version, p100) VALUES (1, 'one')");
        tenant.open();
        assert_eq!(found(tenant, &[100], "one"), [1]);
        // What was built of other words, too.
        tenant.execute("INSERT INTO %t10 (version, p100) VALUES (1, 'two')");
        tenant.open();
        assert!(found(tenant, &[100], "two").is_empty());
        tenant.execute("UPDATE %plinth_meta SET content = 'older' WHERE name IN ('tables', 'search')");
        tenant.open();
        assert_eq!(found(tenant, &[100], "two"), [2]);
    });
}
