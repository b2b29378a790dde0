//! The tenant of the test: types whose values are few, so that what leaked would decide something.

use super::callers::Caller;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use testing::{Choices, Client, Engine, Server, Subject};

/// What a property holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Text,
    Number,
    Option,
    Options,
    /// A relation to one of a type.
    One(&'static str),
    /// A relation to several.
    Many(&'static str),
    Document,
    File,
    Roles,
    /// Made of other properties when it is shown.
    Made,
    /// What the test never changes.
    Fixed,
}

/// A type and its properties.
pub(super) struct Kind {
    pub(super) name: &'static str,
    pub(super) id: u32,
    pub(super) properties: &'static [(&'static str, Shape)],
    /// What grants may ask of its rows, each with what it means here.
    pub(super) rules: &'static [(&'static str, Holds)],
}

/// Whether a rule holds for a row, of all rows by type and id, and a user.
pub(super) type Holds = fn(&Row<'_>) -> bool;

/// All rows of types, by id, as an administrator sees them.
pub(super) type World = BTreeMap<&'static str, BTreeMap<i64, Json>>;

/// A row among all others, and who looks at it.
pub(super) struct Row<'w> {
    pub(super) world: &'w World,
    pub(super) values: &'w Json,
    pub(super) user: i64,
}

impl<'w> Row<'w> {
    fn is(&self, name: &str, value: impl Into<Json>) -> bool {
        self.values[name] == value.into()
    }

