// Texts in English: the dialogs of a list: columns, filters, views, bulk edit, import and export.

import { numberIn, pluralIn } from "../plural";

const plural = pluralIn("en");
const digits = numberIn("en");

export default {
    archived: "archived",

    // Columns
    columnsHint: "The columns and their order. Alt and the arrows move the one with the focus.",
    moveHint: "Alt+↑ and Alt+↓ move it",
    moveUp: (column: string) => `Move ${column} up`,
    moveDown: (column: string) => `Move ${column} down`,
    widthOf: (column: string) => `Width of ${column} in pixels`,
    hideColumn: (column: string) => `Hide ${column}`,
    addColumn: "Add a column",
    columnBehind: "A column of a related record",
    columnsOfType: "Default columns",

    // Filters
    builder: "Builder",
    asJson: "As JSON",
    asCurl: "As curl",
    curlHint: "Put your API key in the place of $PLINTH_KEY.",
    notFilters: "This is not a list of filters.",
    tooManyFilters: "A list takes at most 100 filters.",
    apply: "Apply",
    copy: "Copy",
    copiedText: "Copied.",
    groupOf: (mode: string) => `Group: ${mode}`,
    mode: "How the filters of this group combine",
    modes: { and: "All of these", or: "Any of these", not: "Not all of these" },
    removeGroup: "Remove the group",
    removeRow: "Remove the filter",
    addGroup: "Add a group",
    property: "Property",
    chooseProperty: "Choose a property",
    behindRelations: "Of related records",
    back: "Back",
    operator: "Operator",
    value: "Value",
    fold: "any case and accents",
    from: "From",
    to: "To",
    count: "Number",
    unit: "Unit",
    comparison: "Comparison",
    addByEnter: "Value, then Enter",

    // Views
    viewTitle: "Title",
    viewKeeps: "The view keeps the current filters, search, order and columns of the list.",
    viewSaved: (title: string) => `The view “${title}” is saved.`,
    viewDeleted: "The view is deleted.",
    deleteViewSure: "Delete for good",
    sharing: "Who sees it",
    shareOwn: "Only you",
    shareAll: "Everybody",
    shareRoles: "These roles",
    roles: "Roles",
    rolesHint: "agent, manager",
    save: "Save",

    // Bulk edit
    changeRows: (count: number) => plural(count, { one: "Change # row", other: "Change # rows" }),
    deleteRows: (count: number) => plural(count, { one: "Delete # row", other: "Delete # rows" }),
    addProperty: "Another property",
    trial: "Try it",
    trying: "Trying …",
    tried: (matched: number, changed: number, same: number) => {
        const already = plural(same, { one: "# is so already", other: "# are so already" });
        return `${plural(matched, { one: "# row", other: "# rows" })}; ${digits(changed)} would change${same > 0 ? `, ${already}` : ""}.`;
    },
    counted: (matched: number) => `${plural(matched, { one: "# row", other: "# rows" })}, counted without a trial.`,
    wouldDelete: (count: number) =>
        plural(count, { one: "# row would be deleted.", other: "# rows would be deleted." }),
    alsoDeleted: "These go with them:",
    refusedRows: (count: number) =>
        plural(count, { one: "# row refuses the change", other: "# rows refuse the change" }),
    moreRefused: (count: number) => `and ${digits(count)} more`,
    leaveOut: "Leave out rows that refuse the change",
    confirmChange: (count: number) => plural(count, { one: "Change # row", other: "Change # rows" }),
    confirmDelete: (count: number) => plural(count, { one: "Delete # row", other: "Delete # rows" }),
    changedRows: (count: number) => plural(count, { one: "# row is changed.", other: "# rows are changed." }),
    deletedRows: (count: number) => plural(count, { one: "# row is deleted.", other: "# rows are deleted." }),
    cannotUndo: (most: number) => `This cannot be undone: only changes of at most ${digits(most)} rows can.`,
    deletionStays: "A deletion cannot be undone.",
    undoneRows: (count: number) =>
        plural(count, { one: "# row is as it was before.", other: "# rows are as they were before." }),
    notUndone: (reason: string) => `Nothing was undone: ${reason}`,
    copied: (count: number) => plural(count, { one: "# cell copied", other: "# cells copied" }),
    written: (count: number) => plural(count, { one: "# value changed", other: "# values changed" }),
    pasteRefused: "Nothing was written: see the marked cells.",
    pastedOutside: (count: number) =>
        plural(count, {
            one: "# value had no place or cannot be written.",
            other: "# values had no place or cannot be written.",
        }),
    imported: (count: number) => plural(count, { one: "# row is imported.", other: "# rows are imported." }),
    nothingToUndo: "Nothing to undo.",
    nothingToRedo: "Nothing to redo.",
    running: "Running …",
    progress: (done: number, total: number) => `${digits(done)} of ${digits(total)}`,
    cancelJob: "Stop",
    canceled: "It was stopped. What was done until then stays.",

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
        jsonl: "JSON, an object on each line",
    },
    safe: "Keep spreadsheets from reading texts as formulas",
    exportColumns: "Columns",
    exportShown: "Those of the list",
    exportEvery: "All properties",
    download: "Download",
    preparing: "Preparing the file …",

    // Import
    importTitle: (type: string) => `Import ${type}`,
    steps: ["File", "Columns", "Trial", "Run"],
    dropFile: "Drop a file here, or choose one",
    fileKinds: "CSV, XLSX, JSON or JSON lines; CSV and JSON may be compressed (.gz). At most 200 MB.",
    chooseFile: "Choose a file",
    reading: "Reading the file …",
    foundRows: (count: number) => plural(count, { one: "# row in the file", other: "# rows in the file" }),
    columnOfFile: "Column of the file",
    samples: "Samples",
    toProperty: "Property",
    leaveOutColumn: "Leave out",
    guessed: "suggested",
    preview: (count: number) => plural(count, { one: "The first row, as read", other: "The first # rows, as read" }),
    importMode: "What each row does",
    importModes: {
        create: "Create a record",
        update: "Change the record with its key",
        upsert: "Change it, or create it",
    },
    key: "Key",
    keepGoing: "Import the good rows, even if others have problems",
    tryImport: "Try the import",
    tryImportAgain: "Try again",
    runImport: (count: number) => plural(count, { one: "Import # row", other: "Import # rows" }),
    importResult: (created: number, updated: number, unchanged: number) =>
        `${digits(created)} created, ${digits(updated)} changed, ${digits(unchanged)} as before.`,
    importStays: "An import cannot be undone.",
    importTried: "Nothing is written yet.",
    importTrial: (created: number, updated: number, unchanged: number) =>
        `${digits(created)} would be created, ${digits(updated)} would be changed, ${digits(unchanged)} are as before.`,
    importRead: (count: number) => plural(count, { one: "# row was read.", other: "# rows were read." }),
    importOnlyRead:
        "Nothing is written yet. The values were checked; in so large a file, the rules of the type are checked by the import itself.",
    importMayClose: "You may close this and go on working: a message tells the end.",
    importGoesOn: (count: number) =>
        plural(count, { one: "The import of # row goes on.", other: "The import of # rows goes on." }),
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
    importBrokeBehind: "The connection broke before the import was done: nothing was imported.",
    importSame: "The import is done; no row was changed.",
    missingColumn: "Choose a property for one column or more.",
    missingDecimal: "Choose the sign before decimals.",
    missingDates: "Choose the order of days with slashes.",
    missingKey: "Choose a property that can be the key, such as a code, for a column.",
    tryFirst: "Try the import first.",
    noGoodRow: "There is no row without a problem.",
    wantGood: "Correct the file, or tick “Import the good rows”.",
    dropImportTitle: "Throw this import away?",
    dropImportBody: "Nothing is imported yet. The file and what you chose for its columns are lost.",
    dropImport: "Throw it away",
    goOnImport: "Go on with it",
    importProblems: (count: number) => plural(count, { one: "# row has a problem", other: "# rows have problems" }),
    firstListed: (count: number) =>
        plural(count, { one: "The first one is listed.", other: "The first # are listed." }),
    foundBy: (relation: string) => `${relation} is found by`,
    quoted: (value: string) => `“${value}”`,
    decimalOf: (sample: string) => `Decimals of numbers such as ${sample} are after`,
    decimalChoose: "choose a sign",
    decimals: { ",": "a comma (1.234,5)", ".": "a point (1,234.5)" },
    daysAre: (sample: string) => `Days with slashes, such as ${sample}, have`,
    daysChoose: "choose an order",
    dayOrders: { dmy: "the day first (31/12/2026)", mdy: "the month first (12/31/2026)" },
    byId: "its id",
    byCode: (code: string) => `its ${code}, or its id`,
    byProperty: (property: string) => `its ${property} alone`,
    importStopped: (line: number | null, left: number) =>
        `The import stopped${line === null ? "" : ` at line ${digits(line)}`}: ` +
        plural(left, {
            one: "the last row of the file was not imported.",
            other: "the last # rows of the file were not imported.",
        }),
    importStoppedHelp:
        "Correct the file. Then import it again by “Change it, or create it”, or import those last rows alone. To pass over bad rows, tick “Import the good rows” before the run.",
    importMayStop:
        "Without this tick, a bad row stops the import: rows before it stay, and rows behind it are left out.",
    nothingImported: "Nothing was imported. Correct the file, or import the good rows.",
    line: "Line",
    problem: "Problem",
    badRows: "Download the bad rows",
    badRowsFirst: (told: number, all: number) =>
        `The file has ${digits(told)} of ${digits(all)} bad rows: the server names no more.`,
    reportColumns: (names: string) => `These columns tell what was wrong before, and are left out: ${names}.`,
    readAs: (title: string, value: string) => `“${title}” is read as ${value}`,
    serverAway: "The server does not answer. The job goes on when it is back.",
    importBroken: "The connection broke before the import was done: nothing was imported. Run it again.",
    again: "Another file",
    close: "Close",

    // The foot of a list: selection, sums, refused values
    foot: {
        staleCell: (column: string) => `${column} was changed by somebody else meanwhile.`,
        staleCellOwn: (column: string) => `You changed ${column} elsewhere.`,
        asRead: "As you read it:",
        theirs: "Now:",
        yours: "Yours:",
        keepMine: "Save yours",
        keepTheirs: "Keep theirs",
        editAgain: "Edit again",
        giveUp: "Give up",
        selection: "Selection",
        selectedRows: (count: number) => plural(count, { one: "# row selected", other: "# rows selected" }),
        allSelected: (count: number) =>
            plural(count, { one: "The one found row is selected", other: "All # found rows are selected" }),
        selectAllFound: (count: number) => plural(count, { one: "Select the one found", other: "Select all # found" }),
        clearSelection: "Clear the selection",
        sum: "Sum",
        average: "Average",
        emptyCount: "Empty",
    },
};
