//! Any sequence of type changes ends in the same tables as creating the result at once.

use super::tenant::{Tenant, on, told};
use proptest::prelude::*;
use std::fmt::Write as _;
use testing::Engine;

/// A type in the making.
#[derive(Clone, Debug)]
struct Draft {
    id: u32,
    name: String,
    properties: Vec<Property>,
    pairs: Vec<(u32, u32)>,
}

#[derive(Clone, Debug)]
struct Property {
    id: u32,
    name: String,
    kind: usize,
    target: u32,
    required: bool,
    unique: bool,
    index: bool,
    searchable: bool,
}

/// Kinds with their options, a default in YAML, and a value in SQL.
const KINDS: [(&str, &str, &str); 12] = [
    ("kind: pString", "d", "'7'"),
    ("kind: pString, maxLength: 40", "e", "'true'"),
    ("kind: pInteger", "3", "3"),
    ("kind: pFloat", "1.5", "2.0"),
    ("kind: pDecimal, scale: 2", "1.25", "500"),
    ("kind: pBoolean", "true", ""),
    ("kind: pDate", "2026-01-02", ""),
    ("kind: pJson", "", "'{}'"),
    ("kind: pEnum, options: [\"7\", b]", "b", "'7'"),
    ("kind: pEnums, options: [\"7\", b, c]", "[b, c]", ""),
    ("kind: pRelation", "", ""),
    ("kind: pRelations", "", ""),
];
const FIRST_RELATION: usize = 10;
const JSON: usize = 7;
const ENUMS: usize = 9;

/// One change, in numbers: what, to which type, to which property, how.
type Change = (u8, u8, u8, u8);

#[derive(Clone, Default)]
struct Configuration {
    types: Vec<Draft>,
    next_type: u32,
    next_property: u32,
}

impl Configuration {
    fn change(&mut self, (what, of, which, how): Change) {
        if self.types.is_empty() || what == 0 {
            let id = 10 + self.next_type;
            self.next_type += 1;
            self.types.push(Draft { id, name: format!("type{id}"), properties: Vec::new(), pairs: Vec::new() });
            return;
        }
        let of = usize::from(of) % self.types.len();
        let ids: Vec<u32> = self.types.iter().map(|found| found.id).collect();
        let target = ids[usize::from(how) % ids.len()];
        let draft = &mut self.types[of];
        let kind = usize::from(how) % KINDS.len();
        if draft.properties.is_empty() || what <= 3 {
            let id = 100 + self.next_property;
            self.next_property += 1;
            let name = format!("property{id}");
            draft.properties.push(Property {
                id,
                name,
                kind,
                target,
                required: false,
                unique: false,
                index: how % 2 == 0,
                searchable: how % 3 == 0,
            });
            return;
        }
        let which = usize::from(which) % draft.properties.len();
        let count = draft.properties.len();
        let property = &mut draft.properties[which];
        match what {
            4 => drop(draft.properties.remove(which)),
            5 | 6 => property.kind = kind,
            7 => property.required = !property.required,
            8 => property.unique = !property.unique,
            9 => property.index = !property.index,
            10 => property.name.push('x'),
            11 => property.target = target,
            12 => {
                let other = draft.properties[(which + 1) % count].id;
                let pair = (draft.properties[which].id, other);
                if pair.0 != pair.1 && !draft.pairs.iter().any(|(a, b)| (*b, *a) == pair || (*a, *b) == pair) {
                    draft.pairs.push(pair);
                }
            }
            13 => draft.name.push('x'),
            14 => property.searchable = !property.searchable,
            _ => {
                let gone = self.types.remove(of).id;
                for draft in &mut self.types {
                    draft.properties.retain(|property| property.kind < FIRST_RELATION || property.target != gone);
                }
            }
        }
    }

