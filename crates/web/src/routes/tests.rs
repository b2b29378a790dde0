//! Rules of the route table.

use super::route::{Description, Methods, Operation, RouteHandler};
use super::table::ROUTES;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The texts of all files of tests that ask a server.
fn tests() -> Vec<String> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/tests")];
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let (below, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| path.is_dir());
        folders.extend(below);
        let sources = files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "rs"));
        texts.extend(sources.map(|file| std::fs::read_to_string(file).unwrap()));
    }
    texts
}

/// Returns true if a line has the fixed parts of the pattern in order.
fn names(line: &str, pattern: &str) -> bool {
    // Clients of the tests put the first part before a path.
    let pattern = pattern.strip_prefix("/api/v1/").unwrap_or(pattern);
    let mut rest = line;
    pattern.split('{').map(|part| part.split_once('}').map_or(part, |(_, fixed)| fixed)).all(|fixed| {
        let found = rest.split_once(fixed.trim_end_matches('/'));
        found.map(|(_, after)| rest = after).is_some()
    })
}

/// Returns true if a test sends requests of the method.
fn sends(text: &str, method: &str) -> bool {
    let call = format!(".{}", method.to_lowercase());
    [format!("{call}("), format!("{call}_form("), format!("\"{method}\""), format!("{method} ")]
        .iter()
        .any(|sent| text.contains(sent))
}

#[test]
fn every_operation_of_the_api_is_asked_in_a_test() {
    let tests = tests();
    assert!(tests.len() > 100, "{}", tests.len());
    let mut asked = 0;
    for route in ROUTES {
        for operation in route.operations {
            let Methods::One(method) = operation.methods else { continue };
            if matches!(operation.description, Description::Page | Description::Refusal) {
                continue;
            }
            let is_asked = |text: &&String| sends(text, method) && text.lines().any(|line| names(line, route.pattern));
            assert!(tests.iter().any(|text| is_asked(&text)), "{method} {} is in no test", route.pattern);
            asked += 1;
        }
    }
    assert!(asked > 50, "{asked}");
}

#[test]
fn every_route_of_the_api_is_on_a_page() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let pages = std::fs::read_dir(folder).unwrap().map(|page| page.unwrap().path()).filter(|page| page.is_file());
    let pages: String = pages.map(|page| std::fs::read_to_string(page).unwrap()).collect();
    for route in ROUTES {
        let is_page = |operation: &Operation| matches!(operation.description, Description::Page | Description::Refusal);
        let is_told = || pages.lines().any(|line| names(line, route.pattern));
        assert!(route.operations.iter().all(is_page) || is_told(), "{} is on no page of docs/", route.pattern);
    }
}

#[test]
fn a_row_is_found_by_its_own_pattern() {
    let mut patterns = BTreeSet::new();
    for route in ROUTES {
        assert!(patterns.insert(route.pattern), "{} stands twice", route.pattern);
        let filled = route.pattern.replace(['{', '}'], "-");
        let segments: Vec<&str> = filled.split('/').skip(1).collect();
        let target = match route.pattern {
            "" => crate::router::find(&["t", "acme"]),
            _ => crate::router::find(&segments),
        };
        assert_eq!(target.unwrap().endpoint.route.pattern, route.pattern);
    }
}

#[test]
fn methods_of_a_row_differ_and_reads_are_get() {
    for route in ROUTES {
        let methods: BTreeSet<String> = route.operations.iter().map(|one| format!("{:?}", one.methods)).collect();
        assert_eq!(methods.len(), route.operations.len(), "{}", route.pattern);
        for operation in route.operations {
            let of_process = matches!(operation.handler, RouteHandler::Process(_));
            assert!(!of_process || operation.methods == Methods::One("GET"), "{}", route.pattern);
        }
    }
}
