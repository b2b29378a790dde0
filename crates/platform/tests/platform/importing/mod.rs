//! Imports and exports, on both engines.

mod ended;
mod exporting;
mod expressions;
mod groups;
mod references;
mod rows;
mod turns;

use crate::reading::world::World;
use serde_json::{Value as Json, json};
use testing::{Engine, Subject};
use transfer::import;
use transfer::import::{ImportMode, ImportOptions, ImportReport};

const FILES: &[(&str, &str)] = &[
    ("tenant.yaml", "tenant: acme\ntimezone: Europe/Prague\n"),
    (
        "types/country.yaml",
        "id: 12\nname: country\ncodeProperty: code\nproperties:\n  \
         code: {id: 140, kind: pString, required: true, unique: true, maxLength: 2}\n  name: {id: 141, kind: pString}\n",
    ),
    (
        "types/thing.yaml",
        "id: 10\nname: thing\ncodeProperty: code\nparentProperty: parent\nproperties:\n  \
         code:      {id: 100, kind: pInteger, unique: true}\n  \
         name:      {id: 101, kind: pString, required: true, searchable: true}\n  \
         state:     {id: 102, kind: pEnum, index: true, default: new, options: {new: {}, old: {}}}\n  \
         marks:     {id: 103, kind: pEnums, options: {red: {}, green: {}, blue: {}}}\n  \
         country:   {id: 104, kind: pRelation, type: country, index: true}\n  \
         countries: {id: 105, kind: pRelations, type: country}\n  \
         parent:    {id: 106, kind: pRelation, type: thing}\n  \
         at:        {id: 107, kind: pDateTime}\n  \
         meta:      {id: 108, kind: pJson}\n  \
         number:    {id: 109, kind: pAutonumber, pattern: \"T-{###}\", searchable: true}\n  \
         scan:      {id: 110, kind: pFile}\n",
    ),
    (
        "types/bill.yaml",
        "id: 14\nname: bill\ncodeProperty: code\nproperties:\n  \
         code:   {id: 160, kind: pString, unique: true}\n  \
         number: {id: 161, kind: pAutonumber, pattern: \"B-{###}\"}\n  \
         net:    {id: 162, kind: pDecimal, scale: 2, validate: [{rule: \"{=net > 0}\"}]}\n  \
         vat:    {id: 163, kind: pDecimal, scale: 2, calculate: \"{=net * 0.21}\"}\n  \
         label:  {id: 164, kind: pString, default: \"{=code} {=number}\"}\n  \
         marks:  {id: 165, kind: pEnums, options: {A: {}, B: {}, C: {}, D: {}}, default: \"{=[code]}\"}\n  \
         paid:   {id: 166, kind: pBoolean}\n  \
         kind:   {id: 167, kind: pString}\n  \
         paidOn: {id: 168, kind: pDate, required: \"{=paid and kind == null}\"}\n  \
         late:   {id: 169, kind: pInteger, condition: \"{=paid}\"}\n",
    ),
    (
        "types/letter.yaml",
        "id: 15\nname: letter\nproperties:\n  \
         scan: {id: 180, kind: pFile}\n  \
         sent: {id: 181, kind: pDate}\n  \
         paid: {id: 182, kind: pInteger, condition: \"{=sent}\"}\n",
    ),
];

/// A tenant with two countries and no things.
struct Importing(World);

impl Subject for Importing {
    async fn on(engine: Engine) -> Self {
        tokio::task::block_in_place(|| {
            let world = World::with(engine, FILES);
            world.put("country", &[json!({"code": "CZ", "name": "Česko"}), json!({"code": "AT"})]);
            Importing(world)
        })
    }
}

impl Importing {
    /// Imports lines of cells by commas, the first of them the header.
    fn csv(&self, collection: &str, options: ImportOptions, lines: &str) -> model::error::Result<ImportReport> {
        tokio::task::block_in_place(|| {
            import::import(&self.0.tenant, collection, options, |import| {
                let mut lines = (1..).zip(lines.lines());
                let (_, header) = lines.next().unwrap();
                import.header(header.split(','))?;
                lines.try_for_each(|(number, line)| import.cells(number, line.split(',')))
            })
        })
    }

    /// Imports objects.
    fn json(&self, collection: &str, options: ImportOptions, rows: &[Json]) -> model::error::Result<ImportReport> {
        tokio::task::block_in_place(|| {
            import::import(&self.0.tenant, collection, options, |import| {
                let rows = (1..).zip(rows);
                rows.into_iter().try_for_each(|(number, row)| import.object(number, row.as_object().unwrap()))
            })
        })
    }

    /// The things, or those properties of them, by id.
    fn things(&self, show: &str) -> Vec<Json> {
        let query = [("showFields", show), ("hideFields", "id"), ("orderBy", "id"), ("perPage", "500")];
        self.0.list("thing", &query).unwrap()["data"].as_array().unwrap().clone()
    }

    /// How many things a list by a country says that there are.
    fn total_of(&self, country: i64) -> Json {
        let filters = json!([{"property": "country", "type": "eq", "param": country}]).to_string();
        self.0.list("thing", &[("filters", &filters)]).unwrap()["stats"]["total"].clone()
    }

    fn total(&self) -> Json {
        self.0.list("thing", &[]).unwrap()["stats"]["total"].clone()
    }
}

fn create() -> ImportOptions {
    ImportOptions::default()
}

fn update() -> ImportOptions {
    ImportOptions { mode: ImportMode::Update, ..ImportOptions::default() }
}

fn upsert() -> ImportOptions {
    ImportOptions { mode: ImportMode::Upsert, ..ImportOptions::default() }
}

/// What a report says of single rows: line, property, code.
fn problems(report: &ImportReport) -> Vec<(u64, &str, &str)> {
    report.problems.iter().map(|row| (row.line, row.problem.property.as_str(), row.problem.code)).collect()
}
