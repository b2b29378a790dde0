// Widgets by kind of property; cells of the grid use them, too.

import type { Component } from "svelte";
import type { PropertyModel } from "../data/model";
import type { WidgetProps } from "./widget";
import BooleanField from "./widgets/BooleanField.svelte";
import DateField from "./widgets/DateField.svelte";
import LazyField from "./widgets/LazyField.svelte";
import LongText from "./widgets/LongText.svelte";
import NumberField from "./widgets/NumberField.svelte";
import OptionField from "./widgets/OptionField.svelte";
import RelationField from "./widgets/RelationField.svelte";
import TextField from "./widgets/TextField.svelte";

export type { WidgetProps } from "./widget";

const widgets: Record<string, Component<WidgetProps>> = {
    pString: TextField,
    pSlug: TextField,
    pEmail: TextField,
    pUrl: TextField,
    pPhone: TextField,
    pText: LongText,
    pInteger: NumberField,
    pFloat: NumberField,
    pDecimal: NumberField,
    pBoolean: BooleanField,
    pDate: DateField,
    pMonth: DateField,
    pTime: DateField,
    pDateTime: DateField,
    pEnum: OptionField,
    pEnums: OptionField,
    pGroup: OptionField,
    pRelation: RelationField,
    pRelations: RelationField,
    pUser: RelationField,
    pFile: LazyField,
    pFiles: LazyField,
    pJson: LazyField,
    pColor: LazyField,
};

/** The widget of a property. A kind that is not known here, such as a sign-in name, is a text. */
export function widgetFor(property: PropertyModel): Component<WidgetProps> {
    if (property.kind === "pGroup" && !property.options) return TextField;
    return widgets[property.kind] ?? TextField;
}

const wide = new Set(["pText", "pJson", "pFiles", "pRelations"]);

/** True if a field takes both columns of a wide form. */
export function isWide(property: PropertyModel): boolean {
    return wide.has(property.kind);
}
