//! Full text indexes find the same on both engines: what a plain look at the words says.

use crate::engines::{column, execute, integer, rows, select, table, twin, wait};
use database::{ColumnType, Error, Name, ReadCost, SearchSpec, SearchWords, Sql, Store, TimeLimit, Tx, Value, words};
use std::time::{Duration, Instant};

const TEXTS: Name = Name::fixed("t7");
const INDEX: Name = Name::fixed("f7");
const COLUMNS: [Name; 2] = [Name::fixed("p1"), Name::fixed("p2")];

fn spec() -> SearchSpec {
    SearchSpec { name: INDEX, columns: COLUMNS.to_vec() }
}

/// An index of these texts, with ids from 1.
fn put(tx: &mut Tx<'_>, first: i64, texts: &[[&str; 2]]) -> Result<(), Error> {
    let documents =
        (first..).zip(texts).map(|(id, texts)| (id, texts.iter().map(|text| SearchWords::of(text)).collect()));
    tx.put_words(&spec(), documents.collect())
}

fn build(store: &Store, texts: &[[&str; 2]]) {
    store
        .write_blocking(|tx| {
            tx.create_table(&table("t7", vec![column("p1", ColumnType::Text)]))?;
            let ids: Vec<_> = texts.iter().map(|_| vec![Value::Null]).collect();
            tx.insert_many(&TEXTS, &[(Name::fixed("p1"), ColumnType::Text)], &ids)?;
            tx.build_search(&spec(), |tx| put(tx, 1, texts))
        })
        .unwrap();
}

fn condition(sql: &mut Sql, columns: &[Name], text: &str) {
    sql.push("id FROM ").table(&TEXTS).push(" AS r WHERE r.id").found_in(&spec(), columns, &words(text));
    sql.push(" ORDER BY id");
}

fn found(store: &Store, columns: &[Name], text: &str) -> Vec<i64> {
    let rows = select(store, &[ColumnType::Integer], |sql| condition(sql, columns, text));
    rows.iter().map(|row| if let Value::Integer(id) = row[0] { id } else { 0 }).collect()
}

#[test]
fn words_are_letters_and_digits_without_case_and_diacritics() {
    let check = |text: &str, expected: &[&str]| assert_eq!(words(text), expected, "{text}");
    check("Příliš ŽLUŤOUČKÝ kůň, úpěl!", &["prilis", "zlutoucky", "kun", "upel"]);
    check("a-b_c'd INV-2026-00042", &["a", "b", "c", "d", "inv", "2026", "00042"]);
    check("ΣΑΣ Ὀδυσσεύς", &["σασ", "οδυσσευσ"]);
    check("हिन्दी में", &["हिन्दी", "में"]);
    check("日本語 テスト", &["日本語", "テスト"]);
    check(" \u{94d}x !!! \u{0}", &["x"]);
    check("", &[]);
    let long = "ž".repeat(70);
    check(&long, &[&"z".repeat(64)]);
}

#[test]
fn every_word_must_be_there_and_the_last_may_be_a_beginning() {
    let texts = [
        ["Žluťoučký kůň", "pěl ódy"],
        ["kun", ""],
        ["", "Kunhuta zlata"],
        ["o'neil \\ \"x\" & | ! :*", "AND OR NOT NEAR"],
    ];
    let answers = twin(|database| {
        let store = database.create("search").unwrap();
        build(&store, &texts);
        let queries = [
            "kun",
            "kůň",
            "KU",
            "kun pel",
            "kun zlut",
            "pel kun o",
            "kunhuta z",
            "huta",
            "o n",
            "x",
            "and",
            "not near",
            "or nothing",
            "neil a",
        ];
        queries.map(|query| {
            let columns = [&COLUMNS[..], &COLUMNS[..1], &COLUMNS[1..]];
            (query, columns.map(|columns| found(&store, columns, query)))
        })
    });
    let expected: [(&str, [&[i64]; 3]); 14] = [
        ("kun", [&[1, 2, 3], &[1, 2], &[3]]),
        ("kůň", [&[1, 2, 3], &[1, 2], &[3]]),
        ("KU", [&[1, 2, 3], &[1, 2], &[3]]),
        ("kun pel", [&[1], &[], &[]]),
        ("kun zlut", [&[1], &[1], &[]]),
        ("pel kun o", [&[1], &[], &[]]),
        ("kunhuta z", [&[3], &[], &[3]]),
        ("huta", [&[], &[], &[]]),
        ("o n", [&[4], &[4], &[]]),
        ("x", [&[4], &[4], &[]]),
        ("and", [&[4], &[], &[4]]),
        ("not near", [&[4], &[], &[4]]),
        ("or nothing", [&[], &[], &[]]),
        ("neil a", [&[4], &[], &[]]),
    ];
    assert_eq!(format!("{answers:?}"), format!("{expected:?}"));
}

