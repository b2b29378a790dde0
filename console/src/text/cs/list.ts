// Texts in Czech: the dialogs of a list: columns, filters, views, bulk edit, import and export.

import type en from "../en/list";
import { numberIn, pluralIn } from "../plural";

const plural = pluralIn("cs");
const digits = numberIn("cs");

const rows = (count: number): string =>
    plural(count, { one: "# řádek", few: "# řádky", many: "# řádku", other: "# řádků" });

/** The counts that are not zero, as a sentence: the first names what is counted. */
function told(...parts: [count: number, words: string][]): string {
    const words = parts
        .filter(([count]) => count > 0)
        .map(([count, text], at) => text.replace("#", at === 0 ? rows(count) : digits(count)));
    const [first = "", ...rest] = words;
    return first === "" ? "" : `${[first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(", ")}.`;
}

const texts: typeof en = {
    archived: "archivováno",

    /** Keys of the grid, for the help. */
    keys: [
        ["Enter", "Upravit buňku, stejně jako dvojité kliknutí"],
        ["F2", "Upravit buňku"],
        ["a–z", "V buňce s textem: přepsat text. Jinde: zkratky"],
        ["Alt+a–z", "Zkratka s písmenem v buňce s textem"],
        ["0–9", "Přepsat text, číslo nebo datum v buňce"],
        ["Escape", "Zrušit úpravu nebo výběr"],
        ["Space", "Vybrat řádek"],
        ["Shift+ArrowDown", "Vybrat více buněk"],
        ["Ctrl+C", "Kopírovat buňky"],
        ["Ctrl+V", "Vložit buňky"],
        ["Delete", "Vyprázdnit buňky"],
        ["Ctrl+A", "Vybrat všechny nalezené řádky"],
        ["Ctrl+Home", "První řádek"],
        ["Ctrl+End", "Poslední řádek"],
        ["Ctrl+Enter", "Otevřít záznam jako stránku"],
    ],
    noRows: {
        words: "Hledání neodpovídá žádný řádek.",
        filters: "Filtrům neodpovídá žádný řádek.",
        both: "Hledání a filtrům neodpovídá žádný řádek.",
    },
    clearSearch: "Zrušit hledání",
    noneNamed: (type, words) => `${type}: kód ani název „${words}“ nemá žádný záznam.`,
    severalNamed: (words) => `Název „${words}“ má více záznamů. Použijte kód, id nebo uuid.`,
    columnsHint: "Sloupce a jejich pořadí. Alt+↑ a Alt+↓ posunou ten vybraný.",
    moveHint: "Posunou ho Alt+↑ a Alt+↓",
    moveUp: (column) => `Posunout ${column} nahoru`,
    moveDown: (column) => `Posunout ${column} dolů`,
    widthOf: (column) => `Šířka sloupce ${column} v pixelech`,
    hideColumn: (column) => `Skrýt ${column}`,
    width: "Šířka",
    addColumn: "Přidat sloupec",
    columnBehind: "Sloupec souvisejícího záznamu",
    columnsOfType: "Výchozí sloupce",
    builder: "Sestavit",
    asJson: "Jako JSON",
    asCurl: "Jako curl",
    curlHint: "Místo $PLINTH_KEY vložte svůj klíč API.",
    notFilters: "Toto není seznam filtrů.",
    tooManyFilters: "Seznam může mít nejvýše 100 filtrů.",
    apply: "Použít",
    copy: "Kopírovat",
    copiedText: "Zkopírováno.",
    groupOf: (mode) => `Skupina: ${mode}`,
    mode: "Jak se filtry skupiny spojují",
    modes: { and: "Všechny z těchto", or: "Kterýkoli z těchto", not: "Ne všechny z těchto" },
    removeGroup: "Odebrat skupinu",
    removeRow: "Odebrat filtr",
    addGroup: "Přidat skupinu",
    property: "Pole",
    chooseProperty: "Vyberte pole",
    behindRelations: "Pole souvisejících záznamů",
    back: "Zpět",
    operator: "Operátor",
    value: "Hodnota",
    fold: "bez ohledu na velikost a háčky",
    from: "Od",
    to: "Do",
    count: "Počet",
    unit: "Jednotka",
    comparison: "Porovnání",
    addByEnter: "Hodnota, pak Enter",
    viewTitle: "Název",
    viewKeeps: "Pohled uloží nynější filtry, hledání, řazení a sloupce seznamu.",
    viewSaved: (title) => `Pohled „${title}“ je uložen.`,
    viewShared: (title) => `Pohled „${title}“ je uložen a sdílen se všemi.`,
    viewSharedWith: (title, roles) => `Pohled „${title}“ je uložen a sdílen s těmito rolemi: ${roles}.`,
    viewDeleted: "Pohled je smazán.",
    deleteViewSure: "Natrvalo smazat",
    sharing: "Kdo ho vidí",
    shareOwn: "Jen vy",
    shareAll: "Všichni",
    shareRoles: "Tyto role",
    roles: "Role",
    rolesHint: "agent, manager",
    save: "Uložit",
    changeRows: (count) => plural(count, { one: "Změnit # řádek", few: "Změnit # řádky", other: "Změnit # řádků" }),
    deleteRows: (count) => plural(count, { one: "Smazat # řádek", few: "Smazat # řádky", other: "Smazat # řádků" }),
    addProperty: "Přidat další pole",
    trial: "Náhled změn",
    trying: "Kontroluje se …",
    tried: (matched, changed, same) => {
        const rows = plural(matched, { one: "# řádek", few: "# řádky", other: "# řádků" });
        const would = plural(changed, { one: "# by se změnil", few: "# by se změnily", other: "# by se změnilo" });
        const already = plural(same, {
            one: "# zůstane stejný",
            few: "# zůstanou stejné",
            other: "# zůstane stejných",
        });
        return `${rows}; ${would}${same > 0 ? `, ${already}` : ""}.`;
    },
    counted: (matched) =>
        `${plural(matched, { one: "# řádek", few: "# řádky", other: "# řádků" })}, spočteno bez náhledu.`,
    wouldDelete: (count) =>
        plural(count, { one: "# řádek by se smazal.", few: "# řádky by se smazaly.", other: "# řádků by se smazalo." }),
    alsoDeleted: "Smaže se také:",
    refusedRows: (count) =>
        plural(count, { one: "# řádek nelze změnit", few: "# řádky nelze změnit", other: "# řádků nelze změnit" }),
    moreRefused: (count) => plural(count, { one: "a # další", few: "a # další", other: "a # dalších" }),
    leaveOut: "Přeskočit řádky, které nelze změnit",
    confirmChange: (count) => plural(count, { one: "Změnit # řádek", few: "Změnit # řádky", other: "Změnit # řádků" }),
    confirmDelete: (count) => plural(count, { one: "Smazat # řádek", few: "Smazat # řádky", other: "Smazat # řádků" }),
    changedRows: (count) =>
        plural(count, { one: "Změněn # řádek.", few: "Změněny # řádky.", other: "Změněno # řádků." }),
    deletedRows: (count) =>
        plural(count, { one: "Smazán # řádek.", few: "Smazány # řádky.", other: "Smazáno # řádků." }),
    cannotUndo: (most) => `Nepůjde to vzít zpět. Lze to jen u změn do ${digits(most)} řádků.`,
    deletionStays: "Smazání nelze vzít zpět.",
    undoneRows: (count) =>
        plural(count, {
            one: "Obnoven # řádek.",
            few: "Obnoveny # řádky.",
            other: "Obnoveno # řádků.",
        }),
    notUndone: (records, reason) => `Nic se nevzalo zpět. ${records}: ${reason}`,
    notDeleted: (records, reason) => `Nesmazáno: ${records}: ${reason}`,
    copied: (count, many) =>
        plural(count, { one: "Zkopírována # buňka", few: "Zkopírovány # buňky", other: "Zkopírováno # buněk" }) +
        (many > 1 ? ` (${rows(many)})` : ""),
    copiedPart: (count, first, all) =>
        `${plural(count, { one: "Zkopírována # buňka", few: "Zkopírovány # buňky", other: "Zkopírováno # buněk" })}: prvních ${digits(first)} z ${digits(all)} řádků. Všechny získáte exportem seznamu.`,
    copyAgain: "Všechny řádky jsou načtené. Zkopírujete je dalším Ctrl+C.",
    loadingRows: (done, all) => `Načítání řádků: ${digits(done)} z ${digits(all)} …`,
    rowsMoved: "Nic se nestalo: seznam se mezitím změnil. Zkontrolujte označené buňky a zkuste to znovu.",
    written: (count) =>
        plural(count, { one: "Změněna # hodnota", few: "Změněny # hodnoty", other: "Změněno # hodnot" }),
    pasteRefused: "Nic se nevložilo. Viz označené buňky.",
    pastedOutside: (count) =>
        plural(count, {
            one: "# hodnota se nevejde, nebo ji nelze změnit.",
            few: "# hodnoty se nevejdou, nebo je nelze změnit.",
            other: "# hodnot se nevejde, nebo je nelze změnit.",
        }),
    imported: (count) =>
        plural(count, {
            one: "Naimportován # řádek.",
            few: "Naimportovány # řádky.",
            other: "Naimportováno # řádků.",
        }),
    nothingToUndo: "Není co vrátit zpět.",
    nothingToRedo: "Není co udělat znovu.",
    running: "Probíhá …",
    progress: (done, total) => `${digits(done)} z ${digits(total)}`,
    cancelJob: "Zastavit",
    canceled: "Zastaveno. Co se už udělalo, zůstává.",
    exportTitle: (type) => `Exportovat: ${type}`,
    exportText: (count) =>
        plural(count, {
            one: "# řádek, s filtry, pořadím a sloupci seznamu.",
            few: "# řádky, s filtry, pořadím a sloupci seznamu.",
            other: "# řádků, s filtry, pořadím a sloupci seznamu.",
        }),
    format: "Formát",
    formats: {
        csv: "CSV, pro všechny programy",
        xlsx: "XLSX, pro tabulkové procesory",
        json: "JSON",
        jsonl: "JSON Lines, objekt na každém řádku",
    },
    safe: "Zabránit tabulkám, aby četly text jako vzorce",
    exportColumns: "Sloupce",
    exportShown: "Sloupce seznamu",
    exportEvery: "Všechna pole",
    download: "Stáhnout",
    preparing: "Soubor se připravuje …",
    importTitle: (type) => `Importovat do: ${type}`,
    steps: ["Soubor", "Sloupce", "Kontrola", "Import"],
    dropFile: "Přetáhněte sem soubor, nebo ho vyberte",
    fileKinds: "CSV, XLSX, JSON nebo JSON Lines. CSV a JSON mohou být zabalené (.gz). Nejvýše 200 MB.",
    chooseFile: "Vybrat soubor",
    reading: "Soubor se čte …",
    foundRows: (count) =>
        plural(count, { one: "# řádek v souboru", few: "# řádky v souboru", other: "# řádků v souboru" }),
    columnOfFile: "Sloupec v souboru",
    samples: "Ukázky",
    toProperty: "Pole",
    leaveOutColumn: "Neimportovat",
    guessed: "navrženo",
    preview: (count) =>
        plural(count, {
            one: "První řádek, jak byl přečten",
            few: "První # řádky, jak byly přečteny",
            other: "Prvních # řádků, jak byly přečteny",
        }),
    importMode: "Pro každý řádek",
    importModes: {
        create: "Vytvořit záznam",
        update: "Změnit existující záznam",
        upsert: "Změnit, nebo vytvořit záznam",
    },
    key: "Klíč",
    keepGoing: "Přeskočit řádky s chybami a ostatní importovat",
    tryImport: "Zkontrolovat soubor",
    fileChanged: (name) =>
        `Soubor ${name} se od výběru změnil nebo přesunul. Konzole má jeho dřívější verzi. Novou zkontrolujete, když soubor vyberete znovu: nastavení zůstane.`,
    chooseAnew: "Vybrat soubor znovu",
    checkOld: "Zkontrolovat dřívější verzi",
    tryImportAgain: "Zkontrolovat znovu",
    runImport: (count) =>
        plural(count, { one: "Importovat # řádek", few: "Importovat # řádky", other: "Importovat # řádků" }),
    importResult: (created, updated, unchanged, undone = false) =>
        told(
            [created, undone ? "vytvořeno: #, potom vráceno" : "vytvořeno: #"],
            [updated, "změněno: #"],
            [unchanged, "beze změny: #"],
        ) || "Nic se nenaimportovalo.",
    importStays:
        "Import můžete do jednoho dne vrátit v tomto okně, v části Importy za poslední den: řádky, které vytvořil, se smažou.",
    undoImport: "Vrátit import",
    undoImportTitle: "Vrátit tento import?",
    undoImportHelp:
        "Řádky, které import vytvořil, se smažou i s pozdějšími změnami. Řádky, které změnil, zůstanou, jak jsou.",
    undoImportRun: (count) => plural(count, { one: "Smazat # řádek", few: "Smazat # řádky", other: "Smazat # řádků" }),
    importTooLarge: "Import více než 100 000 řádků nelze vrátit.",
    discardRest: "Zahodit zbytek",
    resumeImport: "Importovat zbytek bez řádků s chybami",
    importResumable: "Řádky s chybami se přeskočí a dají se pak uložit jako soubor.",
    pastImports: "Importy za poslední den",
    undone: "potom vráceno",
    namesHere: "Názvy souborů zná jen prohlížeč, který je odeslal.",
    created: (count) =>
        plural(count, { one: "# řádek vytvořen", few: "# řádky vytvořeny", other: "# řádků vytvořeno" }),
    deletionOf: (type) => `Mazání: ${type}`,
    importTried: "Zatím se nic nenaimportovalo.",
    importTrial: (created, updated, unchanged) =>
        told([created, "vytvoří se #"], [updated, "změní se #"], [unchanged, "beze změny: #"]) ||
        "Žádný řádek nelze importovat.",
    importRead: (count) =>
        plural(count, { one: "Přečten # řádek.", few: "Přečteny # řádky.", other: "Přečteno # řádků." }),
    importOnlyRead:
        "Zatím se nic nenaimportovalo. Hodnoty jsou zkontrolované. Pravidla typu u tak velkého souboru zkontroluje až import.",
    importMayClose: "Okno můžete zavřít a pracovat dál. Až bude hotovo, uvidíte oznámení.",
    importGoesOn: (count) =>
        plural(count, {
            one: "Import # řádku pokračuje.",
            few: "Import # řádků pokračuje.",
            other: "Import # řádků pokračuje.",
        }),
    showList: "Zobrazit seznam",
    jobs: {
        import: (type) => `Import: ${type}`,
        export: (type) => `Export: ${type}`,
        bulk: (type) => `Hromadná změna: ${type}`,
    },
    bulkDone: (count) =>
        plural(count, {
            one: "Změna # řádku je hotová.",
            few: "Změna # řádků je hotová.",
            other: "Změna # řádků je hotová.",
        }),
    bulkFailed: (reason) => `Změna se nezdařila: ${reason}`,
    jobsRegion: "Probíhající importy, exporty a změny",
    progressRows: (done, total) =>
        `${digits(done)} z ${plural(total, { one: "# řádku", few: "# řádků", other: "# řádků" })}`,
    waiting: "Čeká se …",
    exportReady: "Soubor je připraven.",
    exportStopped: "Export byl zastaven.",
    exportFailed: (reason) => `Export se nezdařil: ${reason}`,
    importFailed: (reason) => `Import se nezdařil: ${reason}`,
    importBrokeBehind: "Spojení se přerušilo před koncem importu. Nic se nenaimportovalo.",
    importSame: "Import je hotový. Žádný řádek se nezměnil.",
    missingColumn: "Vyberte pole aspoň pro jeden sloupec.",
    missingDecimal: "Vyberte oddělovač desetinných míst.",
    missingDates: "Vyberte formát dat.",
    missingKey: "Vyberte pro některý sloupec pole, které může být klíčem, například kód.",
    tryFirst: "Nejdřív soubor zkontrolujte.",
    noGoodRow: "Všechny řádky mají chyby.",
    wantGood: "Opravte soubor, nebo zaškrtněte „Přeskočit řádky s chybami“.",
    dropImportTitle: "Zahodit tento import?",
    dropImportBody: "Zatím se nic nenaimportovalo. Soubor a výběr pro jeho sloupce se ztratí.",
    dropImport: "Zahodit",
    goOnImport: "Pokračovat",
    importProblems: (count) =>
        plural(count, { one: "# řádek má chybu", few: "# řádky mají chyby", other: "# řádků má chyby" }),
    importSkipped: (count) =>
        plural(count, {
            one: "# řádek přeskočen kvůli chybám",
            few: "# řádky přeskočeny kvůli chybám",
            other: "# řádků přeskočeno kvůli chybám",
        }),
    firstListed: (count) =>
        plural(count, { one: "Vypsán je první.", few: "Vypsány jsou první #.", other: "Vypsáno je prvních #." }),
    foundBy: (relation) => `${relation}: najít podle`,
    quoted: (value) => `„${value}“`,
    decimalOf: (sample) => `Desetinný oddělovač čísel jako ${sample}`,
    decimalChoose: "Vyberte oddělovač",
    decimals: { ",": "Čárka (1.234,5)", ".": "Tečka (1,234.5)" },
    daysAre: (sample) => `Formát dat jako ${sample}`,
    daysChoose: "Vyberte formát",
    dayOrders: { dmy: "Nejdřív den (31/12/2026)", mdy: "Nejdřív měsíc (12/31/2026)" },
    byId: "id",
    byCode: (code) => `${code}, nebo id`,
    byProperty: (property) => `jen ${property}`,
    importStopped: (line, left) =>
        `Import se zastavil${line === null ? "" : ` na řádku ${digits(line)}`}: ` +
        plural(left, {
            one: "poslední řádek souboru se nenaimportoval.",
            few: "poslední # řádky souboru se nenaimportovaly.",
            other: "posledních # řádků souboru se nenaimportovalo.",
        }),
    importStoppedHelp:
        "Opravte soubor. Pak ho importujte znovu volbou „Změnit, nebo vytvořit záznam“, nebo importujte jen ty poslední řádky. Řádky s chybami se přeskočí, když to před importem zaškrtnete.",
    importMayStop: "Bez zaškrtnutí řádek s chybou import zastaví: řádky před ním se naimportují, řádky za ním ne.",
    nothingImported: "Opravte soubor, nebo řádky s chybami přeskočte.",
    line: "Řádek",
    problem: "Chyba",
    badRows: "Stáhnout řádky s chybami",
    badRowsFirst: (told, all) =>
        `V souboru je ${digits(told)} z ${digits(all)} řádků s chybami. Server jich víc neuvedl.`,
    columnTwice: (name) => `Sloupec „${name}“ je v souboru dvakrát. Jeden z nich přejmenujte nebo odeberte.`,
    reportColumns: (names) => `Tyto sloupce uvádějí chyby minulého importu a přeskočí se: ${names}.`,
    readAs: (title, value) => `„${title}“ se čte jako ${value}`,
    serverAway: "Server neodpovídá. Úloha bude pokračovat, až se vrátí.",
    importBroken: "Spojení se přerušilo před koncem importu. Nic se nenaimportovalo. Spusťte ho znovu.",
    again: "Vybrat jiný soubor",
    close: "Zavřít",
    required: (fields, some) =>
        fields.length === 1
            ? `Pole ${fields.join()} je${some ? " u nových záznamů" : ""} povinné: vyberte jeho sloupec.`
            : `Tato pole jsou${some ? " u nových záznamů" : ""} povinná: ${fields.join(", ")}. Vyberte jejich sloupce.`,
    keptMapping: "Pole jsou ta, která jste dříve vybrali pro soubor s těmito sloupci.",
    goneSince: "Vráceno, nebo mezitím smazáno",
    nothingLeft: "Z toho, co tento import vytvořil, už nic nezbývá.",
    showNew: (count) =>
        plural(count, {
            one: "Zobrazit nový řádek",
            few: "Zobrazit # nové řádky",
            many: "Zobrazit # nového řádku",
            other: "Zobrazit # nových řádků",
        }),

    // The foot of a list: selection, sums, refused values
    foot: {
        staleCell: (column) => `${column}: mezitím to změnil někdo jiný.`,
        staleCellOwn: (column) => `${column}: změnili jste to jinde.`,
        editHint: "Buňku upravíte dvojitým kliknutím nebo klávesou Enter. Všechny klávesy ukáže ?.",
        asRead: "Předtím:",
        theirs: "Teď:",
        yours: "Vaše:",
        keepMine: "Ponechat moje",
        keepTheirs: "Ponechat druhou",
        editAgain: "Upravit znovu",
        giveUp: "Zahodit",
        selection: "Výběr",
        selectedRows: (count) =>
            plural(count, { one: "Vybrán # řádek", few: "Vybrány # řádky", other: "Vybráno # řádků" }),
        allSelected: (count) =>
            plural(count, {
                one: "Vybrán jediný nalezený řádek",
                few: "Vybrány všechny # nalezené řádky",
                other: "Vybráno všech # nalezených řádků",
            }),
        selectAllFound: (count) =>
            plural(count, {
                one: "Vybrat jediný nalezený",
                few: "Vybrat všechny # nalezené",
                other: "Vybrat všech # nalezených",
            }),
        clearSelection: "Zrušit výběr",
        sum: "Součet",
        average: "Průměr",
        partOf: (count, all) => `(jen ${digits(count)} z ${digits(all)} řádků)`,
        emptyCount: "Prázdné",
    },
};

export default texts;
