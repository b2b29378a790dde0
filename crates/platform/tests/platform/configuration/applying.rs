//! Files become tables: the first apply, and what is stored.

use super::tenant::on_both;
use database::ColumnType::{Integer, Text};

const WORLD: &str = "\
--- tenant.yaml
tenant: acme
--- types/country.yaml
# Countries, by ISO code.
name: country
codeProperty: code
properties:
  code: {kind: pString, required: true, unique: true}   # two letters
  area:
    kind: pDecimal
    scale: 2
--- types/city.yaml
id: 20
name: city
properties:
  name: {id: 200, kind: pString, index: true}
  country: {kind: pRelation, type: country}
  marks: {kind: pEnums, options: [a, b]}
--- roles/reader.yaml
role: reader
types: {city: {show: true}}
--- users/anna.yaml
user: Anna
name: Anna
roles: [reader]
";

#[test]
fn the_first_apply_makes_tables_ids_and_users() {
    on_both(|tenant| {
        let applied = tenant.apply(WORLD);
        let stored = applied.files;
        assert_eq!(
            stored.get("types/country.yaml").unwrap(),
            "\
# Countries, by ISO code.
id: 21
name: country
codeProperty: code
properties:
  code: {id: 203, kind: pString, required: true, unique: true}   # two letters
  area:
    id: 204
    kind: pDecimal
    scale: 2
"
        );
        assert!(stored.get("types/city.yaml").unwrap().contains("country: {id: 201, kind"));
        let names: Vec<String> = tenant.tables().into_iter().map(|table| table.name).collect();
        for name in ["city", "country", "m202", "m6", "t1", "t20", "t21", "user"] {
            assert!(names.iter().any(|found| found == name), "{name} of {names:?}");
        }
        assert_eq!(tenant.rows("SELECT path FROM %plinth_file ORDER BY path", &[Text]).len(), 5);
        assert_eq!(tenant.rows("SELECT p1, p2, version FROM %t1", &[Text, Text, Integer]), ["anna Anna 1"]);
        assert_eq!(tenant.rows("SELECT value FROM %m6", &[Text]), ["reader"]);
        assert_eq!(
            tenant.rows("SELECT type, rows FROM %plinth_counter ORDER BY type", &[Integer, Integer]),
            ["1 1", "20 0", "21 0"]
        );
        // The stored files, applied again, change nothing.
        assert_eq!(tenant.plan(&super::text(&stored)), "");
        assert_eq!(configuration::pull(&tenant.store).unwrap(), stored);
    });
}

#[test]
fn the_first_roles_convert_nothing() {
    on_both(|tenant| {
        tenant.apply("--- tenant.yaml\ntenant: acme\n");
        let plan = tenant.plan("--- tenant.yaml\ntenant: acme\n--- roles/reader.yaml\nrole: reader\n");
        assert_eq!(plan, "Safe: store the new file roles/reader.yaml\n");
    });
}
