//! What a constraint refuses comes back as data, the same from both engines.

use crate::engines::{column, execute, index, table, twin};
use database::{ColumnSpec, ColumnType, ConstraintViolation, Error, Name, Store, TableSpec};

fn unique(table: &str, columns: &[&str]) -> Result<u64, Error> {
    let columns = columns.iter().map(|column| (*column).to_owned()).collect();
    Err(Error::Violation(ConstraintViolation::Unique { table: table.to_owned(), columns }))
}

fn insert(store: &Store, table: &'static str, columns: &'static str, values: &'static str) -> Result<u64, Error> {
    execute(store, |sql| {
        sql.push("INSERT INTO ").table(&Name::fixed(table)).push(" (").push(columns).push(") VALUES (");
        sql.push(values).push(")");
    })
}

#[test]
fn unique_sets_name_their_columns() {
    use ColumnType::{Integer, Text};
    twin(|database| {
        let store = database.create("unique").unwrap();
        store
            .write_blocking(|tx| {
                tx.create_table(&table("t7", vec![column("p12", Text), column("p_13", Integer)]))?;
                tx.create_index(&index("t7", &["p12", "p_13"], true))?;
                tx.create_table(&TableSpec {
                    name: Name::fixed("plinth_some_key"),
                    identity: false,
                    columns: vec![column("key_id", Integer), column("the_hash", Text)],
                    primary_key: vec![Name::fixed("key_id")],
                })?;
                tx.create_index(&index("plinth_some_key", &["the_hash"], true))
            })
            .unwrap();
        assert_eq!(insert(&store, "t7", "p12, p_13", "')=(', 1"), Ok(1));
        assert_eq!(insert(&store, "t7", "p12, p_13", "')=(', 1"), unique("t7", &["p12", "p_13"]));
        // Nulls never collide.
        assert_eq!(insert(&store, "t7", "p12, p_13", "'a', NULL"), Ok(1));
        assert_eq!(insert(&store, "t7", "p12, p_13", "'a', NULL"), Ok(1));
        assert_eq!(insert(&store, "t7", "id", "77"), Ok(1));
        assert_eq!(insert(&store, "t7", "id", "77"), unique("t7", &["id"]));
        assert_eq!(insert(&store, "plinth_some_key", "key_id, the_hash", "1, 'x'"), Ok(1));
        assert_eq!(
            insert(&store, "plinth_some_key", "key_id, the_hash", "1, 'y'"),
            unique("plinth_some_key", &["key_id"])
        );
        assert_eq!(
            insert(&store, "plinth_some_key", "key_id, the_hash", "2, 'x'"),
            unique("plinth_some_key", &["the_hash"])
        );
        let made = store.write_blocking(|tx| {
            let mut sql = tx.sql();
            sql.push("UPDATE ").table(&Name::fixed("t7")).push(" SET p12 = 'same'");
            tx.execute(&sql)?;
            tx.create_index(&index("t7", &["p12"], true)).map(|()| 0)
        });
        assert_eq!(made, unique("t7", &["p12"]));
    });
}

#[test]
fn references_hold() {
    twin(|database| {
        let store = database.create("references").unwrap();
        let target = ColumnSpec { references: Some(Name::fixed("t1")), ..column("p_2", ColumnType::Integer) };
        store
            .write_blocking(|tx| {
                tx.create_table(&table("t1", vec![]))?;
                tx.create_table(&table("t_2", vec![target.clone()]))
            })
            .unwrap();
        assert_eq!(insert(&store, "t1", "id", "1"), Ok(1));
        assert_eq!(insert(&store, "t_2", "p_2", "1"), Ok(1));
        let refused = [
            insert(&store, "t_2", "p_2", "2"),
            execute(&store, |sql| {
                sql.push("DELETE FROM ").table(&Name::fixed("t1"));
            }),
        ];
        for result in refused {
            let Err(Error::Violation(ConstraintViolation::Reference { from })) = result else { panic!("{result:?}") };
            // SQLite does not tell.
            assert!(from.is_none_or(|from| from == ("t_2".to_owned(), "p_2".to_owned())));
        }
    });
}
