//! The fuzzed functions on the seed corpus, on cuts and doubles of it, and on texts at random.

use super::{charlists, date_format, evaluate, parse, strip_tags, strtotime};
use proptest::prelude::*;
use spec::spec;
use std::path::Path;

type FuzzTarget = (&'static str, fn(&[u8]));

const TARGETS: [FuzzTarget; 6] = [
    ("parse", parse),
    ("evaluate", evaluate),
    ("strtotime", strtotime),
    ("date_format", date_format),
    ("strip_tags", strip_tags),
    ("charlists", charlists),
];

/// The seeds of a target, in the order of their names.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let mut paths: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

#[spec(plain, "A134")]
fn seeds_keep_the_promises() {
    for (name, target) in TARGETS {
        let seeds = corpus(name);
        assert!(seeds.len() >= 10, "{name} has {} seeds", seeds.len());
        for seed in seeds {
            target(&seed);
            target(&seed[..seed.len() / 2]);
            target(&[seed.clone(), seed].concat());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_seeds_keep_the_promises(choice: prop::sample::Index, changes: Vec<(prop::sample::Index, u8, u8)>) {
        for (name, target) in TARGETS {
            let seeds = corpus(name);
            let mut bytes = seeds[choice.index(seeds.len())].clone();
            for (place, byte, kind) in changes.iter().take(8) {
                let at = place.index(bytes.len() + 1);
                match kind % 3 {
                    0 => bytes.insert(at, *byte),
                    1 if at < bytes.len() => bytes[at] = *byte,
                    _ if at < bytes.len() => drop(bytes.remove(at)),
                    _ => bytes.push(*byte),
                }
            }
            target(&bytes);
        }
    }

    #[test]
    fn bytes_at_random_keep_the_promises(bytes: Vec<u8>) {
        TARGETS.iter().for_each(|(_, target)| target(&bytes));
    }
}
