//! Lower case and folding are the same in Rust, in SQLite and in PostgreSQL.

use crate::engines::{column, select, table, twin};
use database::{ColumnType, Database, Name, PartPlace, Store, TextForm, Value, fold, lower};
use std::ops::RangeInclusive;

/// Characters that came with Unicode 16 and later. A server knows those of its own version of ICU.
const NEW: [RangeInclusive<char>; 10] = [
    '\u{1C89}'..='\u{1C8A}',
    '\u{A7CB}'..='\u{A7CF}',
    '\u{A7D2}'..='\u{A7D4}',
    '\u{A7DA}'..='\u{A7DC}',
    '\u{105C0}'..='\u{105FF}',
    '\u{10D40}'..='\u{10D8F}',
    '\u{11380}'..='\u{113FF}',
    '\u{16100}'..='\u{1613F}',
    '\u{16D40}'..='\u{16D7F}',
    '\u{16EA0}'..='\u{16EDF}',
];

/// Words, and every other character, twenty to a text.
fn sample() -> Vec<String> {
    let words = "Příliš ŽLUŤOUČKÝ kůň|ΣΑΣ ΣΑΣ. Σ|ὈΔΥΣΣΕΎΣ|İstanbul IĞDIR ısı|STRASSE Straße ẞ|ﬁ ﬀ|Ångström|Ǆ ǅ ǆ|ЁЖ ёж Й|\
                 가각|日本 ガ が|한국어|ÀÉÎÕÜ|e\u{301}\u{327}o\u{328}|K Å Ω|ΐ ΰ|אֱלֹהִים|ʼn Ǹ|ᏣᎳᎩ ꭰ|𐐀𐐨|Ⅷ Ⓐ|";
    let characters: Vec<char> = ('\u{1}'..='\u{2FFFF}')
        .filter(|character| !character.is_control() && NEW.iter().all(|range| !range.contains(character)))
        .collect();
    let runs = characters.chunks(20).map(|run| run.iter().flat_map(|character| [*character, 'x']).collect());
    words.split('|').map(str::to_owned).chain(runs).collect()
}

#[test]
fn forms_agree() {
    let sample = sample();
    twin(|database| {
        let store = stored(database, &sample);
        let found = select(&store, &[ColumnType::Text; 3], |sql| {
            for form in [TextForm::Exact, TextForm::Lower, TextForm::Folded] {
                sql.text_form(form, |sql| {
                    sql.push("p1");
                })
                .push(if form == TextForm::Folded { "" } else { ", " });
            }
            sql.push(" FROM ").table(&Name::fixed("t1")).push(" ORDER BY id");
        });
        let mut differences = Vec::new();
        for (given, row) in sample.iter().zip(found) {
            for (expected, found) in [given.clone(), lower(given), fold(given)].into_iter().zip(row) {
                let Value::Text(found) = found else { panic!("{found:?}") };
                if found != expected {
                    differences.push(difference(given, &expected, &found));
                }
            }
        }
        assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
    });
}

/// Beginnings, middles and ends of folded samples, some with marks that stay, or with signs of a pattern.
fn parts(sample: &[String]) -> Vec<String> {
    let few = sample.iter().take(20).chain(sample.iter().skip(20).step_by(sample.len() / 8));
    let folded: Vec<Vec<char>> = few.map(|text| fold(text).chars().collect()).collect();
    let cuts = folded.iter().flat_map(|text| {
        let middle = text.len() / 2;
        [&text[..text.len().min(2)], &text[middle..text.len().min(middle + 3)], &text[text.len().saturating_sub(3)..]]
    });
    let signs = ["", ".", "x.", "^", "$", "[", "***=", "(?i)x", "\\", "\u{5b0}", "a\u{5d0}", "\u{915}\u{93c}"];
    cuts.map(|cut| cut.iter().collect()).chain(signs.map(str::to_owned)).collect()
}

#[test]
fn parts_of_folded_texts_agree() {
    let mut sample = sample();
    sample.extend(["^$[.\\(?i)x***=", "\u{327}\u{301}a\u{301}", "קָ\u{301}ד", "क़ क\u{93c}"].map(str::to_owned));
    let folded: Vec<String> = sample.iter().map(|text| fold(text)).collect();
    let parts = parts(&sample);
    let places = [PartPlace::Within, PartPlace::Start, PartPlace::End];
    let every: Vec<(PartPlace, &str)> =
        parts.iter().flat_map(|part| places.map(|place| (place, part.as_str()))).collect();
    let plain: Vec<_> = every.iter().copied().filter(|(_, part)| part.chars().count() > 1).collect();
    twin(|database| {
        let store = stored(database, &sample);
        // One by one, then several at once: with those that have no pattern, and without.
        let several = every.chunks(7).chain(plain.chunks(7)).chain(plain.chunks(60));
        for parts in every.chunks(1).chain(several) {
            let found = select(&store, &[ColumnType::Text], |sql| {
                sql.push("p1 FROM ").table(&Name::fixed("t1")).push(" AS r WHERE ");
                sql.column_holds_folded(parts, &Name::fixed("r"), &Name::fixed("p1")).push(" ORDER BY id");
            });
            let computed = select(&store, &[ColumnType::Text], |sql| {
                sql.push("p1 FROM ").table(&Name::fixed("t1")).push(" WHERE ");
                sql.holds_folded(parts, |sql| _ = sql.push("p1")).push(" ORDER BY id");
            });
            assert_eq!(found, computed);
            let holds = |folded: &str| parts.iter().any(|(place, part)| stands_at(*place, folded, part));
            let expected = sample.iter().zip(&folded).filter(|(_, folded)| holds(folded));
            let expected: Vec<_> = expected.map(|(text, _)| vec![Value::Text(text.clone())]).collect();
            assert!(found == expected, "{parts:?}: {} rows, not {}", found.len(), expected.len());
        }
    });
}

fn stands_at(place: PartPlace, text: &str, part: &str) -> bool {
    match place {
        PartPlace::Within => text.contains(part),
        PartPlace::Start => text.starts_with(part),
        PartPlace::End => text.ends_with(part),
    }
}

/// A table with a row for each text.
fn stored(database: &Database, texts: &[String]) -> Store {
    let store = database.create("text").unwrap();
    store
        .write_blocking(|tx| {
            let rows: Vec<_> = texts.iter().map(|text| vec![Value::Text(text.clone())]).collect();
            tx.create_table(&table("t1", vec![column("p1", ColumnType::Text)]))?;
            tx.insert_many(&Name::fixed("t1"), &[(Name::fixed("p1"), ColumnType::Text)], &rows)
        })
        .unwrap();
    store
}

fn difference(given: &str, expected: &str, found: &str) -> String {
    let pairs = expected.split('x').zip(found.split('x')).zip(given.split('x'));
    let points = |text: &str| text.chars().map(|point| format!("{:X}", u32::from(point))).collect::<Vec<_>>().join(" ");
    let wrong = pairs.filter(|((one, other), _)| one != other);
    wrong
        .map(|((one, other), given)| format!("{}: {} {}", points(given), points(one), points(other)))
        .collect::<Vec<_>>()
        .join("; ")
}

#[test]
fn examples() {
    assert_eq!(lower("ŽLUŤOUČKÝ Σίσυφος ΣΑΣ"), "žluťoučký σίσυφοσ σασ");
    assert_eq!(fold("Příliš ŽLUŤOUČKÝ kůň"), "prilis zlutoucky kun");
    assert_eq!(fold("İ"), "i");
    assert_eq!(fold("Straße"), "straße");
}
