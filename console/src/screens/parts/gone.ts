// The answer for an entry that is not in its list: not there, or not visible.

import { ApiError } from "../../data/call";

export const gone = new ApiError({ status: 404, code: "item_missing", detail: "" });
