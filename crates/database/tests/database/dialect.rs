//! What the engines write differently means the same.

use crate::engines::{column, index, select, table, twin, value};
use database::{ColumnType, Database, Error, Name, Store, TableSpec, Value};

pub(crate) const T1: Name = Name::fixed("t1");
pub(crate) const M5: Name = Name::fixed("m5");
pub(crate) const A: Name = Name::fixed("a");

pub(crate) fn text(text: &str) -> Value {
    Value::Text(text.into())
}

pub(crate) fn store(database: &Database) -> Store {
    use ColumnType::*;
    let store = database.create("dialect").unwrap();
    let columns = [("p1", Integer), ("p2", Text), ("p3", Uuid), ("p4", Date), ("p5", Timestamp), ("p6", Json)];
    let rows = vec![
        vec![Value::Integer(3), text("Čas"), Value::Uuid([1; 16]), Value::Date(1), Value::Timestamp(1001), text("{}")],
        vec![
            Value::Integer(1),
            text("b_c%d\\"),
            Value::Uuid([2; 16]),
            Value::Date(2),
            Value::Timestamp(1002),
            text("[1,[2]]"),
        ],
        vec![Value::Null; 6],
        vec![
            Value::Integer(2),
            text("b\u{1F40E}"),
            Value::Uuid([3; 16]),
            Value::Date(-3),
            Value::Timestamp(-5),
            text(
                r#"{"a":{"b c":"x\"y","0":true,"n":null,"e":1.50,"big":12345678901234567890},"l":[1,{"k":"v"},"s"],"q\"\\":7}"#,
            ),
        ],
    ];
    store
        .write_blocking(|tx| {
            tx.create_table(&table("t1", columns.iter().map(|(name, of)| column(name, *of)).collect()))?;
            let columns: Vec<_> = columns.iter().map(|(name, of)| (Name::fixed(name), *of)).collect();
            tx.insert_many(&T1, &columns, &rows)?;
            tx.create_table(&TableSpec {
                name: M5,
                identity: false,
                columns: vec![column("owner", Integer), column("position", Integer), column("value", Text)],
                primary_key: vec![Name::fixed("owner"), Name::fixed("position")],
            })?;
            tx.create_index(&index("m5", &["value", "owner"], false))?;
            let link =
                |owner, position, value: &str| vec![Value::Integer(owner), Value::Integer(position), text(value)];
            let columns =
                [(Name::fixed("owner"), Integer), (Name::fixed("position"), Integer), (Name::fixed("value"), Text)];
            let links = [link(1, 2, "last"), link(1, 0, "first"), link(1, 1, "mid \"dle\""), link(2, 0, "é")];
            tx.insert_many(&M5, &columns, &links)?;
            Ok::<_, Error>(())
        })
        .unwrap();
    store
}

pub(crate) fn ids(store: &Store, condition: impl FnOnce(&mut database::Sql)) -> Vec<i64> {
    let rows = select(store, &[ColumnType::Integer], |sql| {
        sql.push("a.id FROM ").table(&T1).push(" AS a WHERE ");
        condition(sql);
        sql.push(" ORDER BY a.id");
    });
    rows.into_iter().map(|row| if let Value::Integer(id) = row[0] { id } else { panic!("{row:?}") }).collect()
}

#[test]
fn one_of_several_values() {
    use ColumnType::*;
    let cases: Vec<(&'static str, ColumnType, Vec<Value>, Vec<i64>)> = vec![
        ("p1", Integer, vec![Value::Integer(1), Value::Integer(3), Value::Integer(99)], vec![1, 2]),
        ("p1", Integer, vec![], vec![]),
        ("p1", Integer, vec![Value::Null, Value::Integer(1)], vec![2]),
        ("p2", Text, vec![text("Čas"), text("b")], vec![1]),
        ("p3", Uuid, vec![Value::Uuid([3; 16])], vec![4]),
        ("p4", Date, vec![Value::Date(-3), Value::Date(2)], vec![2, 4]),
        ("p5", Timestamp, vec![Value::Timestamp(-5), Value::Timestamp(1001)], vec![1, 4]),
    ];
    twin(|database| {
        let store = store(database);
        for (name, of, values, expected) in &cases {
            let found = ids(&store, |sql| {
                sql.column(&A, &Name::fixed(name)).any_of(*of, values.clone());
            });
            assert_eq!(found, *expected, "{name}");
        }
    });
}

