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
        uploaded: (name) => `${name} je nahrán; k záznamu bude patřit po uložení.`,
        tooManyFiles: (most) =>
            plural(most, {
                one: "Vejde se sem jen jeden soubor.",
                few: "Vejdou se sem nejvýše # soubory.",
                many: "Vejde se sem nejvýše # souboru.",
                other: "Vejde se sem nejvýše # souborů.",
            }),
        fileTooLarge: (name, limit) => `${name} je větší než ${limit}.`,
        fileRefused: (name, allowed) => `${name} je druhu, který se nepřijímá. Přijímá se: ${allowed}.`,
        allowed: (list) => `Přijímá se: ${list}`,
        atMost: (size) => `nejvýše ${size}`,
    },

    // The merge of two changes
    merge: {
        mergeBody: "Změny různých polí se spojí. Kde se změnilo stejné pole, vyberte hodnotu.",
        mergeNoConflict: "Změny jsou v různých polích. Zůstanou všechny.",
        mergeRead: "Jak jste to četli",
        mergeTheirs: "Jejich",
        mergeYours: "Vaše",
        mergeElsewhere: "Jinde",
        mergeHere: "Zde",
        mergeMerged: "Spojeno samo",
        mergeBy: (name, when) => `Změnil(a) ${name}, ${when}`,
        mergeSave: "Uložit spojený záznam",
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
    calculation: "Výpočet:",
};

export default texts;