#[test]
fn an_index_follows_what_is_put_and_removed() {
    twin(|database| {
        let store = database.create("search").unwrap();
        build(&store, &[["one", "two"], ["two", "three"], ["three", ""]]);
        let change = |tx: &mut Tx<'_>| {
            put(tx, 2, &[["four", ""]])?;
            let mut sql = tx.sql();
            sql.push("SELECT ");
            condition(&mut sql, &COLUMNS, "four");
            // A transaction sees what it has put.
            assert_eq!(rows(tx, &sql, &[ColumnType::Integer])?, [[Value::Integer(2)]]);
            tx.remove_words(&INDEX, vec![3, 99])
        };
        store.write_blocking(change).unwrap();
        let undone = store.write_blocking(|tx| {
            put(tx, 1, &[["five", ""]])?;
            Err::<(), _>(Error::Failed("undone".into()))
        });
        undone.unwrap_err();
        let partly = store.write_blocking(|tx| {
            let attempt = tx.savepoint(|tx| {
                put(tx, 1, &[["six", ""]])?;
                Err::<(), _>(Error::Failed("undone".into()))
            });
            attempt.unwrap_err();
            tx.savepoint(|tx| put(tx, 1, &[["one seven", ""]]))
        });
        partly.unwrap();
        let answers = ["one", "two", "three", "four", "five", "six", "seven"].map(|word| found(&store, &COLUMNS, word));
        assert_eq!(answers, [vec![1], vec![], vec![], vec![2], vec![], vec![], vec![1]]);
        store.write_blocking(|tx| tx.drop_search(&INDEX)).unwrap();
        store.read_blocking(|tx| tx.tables()).unwrap().iter().map(|table| table.name.clone()).collect::<Vec<_>>()
    });
}

#[test]
fn a_text_without_end_is_found_by_its_beginning() {
    let mut long: Vec<String> = (0..200_000).map(|number| format!("word{number}")).collect();
    long.push("x".repeat(3_000));
    let long = long.join(" ");
    twin(|database| {
        let store = database.create("search").unwrap();
        build(&store, &[[&long, &"y".repeat(3_000)]]);
        let queries = ["word1", "word0 word50000", "word199999", &"y".repeat(64), &"y".repeat(5_000)];
        queries.map(|query| found(&store, &COLUMNS, query))
    })
    .into_iter()
    .zip([vec![1], vec![1], vec![], vec![1], vec![1]])
    .for_each(|(found, expected)| assert_eq!(found, expected));
}

#[test]
fn a_long_text_leaves_room_for_the_others_of_its_row() {
    let spec = SearchSpec { name: INDEX, columns: (0..40).map(|number| Name::numbered("p", number)).collect() };
    let long = |letter: char| (0..100_000).map(|number| format!("{letter}{number} ")).collect::<String>();
    let (first, other) = (long('a'), long('b'));
    let answers = twin(|database| {
        let store = database.create("search").unwrap();
        let text = |at: i64| match at {
            0 => SearchWords::of(&first),
            39 => SearchWords::of(&other),
            _ => SearchWords::of(&format!("short{at} x")),
        };
        store
            .write_blocking(|tx| {
                tx.create_table(&table("t7", vec![]))?;
                tx.insert_many(&TEXTS, &[], &[vec![]])?;
                tx.build_search(&spec, |tx| tx.put_words(&spec, vec![(1, (0..40).map(text).collect())]))
            })
            .unwrap();
        let found = |columns: &[Name], text: &str| {
            let rows = select(&store, &[ColumnType::Integer], |sql| {
                sql.push("id FROM ").table(&TEXTS).push(" AS r WHERE r.id").found_in(&spec, columns, &words(text));
            });
            rows.len()
        };
        let all = &spec.columns[..];
        let queries =
            ["a0", "b0", "a50000", "b50000", "a99999 x", "b99999 x", "short1", "short38", "short1 short38 b0"];
        let alone = [found(&all[1..2], "short1"), found(&all[1..2], "short2"), found(&all[30..31], "x short30")];
        (queries.map(|query| found(all, query)), alone)
    });
    assert_eq!(answers, ([1, 1, 1, 1, 0, 0, 1, 1, 1], [1, 0, 1]));
}

/// A sequence of choices, the same in every run.
struct Choices(u64);

impl Choices {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(self.0 >> 33).unwrap() % end
    }

    /// A few characters, some of a small alphabet and some of anywhere.
    fn text(&mut self, alphabet: &[char]) -> String {
        (0..self.below(12))
            .map(|_| match self.below(8) {
                0 => char::from_u32(self.below(0x30000)).filter(|character| *character != '\0').unwrap_or('ď'),
                _ => alphabet[self.below(u32::try_from(alphabet.len()).unwrap()) as usize],
            })
            .collect()
    }
}

