/**
 * Calls the page's modules of Hand for the tests: one `{"call", "args"}` a line in, one line of JSON
 * out. `each` calls a function once for each last argument.
 */
import { createInterface } from "node:readline";
import * as grouping from "../../services/web/static/play/hand/grouping.js";
import * as legal from "../../services/web/static/play/hand/legal.js";
import * as melds from "../../services/web/static/play/hand/melds.js";
import * as view from "../../services/web/static/play/hand/view.js";

const CALLS = { ...grouping, ...legal, ...melds, ...view };

for await (const line of createInterface({ input: process.stdin })) {
  const { call, args, each } = JSON.parse(line);
  const value = each ? each.map((last) => CALLS[call](...args, last)) : CALLS[call](...args);
  console.log(JSON.stringify(value ?? null));
}
