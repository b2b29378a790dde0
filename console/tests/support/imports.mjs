// The import of a list, as a person opens it.

/** Opens the import of the list that is shown, with a file. */
export async function chooseFile(page, name, text) {
    await page.getByRole("toolbar").getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: /^Import/ }).click();
    const dialog = page.getByRole("dialog", { name: /^Import/ });
    await dialog.waitFor();
    await dialog.locator("input[type=file]").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
    await dialog.getByText(/rows? in the file/).waitFor();
    return dialog;
}