#[test]
fn random_texts_are_found_as_a_plain_look_finds_them() {
    let alphabet: Vec<char> = "aáAbB  cč1-'\"\\*:&|!(){}\u{301}\u{94d}ß日σς".chars().collect();
    let mut choices = Choices(20_261_121);
    let texts: Vec<[String; 2]> = (0..400).map(|_| [choices.text(&alphabet), choices.text(&alphabet)]).collect();
    let queries: Vec<String> =
        (0..400).map(|_| choices.text(&alphabet)).filter(|text| !words(text).is_empty()).collect();
    let texts: Vec<[&str; 2]> = texts.iter().map(|[one, other]| [one.as_str(), other.as_str()]).collect();
    let words_of: Vec<[Vec<String>; 2]> = texts.iter().map(|texts| texts.map(words)).collect();
    let answers = twin(|database| {
        let store = database.create("search").unwrap();
        build(&store, &texts);
        queries.iter().map(|query| [&COLUMNS[..], &COLUMNS[1..]].map(|of| found(&store, of, query))).collect::<Vec<_>>()
    });
    let mut hits = 0;
    for (query, answer) in queries.iter().zip(answers) {
        let asked = words(query);
        for (skipped, answer) in answer.into_iter().enumerate() {
            let holds = |document: &[Vec<String>; 2]| {
                asked.iter().enumerate().all(|(at, word)| {
                    let last = at + 1 == asked.len();
                    let mut here = document[skipped..].iter().flatten();
                    here.any(|found| found == word || (last && found.starts_with(word.as_str())))
                })
            };
            let expected: Vec<i64> = (1..).zip(&words_of).filter(|(_, of)| holds(of)).map(|(id, _)| id).collect();
            hits += expected.len();
            assert_eq!(answer, expected, "{query:?}");
        }
    }
    assert!(hits > 1_000, "{hits}");
}

#[test]
fn a_search_goes_by_the_index() {
    let texts: Vec<String> = (0..20_000).map(|number| format!("word{number} text")).collect();
    let texts: Vec<[&str; 2]> = texts.iter().map(|text| [text.as_str(), "x"]).collect();
    twin(|database| {
        let store = database.create("search").unwrap();
        build(&store, &texts);
        execute(&store, |sql| _ = sql.push("ANALYZE")).unwrap();
        let plan = store
            .read_blocking(|tx| {
                let mut plan = String::new();
                for (engine, from) in [("SQLite", 3), ("PostgreSQL", 0)] {
                    let mut sql = tx.sql();
                    sql.push(if engine == "SQLite" { "EXPLAIN QUERY PLAN SELECT " } else { "EXPLAIN SELECT " });
                    condition(&mut sql, &COLUMNS, "text word17");
                    let mut explain = |row: &database::Row<'_>| {
                        plan.push_str(row.text(from)?);
                        plan.push('\n');
                        Ok(())
                    };
                    // The other engine does not understand the question.
                    if tx.query(&sql, &mut explain).is_ok() {
                        break;
                    }
                }
                Ok::<_, Error>(plan)
            })
            .unwrap();
        // Neither the index nor the table is read whole.
        assert!(plan.contains("SCAN f7 VIRTUAL TABLE INDEX") || plan.contains("Bitmap Index Scan on i_f7"), "{plan}");
        assert!(plan.contains("SEARCH r USING INTEGER PRIMARY KEY") || !plan.contains("Seq Scan"), "{plan}");
    });
}

#[test]
fn a_search_ends_with_the_time_of_its_job() {
    let texts: Vec<[&str; 2]> = vec![["common words", "of all rows"]; 3_000];
    let outcomes = twin(|database| {
        let store = database.create("search").unwrap();
        build(&store, &texts);
        // What is found, beside itself and itself again, is more than can be counted in the time.
        let count = |tables: usize| {
            move |tx: &mut Tx<'_>| {
                let mut sql = tx.sql();
                sql.push("SELECT count(*)");
                for number in 0..tables {
                    let alias = Name::numbered("r", number as i64);
                    sql.push(if number == 0 { " FROM " } else { ", " }).table(&TEXTS).push(" AS ").name(&alias);
                }
                for number in 0..tables {
                    sql.push(if number == 0 { " WHERE " } else { " AND " });
                    sql.column(&Name::numbered("r", number as i64), &Name::fixed("id"));
                    sql.found_in(&spec(), &COLUMNS, &words("common row"));
                }
                integer(tx, &sql)
            }
        };
        let begun = Instant::now();
        let short = store.limited(TimeLimit::After(Duration::from_millis(500)));
        let ended = loop {
            match wait(short.read(ReadCost::Scan, count(4))) {
                Err(Error::Busy) => {}
                outcome => break outcome,
            }
        };
        assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
        (ended, wait(store.read(ReadCost::Scan, count(1))))
    });
    assert_eq!(outcomes, (Err(Error::Timeout), Ok(3_000)));
}
