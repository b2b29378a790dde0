//! The use of tables by a statement: filters and orders, read out of its text.

use super::statement_text::{closing, split, words};

/// A table of a statement, and what is asked of it by its own columns.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TableUse {
    pub(super) table: String,
    pub(super) alias: String,
    /// Columns that must have one of some values.
    pub(super) equal: Vec<String>,
    /// Columns that must lie in a range.
    pub(super) ranges: Vec<String>,
    /// The first column of the order of a page.
    pub(super) order: Option<String>,
    /// True if it has other conditions, which no index of a column serves.
    pub(super) others: bool,
}

/// The parts of a SELECT.
#[derive(Default)]
struct SelectParts<'w, 't> {
    from: &'w [&'t str],
    conditions: &'w [&'t str],
    order: &'w [&'t str],
    limited: bool,
}

/// Returns the tables of a statement that have filters or an order.
pub(super) fn table_uses(statement: &str) -> Vec<TableUse> {
    let mut uses = Vec::new();
    read(&words(statement), &mut uses);
    uses
}

/// Reads a part of a statement, and the parts in its brackets.
fn read(words: &[&str], uses: &mut Vec<TableUse>) {
    let mut place = 0;
    while place < words.len() {
        if words[place] == "(" {
            let end = closing(words, place);
            read(&words[place + 1..end.min(words.len())], uses);
            place = end;
        }
        place += 1;
    }
    for part in split(words, "UNION") {
        uses.extend(of_select(&parts(part)));
    }
}

/// Finds the parts of a SELECT that stand in no bracket of its own.
fn parts<'w, 't>(words: &'w [&'t str]) -> SelectParts<'w, 't> {
    let mut found = SelectParts::default();
    let (mut selects, mut clause, mut start, mut place) = (false, "", 0, 0);
    let mut end_clause = |clause: &str, slice: &'w [&'t str]| match clause {
        "FROM" => found.from = slice,
        "WHERE" => found.conditions = slice,
        "ORDER" => found.order = slice,
        "LIMIT" => found.limited = true,
        _ => {}
    };
    while place < words.len() {
        match words[place] {
            "(" => place = closing(words, place),
            "SELECT" => selects = true,
            word @ ("FROM" | "WHERE" | "GROUP" | "HAVING" | "ORDER" | "LIMIT" | "OFFSET") if selects => {
                end_clause(clause, &words[start..place]);
                (clause, start) = (word, place + 1);
            }
            _ => {}
        }
        place += 1;
    }
    end_clause(clause, words.get(start..).unwrap_or_default());
    found
}

fn of_select(parts: &SelectParts<'_, '_>) -> Vec<TableUse> {
    let mut uses: Vec<TableUse> = Vec::new();
    for (place, word) in parts.from.iter().enumerate() {
        if *word != "AS" || place == 0 || parts.from[place - 1] == ")" {
            continue;
        }
        let Some(alias) = parts.from.get(place + 1) else { continue };
        let (table, alias) = (parts.from[place - 1].to_owned(), (*alias).to_owned());
        uses.push(TableUse { table, alias, equal: Vec::new(), ranges: Vec::new(), order: None, others: false });
    }
    let aliases: Vec<String> = uses.iter().map(|table| table.alias.clone()).collect();
    for part in conjuncts(parts.conditions) {
        place_condition(part, &aliases, &mut uses);
    }
    if parts.limited
        && let Some(["BY", alias, ".", column, ..]) = split(parts.order, ",").first()
        && let Some(table) = uses.iter_mut().find(|table| table.alias == *alias)
    {
        table.order = Some((*column).to_owned());
    }
    uses.retain(|table| !table.equal.is_empty() || !table.ranges.is_empty() || table.order.is_some());
    uses
}

/// Returns the conditions that must hold together.
fn conjuncts<'w, 't>(words: &'w [&'t str]) -> Vec<&'w [&'t str]> {
    if words.is_empty() {
        return Vec::new();
    }
    if words[0] == "(" && closing(words, 0) == words.len() - 1 && words.get(1) != Some(&"SELECT") {
        return conjuncts(&words[1..words.len() - 1]);
    }
    match split(words, "AND").as_slice() {
        [only] => vec![*only],
        parts => parts.iter().copied().flat_map(conjuncts).collect(),
    }
}

