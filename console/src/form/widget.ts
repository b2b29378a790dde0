// Properties of every widget of a value, in the form and in cells of the grid.

import type { PropertyModel, Row } from "../data/model";

export interface WidgetProps {
    property: PropertyModel;
    /** The name of the property's type: uploads and pickers of relations ask the server by it. */
    typeName?: string;
    value: unknown;
    /** The new value. `problem` tells that the text is not understood; the value is then the text as typed. */
    onchange: (value: unknown, problem?: string) => void;
    /** Enter in a field of one line, Ctrl+Enter elsewhere. */
    onsubmit?: () => void;
    onescape?: () => void;
    /** In a cell: no frame, no help, focus at once. */
    compact?: boolean;
    errors?: readonly string[];
    /** The value is a text that was not understood, as it was typed. */
    unread?: boolean;
    id: string;
    /** The ids of the texts that describe the field. */
    describedBy?: string;
    /** The other values of the form: a slug is offered from the title, a relation knows its record. */
    row?: Row;
}
