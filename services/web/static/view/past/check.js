/** Checking a deal: the verdict, what is wrong, every step with its sign, what cannot be known. */
import { fileOf } from "../../play/past/file.js";
import { playersIn } from "../../play/past/gathering.js";
import { said } from "../../play/past/said.js";
import { countsOf, groupsOf, wrongOf } from "../../play/past/steps.js";
import { digits, refusal, say } from "../../play/words.js";
import { Bar } from "../bar.js";
import { eyesOf } from "./eyes.js";
import { html } from "../h.js";

/** What else is wrong that is listed by itself; the groups have all. */
const LISTED = 5;
/** What stands before each step, and what it is called. @type {Record<string, [string, string]>} */
const SIGNS = { true: ["✓", "holds"], false: ["✗", "holds_not"], null: ["…", "not_told_yet"] };

/** @param {{page: any, deeds: any, room: any}} props */
export function Check({ page, deeds, room }) {
  const { words, state, place } = page;
  const back = () => deeds.back({ room: "table", match: place.match, code: null });
  return html`<${Bar} page=${page} deeds=${deeds} back=${back}><h1>${say(words, "check_deal")}</h1><//>
    <main class="check">
      ${state?.report ? html`<${Found} page=${page} room=${room} />` : html`<${Waiting} words=${words} state=${state} room=${room} />`}
      ${state?.messages.length > 0 && html`<${Download} words=${words} state=${state} match=${place.match} />`}
    </main>`;
}

/** There is no report yet, or there will be none. @param {any} props */
const Waiting = ({ words, state, room }) =>
  html`<section class="panel verdict" role="status">
    <p>${state?.fault ? whyNot(words, state.fault) : say(words, "fetching", { count: state?.messages.length ?? 0 })}</p>
    ${state?.fault === "silent" && html`<button class="deed" onClick=${room.anew}>${say(words, "try_again")}</button>`}
  </section>`;

/** @param {any} words @param {string} fault */
const whyNot = (words, fault) =>
  fault === "silent" || fault === "insecure" || fault === "unreadable" ? say(words, fault) : refusal(words, fault);

/** @param {any} props */
function Found({ page, room }) {
  const { words, state } = page;
  const { report, messages } = state;
  return html`<${Verdict} page=${page} />
    ${!report.over && html`<section class="panel">
      <h2>${say(words, "not_known_yet")}</h2>
      <p>${say(words, "not_known_why")}</p>
      <button class="deed quiet" onClick=${room.anew}>${say(words, "check_again")}</button>
    </section>`}
    ${groupsOf(report, messages).map(
      (group, at) => html`<${Group} key=${at} words=${words} group=${group} open=${group.ok === false || group.round < 2} />`,
    )}
    <p class="limits">${say(words, "proves_not")}</p>`;
}

/** @param {any} props */
function Verdict({ page }) {
  const { words, state } = page;
  const { report, sat } = state;
  const { held, open } = countsOf(report);
  const [first, ...more] = wrongOf(report);
  const name = first ? "wrong" : open ? "open" : "whole";
  return html`<section class="panel verdict" data-verdict=${name} role="status">
    <p class="sign" aria-hidden="true">${first ? "✗" : "✓"}</p>
    <h2>${say(words, `verdict_${name}`)}</h2>
    <p>${say(words, "checks_held", { held, count: report.steps.length, events: report.events })}</p>
    ${sat.seat === null && html`<p>${say(words, "checked_unseated")}</p>`}
    ${first && html`<${Wrong} page=${page} step=${first} />`}
    ${more.slice(0, LISTED).map((step) => html`<${Wrong} page=${page} step=${step} />`)}
  </section>`;
}

/** What does not hold, and at which event. @param {any} props */
const Wrong = ({ page, step }) =>
  html`<div class="wrong">
    <p><b>${say(page.words, "at_event", { number: step.version })}</b> ${say(page.words, `step_${step.step}`)}</p>
    <p>${sayEvent(page, step.version)}</p>
    <code dir="ltr">${step.detail}</code>
  </div>`;

/** What that event says happened; nothing, if it is not there or not to be read.
 * @param {any} page @param {number} version */
function sayEvent(page, version) {
  const { messages, sat } = page.state;
  const event = messages.find((/** @type {any} */ one) => one.event.version === version)?.event;
  if (!event) return "";
  try {
    return said(eyesOf(page, messages[0].event.body, sat.seat, playersIn(messages)), event);
  } catch {
    return "";
  }
}

/** @param {any} props */
const Group = ({ words, group, open }) =>
  html`<details class="panel group" open=${open}>
    <summary><${Sign} words=${words} ok=${group.ok} /><span>${nameOf(words, group)}</span></summary>
    <ul>
      ${group.lines.map((/** @type {any} */ line) => html`<${Line} key=${line.step} words=${words} line=${line} />`)}
    </ul>
    <details class="detail">
      <summary>${say(words, "details")}</summary>
      <ul dir="ltr" lang="en">
        ${group.lines.flatMap((/** @type {any} */ line) => line.steps).map(
          (/** @type {any} */ step) => html`<li><code>${step.version} ${step.step}: ${step.detail}</code></li>`,
        )}
      </ul>
    </details>
  </details>`;

/** @param {any} words @param {any} group */
const nameOf = (words, { name, round }) =>
  name === "round" ? say(words, "round_number", { number: round }) : say(words, name === "log" ? "group_log" : "group_seals");

/** @param {any} props */
const Line = ({ words, line }) =>
  html`<li data-step=${line.step} data-ok=${String(line.ok)}>
    <${Sign} words=${words} ok=${line.ok} />
    <span>${say(words, `step_${line.step}`)}${line.steps.length > 1 && html` <small>×${digits(words, line.steps.length)}</small>`}</span>
  </li>`;

/** @param {any} props */
function Sign({ words, ok }) {
  const [sign, name] = SIGNS[String(ok)];
  return html`<span class="sign" data-ok=${String(ok)} role="img" aria-label=${say(words, name)}>${sign}</span>`;
}

/** @param {any} props */
function Download({ words, state, match }) {
  const file = `${match}.jsonl`;
  return html`<section class="panel download">
    <h2>${say(words, "check_elsewhere")}</h2>
    <p>${say(words, "check_elsewhere_how")}</p>
    <code dir="ltr" tabindex="0">node verify.js ${file}</code>
    <button class="deed quiet" onClick=${() => save(file, fileOf(state.messages, state.sat))}>${say(words, "download")}</button>
  </section>`;
}

/** @param {string} name @param {string} text */
function save(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
