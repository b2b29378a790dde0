// A program against a large model: selections three relations deep in both directions.
import { connect } from "./large-types.js";

const api = connect({ url: "" });

export async function large(): Promise<unknown[]> {
    const first = await api.type0.list({ select: { property1: true, property9: { property1: true, property19: { property1: true } } } });
    const second = await api.type9.list({
        where: { from0_9: { some: { property9: { is: { property19: { is: { id: 5 } } } } } } },
        select: { from0_9: { property1: true, property29: { property1: true }, $count: true } },
        orderBy: "-property3",
    });
    const third = await api.type59.aggregate({ groupBy: ["property1", "property9.property1"] });
    await api.batch((b) => b.type7.create({ property9: b.type8.create({}) }));
    return [first.data[0]?.property9?.property19?.property1, second.data[0]?.["from0_9.$count"], third.data];
}