#[test]
fn rows_come_as_an_array_of_arrays() {
    twin(|database| {
        let store = store(database);
        let columns = [Name::fixed("owner"), Name::fixed("value")];
        let rows = |owner: i64| {
            let found = value(&store, ColumnType::Text, |sql| {
                sql.json_rows(&M5, &columns, &Name::fixed("position"), |sql| _ = sql.push("a.owner = ").bind(owner));
            });
            let Value::Text(found) = found else { panic!("{found:?}") };
            // Whether there are spaces in it is the engine's own business.
            text(&found.replace(", ", ","))
        };
        assert_eq!(rows(1), text(r#"[[1,"first"],[1,"mid \"dle\""],[1,"last"]]"#));
        assert_eq!(rows(3), text("[]"));
        [rows(1), rows(2)]
    });
}

#[test]
fn a_list_for_people_has_its_order() {
    twin(|database| {
        let store = store(database);
        let found = value(&store, ColumnType::Text, |sql| {
            sql.readable_list(|sql| {
                sql.push("SELECT l.value AS value FROM ")
                    .table(&M5)
                    .push(" AS l WHERE l.owner = 1 ORDER BY l.position");
            });
        });
        assert_eq!(found, text(r#"["first","mid \"dle\"","last"]"#));
        found
    });
}

#[test]
fn links_come_as_an_array() {
    twin(|database| {
        let store = store(database);
        let found = select(&store, &[ColumnType::Text], |sql| {
            sql.links(&M5, |sql| {
                sql.push("a.id");
            })
            .push(" FROM ")
            .table(&T1)
            .push(" AS a ORDER BY a.id");
        });
        assert_eq!(found[0], [text(r#"["first","mid \"dle\"","last"]"#)]);
        assert_eq!(found[1], [text(r#"["é"]"#)]);
        assert_eq!(found[2], [text("[]")]);
        found
    });
}

#[test]
fn order_limit_and_locks() {
    twin(|database| {
        let store = store(database);
        let order = |ascending: bool, last: bool, limit: i64, offset: i64| {
            select(&store, &[ColumnType::Integer], |sql| {
                sql.push("id FROM ").table(&T1).push(" ORDER BY p1");
                sql.push(if ascending { " ASC" } else { " DESC" }).order_nulls(last).push(", id").limit(limit, offset);
            })
        };
        let ids = |ids: &[i64]| ids.iter().map(|id| vec![Value::Integer(*id)]).collect::<Vec<_>>();
        assert_eq!(order(true, true, 10, 0), ids(&[2, 4, 1, 3]));
        assert_eq!(order(false, false, 10, 0), ids(&[3, 1, 4, 2]));
        assert_eq!(order(true, false, 2, 1), ids(&[2, 4]));
        assert_eq!(order(true, true, 0, 0), ids(&[]));
        store
            .write_blocking(|tx| {
                for lock in [database::Sql::for_share, database::Sql::for_read, database::Sql::for_update] {
                    let mut sql = tx.sql();
                    sql.push("SELECT id FROM ").table(&T1).push(" WHERE id = ").bind(1);
                    lock(&mut sql);
                    tx.execute(&sql)?;
                }
                assert!((0..16).contains(&tx.slot()));
                Ok::<_, Error>(())
            })
            .unwrap();
    });
}

#[test]
fn texts_are_ordered_by_code_point() {
    let texts = ["a", "B", "b", "Č", "c", "č", "z", "Z", "_", "1", "\u{FFFD}", "\u{1F40E}", "é", "e\u{301}", ""];
    twin(|database| {
        let store = store(database);
        let mut sorted = texts.to_vec();
        sorted.sort_unstable();
        store
            .write_blocking(|tx| {
                let rows: Vec<_> = texts.iter().map(|given| vec![text(given)]).collect();
                tx.create_table(&table("t2", vec![column("p1", ColumnType::Text)]))?;
                tx.insert_many(&Name::fixed("t2"), &[(Name::fixed("p1"), ColumnType::Text)], &rows)
            })
            .unwrap();
        let found = select(&store, &[ColumnType::Text], |sql| {
            sql.push("p1 FROM ").table(&Name::fixed("t2")).push(" ORDER BY p1");
        });
        assert_eq!(found, sorted.iter().map(|given| vec![text(given)]).collect::<Vec<_>>());
        // Whatever the form in which they are compared.
        let less = value(&store, ColumnType::Boolean, |sql| {
            sql.text_form(database::TextForm::Folded, |sql| {
                sql.bind_as(ColumnType::Text, "Z");
            });
            sql.push(" < ");
            sql.text_form(database::TextForm::Lower, |sql| {
                sql.bind_as(ColumnType::Text, "É");
            });
        });
        assert_eq!(less, Value::Boolean(true));
    });
}

#[test]
fn casts_and_sameness() {
    twin(|database| {
        let store = store(database);
        let cast = select(&store, &[ColumnType::Text], |sql| {
            sql.cast_text(|sql| {
                sql.push("p1");
            })
            .push(" FROM ")
            .table(&T1)
            .push(" ORDER BY id");
        });
        assert_eq!(cast, [[text("3")], [text("1")], [Value::Null], [text("2")]]);
        let as_type = value(&store, ColumnType::Integer, |sql| {
            sql.push("CAST(").bind_as(ColumnType::Text, "12").push(" AS ").column_type(ColumnType::Integer).push(")");
        });
        assert_eq!(as_type, Value::Integer(12));
        let same = |one: Value, other: Value| {
            value(&store, ColumnType::Boolean, |sql| {
                let bind = |sql: &mut database::Sql, given| {
                    sql.bind_as(ColumnType::Integer, given);
                };
                sql.same(|sql| bind(sql, one), |sql| bind(sql, other));
            })
        };
        assert_eq!(same(Value::Null, Value::Null), Value::Boolean(true));
        assert_eq!(same(Value::Integer(1), Value::Null), Value::Boolean(false));
        assert_eq!(same(Value::Integer(1), Value::Integer(1)), Value::Boolean(true));
    });
}

#[test]
fn a_plan_tells_how_a_statement_would_run_and_runs_nothing() {
    twin(|database| {
        let store = store(database);
        store
            .read_blocking(|tx| {
                let mut sql = tx.sql();
                sql.push("SELECT value FROM ").table(&M5).push(" WHERE value = ").bind("é").push(" AND owner");
                sql.any_of(ColumnType::Integer, vec![Value::Integer(1), Value::Integer(2)]);
                let plan = tx.plan(&sql)?;
                assert!(plan.iter().any(|line| line.contains("m5")), "{plan:?}");
                assert_eq!(sql.values(), ["\"é\"", "[1, 2]"]);
                Ok::<_, Error>(())
            })
            .unwrap();
    });
}
