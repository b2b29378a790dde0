// The words on values that are not typed: "Sum of Amount (Invoice)", "Calculated from Priority".

import type { RollupModel, TypeModel } from "../data/model";
import type { MoreTexts } from "../text";

/** The sentence of a rollup, with the titles of what it names. */
export function sourceText(
    rollup: RollupModel,
    typeOf: (name: string) => TypeModel | undefined,
    words: Pick<MoreTexts, "rollups" | "rollupFiltered">,
): string {
    const type = typeOf(rollup.type);
    const name = rollup.property ?? "";
    const sentence = words.rollups[rollup.operation](type?.property(name)?.title ?? name, type?.title ?? rollup.type);
    return rollup.filtered ? `${sentence}, ${words.rollupFiltered}` : sentence;
}

/** The names in the expressions of a text, in their order, each once: fields, also behind relations, and other words. */
export function namesIn(calculation: string): string[] {
    const found = new Set<string>();
    for (const expression of expressionsIn(calculation)) {
        const bare = expression.replace(/'(\\.|[^'\\])*'|"(\\.|[^"\\])*"/g, " ");
        // A name before a bracket is that of a function.
        for (const [name] of bare.matchAll(/(?<![\w.])[A-Za-z_]\w*(\.[A-Za-z_]\w*)*(?![\w.]|\s*\()/g)) found.add(name);
    }
    return [...found];
}

/** The parts of a text between `{=` and its bracket. */
function expressionsIn(text: string): string[] {
    const found: string[] = [];
    for (let start = text.indexOf("{="); start >= 0; start = text.indexOf("{=", start)) {
        let end = start + 2;
        for (let depth = 1; end < text.length; end += 1) {
            const sign = text[end];
            if (sign === "{") depth += 1;
            else if (sign === "}") depth -= 1;
            if (depth === 0) break;
        }
        found.push(text.slice(start + 2, end));
        start = end;
    }
    return found;
}

/** The sentence of a calculation, with the titles of the fields that it reads. */
export function calculationText(
    calculation: string,
    titleOf: (name: string) => string | undefined,
    words: Pick<MoreTexts, "calculated" | "calculatedFrom">,
): string {
    const titles = namesIn(calculation).flatMap((name) => titleOf(name) ?? []);
    return titles.length === 0 ? words.calculated : words.calculatedFrom([...new Set(titles)].join(", "));
}