/// Notes a condition at its table: by its column, or as one that no index serves.
fn place_condition(part: &[&str], aliases: &[String], uses: &mut [TableUse]) {
    let is_alias = |word: &str| aliases.iter().any(|alias| alias == word);
    let looks_at_rows = |rest: &[&str]| rest.windows(2).any(|pair| pair[1] == "." && is_alias(pair[0]));
    let is_one = split(part, "OR").len() == 1;
    if let [alias, ".", column, operator, rest @ ..] = part
        && is_one
        && !looks_at_rows(rest)
        && let Some(table) = uses.iter_mut().find(|table| table.alias == *alias)
    {
        let list = match (*operator, rest) {
            ("IS", ["NULL"]) => Some(&mut table.equal),
            ("=" | "IN", _) if split(rest, "IS").len() == 1 => Some(&mut table.equal),
            ("<" | "<=" | ">" | ">=", _) if split(rest, "IS").len() == 1 => Some(&mut table.ranges),
            _ => None,
        };
        if let Some(list) = list {
            if !list.iter().any(|known| known == column) {
                list.push((*column).to_owned());
            }
            return;
        }
    }
    let first = part.windows(2).find(|pair| pair[1] == "." && is_alias(pair[0])).map(|pair| pair[0]);
    match first.and_then(|alias| uses.iter_mut().find(|table| table.alias == alias)) {
        Some(table) => table.others = true,
        None => uses.iter_mut().for_each(|table| table.others = true),
    }
}

#[cfg(test)]
mod tests {
    use super::{TableUse, table_uses};

    fn shown(statement: &str) -> Vec<String> {
        let show = |TableUse { table, alias, equal, ranges, order, others }: &TableUse| {
            format!("{table} {alias} = {equal:?} < {ranges:?} {} {others}", order.as_deref().unwrap_or("-"))
        };
        table_uses(statement).iter().map(show).collect()
    }

    #[test]
    fn filters_and_orders_are_read_out_of_statements() {
        for (statement, expected) in [
            ("SELECT COUNT(*) FROM t10 AS r0 WHERE r0.p102 = $1", &["t10 r0 = [\"p102\"] < [] - false"][..]),
            (
                "SELECT r0.id FROM \"a\".t10 AS r0 WHERE ((r0.p1 >= $1::timestamp with time zone AND r0.p1 <= $2) AND \
                 r0.p2 = ANY($3::bigint[])) ORDER BY r0.id ASC LIMIT 50 OFFSET $2",
                &["t10 r0 = [\"p2\"] < [\"p1\"] id false"],
            ),
            (
                "SELECT r0.id FROM t10 AS r0 JOIN (SELECT r0.id FROM t10 AS r0 WHERE r0.p1 IN rarray($1) ORDER BY r0.p3 \
                 DESC NULLS FIRST, r0.id ASC LIMIT 50) AS k ON k.id = r0.id ORDER BY r0.p3 DESC",
                &["t10 r0 = [\"p1\"] < [] p3 false"],
            ),
            (
                "SELECT COUNT(*), (SELECT SUM(rows) FROM plinth_counter WHERE type = $1) FROM t10 AS r0 WHERE r0.p9 IN \
                 (SELECT r1.id FROM t11 AS r1 WHERE r1.p5 > $4)",
                &["t11 r1 = [] < [\"p5\"] - false", "t10 r0 = [\"p9\"] < [] - false"],
            ),
            (
                "SELECT r0.id FROM t10 AS r0 WHERE (r0.p1 = $1 AND (instr(r0.p2, $2) > 0))",
                &["t10 r0 = [\"p1\"] < [] - true"],
            ),
            ("SELECT r0.id FROM t10 AS r0 WHERE (r0.p1 = $1 OR r0.p2 = $2)", &[]),
            ("SELECT r0.id FROM t10 AS r0 WHERE (r0.p1 = $1) IS NOT TRUE", &[]),
            ("SELECT r0.id FROM t10 AS r0 WHERE r0.p1 = r0.p2", &[]),
            ("SELECT r0.id FROM t10 AS r0 WHERE r0.p1 IS NOT NULL ORDER BY +r0.p2 LIMIT 1", &[]),
            ("SELECT r0.id FROM t10 AS r0 WHERE r0.p1 IS NULL", &["t10 r0 = [\"p1\"] < [] - false"]),
            ("SELECT r0.id FROM t10 AS r0 ORDER BY r0.p2", &[]),
            ("SELECT (((", &[]),
            ("", &[]),
        ] {
            assert_eq!(shown(statement), expected, "{statement}");
        }
    }
}
