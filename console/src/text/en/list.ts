// Texts in English: the dialogs of a list: columns, filters, views, bulk edit, import and export.

import { numberIn, pluralIn } from "../plural";

const plural = pluralIn("en");
const digits = numberIn("en");

const rows = (count: number): string => plural(count, { one: "# row", other: "# rows" });

/** The counts that are not zero, as a sentence: the first names what is counted. */
function told(...parts: [count: number, words: string][]): string {
    const words = parts
        .filter(([count]) => count > 0)
        .map(([count, text], at) => `${at === 0 ? rows(count) : digits(count)} ${text}`);
    return words.length === 0 ? "" : `${words.join(", ")}.`;
}

export default {
    archived: "archived",

    /** Keys of the grid, for the help. */
    keys: [
        ["Enter", "Edit the cell, as a double-click does"],
        ["F2", "Edit the cell"],
        ["a–z", "In a text cell: replace its text. Elsewhere: shortcuts"],
        ["Alt+a–z", "Letter shortcuts in a text cell"],
        ["0–9", "Replace the text, number or date of the cell"],
        ["Escape", "Cancel the edit, clear the selection"],
        ["Space", "Select the row"],
        ["Shift+ArrowDown", "Select several cells"],
        ["Ctrl+C", "Copy cells"],
        ["Ctrl+V", "Paste cells"],
        ["Delete", "Clear cells"],
        ["Ctrl+A", "Select all found rows"],
        ["Ctrl+Home", "First row"],
        ["Ctrl+End", "Last row"],
        ["Ctrl+Enter", "Open the record as a page"],
    ] as [string, string][],

    // Without rows
    noRows: {
        words: "No rows match this search.",
        filters: "No rows match these filters.",
        both: "No rows match this search and these filters.",
    },
    clearSearch: "Clear search",
    noneNamed: (type: string, words: string) => `No ${type} has the code or name “${words}”.`,
    severalNamed: (words: string) => `Several records have the title “${words}”. Use the code, the id or the uuid.`,

    // Columns
    columnsHint: "Columns and their order. Alt+↑ and Alt+↓ move the one with the focus.",
    moveHint: "Alt+↑ and Alt+↓ move it",
    moveUp: (column: string) => `Move ${column} up`,
    moveDown: (column: string) => `Move ${column} down`,
    widthOf: (column: string) => `Width of ${column} in pixels`,
    hideColumn: (column: string) => `Hide ${column}`,
    width: "Width",
    addColumn: "Add column",
    columnBehind: "Column of a related record",
    columnsOfType: "Default columns",

    // Filters
    builder: "Builder",
    asJson: "As JSON",
    asCurl: "As curl",
    curlHint: "Replace $PLINTH_KEY with your API key.",
    notFilters: "This is not a list of filters.",
    tooManyFilters: "A list can have at most 100 filters.",
    apply: "Apply",
    copy: "Copy",
    copiedText: "Copied.",
    groupOf: (mode: string) => `Group: ${mode}`,
    mode: "How the filters of this group are combined",
    modes: { and: "All of these", or: "Any of these", not: "Not all of these" },
    removeGroup: "Remove group",
    removeRow: "Remove filter",
    addGroup: "Add group",
    property: "Field",
    chooseProperty: "Choose a field",
    behindRelations: "Fields of related records",
    back: "Back",
    operator: "Operator",
    value: "Value",
    fold: "ignore case and accents",
    from: "From",
    to: "To",
    count: "Number",
    unit: "Unit",
    comparison: "Comparison",
    addByEnter: "Value, then Enter",

    // Views
    viewTitle: "Name",
    viewKeeps: "The view saves the current filters, search, order and columns of the list.",
    viewSaved: (title: string) => `The view “${title}” was saved.`,
    viewShared: (title: string) => `The view “${title}” was saved and is shared with everyone.`,
    viewSharedWith: (title: string, roles: string) =>
        `The view “${title}” was saved and is shared with these roles: ${roles}.`,
    viewDeleted: "The view was deleted.",
    deleteViewSure: "Delete permanently",
    sharing: "Who can see it",
    shareOwn: "Only you",
    shareAll: "Everyone",
    shareRoles: "These roles",
    roles: "Roles",
    rolesHint: "agent, manager",
    save: "Save",

    // Bulk edit
    changeRows: (count: number) => plural(count, { one: "Change # row", other: "Change # rows" }),
    deleteRows: (count: number) => plural(count, { one: "Delete # row", other: "Delete # rows" }),
    addProperty: "Add another field",
    trial: "Preview changes",
    trying: "Checking …",
    tried: (matched: number, changed: number, same: number) => {
        const already = plural(same, { one: "# stays the same", other: "# stay the same" });
        return `${plural(matched, { one: "# row", other: "# rows" })}; ${digits(changed)} would change${same > 0 ? `, ${already}` : ""}.`;
    },
    counted: (matched: number) => `${plural(matched, { one: "# row", other: "# rows" })}, counted without a preview.`,
    wouldDelete: (count: number) =>
        plural(count, { one: "# row would be deleted.", other: "# rows would be deleted." }),
    alsoDeleted: "Also deleted:",
    refusedRows: (count: number) =>
        plural(count, { one: "# row cannot be changed", other: "# rows cannot be changed" }),
    moreRefused: (count: number) => `and ${digits(count)} more`,
    leaveOut: "Skip rows that cannot be changed",
    confirmChange: (count: number) => plural(count, { one: "Change # row", other: "Change # rows" }),
    confirmDelete: (count: number) => plural(count, { one: "Delete # row", other: "Delete # rows" }),
    changedRows: (count: number) => plural(count, { one: "# row changed.", other: "# rows changed." }),
    deletedRows: (count: number) => plural(count, { one: "# row deleted.", other: "# rows deleted." }),
    cannotUndo: (most: number) => `This cannot be undone. Only changes of up to ${digits(most)} rows can.`,
    deletionStays: "A deletion cannot be undone.",
    undoneRows: (count: number) => plural(count, { one: "# row restored.", other: "# rows restored." }),
    notUndone: (records: string, reason: string) => `Nothing was undone. ${records}: ${reason}`,
    notDeleted: (records: string, reason: string) => `Not deleted: ${records}: ${reason}`,
    copied: (count: number, many: number) =>
        plural(count, { one: "# cell copied", other: "# cells copied" }) + (many > 1 ? ` (${rows(many)})` : ""),
    copiedPart: (count: number, first: number, all: number) =>
        `${plural(count, { one: "# cell copied", other: "# cells copied" })}: the first ${digits(first)} of ${rows(all)}. Export the list for all of them.`,
    copyAgain: "All rows are loaded now. Press Ctrl+C again to copy them.",
    loadingRows: (done: number, all: number) => `Loading: ${digits(done)} of ${rows(all)} …`,
    rowsMoved: "Nothing was done: the list has changed meanwhile. Check the marked cells, then try again.",
    written: (count: number) => plural(count, { one: "# value changed", other: "# values changed" }),
    pasteRefused: "Nothing was pasted. See the marked cells.",
    pastedOutside: (count: number) =>
        plural(count, {
            one: "# value does not fit or cannot be changed.",
            other: "# values do not fit or cannot be changed.",
        }),
    imported: (count: number) => plural(count, { one: "# row imported.", other: "# rows imported." }),
    nothingToUndo: "Nothing to undo.",
    nothingToRedo: "Nothing to redo.",
    running: "Running …",
    progress: (done: number, total: number) => `${digits(done)} of ${digits(total)}`,
    cancelJob: "Stop",
    canceled: "Stopped. What was done before stays.",

    // Export
    exportTitle: (type: string) => `Export ${type}`,
    exportText: (count: number) =>
        plural(count, {
            one: "# row, with the filters, order and columns of the list.",
            other: "# rows, with the filters, order and columns of the list.",
        }),
    format: "Format",
    formats: {
        csv: "CSV, for all programs",
        xlsx: "XLSX, for spreadsheets",
        json: "JSON",
        jsonl: "JSON Lines, an object on each line",
    },
    safe: "Prevent spreadsheets from reading text as formulas",
    exportColumns: "Columns",
    exportShown: "Columns of the list",
    exportEvery: "All fields",
    download: "Download",
    preparing: "Preparing the file …",

    // Import
    importTitle: (type: string) => `Import into ${type}`,
    steps: ["File", "Columns", "Check", "Import"],
    dropFile: "Drop a file here, or choose one",
    fileKinds: "CSV, XLSX, JSON or JSON Lines. CSV and JSON may be compressed (.gz). At most 200 MB.",
    chooseFile: "Choose a file",
    reading: "Reading the file …",
    foundRows: (count: number) => plural(count, { one: "# row in the file", other: "# rows in the file" }),
    columnOfFile: "Column in the file",
    samples: "Examples",
    toProperty: "Field",
    leaveOutColumn: "Do not import",
    guessed: "suggested",
    preview: (count: number) => plural(count, { one: "The first row, as read", other: "The first # rows, as read" }),
    importMode: "For each row",
    importModes: {
        create: "Create a record",
        update: "Update the existing record",
        upsert: "Update or create the record",
    },
    key: "Key",
    keepGoing: "Skip rows with errors and import the others",
    tryImport: "Check the file",
    tryImportAgain: "Check again",
    fileChanged: (name: string) =>
        `The file ${name} was changed or moved since you chose it. The console still has the earlier version. Choose the file again to check the new one: your settings stay.`,
    chooseAnew: "Choose the file again",
    checkOld: "Check the earlier version",
    runImport: (count: number) => plural(count, { one: "Import # row", other: "Import # rows" }),
    importResult: (created: number, updated: number, unchanged: number, undone = false) =>
        told([created, undone ? "created, then undone" : "created"], [updated, "updated"], [unchanged, "unchanged"]) ||
        "Nothing was imported.",
    importStays:
        "You can undo an import for 24 hours, under Recent imports of this dialog: this deletes the records that it created.",
    undoImport: "Undo the import",
    undoImportTitle: "Undo this import?",
    undoImportHelp:
        "This deletes the records that the import created, with all later changes. Records that it updated stay as they are.",
    undoImportRun: (count: number) => plural(count, { one: "Delete # row", other: "Delete # rows" }),
    importTooLarge: "An import of more than 100,000 rows cannot be undone.",
    discardRest: "Discard the rest",
    resumeImport: "Import the rest, skip rows with errors",
    importResumable: "Rows with errors are skipped. You can save them as a file afterwards.",
    pastImports: "Recent imports",
    undone: "then undone",
    namesHere: "Names of files are known only in the browser that sent them.",
    created: (count: number) => plural(count, { one: "# row created", other: "# rows created" }),
    deletionOf: (type: string) => `Deletion: ${type}`,
    importTried: "Nothing is imported yet.",
    importTrial: (created: number, updated: number, unchanged: number) =>
        told([created, "to create"], [updated, "to update"], [unchanged, "unchanged"]) || "No row can be imported.",
    importRead: (count: number) => plural(count, { one: "# row was read.", other: "# rows were read." }),
    importOnlyRead:
        "Nothing is imported yet. The values were checked. In a file this large, the rules of the type are checked during the import.",
    importMayClose: "You can close this and keep working. You will see a notification when it is done.",
    importGoesOn: (count: number) => plural(count, { one: "Still importing # row.", other: "Still importing # rows." }),
    showList: "Show the list",
    jobs: {
        import: (type: string) => `Import: ${type}`,
        export: (type: string) => `Export: ${type}`,
        bulk: (type: string) => `Bulk change: ${type}`,
    },
    bulkDone: (count: number) =>
        plural(count, { one: "The change of # row is done.", other: "The change of # rows is done." }),
    bulkFailed: (reason: string) => `The change failed: ${reason}`,
    jobsRegion: "Running imports, exports and changes",
    progressRows: (done: number, total: number) =>
        `${digits(done)} of ${plural(total, { one: "# row", other: "# rows" })}`,
    waiting: "Waiting …",
    exportReady: "The file is ready.",
    exportStopped: "The export was stopped.",
    exportFailed: (reason: string) => `The export failed: ${reason}`,
    importFailed: (reason: string) => `The import failed: ${reason}`,
    importBrokeBehind: "The connection was lost before the import was done. Nothing was imported.",
    importSame: "The import is done. No row was changed.",
    missingColumn: "Choose a field for at least one column.",
    missingDecimal: "Choose the decimal separator.",
    missingDates: "Choose the date format.",
    missingKey: "Choose a field that can be the key, such as a code, for a column.",
    tryFirst: "Check the file first.",
    noGoodRow: "All rows have errors.",
    wantGood: "Correct the file, or tick “Skip rows with errors”.",
    dropImportTitle: "Discard this import?",
    dropImportBody: "Nothing is imported yet. The file and your choices for its columns will be lost.",
    dropImport: "Discard",
    goOnImport: "Keep editing",
    importProblems: (count: number) => plural(count, { one: "# row has an error", other: "# rows have errors" }),
    importSkipped: (count: number) =>
        plural(count, { one: "# row skipped because of errors", other: "# rows skipped because of errors" }),
    firstListed: (count: number) =>
        plural(count, { one: "The first one is listed.", other: "The first # are listed." }),
    foundBy: (relation: string) => `Match ${relation} by`,
    quoted: (value: string) => `“${value}”`,
    decimalOf: (sample: string) => `Decimal separator of numbers such as ${sample}`,
    decimalChoose: "Choose a separator",
    decimals: { ",": "Comma (1.234,5)", ".": "Point (1,234.5)" },
    daysAre: (sample: string) => `Format of dates such as ${sample}`,
    daysChoose: "Choose a format",
    dayOrders: { dmy: "Day first (31/12/2026)", mdy: "Month first (12/31/2026)" },
    byId: "id",
    byCode: (code: string) => `${code}, or id`,
    byProperty: (property: string) => `${property} only`,
    importStopped: (line: number | null, left: number) =>
        `The import stopped${line === null ? "" : ` at line ${digits(line)}`}: ` +
        plural(left, {
            one: "the last row of the file was not imported.",
            other: "the last # rows of the file were not imported.",
        }),
    importStoppedHelp:
        "Correct the file. Then import it again with “Update or create the record”, or import only those last rows. To skip rows with errors, tick “Skip rows with errors” before the import.",
    importMayStop:
        "Without this, a row with an error stops the import: rows before it are imported, and rows after it are not.",
    nothingImported: "Correct the file, or skip the rows with errors.",
    line: "Line",
    problem: "Error",
    badRows: "Download rows with errors",
    badRowsFirst: (told: number, all: number) =>
        `The file has ${digits(told)} of ${digits(all)} rows with errors. The server lists no more.`,
    columnTwice: (name: string) => `The column “${name}” is given twice. Rename or remove one of them in the file.`,
    reportColumns: (names: string) => `These columns list errors of an earlier import, and are skipped: ${names}.`,
    readAs: (title: string, value: string) => `“${title}” is read as ${value}`,
    serverAway: "The server does not respond. The job continues when it is back.",
    importBroken: "The connection was lost before the import was done. Nothing was imported. Run it again.",
    again: "Choose another file",
    close: "Close",
    required: (fields: string[], some: boolean) =>
        fields.length === 1
            ? `${fields.join()} is required${some ? " for new records" : ""}: choose its column.`
            : `These fields are required${some ? " for new records" : ""}: ${fields.join(", ")}. Choose their columns.`,
    keptMapping: "The fields are those that you chose for a file with these columns before.",
    goneSince: "Undone, or deleted since",
    nothingLeft: "Nothing that this import created is left.",
    showNew: (count: number) => plural(count, { one: "Show the new row", other: "Show the # new rows" }),

    // The foot of a list: selection, sums, refused values
    foot: {
        staleCell: (column: string) => `Someone else changed ${column} in the meantime.`,
        staleCellOwn: (column: string) => `You changed ${column} elsewhere.`,
        editHint: "To edit a cell, double-click it or press Enter. Press ? to see all keys.",
        asRead: "Before:",
        theirs: "Now:",
        yours: "Yours:",
        keepMine: "Keep mine",
        keepTheirs: "Keep theirs",
        editAgain: "Edit again",
        giveUp: "Discard",
        selection: "Selection",
        selectedRows: (count: number) => plural(count, { one: "# row selected", other: "# rows selected" }),
        allSelected: (count: number) =>
            plural(count, { one: "The only matching row is selected", other: "All # matching rows are selected" }),
        selectAllFound: (count: number) =>
            plural(count, { one: "Select the only match", other: "Select all # matching" }),
        clearSelection: "Clear selection",
        sum: "Sum",
        average: "Average",
        emptyCount: "Empty",
        partOf: (count: number, all: number) => `(${digits(count)} of ${rows(all)} only)`,
    },
};
