//! Who sees what, and what happens that this does not show: each scene is of one kind of what hides it.

use super::callers::Shown;
use super::tenant::{Focus, SUM, Tenant};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

const STORY: &[&str] =
    &["title", "text", "mark", "pages", "state", "labels", "author", "readers", "owner", "above", "meta", "cover"];
const SUMMED: &[&str] =
    &["title", "text", "mark", "pages", "state", "labels", "author", "readers", "owner", "above", "meta", "cover", SUM];
const WRITER: &[&str] = &["name", "rank", "home", "chief"];
const PLACE: &[&str] = &["name", "size", "map"];
const OPEN: Option<&str> = Some("state == 'open'");
const FIRST: Option<&str> = Some("rank == 1");

/// The ways by which those notice a tag who see the row.
const TAGGED: &[&str] = &["usage", "usages", "tags", "tagged"];

/// Rights, and things that they do not show.
pub(super) struct Scene {
    pub(super) name: &'static str,
    pub(super) shown: Vec<Shown>,
    /// Whether the tags of others are seen.
    pub(super) manages: bool,
    pub(super) hidden: Vec<Hidden>,
}

/// Something hidden that changes, and by which ways whoever sees it must notice.
pub(super) struct Hidden {
    pub(super) of: &'static str,
    pub(super) id: i64,
    pub(super) change: Change,
    pub(super) noticed: &'static [&'static str],
}

