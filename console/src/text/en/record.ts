// Texts in English: files, merges, JSON and other parts of records, which are not part of the first load.

import { numberIn, pluralIn } from "../plural";

const plural = pluralIn("en");
const digits = numberIn("en");

export default {
    // Files in forms
    files: {
        dropFiles: "Drop files here, paste them, or",
        chooseFile: "choose a file",
        chooseFiles: "choose files",
        camera: "Take a photo",
        uploaded: (name: string) => `${name} was uploaded. Save the record to keep it.`,
        tooManyFiles: (most: number) =>
            plural(most, { one: "Only one file is allowed.", other: "At most # files are allowed." }),
        fileTooLarge: (name: string, limit: string) => `${name} is larger than ${limit}.`,
        fileRefused: (name: string, allowed: string) => `Files such as ${name} are not accepted. Accepted: ${allowed}.`,
        allowed: (list: string) => `Accepted: ${list}`,
        atMost: (size: string) => `at most ${size}`,
    },

    // The merge of two changes
    merge: {
        mergeBody: "Changes of different fields are merged. Choose a value where both changed the same field.",
        mergeNoConflict: "The changes are of different fields. All of them are kept.",
        mergeRead: "Before",
        mergeTheirs: "Theirs",
        mergeYours: "Yours",
        mergeElsewhere: "Elsewhere",
        mergeHere: "Here",
        mergeMerged: "Merged automatically",
        mergeBy: (name: string, when: string) => `Changed by ${name}, ${when}`,
        mergeSave: "Save merged record",
        mergeApply: "Use these values",
        mergeTake: "Discard mine and reload",
    },

    // Other parts of a record: related records and tags
    parts: {
        relatedNone: "No other type refers to this one.",
        relatedEmpty: "No records",
        relatedAll: (count: number) => plural(count, { one: "Show # record", other: "Show all #" }),
        relatedList: "Open as a list",
        relatedNew: (type: string) => `New ${type}`,
        tagsNone: "No tags yet.",
        tagAdd: "Add tag",
        tagAdded: (name: string) => `The tag “${name}” was added.`,
        tagRemoved: (name: string) => `The tag “${name}” was removed.`,
        tagPrivate: "private",
    },

    // JSON as a field
    json: {
        jsonBroken: "This is not a JSON document.",
        jsonAt: (line: number, column: number) =>
            `This is not a JSON document: line ${digits(line)}, column ${digits(column)}.`,
        format: "Format",
        jsonEdit: "Edit as text",
        jsonTree: "Show as a tree",
    },

    // Help on values that nobody types
    rollups: {
        count: (property: string, type: string) =>
            property === "" ? `Number of records (${type})` : `Number of ${property} (${type})`,
        sum: (property: string, type: string) => `Sum of ${property} (${type})`,
        min: (property: string, type: string) => `Minimum of ${property} (${type})`,
        max: (property: string, type: string) => `Maximum of ${property} (${type})`,
        avg: (property: string, type: string) => `Average of ${property} (${type})`,
    },
    rollupFiltered: "filtered",
    calculated: "Calculated",
    calculatedFrom: (fields: string) => `Calculated from ${fields}`,
};
