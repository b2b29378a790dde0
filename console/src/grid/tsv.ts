// Tables as text, as spreadsheets put them on the clipboard: cells by tabs, rows by lines, quotes around both.

export function formatTsv(rows: string[][]): string {
    return rows.map((row) => row.map(quoteCell).join("\t")).join("\n");
}

function quoteCell(text: string): string {
    return /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Reads a table. A quote inside of a cell that does not begin with one is a letter like any other. */
export function parseTsv(text: string): string[][] {
    const rows: string[][] = [];
    let row: string[] = [];
    let cell = "";
    let quoted = false;
    let begun = false;
    const endCell = (): void => {
        row.push(cell);
        cell = "";
        begun = false;
    };
    const endRow = (): void => {
        endCell();
        rows.push(row);
        row = [];
    };
    for (let i = 0; i < text.length; i++) {
        const sign = text[i] ?? "";
        if (quoted) {
            if (sign !== '"') cell += sign;
            else if (text[i + 1] === '"') {
                cell += '"';
                i++;
            } else quoted = false;
        } else if (sign === '"' && !begun && closes(text, i)) {
            quoted = true;
            begun = true;
        } else if (sign === "\t") endCell();
        else if (sign === "\n") endRow();
        else if (sign === "\r") {
            if (text[i + 1] !== "\n") endRow();
        } else {
            cell += sign;
            begun = true;
        }
    }
    if (cell !== "" || row.length > 0 || begun) endRow();
    return rows;
}

/** True where a quote has an end: text such as `"hello` is kept as it is. */
function closes(text: string, at: number): boolean {
    for (let i = at + 1; i < text.length; i++) {
        if (text[i] !== '"') continue;
        if (text[i + 1] === '"') {
            i++;
            continue;
        }
        const next = text[i + 1];
        return next === undefined || next === "\t" || next === "\n" || next === "\r";
    }
    return false;
}
