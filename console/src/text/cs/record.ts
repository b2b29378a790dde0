// Texts in Czech: files, merges, JSON and other parts of records, which are not part of the first load.

import type en from "../en/record";
import { numberIn, pluralIn } from "../plural";

const plural = pluralIn("cs");
const digits = numberIn("cs");

const texts: typeof en = {
    // Files in forms
    files: {
        dropFiles: "Přetáhněte sem soubory, vložte je, nebo",
        chooseFile: "vyberte soubor",
        chooseFiles: "vyberte soubory",
        camera: "Vyfotit",
        uploaded: (name) => `${name} je nahrán. K záznamu bude patřit, až ho uložíte.`,
        tooManyFiles: (most) =>
            plural(most, {
                one: "Může tu být jen jeden soubor.",
                few: "Mohou tu být nejvýše # soubory.",
                many: "Může tu být nejvýše # souboru.",
                other: "Může tu být nejvýše # souborů.",
            }),
        fileTooLarge: (name, limit) => `${name} je větší než ${limit}.`,
        fileRefused: (name, allowed) => `Soubory jako ${name} se nepřijímají. Přijímá se: ${allowed}.`,
        allowed: (list) => `Přijímá se: ${list}`,
        atMost: (size) => `nejvýše ${size}`,
    },

    // The merge of two changes
    merge: {
        mergeBody: "Změny různých polí se sloučí. Kde se změnilo stejné pole, vyberte hodnotu.",
        mergeNoConflict: "Změny jsou v různých polích. Zůstanou všechny.",
        mergeRead: "Předtím",
        mergeTheirs: "Jejich",
        mergeYours: "Vaše",
        mergeElsewhere: "Jinde",
        mergeHere: "Zde",
        mergeMerged: "Sloučeno automaticky",
        mergeBy: (name, when) => `Změnil(a) ${name}, ${when}`,
        mergeSave: "Uložit sloučený záznam",
        mergeApply: "Použít tyto hodnoty",
        mergeTake: "Zahodit moje, načíst znovu",
    },

    // Other parts of a record: related records and tags
    parts: {
        relatedNone: "Žádný jiný typ na tento neodkazuje.",
        relatedEmpty: "Žádné záznamy",
        relatedAll: (count) =>
            plural(count, {
                one: "Zobrazit # záznam",
                few: "Zobrazit všechny #",
                many: "Zobrazit všech #",
                other: "Zobrazit všech #",
            }),
        relatedList: "Otevřít jako seznam",
        relatedNew: (type) => `Nový záznam: ${type}`,
        tagsNone: "Zatím žádné štítky.",
        tagAdd: "Přidat štítek",
        tagAdded: (name) => `Štítek „${name}“ je přidán.`,
        tagRemoved: (name) => `Štítek „${name}“ je odebrán.`,
        tagPrivate: "soukromý",
    },

    // JSON as a field
    json: {
        jsonBroken: "Toto není dokument JSON.",
        jsonAt: (line, column) => `Toto není dokument JSON: řádek ${digits(line)}, sloupec ${digits(column)}.`,
        format: "Uspořádat",
        jsonEdit: "Upravit jako text",
        jsonTree: "Ukázat jako strom",
    },

    // Help on values that nobody types
    rollups: {
        count: (property, type) => (property === "" ? `Počet záznamů (${type})` : `Počet: ${property} (${type})`),
        sum: (property, type) => `Součet: ${property} (${type})`,
        min: (property, type) => `Minimum: ${property} (${type})`,
        max: (property, type) => `Maximum: ${property} (${type})`,
        avg: (property, type) => `Průměr: ${property} (${type})`,
    },
    rollupFiltered: "s filtrem",
    calculated: "Vypočteno",
    calculatedFrom: (fields) => `Vypočteno z polí: ${fields}`,
};

export default texts;