    /// Whether the row that a relation leads to is there, and so.
    fn to(&self, name: &str, of: &str, is: impl Fn(&Row<'w>) -> bool) -> bool {
        let values = self.values[name].as_i64().and_then(|id| self.world[of].get(&id));
        values.is_some_and(|values| is(&Row { values, ..*self }))
    }
}

use Shape::{Document, File, Fixed, Made, Many, Number, One, Option as Choice, Options, Roles, Text};

pub(super) const KINDS: [Kind; 4] = [
    Kind {
        name: "story",
        id: 50,
        properties: &[
            ("title", Text),
            ("text", Text),
            ("mark", Number),
            ("pages", Number),
            ("state", Choice),
            ("labels", Options),
            ("author", One("writer")),
            ("readers", Many("writer")),
            ("owner", One("user")),
            ("above", One("story")),
            ("meta", Document),
            ("cover", File),
            (SUM, Made),
        ],
        rules: &[
            ("state == 'open'", |row| row.is("state", "open")),
            ("state == 'new' or pages == 1", |row| row.is("state", "new") || row.is("pages", 1)),
            ("owner.id == user('id') or mark == 2", |row| row.is("owner", row.user) || row.is("mark", 2)),
            ("author.home.size == 2 or author.rank == 1", |row| {
                row.to("author", "writer", |writer| {
                    writer.is("rank", 1) || writer.to("home", "place", |place| place.is("size", 2))
                })
            }),
            ("author.rank == 1", |row| row.to("author", "writer", |writer| writer.is("rank", 1))),
            ("above.state == 'done' and pages != 0", |row| {
                row.to("above", "story", |above| above.is("state", "done")) && !row.is("pages", 0)
            }),
        ],
    },
    Kind {
        name: "writer",
        id: 51,
        properties: &[("name", Text), ("rank", Number), ("home", One("place")), ("chief", One("writer"))],
        rules: &[
            ("rank == 1", |row| row.is("rank", 1)),
            ("home.size == 2 or rank == 0", |row| {
                row.is("rank", 0) || row.to("home", "place", |place| place.is("size", 2))
            }),
            ("chief.rank == 0", |row| row.to("chief", "writer", |chief| chief.is("rank", 0))),
        ],
    },
    Kind {
        name: "place",
        id: 52,
        properties: &[("name", Text), ("size", Number), ("map", File)],
        rules: &[
            ("size == 2", |row| row.is("size", 2)),
            ("size == 1 or size == 3", |row| row.is("size", 1) || row.is("size", 3)),
        ],
    },
    Kind {
        name: "user",
        id: 1,
        properties: &[("user_id", Fixed), ("user_name", Text), ("roles", Roles), ("badge", Number), ("note", Text)],
        rules: &[
            ("badge == 1", |row| row.is("badge", 1)),
            ("id == user('id') or badge == 2", |row| row.is("id", row.user) || row.is("badge", 2)),
        ],
    },
];

/// What is made of the pages of a story and the rank of its author.
pub(super) const SUM: &str = "sum";

/// The properties of places that are unique together, with their titles.
pub(super) const UNIQUE: [(&str, &str); 2] = [("name", "Appellation"), ("size", "Extent")];

/// Numbers are from 0 to below this.
pub(super) const NUMBERS: usize = 4;
pub(super) const WORDS: [&str; 4] = ["ash", "birch", "cedar", "Dřín"];
pub(super) const OPTIONS: [&str; 3] = ["new", "open", "done"];
pub(super) const FILE_NAMES: [&str; 2] = ["a.txt", "b.txt"];
/// What a user may have and gives no right.
const POWERLESS: [&str; 2] = ["guest", "reader"];

const FILES: [(&str, &str); 10] = [
    (
        "queries/stories.yaml",
        "query: stories\ntype: story\nparams: {size: {kind: pInteger}}\n\
         filters: [{property: author.home.size, type: eq, param: {$param: size}}]\norderBy: author.name\nfields: [id, author.name]\n",
    ),
    (
        "queries/writers.yaml",
        "query: writers\ntype: writer\norderBy: rank\nperPage: 5\nfields: [id, name, rank, home]\n",
    ),
    (
        "canvases/board.yaml",
        "canvas: board\nparams: {size: {kind: pInteger}}\nitems:\n\
         \x20 - {kind: number, title: Stories, query: stories, params: {size: \"{=appParameter('size')}\"}, value: \"{=dataQueryCount()}\"}\n\
         \x20 - {kind: table, title: Writers, query: writers, rows: \"{=map(dataQueryFetchAll(), {Name: 'name', Home: 'home'})}\"}\n\
         \x20 - {kind: chart, chart: bar, query: states, params: {size: \"{=appParameter('size')}\"}, x: rank, series: state, y: pages}\n\
         \x20 - {kind: text, text: \"{=join(',', queryFetchRows(query('ranks'), 'chiefs'))}\"}\n\
         \x20 - {kind: number, title: Ranks, query: writers, value: \"{=dataQueryMax('rank')}\"}\n\
         \x20 - {kind: text, title: Direct, text: \"{=queryFetchObject(query('writers')).chief.name ?? '-'} \
         {=queryCount(query('stories', {size: 1}))} {=join(',', queryFetchRows(query('places'), 'name'))}\"}\n",
    ),
    (
        "queries/states.yaml",
        "query: states\ntype: story\nparams: {size: {kind: pInteger}, least: {kind: pInteger}}\n\
         filters: [{property: author.home.size, type: eq, param: {$param: size}}]\n\
         groupBy: [state, {property: author.rank, as: rank}]\n\
         values:\n  stories: count\n  pages: {function: sum, property: pages}\n\
         \x20 some: {function: count, filters: [{property: mark, type: gte, param: {$param: size}}]}\n\
         having: [{property: stories, type: gte, param: {$param: least}}]\norderBy: -pages\ntotals: true\n",
    ),
    (
        "queries/ranks.yaml",
        "query: ranks\ntype: writer\ngroupBy: [rank, home.name]\nvalues: {chiefs: {function: countDistinct, property: chief}}\n",
    ),
    ("queries/places.yaml", "query: places\ntype: place\nfields: [name, size]\n"),
    (
        "types/story.yaml",
        "id: 50\nname: story\ntitleProperty: title\nparentProperty: above\norderBy: -mark, title\nproperties:\n\
         \x20 title:   {id: 500, kind: pString, searchable: true}\n\
         \x20 text:    {id: 501, kind: pText, searchable: true}\n\
         \x20 mark:    {id: 502, kind: pInteger, index: true}\n\
         \x20 pages:   {id: 503, kind: pInteger}\n\
         \x20 state:   {id: 504, kind: pEnum, index: true, options: [new, open, done]}\n\
         \x20 labels:  {id: 505, kind: pEnums, options: [new, open, done]}\n\
         \x20 author:  {id: 506, kind: pRelation, type: writer, index: true, inverse: stories}\n\
         \x20 readers: {id: 507, kind: pRelations, type: writer, inverse: reads}\n\
         \x20 owner:   {id: 508, kind: pUser, inverse: owned}\n\
         \x20 above:   {id: 509, kind: pRelation, type: story, inverse: {name: below, orderBy: -pages}}\n\
         \x20 meta:    {id: 510, kind: pJson}\n\
         \x20 cover:   {id: 511, kind: pFile}\n\
         \x20 sum:     {id: 512, kind: pCalculated, calculate: \"{=(pages ?? 0) + 10 * (author.rank ?? 0)}\"}\n",
    ),
    (
        "types/writer.yaml",
        "id: 51\nname: writer\ntitleProperty: name\norderBy: rank\nproperties:\n\
         \x20 name:  {id: 520, kind: pString, searchable: true}\n\
         \x20 rank:  {id: 521, kind: pInteger}\n\
         \x20 home:  {id: 522, kind: pRelation, type: place, inverse: homes}\n\
         \x20 chief: {id: 523, kind: pRelation, type: writer, inverse: staff}\n",
    ),
    (
        "types/place.yaml",
        "id: 52\nname: place\ntitleProperty: name\nproperties:\n\
         \x20 name: {id: 530, kind: pString, title: Appellation, searchable: true}\n\
         \x20 size: {id: 531, kind: pInteger, title: Extent, index: true}\n\
         \x20 map:  {id: 532, kind: pFile}\nunique: [[name, size]]\n",
    ),
    (
        "types/user.yaml",
        "name: user\ntitleProperty: user_name\nproperties:\n\
         \x20 badge: {id: 540, kind: pInteger}\n\
         \x20 note:  {id: 541, kind: pString, searchable: true}\n",
    ),
];

/// The type of that name.
pub(super) fn kind(name: &str) -> &'static Kind {
    KINDS.iter().find(|kind| kind.name == name).unwrap()
}

