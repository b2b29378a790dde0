// The words of a mistake: of the console by its code, of the tenant for its own rules, else those of the server.

import { locale, text } from "../text";
import type { PropertyModel } from "../data/model";
import type { FieldProblem } from "./refusal";
import { writeNumber } from "./decimal";

/** Codes whose words need a limit that the server's answer does not tell apart. */
const limited: Record<string, (property: PropertyModel) => unknown> = {
    too_long: (property) => property.maxLength,
    too_short: (property) => property.minLength,
    too_small: (property) => property.min,
    too_large: (property) => property.max,
    too_many_places: (property) => property.scale ?? 2,
    too_many_files: (property) => property.maxFiles,
    file_too_large: (property) => property.maxSize,
};

export function issueText(property: PropertyModel, problem: FieldProblem): string {
    const { code, message } = problem;
    if (code === "unread" || code === "rule_broken") return message ?? "";
    const words = (text.form.issues as Record<string, ((limit: string) => string) | undefined>)[code];
    if (!words) return message ?? code;
    const limit = problem.limit ?? limited[code]?.(property);
    if (code in limited && (limit === undefined || limit === null)) return message ?? words("");
    return words(limit === undefined || limit === null ? "" : writeNumber(String(limit), locale(), true));
}
