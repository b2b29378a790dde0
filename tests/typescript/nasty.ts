// A program against types whose names are words of languages, or meet.
import { connect, type AB, type AB12, type Batch, type Class, type ClassFields15, type Types14 } from "./nasty-types.js";

const api = connect({ url: "" });

export async function nasty(): Promise<unknown[]> {
    const page = await api.class.list({
        where: { class: { is: { type: "x", classes: { size: 0 } } }, in: { in: ["a"] }, then: true, from: "one" },
        select: { type: true, class: { class: { in: true } }, classes: { of: true, $sum: { of: true } }, lists: { any: true } },
    });
    const of: number | undefined = page.data[0]!.classes[0]?.of;
    const ab = await api.aB.list({ where: { parent: { descendantOf: 5 }, id: { ancestorOf: 7 } }, select: { one: { labels: true }, children: true } });
    const list: ("one" | "it's" | 'say "x"')[] | undefined = ab.data[0]!.one?.labels;
    const batch = await api.type("batch").list({ where: { photos: { size: 1 }, price: "1.50", month: { withinMonth: true } } });
    const first: Batch = batch.data[0]!;
    const when: string | null | undefined = first.when;
    // @ts-expect-error: it is there only for some rows.
    const wrong: string | null = first.when;
    const [photo, price]: [string | undefined, number] = [first.photos[0]?.url, first.price];
    await api.class.upsert({ type: "x", of: 5 }, { in: "y" });
    // @ts-expect-error: the key has two properties.
    await api.class.upsert({ type: "x" }, { in: "y" });
    await api.type("batch").create({ price: "1.50", photos: ["up_x"] });
    await api.type("batch").patch(1, { _files: { photos: { add: ["up_x"] } }, _add: { price: 1 } });
    // @ts-expect-error: it is written once.
    await api.class_fields.patch(1, { once: "x" });
    // @ts-expect-error: it is only read.
    await api.types.create({ query: "x" });
    // @ts-expect-error: a secret is never read.
    await api.user.list({ select: { password: true } });
    await api.user.create({ user_id: "ann", user_name: "Ann", password: "a long secret" });
    const rows = await api.query("class", { least: 1, in: ["one"] });
    const count: number | undefined = rows.data[0]!.class?.["classes.$count"];
    // @ts-expect-error: a parameter is missing.
    await api.query("class");
    const names: [AB12["id"], AB["any"], Class["type"], ClassFields15["once"], Types14["query"]] = [1, [], "", "", null];
    await api.batch((b) => {
        const one = b.a_b.create({ any: { a: [1, null] } });
        b.a_b.patch(one, { list: [b.class.create({ type: "x", of: 2 })], _addMissing: { labels: ["one"] } });
    });
    return [of, list, when, wrong, photo, price, count, names];
}
