//! Diagnostics of types: names, ids, and the properties that keys of a type name.

use super::diagnostics::refused;

#[test]
fn names_and_ids_are_checked() {
    refused(
        "\
--- types/a.yaml
id: 9
name: tags
--- types/b.yaml
id: 30
name: t12
--- types/c.yaml
id: 30
name: Item
properties:
  a: {id: 99, kind: pDate}
  b: {id: 100, kind: pDate}
  c: {id: 100, kind: pDate}
  d: {id: many, kind: pDate}
  get-by: {kind: pDate}
  tags: {kind: pDate}
  createdBy: {kind: pDate}
  size: {kind: pDate}
  siZe: {kind: pDate}
--- types/d.yaml
name: item
--- types/e.yaml
name: iTem
--- types/f.yaml
name: json_Each
--- types/g.yaml
name: pragma_table_info
--- types/h.yaml
name: f10_data
--- types/user.yaml
id: 12
name: user
properties:
  user_name: {kind: pString}
  vat_id: {kind: pString}
",
        "\
types/a.yaml:1:5: reserved_id: Ids below 10 are built in. Leave the id out to be given one.
types/a.yaml:2:7: reserved_name: tags is a collection of the platform. Choose another name.
types/b.yaml:2:7: reserved_name: t12 is named like a table. Choose another name.
types/c.yaml:1:5: duplicate_id: The type t12 has the id 30 already.
types/c.yaml:2:7: invalid_name: \"Item\" is not a system name: a lower-case letter, then letters, digits and _, 63 at most.
types/c.yaml:4:11: reserved_id: Ids below 100 are built in. Leave the id out to be given one.
types/c.yaml:6:11: duplicate_id: The property Item.b has the id 100 already.
types/c.yaml:7:11: wrong_value: id must be an integer from 1 to 999999999.
types/c.yaml:8:3: invalid_name: \"get-by\" is not a system name: a lower-case letter, then letters, digits and _, 63 at most.
types/c.yaml:9:3: reserved_name: tags is a reserved word. Choose another name.
types/c.yaml:10:3: reserved_name: createdBy is a field that every resource has. Choose another name.
types/c.yaml:12:3: duplicate_name: There are two properties siZe; letters' case makes no difference.
types/d.yaml:1:7: duplicate_name: item is in types/c.yaml already.
types/e.yaml:1:7: duplicate_name: iTem is in types/d.yaml already.
types/f.yaml:1:7: reserved_name: json_Each is named like a table. Choose another name.
types/g.yaml:1:7: reserved_name: pragma_table_info is named like a table. Choose another name.
types/h.yaml:1:7: reserved_name: f10_data is named like a table. Choose another name.
types/user.yaml:1:5: reserved_id: The built-in type user has the id 1, not 12. Leave the key out.
types/user.yaml:4:3: duplicate_name: user_name is built in and cannot be changed.
",
    );
}

#[test]
fn properties_that_types_name_are_checked() {
    refused(
        "\
--- types/a.yaml
name: a
titleProperty: json
codeProperty: code
parentProperty: other
orderBy: -size, json, nothing, created
unique: [[code, size], [size, code], [many], size, [], [json], [code, code]]
properties:
  code: {kind: pString, index: yes}
  size: {kind: pInteger, required: true, default: big}
  json: {kind: pJson, unique: true, index: true, searchable: true}
  many: {kind: pEnums, options: [x], unique: true, default: x}
  text: {kind: pText, unique: true}
  other: {kind: pRelation, type: b, default: 3}
  secret: {kind: pPassword}
--- types/b.yaml
name: b
",
        "\
types/a.yaml:2:16: invalid_title: A pJson cannot be the title.
types/a.yaml:4:17: invalid_parent: other must be a pRelation to the type itself to be the parent.
types/a.yaml:5:10: invalid_order: Lists cannot be sorted by a pJson.
types/a.yaml:5:10: unknown_property: There is no property \"nothing\".
types/a.yaml:6:24: invalid_unique: The same unique set is given twice.
types/a.yaml:6:39: invalid_unique: A pEnums cannot be part of a unique set.
types/a.yaml:6:46: wrong_value: Each unique set must be a list of properties: [a, b].
types/a.yaml:6:52: wrong_value: Each unique set must be a list of properties: [a, b].
types/a.yaml:6:57: invalid_unique: A pJson cannot be part of a unique set.
types/a.yaml:6:71: invalid_unique: code is in the set twice.
types/a.yaml:8:32: wrong_value: index must be true or false.
types/a.yaml:9:51: invalid_default: The default must be a whole number.
types/a.yaml:10:31: invalid_unique: A pJson cannot be unique.
types/a.yaml:10:44: invalid_index: A pJson cannot have an index.
types/a.yaml:10:62: invalid_search: A pJson is not a text to search in.
types/a.yaml:11:46: invalid_unique: A pEnums cannot be unique.
types/a.yaml:11:61: invalid_default: The default must be a list.
types/a.yaml:12:31: invalid_unique: A pText of more than 600 characters cannot be unique.
types/a.yaml:13:46: invalid_default: A pRelation has no default.
types/a.yaml:14:18: unknown_kind: The kind pPassword is for built-in properties alone.
",
    );
}

#[test]
fn indexes_are_lists_of_several_properties() {
    refused(
        "\
--- types/a.yaml
name: a
indexes: [[code, size], [code, size], [code], [many, size], [text, size], [size, size], [size, cod], x]
properties:
  code: {kind: pString}
  size: {kind: pInteger}
  many: {kind: pEnums, options: [x]}
  text: {kind: pText}
",
        "\
types/a.yaml:2:25: invalid_index: The same index is given twice.
types/a.yaml:2:39: invalid_index: An index of one property is written at the property: index: true.
types/a.yaml:2:48: invalid_index: A pEnums cannot be part of an index.
types/a.yaml:2:62: invalid_index: A pText cannot be part of an index.
types/a.yaml:2:82: invalid_index: size is in the index twice.
types/a.yaml:2:96: unknown_property: There is no property \"cod\". Did you mean `code`?
types/a.yaml:2:102: wrong_value: Each index must be a list of properties: [a, b].
",
    );
}
