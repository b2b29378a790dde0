//! The layers of the platform: each becomes a crate once nothing in it imports from a layer above.

/// The layers from below, each with its modules; `/` leads to a module within one.
const LAYERS: [(&str, &[&str]); 7] = [
    (
        "tenant",
        &[
            "tenants/tenant",
            "tenants/caller",
            "tenants/command",
            "tenants/latest",
            "tenants/loaded_model",
            "tenants/loader",
            "tenants/path",
            "tenants/tries",
            "cache",
            "limits",
            "files/storage",
            "files/bucket",
            "files/folder",
            "files/key",
            "worker/context",
            "worker/lease",
            "worker/pause",
            "worker/places",
            "worker/sample",
            "worker/signal",
        ],
    ),
    (
        "resources",
        &[
            "resources",
            "expressions",
            "queries",
            "files",
            "secrets",
            "tags/version",
            "users/acting",
            "users/active",
            "users/authority",
            "users/known",
            "users/person",
            "users/with_roles",
        ],
    ),
    ("messages", &["outbox", "notifications"]),
    ("accounts", &["registration", "sessions", "keys", "users", "tags", "audit_log", "read_log"]),
    ("automation", &["automations", "canvases", "explain", "trials"]),
    ("configuration", &["configuration"]),
    ("platform", &["tenants", "worker", "lib"]),
];

/// Layers that stand side by side: neither imports from the other.
const BESIDE: [&str; 2] = ["accounts", "automation"];

/// Returns the number of the layer of a file, from below.
pub(crate) fn of(file: &str) -> usize {
    let module = file.trim_end_matches(".rs");
    let within = |listed: &str| module == listed || module.starts_with(&format!("{listed}/"));
    let listed = LAYERS.iter().enumerate().flat_map(|(layer, (_, modules))| modules.iter().map(move |of| (layer, *of)));
    let found = listed.filter(|(_, listed)| within(listed)).max_by_key(|(_, listed)| listed.len());
    let (layer, _) = found.unwrap_or_else(|| panic!("{file} belongs to no layer"));
    let beside = LAYERS[layer].0 == BESIDE[1];
    if beside { layer - 1 } else { layer }
}

/// Returns true where two files of one height are of different layers.
pub(crate) fn are_apart(one: &str, other: &str) -> bool {
    let automation = LAYERS.iter().find(|(name, _)| *name == BESIDE[1]).map_or(&[][..], |(_, modules)| modules);
    let is_automation = |file: &str| {
        let module = file.trim_end_matches(".rs");
        automation.iter().any(|of| module == *of || module.starts_with(&format!("{of}/")))
    };
    is_automation(one) != is_automation(other)
}
