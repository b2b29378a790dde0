//! `tags.yaml`: read strictly, put into the store, left alone where the API changed what the file did not.

use super::diagnostics::refused;
use super::tenant::{Tenant, on_both};
use database::ColumnType::{Boolean, Integer, Json, Text};

const WORLD: &str = "\
--- tenant.yaml
tenant: acme
--- types/city.yaml
id: 20
name: city
";

const TAGS: &str = "\
--- tags.yaml
vip: {name: VIP, parent: customers, color: \"#2A7\", types: [city], order: 2}
customers:
  name: Customers   # all of them
  code: customers
  description: Who pays
  icon: star
";

fn tags(tenant: &Tenant) -> Vec<String> {
    let statement = "SELECT x.identifier, p.identifier, x.name, x.code, x.color, x.types, x.sequence, x.private \
                     FROM %plinth_tag AS x LEFT JOIN %plinth_tag AS p ON p.id = x.parent ORDER BY x.identifier";
    tenant.rows(statement, &[Text, Text, Text, Text, Text, Json, Integer, Boolean])
}

#[test]
fn tags_come_with_the_files() {
    on_both(|tenant| {
        let files = format!("{WORLD}{TAGS}");
        let applied = tenant.apply(&files);
        let expected =
            ["customers null Customers customers null null 0 false", "vip customers VIP null #2a7 [20] 2 false"];
        assert_eq!(tags(tenant), expected);
        // Nothing is given ids in this file, and what was applied comes back as it was.
        assert_eq!(applied.files.get("tags.yaml"), super::files(&files).get("tags.yaml"));
        assert_eq!(configuration::pull(&tenant.store).unwrap(), applied.files);
        assert_eq!(tenant.plan(&files), "");
        assert!(tenant.rows("SELECT type FROM %plinth_counter WHERE type = -1", &[Integer]).len() == 1);
    });
}

#[test]
fn a_tag_follows_its_own_entry_alone() {
    on_both(|tenant| {
        tenant.apply(&format!("{WORLD}{TAGS}"));
        tenant.execute("UPDATE %plinth_tag SET name = 'Renamed', sequence = 7 WHERE identifier = 'vip'");
        let changed = format!("{WORLD}{}", TAGS.replace("Who pays", "Whoever pays"));
        assert_eq!(tenant.plan(&changed), "Safe: store the changed file tags.yaml\nSafe: update tag customers\n");
        tenant.apply(&changed);
        assert_eq!(tags(tenant)[1], "vip customers Renamed null #2a7 [20] 7 false");
        let other = changed.replace("order: 2", "order: 3").replace("parent: customers, ", "");
        tenant.apply(&other);
        assert_eq!(tags(tenant)[1], "vip null VIP null #2a7 [20] 3 false");
        // What left the file stays; what was deleted comes back.
        let without = format!("{WORLD}--- tags.yaml\nvip: {{name: VIP}}\nnew: {{name: New, parent: vip}}\n");
        assert_eq!(
            tenant.plan(&without),
            "Safe: store the changed file tags.yaml\nSafe: update tag vip\nSafe: create tag new\n"
        );
        tenant.apply(&without);
        assert_eq!(tags(tenant).len(), 3);
        tenant.execute("DELETE FROM %plinth_tag WHERE identifier = 'new'");
        assert_eq!(tenant.plan(&without), "Safe: create tag new\n");
        tenant.apply(&without);
        assert_eq!(tags(tenant)[1], "new vip New null null null 0 false");
        tenant.apply(WORLD);
        assert_eq!(tags(tenant).len(), 3);
    });
}

#[test]
fn a_name_that_is_taken_undoes_all() {
    on_both(|tenant| {
        tenant.apply(&format!("{WORLD}{TAGS}"));
        let text = format!("{WORLD}--- tags.yaml\nother: {{name: Customers}}\nfirst: {{name: First}}\n");
        let told = tenant.refused(&text, false);
        assert!(told.contains("The tag other of tags.yaml: There is a tag of that name in the same place."), "{told}");
        assert_eq!(tags(tenant).len(), 2);
    });
}

#[test]
fn mistakes_have_their_places() {
    refused(
        "\
--- tags.yaml
a b: {name: A}
b: {title: B}
c: {name: \"\", color: red, order: 1.5, private: true}
d: {name: D, parent: e, types: [citty, city]}
f: {name: F, parent: g, code: \"a b\"}
g: {name: G, parent: f}
h: C
i: {name: [x], types: city}
--- types/city.yaml
name: city
",
        "\
tags.yaml:1:1: invalid_name: \"a b\" cannot be the id of a tag: 1 to 40 letters, digits, _ and -.
tags.yaml:2:5: missing_key: The key \"name\" is missing.
tags.yaml:2:5: unknown_key: The key \"title\" is unknown.
tags.yaml:3:11: wrong_value: name must not be empty.
tags.yaml:3:22: wrong_value: color must be a colour such as #22aa77.
tags.yaml:3:34: wrong_value: order must be an integer.
tags.yaml:3:39: unknown_key: The key \"private\" is unknown.
tags.yaml:4:22: unknown_tag: There is no tag \"e\" in this file.
tags.yaml:4:33: unknown_type: There is no type \"citty\". Did you mean `city`?
tags.yaml:5:22: tag_too_deep: The tag lies below itself, or deeper than 10 levels.
tags.yaml:5:31: wrong_value: code must be 1 to 40 letters, digits, _ or -.
tags.yaml:6:22: tag_too_deep: The tag lies below itself, or deeper than 10 levels.
tags.yaml:7:4: wrong_shape: Keys and values are expected here.
tags.yaml:8:11: wrong_value: name must be a text.
tags.yaml:8:23: wrong_value: types must be a list: [a, b].
",
    );
    let chain = |levels: usize| {
        let line = |level: usize| match level {
            1 => "t1: {name: A}\n".to_owned(),
            _ => format!("t{level}: {{name: A, parent: t{}}}\n", level - 1),
        };
        format!("--- tags.yaml\n{}", (1..=levels).map(line).collect::<String>())
    };
    refused(&chain(10), "");
    refused(&chain(11), "tags.yaml:11:24: tag_too_deep: The tag lies below itself, or deeper than 10 levels.\n");
}
