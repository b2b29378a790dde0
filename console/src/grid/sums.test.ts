// Tests of sums: exact for decimals, empty values counted.
import { describe, expect, it } from "vitest";
import { sumsOf } from "./sums";

describe("sums", () => {
    it("are exact", () => {
        expect(sumsOf([0.1, 0.2], true).sum).toBe("0.3");
        expect(sumsOf(["9007199254740993", "1"], true).sum).toBe("9007199254740994");
        expect(sumsOf(["12.50", -2.25, null], true)).toEqual({ count: 3, empty: 1, sum: "10.25", average: "5.125" });
        expect(sumsOf([-0.05, 0.01], true).sum).toBe("-0.04");
        expect(sumsOf([1, 2], true).average).toBe("1.5");
    });
    it("count what is empty", () => {
        expect(sumsOf(["a", "", null, [], ["x"]], false)).toEqual({ count: 5, empty: 3, sum: null, average: null });
        expect(sumsOf([], true).sum).toBeNull();
    });
});
