// A program against the types of the demo: what is right compiles, and each line that is marked does not.
import { type Page, PlinthError } from "plinth-client";
import { type City, connect, type CountryCreate, type CountryContinent } from "./world.js";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_: Equal<A, B>): void {}

const api = connect({ url: "http://127.0.0.1", key: "plk" });

export async function reads(): Promise<void> {
    const plain = await api.city.list();
    same<typeof plain, Page<City>>(true);
    const name: string = plain.data[0]!.name;
    const population: number | null = plain.data[0]!.population;
    // @ts-expect-error: it may be null.
    const wrong: number = plain.data[0]!.population;
    // @ts-expect-error: it comes only when it is selected.
    plain.data[0]!.created;

    const page = await api.country.list({
        where: {
            continent: { in: ["EU", "AS"] },
            name: { contains: "land", fold: true },
            population: { gte: 5, lt: { $property: "area_km2" } },
            cities: { some: { population: { gt: 1_000_000 }, name: { neq: "X" } } },
            $or: [{ code: "CZ" }, { capital: { isNotNull: true } }, { cities: { size: { gte: 2 } } }],
            $not: { tld: null },
            created: { inLast: "30 days" },
            $search: "sao",
        },
        select: {
            code: true,
            continent: true,
            created: true,
            createdBy: true,
            cities: { name: true, population: true, $limit: 5, $where: { population: { gt: 5 } }, $orderBy: "-population",
                $count: true, $sum: { population: true }, $max: { name: true } },
        },
        orderBy: ["-name", "cities.$count"],
        perPage: 3,
    });
    const country = page.data[0]!;
    same<
        typeof country,
        {
            id: number;
            code: string;
            continent: CountryContinent | null;
            created: string;
            createdBy: number | null;
            cities: { id: number; name: string; population: number | null }[];
            "cities.$count": number;
            "cities.$sum.population": number | null;
            "cities.$max.name": string | null;
            "cities.$more"?: true;
        }
    >(true);
    // @ts-expect-error: it was not selected.
    country.name;
    // @ts-expect-error: neither was this.
    country.cities[0]!.timezone;
    // @ts-expect-error: there is none for this total.
    country["cities.$avg.population"];

    const city = await api.city.get(7, { select: { name: true, country: { name: true, cities: { $count: true } } } });
    same<typeof city, { id: number; name: string; country: { id: number; name: string; "cities.$count": number } | null }>(true);
    const ids = await api.country.by("code", "CZ", { select: { cities: true } });
    same<typeof ids, { id: number; cities: number[]; "cities.$more"?: true }>(true);
    for await (const one of api.city.all({ where: { country: { is: { code: "AT" } } }, select: { name: true } })) {
        same<typeof one, { id: number; name: string }>(true);
    }
    const groups = await api.city.aggregate({
        where: { population: { gt: 0 } },
        groupBy: ["country", { property: "country.continent", as: "continent" }, { property: "created", by: "month" }],
        values: { cities: "count", people: { function: "sum", property: "population", where: { name: { like: "A%" } } } },
        having: { people: { gte: 5 } },
        orderBy: "-people",
    });
    const group = groups.data[0]!;
    const [cities, people, month]: [number, number | null, string | null] = [group.cities, group.people, group.created];
    // @ts-expect-error: there is no such value.
    group.nothing;
    const largest = await api.query("largest_cities", { least: 5, country: 1 });
    const found: { name: string; country: { name: string } | null } = largest.data[0]!;
    const chosen = await api.query("largest_cities", {}, { select: { timezone: true }, perPage: 2 });
    same<(typeof chosen.data)[0], { id: number; timezone: string | null }>(true);
    const continents = await api.query("continents", { least: 5 }, { perPage: 2 });
    same<(typeof continents.data)[0], { continent: CountryContinent | null; cities: number; people: number; largest: number | null }>(true);
    same<typeof continents.totals, { cities: number; people: number; largest: number | null }>(true);
    // @ts-expect-error: groups take no selection.
    await api.query("continents", {}, { select: { continent: true } });
    console.log(name, population, wrong, cities, people, month, found);
}