impl Kind {
    /// What a property holds; nothing is known of the fields that every resource has.
    pub(super) fn shape(&self, name: &str) -> Option<Shape> {
        self.properties.iter().find(|(property, _)| *property == name).map(|(_, shape)| *shape)
    }
}

/// A tag as the test made it.
#[derive(Clone, Debug)]
pub(super) struct Tag {
    pub(super) id: String,
    /// Whose private tag it is; none of public ones.
    pub(super) owner: Option<String>,
}

/// The tenant, and what is in it.
pub(super) struct Tenant {
    pub(super) server: Server,
    pub(super) admin: Client,
    /// The ids of resources that are there, by type. Of users, those that are nobody's in the test.
    pub(super) rows: BTreeMap<&'static str, Vec<i64>>,
    pub(super) tags: Vec<Tag>,
    /// Notifications, whoever they are for.
    pub(super) notifications: Vec<i64>,
    /// Users who ask, beside those among the rows.
    pub(super) people: Vec<i64>,
    /// What is asked about and changed more often than all else: of which row which property.
    pub(super) focus: Option<Focus>,
    /// The value that it has, and a tag that is asked about as often.
    pub(super) aim: (Json, Option<Tag>),
}

/// A property of a row that somebody does not see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Focus {
    pub(super) of: &'static str,
    pub(super) id: i64,
    pub(super) property: &'static str,
}

