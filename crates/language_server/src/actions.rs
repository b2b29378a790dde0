//! `textDocument/codeAction`: the remedies of problems.

use crate::positions::LineIndex;
use crate::problems::{self, FileProblem};
use crate::workspace::Workspace;
use serde_json::{Value as Json, json};

/// Returns the remedies of the problems that a range touches.
pub(crate) fn actions(workspace: &mut Workspace, params: &Json) -> Option<Json> {
    let place = workspace.place(params)?;
    let index = LineIndex::new(&place.text);
    let from = index.byte(params.pointer("/range/start")?)?;
    let to = index.byte(params.pointer("/range/end")?)?;
    let folder = workspace.checked(&place.folder)?;
    let touched = |problem: &FileProblem| {
        let mut ranges = problem.fixes.iter().map(|fix| &fix.range);
        problem.file == place.file && ranges.any(|range| range.start <= to && from <= range.end)
    };
    let problems: Vec<FileProblem> = problems::of_folder(folder).into_iter().filter(touched).collect();
    let address = workspace.address(&place.folder, &place.file);
    let mut actions = Vec::new();
    for FileProblem { json: problem, fixes, .. } in problems {
        for (place, fix) in fixes.iter().enumerate() {
            let edit = json!({"range": index.range(&fix.range), "newText": fix.text});
            actions.push(json!({
                "title": format!("Write `{}`", fix.shown), "kind": "quickfix", "isPreferred": place == 0,
                "diagnostics": [problem], "edit": {"changes": {address.clone(): [edit]}},
            }));
        }
    }
    Some(Json::from(actions))
}
