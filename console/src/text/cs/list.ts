// Texts in Czech: the dialogs of a list: columns, filters, views, bulk edit, import and export.

import type en from "../en/list";
import { numberIn, pluralIn } from "../plural";

const plural = pluralIn("cs");
const digits = numberIn("cs");

const texts: typeof en = {
    archived: "archivováno",
    columnsHint: "Sloupce a jejich pořadí. Alt a šipky posunou ten vybraný.",
    moveHint: "Posunou ho Alt+↑ a Alt+↓",
    moveUp: (column) => `Posunout ${column} nahoru`,
    moveDown: (column) => `Posunout ${column} dolů`,
    widthOf: (column) => `Šířka sloupce ${column} v pixelech`,
    hideColumn: (column) => `Skrýt ${column}`,
    addColumn: "Přidat sloupec",
    columnBehind: "Sloupec souvisejícího záznamu",
    columnsOfType: "Výchozí sloupce",
    builder: "Sestavit",
    asJson: "Jako JSON",
    asCurl: "Jako curl",
    curlHint: "Místo $PLINTH_KEY dejte svůj klíč API.",
    notFilters: "Toto není seznam filtrů.",
    tooManyFilters: "Seznam má nejvýše 100 filtrů.",
    apply: "Použít",
    copy: "Kopírovat",
    copiedText: "Zkopírováno.",
    groupOf: (mode) => `Skupina: ${mode}`,
    mode: "Jak se filtry skupiny spojují",
    modes: { and: "Všechny z těchto", or: "Kterýkoli z těchto", not: "Ne všechny z těchto" },
    removeGroup: "Odebrat skupinu",
    removeRow: "Odebrat filtr",
    addGroup: "Přidat skupinu",
    property: "Vlastnost",
    chooseProperty: "Vyberte vlastnost",
    behindRelations: "Ze souvisejících záznamů",
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
    viewKeeps: "Pohled si pamatuje nynější filtry, hledání, pořadí a sloupce seznamu.",
    viewSaved: (title) => `Pohled „${title}“ je uložen.`,
    viewDeleted: "Pohled je smazán.",
    deleteViewSure: "Opravdu smazat",
    sharing: "Kdo ho vidí",
    shareOwn: "Jen vy",
    shareAll: "Všichni",
    shareRoles: "Tyto role",
    roles: "Role",
    rolesHint: "agent, manager",
    save: "Uložit",
    changeRows: (count) => plural(count, { one: "Změnit # řádek", few: "Změnit # řádky", other: "Změnit # řádků" }),
    deleteRows: (count) => plural(count, { one: "Smazat # řádek", few: "Smazat # řádky", other: "Smazat # řádků" }),
    addProperty: "Další vlastnost",
    trial: "Vyzkoušet",
    trying: "Zkouší se …",
    tried: (matched, changed, same) => {
        const rows = plural(matched, { one: "# řádek", few: "# řádky", other: "# řádků" });
        const would = plural(changed, { one: "# by se změnil", few: "# by se změnily", other: "# by se změnilo" });
        const already = plural(same, { one: "# už takový je", few: "# už takové jsou", other: "# už takových je" });
        return `${rows}; ${would}${same > 0 ? `, ${already}` : ""}.`;
    },
    counted: (matched) =>
        `${plural(matched, { one: "# řádek", few: "# řádky", other: "# řádků" })}, spočteno bez zkoušky.`,
    wouldDelete: (count) =>
        plural(count, { one: "# řádek by se smazal.", few: "# řádky by se smazaly.", other: "# řádků by se smazalo." }),
    alsoDeleted: "S nimi se smaže:",
    refusedRows: (count) =>
        plural(count, { one: "# řádek změnu odmítá", few: "# řádky změnu odmítají", other: "# řádků změnu odmítá" }),
    moreRefused: (count) => plural(count, { one: "a # další", few: "a # další", other: "a # dalších" }),
    leaveOut: "Vynechat řádky, které změnu odmítají",
    confirmChange: (count) => plural(count, { one: "Změnit # řádek", few: "Změnit # řádky", other: "Změnit # řádků" }),
    confirmDelete: (count) => plural(count, { one: "Smazat # řádek", few: "Smazat # řádky", other: "Smazat # řádků" }),
    changedRows: (count) =>
        plural(count, { one: "# řádek je změněn.", few: "# řádky jsou změněny.", other: "# řádků je změněno." }),
    deletedRows: (count) =>
        plural(count, { one: "# řádek je smazán.", few: "# řádky jsou smazány.", other: "# řádků je smazáno." }),
    cannotUndo: (most) => `Nepůjde to vzít zpět: lze to jen u změn nejvýše ${digits(most)} řádků.`,
    deletionStays: "Smazání nelze vzít zpět.",
    undoneRows: (count) =>
        plural(count, {
            one: "# řádek je jako předtím.",
            few: "# řádky jsou jako předtím.",
            other: "# řádků je jako předtím.",
        }),
    notUndone: (reason) => `Nic se nevzalo zpět: ${reason}`,
    copied: (count) =>
        plural(count, { one: "Zkopírována # buňka", few: "Zkopírovány # buňky", other: "Zkopírováno # buněk" }),
    written: (count) =>
        plural(count, { one: "Změněna # hodnota", few: "Změněny # hodnoty", other: "Změněno # hodnot" }),
    pasteRefused: "Nic se nezapsalo: viz označené buňky.",
    pastedOutside: (count) =>
        plural(count, {
            one: "# hodnota neměla místo, nebo se nedá zapsat.",
            few: "# hodnoty neměly místo, nebo se nedají zapsat.",
            other: "# hodnot nemělo místo, nebo se nedají zapsat.",
        }),
    imported: (count) =>
        plural(count, {
            one: "# řádek je naimportován.",
            few: "# řádky jsou naimportovány.",
            other: "# řádků je naimportováno.",
        }),
    nothingToUndo: "Není co vrátit zpět.",
    nothingToRedo: "Není co udělat znovu.",
    running: "Probíhá …",
    progress: (done, total) => `${digits(done)} z ${digits(total)}`,
    cancelJob: "Zastavit",
    canceled: "Zastaveno. Co se do té doby udělalo, zůstává.",
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
        jsonl: "JSON, objekt na každém řádku",
    },
    safe: "Zabránit tabulkám, aby texty četly jako vzorce",
    exportColumns: "Sloupce",
    exportShown: "Ty, které má seznam",
    exportEvery: "Všechny vlastnosti",
    download: "Stáhnout",
    preparing: "Soubor se připravuje …",
    importTitle: (type) => `Importovat: ${type}`,
    steps: ["Soubor", "Sloupce", "Zkouška", "Běh"],
    dropFile: "Přetáhněte sem soubor, nebo ho vyberte",
    fileKinds: "CSV, XLSX, JSON nebo řádky JSON; CSV a JSON smí být zabalené (.gz). Nejvýše 200 MB.",
    chooseFile: "Vybrat soubor",
    reading: "Soubor se čte …",
    foundRows: (count) =>
        plural(count, { one: "# řádek v souboru", few: "# řádky v souboru", other: "# řádků v souboru" }),
    columnOfFile: "Sloupec souboru",
    samples: "Ukázky",
    toProperty: "Vlastnost",
    leaveOutColumn: "Vynechat",
    guessed: "navrženo",
    preview: (count) =>
        plural(count, {
            one: "První řádek, jak byl přečten",
            few: "První # řádky, jak byly přečteny",
            other: "Prvních # řádků, jak byly přečteny",
        }),
    importMode: "Co udělá každý řádek",
    importModes: { create: "Vytvoří záznam", update: "Změní záznam se svým klíčem", upsert: "Změní ho, nebo vytvoří" },
    key: "Klíč",
    keepGoing: "Importovat dobré řádky, i když jiné mají chyby",
    tryImport: "Vyzkoušet import",
    tryImportAgain: "Vyzkoušet znovu",
    runImport: (count) =>
        plural(count, { one: "Importovat # řádek", few: "Importovat # řádky", other: "Importovat # řádků" }),
    importResult: (created, updated, unchanged) =>
        `Vytvořeno ${digits(created)}, změněno ${digits(updated)}, beze změny ${digits(unchanged)}.`,
    importStays: "Import nelze vzít zpět.",
    importTried: "Zatím se nic nezapsalo.",
    importTrial: (created, updated, unchanged) =>
        `Vytvořilo by se ${digits(created)}, změnilo by se ${digits(updated)}, beze změny ${digits(unchanged)}.`,
    importRead: (count) =>
        plural(count, { one: "Přečten # řádek.", few: "Přečteny # řádky.", other: "Přečteno # řádků." }),
    importOnlyRead:
        "Zatím se nic nezapsalo. Hodnoty jsou zkontrolované; pravidla typu u tak velkého souboru zkontroluje až import.",
    importMayClose: "Okno můžete zavřít a pracovat dál: o konci se dozvíte ze zprávy.",
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
    importBrokeBehind: "Spojení se přerušilo před koncem importu: nic se nenaimportovalo.",
    importSame: "Import je hotový; žádný řádek se nezměnil.",
    missingColumn: "Vyberte vlastnost aspoň pro jeden sloupec.",
    missingDecimal: "Vyberte znaménko před desetinnými místy.",
    missingDates: "Vyberte pořadí u dnů s lomítky.",
    missingKey: "Vyberte pro některý sloupec vlastnost, která může být klíčem, například kód.",
    tryFirst: "Nejdřív import vyzkoušejte.",
    noGoodRow: "Žádný řádek není bez chyby.",
    wantGood: "Opravte soubor, nebo zaškrtněte „Importovat dobré řádky“.",
    dropImportTitle: "Zahodit tento import?",
    dropImportBody: "Zatím se nic nenaimportovalo. Soubor a to, co jste vybrali pro jeho sloupce, se ztratí.",
    dropImport: "Zahodit",
    goOnImport: "Pokračovat v něm",
    importProblems: (count) =>
        plural(count, { one: "# řádek má chybu", few: "# řádky mají chyby", other: "# řádků má chyby" }),
    firstListed: (count) =>
        plural(count, { one: "Vypsán je první.", few: "Vypsány jsou první #.", other: "Vypsáno je prvních #." }),
    foundBy: (relation) => `${relation} se najde podle:`,
    quoted: (value) => `„${value}“`,
    decimalOf: (sample) => `Desetinná místa čísel jako ${sample} jsou za`,
    decimalChoose: "vyberte znaménko",
    decimals: { ",": "čárkou (1.234,5)", ".": "tečkou (1,234.5)" },
    daysAre: (sample) => `Dny s lomítky jako ${sample} mají`,
    daysChoose: "vyberte pořadí",
    dayOrders: { dmy: "nejdřív den (31/12/2026)", mdy: "nejdřív měsíc (12/31/2026)" },
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
        "Opravte soubor. Pak ho importujte znovu volbou „Změní ho, nebo vytvoří“, nebo importujte jen ty poslední řádky. Chybné řádky se přeskočí, když před během zaškrtnete „Importovat dobré řádky“.",
    importMayStop: "Bez zaškrtnutí chybný řádek import zastaví: řádky před ním zůstanou, řádky za ním se vynechají.",
    nothingImported: "Nic se nenaimportovalo. Opravte soubor, nebo importujte dobré řádky.",
    line: "Řádek",
    problem: "Chyba",
    badRows: "Stáhnout chybné řádky",
    badRowsFirst: (told, all) =>
        `V souboru je ${digits(told)} z ${digits(all)} chybných řádků: server jich víc neuvedl.`,
    reportColumns: (names) => `Tyto sloupce říkají, co bylo minule špatně, a vynechají se: ${names}.`,
    readAs: (title, value) => `„${title}“ se čte jako ${value}`,
    serverAway: "Server neodpovídá. Úloha bude pokračovat, až se vrátí.",
    importBroken: "Spojení se přerušilo před koncem importu: nic se nenaimportovalo. Spusťte ho znovu.",
    again: "Jiný soubor",
    close: "Zavřít",

    // The foot of a list: selection, sums, refused values
    foot: {
        staleCell: (column) => `${column}: mezitím to změnil někdo jiný.`,
        staleCellOwn: (column) => `${column}: změnili jste to jinde.`,
        asRead: "Jak jste to četli:",
        theirs: "Teď:",
        yours: "Vaše:",
        keepMine: "Uložit vaše",
        keepTheirs: "Nechat druhou",
        editAgain: "Upravit znovu",
        giveUp: "Nechat být",
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
        emptyCount: "Prázdné",
    },
};

export default texts;
