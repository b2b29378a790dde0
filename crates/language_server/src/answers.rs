//! Answers about a place in an expression: completion, hover, signature, definition.

use crate::declarations;
use crate::expression_place::{ExpressionPlace, find};
use crate::positions::LineIndex;
use crate::workspace::Workspace;
use analysis::{CompletionItem, CompletionSort, NameSort, analyse};
use serde_json::{Value as Json, json};

/// `textDocument/completion`.
pub(crate) fn completion(workspace: &mut Workspace, params: &Json) -> Option<Json> {
    let place = workspace.place(params)?;
    let here = find(workspace, &place, params)?;
    let index = LineIndex::new(&place.text);
    let items = analyse(&here.text, &here.surroundings).completions(here.at);
    let items: Vec<Json> = items.into_iter().filter_map(|item| completed(item, &here, &index)).collect();
    Some(json!({"isIncomplete": false, "items": items}))
}

fn completed(item: CompletionItem, here: &ExpressionPlace, index: &LineIndex<'_>) -> Option<Json> {
    // Of CompletionItemKind: a function, a property, a variable, a constant, a keyword.
    let (kind, order) = match item.sort {
        CompletionSort::Property => (10, 0),
        CompletionSort::Variable => (6, 1),
        CompletionSort::Parameter => (21, 2),
        CompletionSort::Function => (3, 3),
        _ => (14, 4),
    };
    let range = here.map.range(item.replaced.from, item.replaced.to);
    let text = here.map.encode(&item.label)?;
    let mut json = json!({
        "label": item.label, "kind": kind, "sortText": format!("{order}{}", item.label), "filterText": item.label,
        "textEdit": {"range": index.range(&range), "newText": text},
    });
    if !item.detail.is_empty() {
        json["detail"] = item.detail.into();
    }
    if !item.help.is_empty() {
        json["documentation"] = item.help.into();
    }
    Some(json)
}

/// `textDocument/hover`.
pub(crate) fn hover(workspace: &mut Workspace, params: &Json) -> Option<Json> {
    let place = workspace.place(params)?;
    let here = find(workspace, &place, params)?;
    let hover = analyse(&here.text, &here.surroundings).hover(here.at)?;
    let range = here.map.range(hover.span.from, hover.span.to);
    let range = LineIndex::new(&place.text).range(&range);
    Some(json!({"contents": {"kind": "markdown", "value": hover.markdown}, "range": range}))
}

/// `textDocument/signatureHelp`.
pub(crate) fn signature(workspace: &mut Workspace, params: &Json) -> Option<Json> {
    let place = workspace.place(params)?;
    let here = find(workspace, &place, params)?;
    let found = analyse(&here.text, &here.surroundings).signature(here.at)?;
    let units = |byte: usize| found.label[..byte].encode_utf16().count();
    let parameters = found.parameters.iter().map(|span| json!({"label": [units(span.from), units(span.to)]}));
    let parameters: Vec<Json> = parameters.collect();
    // Behind the last parameter: a number that no parameter has marks none.
    let active = found.active.unwrap_or(parameters.len());
    let signature = json!({"label": found.label, "documentation": found.help, "parameters": parameters});
    Some(json!({"signatures": [signature], "activeSignature": 0, "activeParameter": active}))
}

/// `textDocument/definition`: the line of a property in its type's file.
pub(crate) fn definition(workspace: &mut Workspace, params: &Json) -> Option<Json> {
    let place = workspace.place(params)?;
    let here = find(workspace, &place, params)?;
    let analysis = analyse(&here.text, &here.surroundings);
    let NameSort::Property { owner: Some(owner), name } = &analysis.definition(here.at)?.sort else { return None };
    let folder = workspace.checked(&place.folder)?;
    let declared = declarations::find(&folder.files, owner, name)?;
    let range = LineIndex::new(folder.files.get(&declared.file)?).range(&declared.range);
    Some(json!({"uri": workspace.address(&place.folder, &declared.file), "range": range}))
}
