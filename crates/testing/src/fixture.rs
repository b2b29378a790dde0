//! The tenant that tests have unless they give their own files: `fixture/`.
//!
//! Articles have a property of each kind, and relations of each `onDelete`; see the files for who may do what.

/// A file: its path in the tenant's folder, and its text.
pub type File<'f> = (&'f str, &'f str);

macro_rules! files {
    ($($path:literal),* $(,)?) => {
        [$(($path, include_str!(concat!("../fixture/", $path)))),*]
    };
}

/// The files of the tenant `acme`.
pub const FILES: [File<'static>; 18] = files![
    "tenant.yaml",
    "types/article.yaml",
    "types/country.yaml",
    "types/note.yaml",
    "types/person.yaml",
    "canvases/overview.yaml",
    "queries/popular.yaml",
    "roles/admin.yaml",
    "roles/editor.yaml",
    "roles/guest.yaml",
    "roles/reader.yaml",
    "groups/blue.yaml",
    "groups/red.yaml",
    "users/admin.yaml",
    "users/both.yaml",
    "users/editor.yaml",
    "users/guest.yaml",
    "users/reader.yaml",
];

/// The users that get a key as the tenant is made, where the files have them.
pub(crate) const KEYED: [&str; 3] = ["admin", "editor", "reader"];
