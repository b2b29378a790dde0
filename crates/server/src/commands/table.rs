//! Tables for people at a terminal: a line of headings, and columns below one another.

use ::console::measure_text_width;

/// Columns of numbers stand at the right.
const NUMBERS: [&str; 8] = ["id", "tries", "requests", "database", "waiting", "cpu", "sent", "store"];
/// The space between two columns.
const GAP: &str = "  ";

/// Returns the lines of a table. The last column is as wide as its values.
pub(super) fn table<const COLUMNS: usize>(headings: [&str; COLUMNS], rows: &[[String; COLUMNS]]) -> String {
    let rows: Vec<[String; COLUMNS]> = rows.iter().map(|row| row.each_ref().map(|cell| plain(cell))).collect();
    let lines = std::iter::once(headings.map(str::to_owned)).chain(rows);
    let lines: Vec<[String; COLUMNS]> = lines.collect();
    let widths: Vec<usize> = (0..COLUMNS)
        .map(|column| lines.iter().map(|line| measure_text_width(&line[column])).max().unwrap_or(0))
        .collect();
    let line = |cells: &[String; COLUMNS]| {
        let cells = cells.iter().zip(headings).zip(&widths).map(|((cell, heading), width)| {
            let space = " ".repeat(width.saturating_sub(measure_text_width(cell)));
            if NUMBERS.contains(&heading) { space + cell } else { cell.clone() + &space }
        });
        cells.collect::<Vec<_>>().join(GAP).trim_end().to_owned()
    };
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Returns a cell on one line: a name or an error from outside must not steer the terminal.
fn plain(cell: &str) -> String {
    cell.chars().map(|character| if steers(character) { ' ' } else { character }).collect()
}

/// Returns true if a character moves a terminal's cursor, or turns the direction of what follows.
pub(super) fn steers(character: char) -> bool {
    let turns = matches!(character, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || character.is_control() || character == '\u{feff}'
}

#[cfg(test)]
mod tests {
    use super::table;

    #[test]
    fn columns_stand_below_their_headings() {
        let row = |id: &str, user: &str, name: &str| [id, user, name].map(str::to_owned);
        let rows = [row("1", "ann@acme.test", ""), row("12", "\u{1b}[2Jé", "Bob\nB."), row("3", "東京", "\u{202e}C")];
        let expected = "id  user           name\n 1  ann@acme.test\n12   [2Jé          Bob B.\n 3  東京            C";
        assert_eq!(table(["id", "user", "name"], &rows), expected);
    }
}