export async function writes(): Promise<void> {
    const set: CountryCreate = { name: "Xanadu", code: "XA", continent: "AS", population: null };
    const created = await api.country.create(set, { select: { name: true } });
    same<typeof created, { id: number; name: string }>(true);
    await api.country.patch(created.id, { _add: { population: 5, capital: "!" } }, { ifMatch: '"x"' });
    await api.country.replace(created.id, set);
    await api.country.upsert({ code: "XA" }, { population: 7 }, { create: { name: "Xanadu" }, onConflict: "keep" });
    await api.country.upsertMany("code", [{ set: { code: "XB" }, create: { name: "B" } }], { return: "minimal" });
    await api.country.delete(created.id);
    const { city, country } = await api.batch((b) => {
        const country = b.country.create({ name: "Yonder", code: "XY" });
        const city = b.city.create({ name: "Newtown", country });
        b.city.patch(city, { population: 5, name: country.field("name") });
        b.type("city").delete(city, { ifMatch: "*" });
        return { city, country };
    });
    same<typeof city.data, City | undefined>(true);
    const all = await api.batch((b) => {
        b.city.get(5, { select: { name: true } });
    });
    const status: number = all[0]!.status;
    const error = new PlinthError(400, {});
    const code: string = error.errors[0]?.code ?? error.code;
    console.log(status, code, country.id);
}

export async function mistakes(): Promise<void> {
    // @ts-expect-error: there is no such type.
    await api.town.list();
    // @ts-expect-error: there is no such field.
    await api.city.list({ select: { nothing: true } });
    // @ts-expect-error: a right name beside it does not help.
    await api.city.list({ select: { name: true, nothing: true } });
    // @ts-expect-error: nor one behind a relation.
    await api.city.list({ select: { name: true, country: { name: true, nothing: true } } });
    // @ts-expect-error: a text has no fields.
    await api.city.list({ select: { name: { length: true } } });
    // @ts-expect-error: a relation to one has no totals.
    await api.city.list({ select: { country: { name: true, $count: true } } });
    // @ts-expect-error: there is no sum of texts.
    await api.country.list({ select: { cities: { $sum: { name: true } } } });
    // @ts-expect-error: the filter of the inverse has no such field.
    await api.country.list({ select: { cities: { name: true, $where: { name: "x", nothing: 1 } } } });
    // @ts-expect-error: there is no such field to filter by.
    await api.city.list({ where: { nothing: 1 } });
    // @ts-expect-error: a number has no such filter.
    await api.city.list({ where: { population: { contains: "1" } } });
    // @ts-expect-error: a number is no text.
    await api.city.list({ where: { population: { gte: "1" } } });
    // @ts-expect-error: there is no such option.
    await api.country.list({ where: { continent: { in: ["XX"] } } });
    // @ts-expect-error: nor here.
    await api.country.list({ where: { $or: [{ continent: "XX" }] } });
    // @ts-expect-error: the related type has no such field.
    await api.country.list({ where: { cities: { some: { nothing: 1 } } } });
    // @ts-expect-error: a relation to one has `is`.
    await api.city.list({ where: { country: { some: { name: "x" } } } });
    // @ts-expect-error: undefined is no filter.
    await api.city.list({ where: { name: undefined } });
    // @ts-expect-error: there is no such field to sort by.
    await api.city.list({ orderBy: "-nothing" });
    // @ts-expect-error: a country needs a name.
    await api.country.create({ code: "XA" });
    // @ts-expect-error: there is no such property.
    await api.country.create({ code: "XA", name: "x", nothing: 1 });
    // @ts-expect-error: a name is not null.
    await api.country.patch(1, { name: null });
    // @ts-expect-error: nothing is added to an option.
    await api.country.patch(1, { _add: { continent: "EU" } });
    // @ts-expect-error: the id is not written.
    await api.country.patch(1, { id: 5 });
    // @ts-expect-error: a name is no unique key.
    await api.country.upsert({ name: "x" }, { population: 7 });
    // @ts-expect-error: a batch has the same bodies.
    await api.batch((b) => b.city.create({ name: 5, country: 1 }));
    // @ts-expect-error: the result has no such field.
    await api.batch((b) => b.country.create({ name: "x", code: "XA" }).field("nothing"));
    // @ts-expect-error: there is no such query.
    await api.query("nothing");
    // @ts-expect-error: the parameter is a number.
    await api.query("largest_cities", { least: "x" });
    // @ts-expect-error: there is no such function.
    await api.city.aggregate({ values: { x: { function: "median", property: "population" } } });
    // @ts-expect-error: there is no such field to group by.
    await api.city.aggregate({ groupBy: ["nothing"] });
}
