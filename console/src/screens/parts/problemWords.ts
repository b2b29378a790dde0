// A problem of a row in words: the title of the property, the value, and what is wrong with it.

import type { TypeModel } from "../../data/model";
import { issueText } from "../../form/issues";
import { text } from "../../text";

export interface ToldProblem {
    property?: string;
    column?: string;
    code: string;
    message?: string;
    value?: string;
}

function titleOf(type: TypeModel, path: string): string {
    const [name = "", ...rest] = path.split(".");
    return [type.property(name)?.title || name, ...rest].join(" › ");
}

function wordsOf(type: TypeModel, { column, property: name, code, message }: ToldProblem): string {
    const property = type.property(column ?? name ?? "");
    const own = property && issueText(property, { code, ...(message === undefined ? {} : { message }) });
    // Without a message, the words of the property may be the code alone.
    if (own && own !== code) return own;
    return message || text.app.codes[code] || code;
}

/** A sentence of the property, the value, and what is wrong with it. The server's own message has all of them. */
export function problemWords(type: TypeModel, problem: ToldProblem): string {
    const title = titleOf(type, problem.column ?? problem.property ?? "");
    const words = wordsOf(type, problem);
    if (words === problem.message && words.startsWith(title)) return words;
    if (problem.value === undefined) return [title, words].filter((part) => part !== "").join(": ");
    const value = text.more.list.quoted(problem.value);
    // The console's own words go on after the value; others begin with a name, maybe.
    const rest = words === problem.message ? words : words.charAt(0).toLocaleLowerCase() + words.slice(1);
    return [title, [value, rest].filter((part) => part !== "").join(" — ")].filter((part) => part !== "").join(": ");
}
