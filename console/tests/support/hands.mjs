// The hands of a person: counts clicks and keys, as the tasks of the design do; typed text is not counted.

export function hands(page, { keyboardOnly = false } = {}) {
    return {
        count: 0,
        async press(...keys) {
            for (const key of keys) {
                this.count += 1;
                await page.keyboard.press(key);
            }
        },
        async type(text) {
            await page.keyboard.type(text);
        },
        async click(target) {
            if (keyboardOnly) throw new Error("a click in a run by keys alone");
            this.count += 1;
            await target.click();
        },
        async doubleClick(target) {
            this.count += 2;
            await target.dblclick();
        },
    };
}
