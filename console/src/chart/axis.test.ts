// Tests of the names along the axis: whole names, in lines or slanted, and none beyond the chart.

import { expect, it } from "vitest";
import { axisNames, isSequence } from "./axis";

const measure = (words: string): number => words.length * 7;

it("names with room stand in one line", () => {
    const names = axisNames(["Open", "Closed"], true, 500, measure);
    expect(names.labels).toEqual(["Open", "Closed"]);
    expect(names.slant).toBe(0);
});

it("names of several words stand in lines", () => {
    const names = axisNames(["Waiting for an answer", "Open", "Solved", "Closed"], true, 460, measure);
    expect(names.labels[0]).toBe("Waiting for\nan answer");
    expect(names.slant).toBe(0);
});

it("names without room are slanted, and not cut", () => {
    const long = ["Bosnia-Herzegovina", "Czechoslovakia", "Liechtenstein", "Turkmenistan", "Uzbekistan", "Kyrgyzstan"];
    const names = axisNames(long, true, 390, measure);
    expect(names.slant).toBe(40);
    expect(names.labels).toEqual(long);
    // The first one, which ends at its bar, begins within the chart.
    expect(names.before).toBeGreaterThan(0);
    // The second one may reach farther.
    const [first = "", ...others] = long;
    const second = axisNames([first, "Saint Vincent and the Grenadines", ...others], true, 390, measure);
    expect(second.before).toBeGreaterThan(names.before);
    expect(names.size).toBeGreaterThan(80);
});

it("a name that would take the room of the chart ends with a sign", () => {
    const [first = ""] = axisNames(["Word".repeat(30), "b", "c"], true, 300, measure).labels;
    expect(first.endsWith("…")).toBe(true);
    expect(measure(first)).toBeLessThanOrEqual(220);
});

it("of a line, names are left out in the place of being slanted, and the last one has its room", () => {
    const days = Array.from({ length: 60 }, (_, at) => `2026-01-${at}`);
    const names = axisNames(days, false, 500, measure);
    expect(names.slant).toBe(0);
    expect(names.room).toBeGreaterThan(70);
    expect(names.after).toBeGreaterThanOrEqual(35);
});

it("names of many bars are turned further, until each bar has its name", () => {
    const cities = Array.from({ length: 20 }, (_, at) => `City ${"abcdefghijklmnopqrstuvwxyz"[at]}`);
    expect(axisNames(cities, true, 500, measure)).toMatchObject({ slant: 40, all: true });
    expect(axisNames(cities, true, 420, measure)).toMatchObject({ slant: 60, all: true });
    expect(axisNames(cities, true, 350, measure)).toMatchObject({ slant: 90, all: true });
    expect(axisNames(cities, true, 300, measure).all).toBe(false);
    // The other axis takes of the width, too.
    expect(axisNames(cities, true, 420, measure, 120)).toMatchObject({ slant: 90, all: true });
});

it("days and numbers are a sequence, other names are not", () => {
    expect(isSequence(["2026-01", "2026-02"])).toBe(true);
    expect(isSequence(["Shanghai", "Beijing"])).toBe(false);
});
