// What the page's check says of matches, from standard input: `[{messages, seat, head}]`. Of each: how its
// verdict begins, whether each step is in some group, and in which group what is wrong is.
import { readFileSync } from "node:fs";
import { judged } from "../../services/web/static/play/past/checking.js";
import { countsOf, groupsOf, wrongOf } from "../../services/web/static/play/past/steps.js";
import { verify } from "../../services/web/static/verify.js";

const said = [];
for (const { messages, seat, head } of JSON.parse(readFileSync(0, "utf8"))) {
  const { report, fault } = await judged(messages, { seat }, head, verify);
  const groups = report && groupsOf(report, messages);
  const grouped = groups?.flatMap(({ lines }) => lines).flatMap(({ steps }) => steps) ?? [];
  const wrong = groups?.filter(({ ok }) => ok === false).map(({ name, round }) => `${name} ${round}`);
  said.push({ fault, first: report && wrongOf(report)[0], counts: report && countsOf(report), wrong, all: grouped.length === report?.steps.length });
}
console.log(JSON.stringify(said));
