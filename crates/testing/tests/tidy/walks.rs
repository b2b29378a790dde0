//! The walks of ARCHITECTURE.md: functions from the route table to the database crate.

use super::crates;
use std::fs;

/// The numbers of files that headings tell.
const NUMBERS: [&str; 10] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

#[test]
fn walks_name_files_and_functions_that_are_there() {
    let page = fs::read_to_string(crates().join("../ARCHITECTURE.md")).unwrap();
    let section = page.split_once("\n## Four walks").unwrap().1.split("\n## ").next().unwrap();
    let walks: Vec<&str> = section.split("\n**`").skip(1).collect();
    assert_eq!(walks.len(), 4);
    for walk in walks {
        let (heading, rest) = walk.split_once('\n').unwrap();
        let steps = rest.lines().filter_map(|line| line.split_once(". `")).map(|(_, step)| step);
        let mut count = 0;
        for step in steps {
            let (path, functions) = step.split_once("`: ").unwrap();
            let (name, below) = path.split_once('/').unwrap();
            let text = fs::read_to_string(crates().join(name).join("src").join(below));
            let text = text.unwrap_or_else(|error| panic!("{heading}: {path}: {error}"));
            // A second sentence is a remark.
            let functions = functions.split(". ").next().unwrap();
            for function in functions.split('`').skip(1).step_by(2) {
                let function = function.rsplit("::").next().unwrap();
                let is_there = ["(", "<"].iter().any(|next| text.contains(&format!("fn {function}{next}")));
                assert!(is_there, "{heading}: {path} has no function {function}");
            }
            count += 1;
        }
        assert!(heading.ends_with(&format!("{} files:", NUMBERS[count])), "{heading} The list has {count}.");
    }
}
