// Tests of the counts of an import in words.
import { expect, test } from "vitest";
import cs from "./cs/list";
import en from "./en/list";

test("counts of zero are left out, and the first names what is counted", () => {
    expect(en.importTrial(2, 0, 0)).toBe("2 rows to create.");
    expect(en.importTrial(1200, 1, 3)).toBe("1,200 rows to create, 1 to update, 3 unchanged.");
    expect(en.importResult(0, 1, 0)).toBe("1 row updated.");
    expect(cs.importTrial(2, 1, 0)).toBe("Vytvoří se 2 řádky, změní se 1.");
    expect(cs.importResult(0, 0, 5)).toBe("Beze změny: 5 řádků.");
});

test("an import that was undone says so", () => {
    expect(en.importResult(2, 1, 0, true)).toBe("2 rows created, then undone, 1 updated.");
    expect(cs.importResult(2, 0, 0, true)).toBe("Vytvořeno: 2 řádky, potom vráceno.");
});

test("none at all is said in words", () => {
    expect(en.importTrial(0, 0, 0)).toBe("No row can be imported.");
    expect(en.importResult(0, 0, 0)).toBe("Nothing was imported.");
    expect(cs.importTrial(0, 0, 0)).toBe("Žádný řádek nelze importovat.");
});