impl Tag {
    /// Whether it is a private tag of somebody else.
    pub(super) fn is_foreign(&self, caller: &Caller) -> bool {
        self.owner.as_ref().is_some_and(|owner| *owner != caller.name)
    }
}

impl Subject for Tenant {
    async fn on(engine: Engine) -> Self {
        let server = Server::with(engine, &FILES).await;
        let admin = server.admin();
        let rows = KINDS.iter().map(|kind| (kind.name, Vec::new())).collect();
        Tenant {
            server,
            admin,
            rows,
            tags: Vec::new(),
            notifications: Vec::new(),
            people: Vec::new(),
            focus: None,
            aim: (Json::Null, None),
        }
    }
}

impl Tenant {
    /// The id of a resource that is or was there.
    pub(super) fn row(&self, choices: &mut Choices, of: &str) -> i64 {
        match self.rows[of].as_slice() {
            _ if self.focus.is_some_and(|focus| focus.of == of) && choices.once_in(2) => {
                self.focus.map_or(1, |focus| focus.id)
            }
            [] => 1,
            rows => *choices.of(rows),
        }
    }

    /// A random value of a property.
    pub(super) async fn value(&self, choices: &mut Choices, of: &str, name: &str, shape: Shape) -> Json {
        if choices.once_in(4) && of != "user" {
            return Json::Null;
        }
        match shape {
            Text => json!(format!("{} {}", choices.of(&WORDS), choices.of(&WORDS))),
            Number => json!(choices.below(NUMBERS)),
            Choice => json!(choices.of(&OPTIONS)),
            Options => json!(choices.some(&OPTIONS)),
            One("user") if choices.once_in(2) && !self.people.is_empty() => json!(choices.of(&self.people)),
            One(of) => json!(self.row(choices, of)),
            Many(of) => json!([self.row(choices, of)]),
            Document => json!({"a": choices.below(NUMBERS), "b": {"c": *choices.of(&WORDS)}}),
            File => {
                let bytes = WORDS[choices.below(3)].repeat(1 + choices.below(NUMBERS));
                let to = format!("{of}/{name}");
                json!(self.admin.promise(&to, choices.of::<&str>(&FILE_NAMES), bytes.as_bytes()).await)
            }
            Roles => json!(choices.some(&POWERLESS)),
            Fixed | Made => Json::Null,
        }
    }

    /// All rows, as they are.
    pub(super) async fn world(&self) -> World {
        let mut world = World::new();
        for kind in &KINDS {
            let shown: Vec<&str> = std::iter::once("id").chain(kind.properties.iter().map(|(name, _)| *name)).collect();
            let parameters = [("showFields", &*shown.join(",")), ("perPage", "500")];
            let reply = self.admin.query(&format!("collection/{}", kind.name), &parameters).await;
            let rows = if reply.status == 200 { reply.at("/data") } else { json!([]) };
            let rows = rows.as_array().unwrap().iter().map(|row| (row["id"].as_i64().unwrap(), row.clone()));
            world.insert(kind.name, rows.collect());
        }
        world
    }

    /// Makes a resource, of random values.
    pub(super) async fn create(&mut self, choices: &mut Choices, kind: &Kind) {
        let mut body = json!({});
        for (name, shape) in kind.properties.iter().filter(|(_, shape)| !matches!(shape, Fixed | Made)) {
            // The first has nothing that it could refer to.
            let refers = matches!(shape, One(of) | Many(of) if self.rows[of].is_empty());
            if !refers {
                body[name] = self.value(choices, kind.name, name, *shape).await;
            }
        }
        if kind.name == "user" {
            body["user_id"] = json!(format!("extra{}@acme.test", choices.below(1_000_000)));
        }
        let reply = self.admin.post(&format!("collection/{}", kind.name), body).await;
        // A login that is taken, or a relation to what went meanwhile.
        if ![400, 409].contains(&reply.status) {
            let id = reply.is(201).at("/id").as_i64().unwrap();
            self.rows.get_mut(kind.name).unwrap().push(id);
        }
    }
}
