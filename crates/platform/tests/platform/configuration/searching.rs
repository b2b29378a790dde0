//! Full text indexes come, change and go with what is searchable, on both engines.

use super::tenant::{Tenant, on_both};
use database::{Name, SearchSpec};

/// Files with the type `item` (id 10), whose properties are given.
fn item(properties: &str) -> String {
    format!("--- tenant.yaml\ntenant: acme\n--- types/item.yaml\nid: 10\nname: item\nproperties:\n{properties}")
}

/// Two properties with those options.
fn both(a: &str, b: &str) -> String {
    item(&format!("  a: {{id: 100, kind: pString{a}}}\n  b: {{id: 101, kind: pText{b}}}\n"))
}

/// The ids of the items in whose properties, of those that are searchable, a text is found.
fn found(tenant: &Tenant, (searchable, properties): (&[i64], &[i64]), text: &str) -> Vec<i64> {
    let columns = |ids: &[i64]| -> Vec<Name> { ids.iter().map(|id| Name::numbered("p", *id)).collect() };
    let index = SearchSpec { name: Name::numbered("f", 10), columns: columns(searchable) };
    let mut ids = Vec::new();
    let read: database::Result<()> = tenant.store.read_blocking(|tx| {
        let mut sql = tx.sql();
        sql.push("SELECT id FROM ").table(&Name::numbered("t", 10)).push(" WHERE id");
        sql.found_in(&index, &columns(properties), &database::words(text)).push(" ORDER BY id");
        tx.query(&sql, &mut |row| {
            ids.push(row.integer(0)?);
            Ok(())
        })
    });
    read.unwrap();
    ids
}

fn indexed(tenant: &Tenant) -> bool {
    tenant.tables().into_iter().any(|table| table.name == "f10")
}

const BOTH: &[i64] = &[100, 101];
const ONE: (&[i64], &[i64]) = (&[100], &[100]);

const SEARCHABLE: &str = ", searchable: true";

#[test]
fn the_index_is_planned_and_built_when_what_is_searchable_changes() {
    on_both(|tenant| {
        tenant.apply(&both("", ""));
        assert!(!indexed(tenant));
        tenant.execute("INSERT INTO %t10 (version, p100, p101) VALUES (1, 'Žluťoučký', 'kůň'), (1, 'kun', NULL)");
        let one = both(SEARCHABLE, "");
        let plan = "Slow: build search index of item (a) (2 rows)\nSafe: store the changed file types/item.yaml\n";
        assert_eq!(tenant.plan(&one), plan);
        tenant.apply(&one);
        assert_eq!((indexed(tenant), found(tenant, ONE, "ku")), (true, vec![2]));

        let two = both(SEARCHABLE, SEARCHABLE);
        assert!(tenant.plan(&two).starts_with("Slow: build search index of item (a, b) (2 rows)\nSafe: store"));
        tenant.apply(&two);
        assert_eq!((found(tenant, (BOTH, BOTH), "ku"), found(tenant, (BOTH, &[101]), "ku")), (vec![1, 2], vec![1]));
        // Another order, title or name asks for no other index.
        let turned = item(
            "  b: {id: 101, kind: pText, searchable: true}\n  c: {id: 100, kind: pString, searchable: true, required: true}\n",
        );
        assert!(!tenant.plan(&turned).contains("search"), "{}", tenant.plan(&turned));
        tenant.apply(&turned);
        assert_eq!(found(tenant, (&[101, 100], &[101, 100]), "kun"), [1, 2]);

        let none = item("  b: {id: 101, kind: pText}\n  c: {id: 100, kind: pString}\n");
        let plan = "Safe: remove the search index of item\nSafe: store the changed file types/item.yaml\n";
        assert_eq!(tenant.plan(&none), plan);
        tenant.apply(&none);
        assert!(!indexed(tenant));
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
        assert_eq!(
            (found(tenant, (BOTH, &[101]), "nothing y"), found(tenant, (BOTH, BOTH), "two x")),
            (vec![1], vec![2])
        );
        // A value that is no text is not searchable; one that becomes a text is.
        tenant.apply(&item(
            "  a: {id: 100, kind: pEnum, options: [one, two]}\n  b: {id: 101, kind: pText, searchable: true}\n",
        ));
        assert!(indexed(tenant));
        tenant.apply(&both(SEARCHABLE, SEARCHABLE));
        assert_eq!(found(tenant, (BOTH, &[100]), "tw"), [2]);
        tenant.apply(&item("  b: {id: 101, kind: pText, searchable: true}\n"));
        assert_eq!((indexed(tenant), found(tenant, (&[101], &[101]), "x")), (true, vec![2]));
        tenant.apply("--- tenant.yaml\ntenant: acme\n");
        assert!(!indexed(tenant));
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
            assert_eq!(found(tenant, ONE, &format!("word{number}")), expected);
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
        assert_eq!(found(tenant, ONE, "one"), [1]);
        // What was built of other words, too.
        tenant.execute("INSERT INTO %t10 (version, p100) VALUES (1, 'two')");
        tenant.open();
        assert!(found(tenant, ONE, "two").is_empty());
        tenant.execute("UPDATE %plinth_meta SET content = 'older' WHERE name IN ('tables', 'search')");
        tenant.open();
        assert_eq!(found(tenant, ONE, "two"), [2]);
    });
}
