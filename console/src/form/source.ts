// The words on what a rollup sums up: "Sum of Amount, type Invoice".

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
    if (!rollup.filtered) return sentence;
    return `${sentence}, ${words.rollupFiltered}${rollup.filter === undefined ? "" : `: ${rollup.filter}`}`;
}
