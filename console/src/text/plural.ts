// Words that depend on a number, by the rules of a language.

export interface Forms {
    one: string;
    few?: string;
    many?: string;
    other: string;
}

/** Returns a function that writes a number with the separators of a language. */
export function numberIn(locale: string): (number: number) => string {
    const digits = new Intl.NumberFormat(locale);
    return (number) => digits.format(number);
}

/** Returns a function that picks the form and puts the number into the place of `#`. */
export function pluralIn(locale: string): (count: number, forms: Forms) => string {
    const rules = new Intl.PluralRules(locale);
    const digits = numberIn(locale);
    return (count, forms) => {
        const rule = rules.select(count);
        const form = (rule === "one" || rule === "few" || rule === "many" ? forms[rule] : undefined) ?? forms.other;
        return form.replace("#", digits(count));
    };
}
