//! Declarations of properties: their keys in the files of types.

use configuration::Files;
use configuration::scalars::{YamlScalar, scalars};
use std::ops::Range;

/// The key that declares a property.
#[derive(Debug)]
pub(crate) struct PropertyDeclaration {
    pub(crate) file: String,
    /// The bytes of the name, without quotes.
    pub(crate) range: Range<usize>,
    pub(crate) owner: String,
    pub(crate) name: String,
}

/// The texts of types, with their files.
fn types(files: &Files) -> impl Iterator<Item = (&str, &str)> {
    files.iter().filter(|(path, _)| path.starts_with("types/"))
}

/// Finds the declaration of a property.
pub(crate) fn find(files: &Files, owner: &str, name: &str) -> Option<PropertyDeclaration> {
    let mut declared = types(files).flat_map(|(file, text)| in_file(file, text));
    declared.find(|declared| declared.owner == owner && declared.name == name)
}

/// Returns the number of types that have a property of a name.
pub(crate) fn owners(files: &Files, name: &str) -> usize {
    types(files).flat_map(|(file, text)| in_file(file, text)).filter(|declared| declared.name == name).count()
}

/// Finds the declaration at a byte of a file.
pub(crate) fn at(file: &str, text: &str, byte: usize) -> Option<PropertyDeclaration> {
    let mut declared = in_file(file, text).into_iter().filter(|_| file.starts_with("types/"));
    declared.find(|declared| (declared.range.start..=declared.range.end).contains(&byte))
}

fn in_file(file: &str, text: &str) -> Vec<PropertyDeclaration> {
    let scalars = scalars(text).scalars;
    let is_name = |scalar: &&YamlScalar| !scalar.is_key && scalar.path == ["name"];
    let Some(owner) = scalars.iter().find(is_name).map(|scalar| scalar.text.clone()) else { return Vec::new() };
    let keys =
        scalars.iter().filter(|scalar| scalar.is_key && scalar.path.len() == 2 && scalar.path[0] == "properties");
    let declared = keys.filter_map(|key| {
        let range = key.map(text)?.range(0, key.text.len());
        Some(PropertyDeclaration { file: file.to_owned(), range, owner: owner.clone(), name: key.text.clone() })
    });
    declared.collect()
}