    /// The files. What a kind does not allow is left out.
    fn text(&self) -> String {
        let mut text = "--- tenant.yaml\ntenant: acme\n".to_owned();
        for draft in &self.types {
            let _ = write!(text, "--- types/t{}.yaml\nid: {}\nname: {}\n", draft.id, draft.id, draft.name);
            let find = |id: u32| draft.properties.iter().find(|property| property.id == id);
            let plain = |property: &&Property| ![JSON, ENUMS, FIRST_RELATION + 1].contains(&property.kind);
            let pairs = draft.pairs.iter().filter_map(|(a, b)| {
                Some(format!("[{}, {}]", find(*a).filter(plain)?.name, find(*b).filter(plain)?.name))
            });
            let _ = writeln!(text, "unique: [{}]", pairs.collect::<Vec<_>>().join(", "));
            let _ = writeln!(text, "properties: {}", if draft.properties.is_empty() { "{}" } else { "" });
            for property in &draft.properties {
                let (kind, default, _) = KINDS[property.kind];
                let _ = write!(text, "  {}: {{id: {}, {kind}", property.name, property.id);
                if property.kind >= FIRST_RELATION {
                    let target = self.types.iter().find(|found| found.id == property.target);
                    let _ = write!(text, ", type: {}", target.map_or("user", |found| &found.name));
                }
                if property.required && !default.is_empty() {
                    let _ = write!(text, ", required: true, default: {default}");
                }
                if property.unique && plain(&property) {
                    text.push_str(", unique: true");
                }
                if property.index && property.kind != JSON {
                    text.push_str(", index: true");
                }
                if property.searchable && property.kind < 2 {
                    text.push_str(", searchable: true");
                }
                text.push_str("}\n");
            }
        }
        text
    }

    /// Puts a row into each table, with values where the kinds have simple ones.
    fn put_rows(&self, tenant: &Tenant) {
        for draft in &self.types {
            let valued =
                draft.properties.iter().filter(|property| !KINDS[property.kind].2.is_empty() && !property.unique);
            let valued: Vec<&Property> =
                valued.filter(|property| !draft.pairs.iter().any(|(a, b)| [*a, *b].contains(&property.id))).collect();
            let columns: String = valued.iter().map(|property| format!(", p{}", property.id)).collect();
            let values: String = valued.iter().map(|property| format!(", {}", KINDS[property.kind].2)).collect();
            tenant.execute(&format!("INSERT INTO %t{} (version{columns}) VALUES (1{values})", draft.id));
        }
    }
}

fn check(engine: Engine, changes: &[Change]) -> Result<(), TestCaseError> {
    let mut result = Ok(());
    on(engine, |tenant, fresh| {
        let mut current = Configuration::default();
        for (number, change) in changes.iter().enumerate() {
            let mut next = current.clone();
            next.change(*change);
            match tenant.try_apply(&next.text(), true) {
                Ok(_) => current = next,
                // Rows may stand against a change. Then nothing has happened, which the end shows too.
                Err(failure) => {
                    let told = told(&failure);
                    if !told.contains("rows") && !told.contains("values") {
                        result = Err(TestCaseError::fail(format!("{told}\n{}", next.text())));
                        return;
                    }
                    // Ids that were only asked for are not used up.
                    current.next_type = next.next_type;
                    current.next_property = next.next_property;
                }
            }
            if number % 3 == 2 {
                current.put_rows(tenant);
            }
        }
        fresh.apply(&current.text());
        if tenant.tables() != fresh.tables() {
            let difference = format!("{:#?}\n{:#?}\n{}", tenant.tables(), fresh.tables(), current.text());
            result = Err(TestCaseError::fail(difference));
        }
    });
    result
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    prop::collection::vec((0..17_u8, any::<u8>(), any::<u8>(), any::<u8>()), 1..24)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sequences_end_as_if_created_at_once_on_sqlite(changes in changes()) {
        check(Engine::Sqlite, &changes)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sequences_end_as_if_created_at_once_on_postgres(changes in changes()) {
        check(Engine::Postgres, &changes)?;
    }
}
