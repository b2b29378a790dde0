// The import of a list, as a person opens it.

const english = { more: "More", import: /^Import/ };

/** Opens the import of the list that is shown. */
export async function openImport(page, words = english) {
    await page.getByRole("toolbar").getByRole("button", { name: words.more }).click();
    await page.getByRole("menuitem", { name: words.import }).click();
    const dialog = page.getByRole("dialog", { name: words.import });
    await dialog.waitFor();
    return dialog;
}

/** Opens it with a file. */
export async function chooseFile(page, name, content, words = english) {
    const dialog = await openImport(page, words);
    await dialog
        .locator("input[type=file]")
        .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(content) });
    await dialog.getByRole("combobox").first().waitFor();
    return dialog;
}
