//! Texts and patterns that the engines write differently find the same.

use crate::dialect::{A, T1, ids, store, text};
use crate::engines::{twin, value};
use database::{ColumnType, JsonStep, Name, Value};

#[test]
fn parts_of_texts() {
    let parts = ["", "b", "Č", "c", "_", "%", "\\", "\u{1F40E}", "Čas", "Časy", "as"];
    twin(|database| {
        let store = store(database);
        let p2 = Name::fixed("p2");
        let mut found = Vec::new();
        for part in parts {
            let texts = [(1, "Čas"), (2, "b_c%d\\"), (4, "b\u{1F40E}")];
            let expect = |holds: fn(&str, &str) -> bool| -> Vec<i64> {
                texts.iter().filter(|(_, text)| holds(text, part)).map(|(id, _)| *id).collect()
            };
            let contains = ids(&store, |sql| {
                sql.contains(
                    |sql| {
                        sql.column(&A, &p2);
                    },
                    |sql| {
                        sql.bind(part);
                    },
                );
            });
            assert_eq!(contains, expect(|text, part| text.contains(part)), "contains {part:?}");
            let starts = ids(&store, |sql| {
                sql.starts_with(
                    |sql| {
                        sql.column(&A, &p2);
                    },
                    |sql| {
                        sql.bind(part);
                    },
                );
            });
            assert_eq!(starts, expect(|text, part| text.starts_with(part)), "starts with {part:?}");
            let ends = ids(&store, |sql| {
                sql.ends_with(
                    |sql| {
                        sql.column(&A, &p2);
                    },
                    |sql| {
                        sql.bind(part);
                    },
                );
            });
            assert_eq!(ends, expect(|text, part| text.ends_with(part)), "ends with {part:?}");
            found.push((contains, starts, ends));
        }
        found
    });
}

#[test]
fn patterns() {
    let cases = [
        ("abc", "abc", true),
        ("abc", "ABC", false),
        ("abc", "a%", true),
        ("abc", "%c", true),
        ("abc", "%b%", true),
        ("abc", "a_c", true),
        ("abc", "a__c", false),
        ("", "%", true),
        ("", "_", false),
        ("a%c", "a\\%c", true),
        ("abc", "a\\%c", false),
        ("a\\c", "a\\\\c", true),
        ("a\\", "a\\", true),
        ("a", "a\\", false),
        ("a\\", "a\\\\", true),
        ("a\\\\", "a\\\\\\", true),
        ("a\nb\\", "a\nb\\", true),
        ("a\nb", "a%b", true),
        ("a\nb", "a_b", true),
        ("čáp", "č_p", true),
        ("\u{1F40E}x", "_x", true),
        ("aaab", "%a%ab", true),
        ("mississippi", "m%iss%p_", true),
        ("mississippi", "m%iss%q_", false),
    ];
    twin(|database| {
        let store = database.create("patterns").unwrap();
        for (given, pattern, expected) in cases {
            let found = value(&store, ColumnType::Boolean, |sql| {
                sql.like(
                    |sql| {
                        sql.bind_as(ColumnType::Text, given);
                    },
                    |sql| {
                        sql.bind(pattern);
                    },
                );
            });
            assert_eq!(found, Value::Boolean(expected), "{given:?} like {pattern:?}");
        }
        let nothing = value(&store, ColumnType::Boolean, |sql| {
            sql.like(
                |sql| {
                    sql.bind_as(ColumnType::Text, Value::Null);
                },
                |sql| {
                    sql.bind("%");
                },
            );
        });
        assert_eq!(nothing, Value::Null);
    });
}

#[test]
fn texts_within_json() {
    let key = |key: &str| JsonStep::Key(key.into());
    let cases: Vec<(Vec<JsonStep>, Option<&str>)> = vec![
        (vec![key("a"), key("b c")], Some("x\"y")),
        (vec![key("a"), key("0")], Some("true")),
        (vec![key("a"), key("n")], None),
        (vec![key("a"), key("e")], Some("1.50")),
        (vec![key("a"), key("big")], Some("12345678901234567890")),
        (vec![key("a"), key("missing")], None),
        (vec![key("l"), JsonStep::Index(0)], Some("1")),
        (vec![key("l"), JsonStep::Index(1), key("k")], Some("v")),
        (vec![key("l"), JsonStep::Index(2)], Some("s")),
        (vec![key("l"), JsonStep::Index(3)], None),
        (vec![key("l"), key("0")], None),
        (vec![key("a"), JsonStep::Index(0)], None),
        (vec![key("l"), JsonStep::Index(1)], Some("{\"k\":\"v\"}")),
        (vec![key("q\"\\")], Some("7")),
        (vec![key("a"), key("b c"), key("d")], None),
    ];
    twin(|database| {
        let store = store(database);
        for (path, expected) in &cases {
            let found = value(&store, ColumnType::Text, |sql| {
                sql.json_text_at(
                    |sql| {
                        sql.column(&A, &Name::fixed("p6"));
                    },
                    path,
                );
                sql.push(" FROM ").table(&T1).push(" AS a WHERE a.id = 4");
            });
            assert_eq!(found, expected.map_or(Value::Null, text), "{path:?}");
        }
        let whole = value(&store, ColumnType::Text, |sql| {
            sql.json_text_at(
                |sql| {
                    sql.push("p6");
                },
                &[],
            )
            .push(" FROM ")
            .table(&T1)
            .push(" WHERE id = 2");
        });
        assert_eq!(whole, text("[1,[2]]"));
        let none = value(&store, ColumnType::Text, |sql| {
            sql.json_text_at(
                |sql| {
                    sql.push("p6");
                },
                &[key("a")],
            )
            .push(" FROM ")
            .table(&T1)
            .push(" WHERE id = 3");
        });
        assert_eq!(none, Value::Null);
    });
}