pub(super) enum Change {
    Value(&'static str, Json),
    /// Another row, which comes and goes.
    Another(Json),
    /// Other bytes in a file.
    File(&'static str),
    /// Everybody's tag, of a row that is not seen.
    Tag,
    /// Somebody else's tag, of whatever row.
    Private,
}

/// The rows that scenes are about, by what they are called there.
pub(super) type Cast = BTreeMap<&'static str, i64>;

type Ways = &'static [&'static str];

impl Hidden {
    fn value(of: &'static str, id: i64, property: &'static str, value: Json, noticed: Ways) -> Self {
        Hidden { of, id, change: Change::Value(property, value), noticed }
    }
}

fn all(of: &'static str, names: &'static [&'static str]) -> Shown {
    (of, vec![(None, names)])
}

pub(super) fn scenes(cast: &Cast) -> [Scene; 6] {
    [rows(cast), rows_behind_rows(cast), relations(cast), fields_behind(cast), hierarchies(cast), types(cast)]
}

fn rows(cast: &Cast) -> Scene {
    let writer = |property, value, noticed| Hidden::value("writer", cast["hidden"], property, value, noticed);
    let tag = Hidden { of: "writer", id: cast["hidden"], change: Change::Tag, noticed: TAGGED };
    let another = Change::Another(json!({"name": "ash", "rank": 0}));
    Scene {
        name: "rows that are not shown",
        shown: vec![all("story", STORY), ("writer", vec![(FIRST, WRITER)]), all("place", PLACE)],
        manages: true,
        hidden: vec![
            writer("name", json!("zelkova"), NAME),
            writer("rank", json!(2), &["filter", "some", "sort", "shown", "page", "query", "canvas"]),
            writer("home", json!(cast["hall"]), RELATION),
            writer("chief", json!(cast["pupil"]), &["filter", "some", "sort", "shown", "canvas"]),
            tag,
            Hidden { of: "writer", id: cast["hidden"], change: another, noticed: &["list", "page", "query", "canvas"] },
        ],
    }
}

/// By which ways the name of a writer is noticed, and where it lives.
const NAME: Ways = &["list", "row", "get-by", "search", "filter", "some", "sort", "shown", "query", "canvas"];
const RELATION: Ways = &["list", "row", "get-by", "filter", "some", "sort", "shown", "query", "canvas"];

fn rows_behind_rows(cast: &Cast) -> Scene {
    let place = |property, value, noticed| Hidden::value("place", cast["attic"], property, value, noticed);
    Scene {
        name: "rows behind rows",
        shown: vec![all("story", STORY), all("writer", WRITER), ("place", vec![(Some("size == 2"), PLACE)])],
        manages: false,
        hidden: vec![
            place("name", json!("zelkova"), &["row", "get-by", "search", "filter", "some", "sort", "shown", "canvas"]),
            place("size", json!(3), &["row", "get-by", "filter", "some", "sort", "shown", "canvas"]),
        ],
    }
}

fn relations(cast: &Cast) -> Scene {
    let middle = cast["middle"];
    let story = |property, value, noticed| Hidden::value("story", middle, property, value, noticed);
    let always: &[&str] = &["title", "mark", "pages", "state"];
    Scene {
        name: "relations that a row does not show",
        shown: vec![("story", vec![(None, always), (OPEN, SUMMED)]), all("writer", WRITER), all("place", PLACE)],
        manages: false,
        hidden: vec![
            story("author", json!(cast["seen"]), &["row", "get-by", "filter", "sort", "shown", "query"]),
            story("readers", json!([cast["seen"]]), &["row", "filter", "some", "shown"]),
            story("above", json!(cast["other"]), TREE),
            story("text", json!("abacus"), &["row", "get-by", "search", "filter", "sort", "shown"]),
            Hidden { of: "story", id: middle, change: Change::File("cover"), noticed: FILE },
            Hidden { of: "story", id: cast["root"], change: Change::Private, noticed: &["tags", "tagged"] },
        ],
    }
}

const TREE: Ways = &["row", "get-by", "filter", "sort", "shown", "tree", "tree above"];
const FILE: Ways = &["file", "shown", "row"];

fn fields_behind(cast: &Cast) -> Scene {
    let writer = |property, value, noticed| Hidden::value("writer", cast["hidden"], property, value, noticed);
    Scene {
        name: "fields that rows behind do not show",
        shown: vec![all("story", STORY), ("writer", vec![(None, &["rank"]), (FIRST, WRITER)]), all("place", PLACE)],
        manages: false,
        hidden: vec![
            writer("name", json!("zelkova"), NAME),
            writer("home", json!(cast["hall"]), RELATION),
            writer("chief", json!(cast["pupil"]), &["filter", "some", "sort", "shown", "canvas"]),
        ],
    }
}

fn hierarchies(cast: &Cast) -> Scene {
    let middle = cast["middle"];
    let story = |property, value, noticed| Hidden::value("story", middle, property, value, noticed);
    Scene {
        name: "hierarchies through rows that are not shown",
        shown: vec![("story", vec![(OPEN, STORY)]), all("writer", WRITER), all("place", PLACE)],
        manages: true,
        hidden: vec![
            story("above", json!(cast["other"]), TREE),
            story("title", json!("zelkova"), &["list", "row", "get-by", "search", "filter", "sort", "shown"]),
            story("mark", json!(0), &["list", "page", "row", "get-by", "filter", "sort", "shown"]),
            story("author", json!(cast["seen"]), &["row", "get-by", "filter", "sort", "shown", "query"]),
            Hidden { of: "story", id: middle, change: Change::File("cover"), noticed: FILE },
            Hidden { of: "story", id: middle, change: Change::Tag, noticed: TAGGED },
        ],
    }
}

fn types(cast: &Cast) -> Scene {
    let writer = |property, value, noticed| Hidden::value("writer", cast["hidden"], property, value, noticed);
    Scene {
        name: "a type that is not shown",
        shown: vec![all("story", STORY), all("place", PLACE)],
        manages: true,
        hidden: vec![
            writer("name", json!("zelkova"), &["get-by", "search", "filter", "some", "sort", "shown", "query"]),
            writer("home", json!(cast["hall"]), &["get-by", "filter", "some", "sort", "shown", "query"]),
            Hidden { of: "writer", id: cast["hidden"], change: Change::Tag, noticed: TAGGED },
        ],
    }
}

/// Something that decides what is seen, and by which ways a caller is told of what.
pub(super) struct Turn {
    pub(super) name: &'static str,
    pub(super) shown: Vec<Shown>,
    /// What changes, and to what.
    pub(super) decides: (Focus, Json),
    pub(super) about: Focus,
    pub(super) followed: Ways,
}

pub(super) fn turns(cast: &Cast) -> [Turn; 5] {
    let focus = |of, row: &str, property| Focus { of, id: cast[row], property };
    let rank = || (focus("writer", "hidden", "rank"), json!(1));
    let rests = |rule| vec![("story", vec![(Some(rule), STORY)])];
    let whole = || vec![all("story", STORY), all("place", PLACE)];
    let seen: Ways = &["list", "row", "get-by", "search", "filter", "sort"];
    [
        Turn {
            name: "rows rest on others",
            shown: rests("author.rank == 1"),
            decides: rank(),
            about: focus("story", "middle", "title"),
            followed: seen,
        },
        Turn {
            name: "rows rest on what is behind others",
            shown: rests("author.home.size == 2 or author.rank == 1"),
            decides: (focus("place", "attic", "size"), json!(2)),
            about: focus("story", "middle", "title"),
            followed: seen,
        },
        Turn {
            name: "rows behind relations come",
            shown: [whole(), vec![("writer", vec![(FIRST, WRITER)])]].concat(),
            decides: rank(),
            about: focus("writer", "hidden", "name"),
            followed: NAME,
        },
        Turn {
            name: "hierarchies go on",
            shown: vec![("story", vec![(OPEN, STORY)])],
            decides: (focus("story", "middle", "state"), json!("open")),
            about: focus("story", "middle", "above"),
            followed: &["list", "row", "get-by", "filter", "sort", "tree", "tree above"],
        },
        Turn {
            name: "what is filtered by changes",
            shown: [whole(), vec![all("writer", WRITER)]].concat(),
            decides: (focus("writer", "hidden", "name"), json!("zelkova")),
            about: focus("writer", "hidden", "name"),
            followed: NAME,
        },
    ]
}

/// Places, writers and stories: of each some that scenes show, and some that they do not.
pub(super) async fn cast(tenant: &mut Tenant) -> Cast {
    let hall = add(tenant, "place", json!({"name": "hall", "size": 2})).await;
    let attic = add(tenant, "place", json!({"name": "attic", "size": 1})).await;
    let seen = add(tenant, "writer", json!({"name": "birch", "rank": 1, "home": hall})).await;
    let body = json!({"name": "ash", "rank": 0, "home": attic, "chief": seen});
    let hidden = add(tenant, "writer", body).await;
    let body = json!({"name": "cedar", "rank": 1, "home": attic, "chief": hidden});
    let pupil = add(tenant, "writer", body).await;
    let story = |title: &str, mark: i64, author: i64, readers: &[i64], above: Option<i64>| {
        json!({"title": title, "text": title.chars().rev().collect::<String>(), "mark": mark, "pages": 1,
            "state": if title == "crow" { "new" } else { "open" }, "author": author, "readers": readers, "above": above})
    };
    let root = add(tenant, "story", story("dove", 2, seen, &[pupil], None)).await;
    let other = add(tenant, "story", story("eagle", 1, pupil, &[seen], None)).await;
    let middle = add(tenant, "story", story("crow", 3, hidden, &[hidden], Some(root))).await;
    let leaf = add(tenant, "story", story("finch", 2, hidden, &[hidden, seen], Some(middle))).await;
    add(tenant, "story", story("goose", 2, seen, &[], Some(leaf))).await;
    add(tenant, "story", story("heron", 0, pupil, &[pupil], Some(other))).await;
    Cast::from([
        ("hall", hall),
        ("attic", attic),
        ("seen", seen),
        ("hidden", hidden),
        ("pupil", pupil),
        ("root", root),
        ("other", other),
        ("middle", middle),
    ])
}

async fn add(tenant: &mut Tenant, of: &'static str, body: Json) -> i64 {
    let id = tenant.admin.create(of, body).await["id"].as_i64().unwrap();
    tenant.rows.get_mut(of).unwrap().push(id);
    id
}
