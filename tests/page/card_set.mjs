/**
 * The classic set: one picture a card, from the components of @letele/playing-cards, into the folder
 * that is named. vendoring.py bundles it with preact, whose elements those components make, and runs it.
 *
 * What is changed: their ground goes (the page's card is under it), and from the ace of spades an
 * address with its code; the corners are larger and bolder, for a phone; jokers get corners; colours
 * are those of the page. Clubs and diamonds have a third and a fourth one as `…svg#four`.
 */
import { writeFileSync } from "node:fs";
import * as theirs from "@letele/playing-cards";

const RANKS = { A: "a", T: "10", J: "j", Q: "q", K: "k" };
const INKS = { S: "#1b2422", C: "#1b2422", H: "#c01f2e", D: "#c01f2e" };
const FOUR = { C: "#157a3c", D: "#1857b6" };
const DYES = { red: "#c01f2e", "#44F": "#2f4596", "#FC4": "#e5b64f" };
/** Symbols that have the suit's own ink, by their box: a rank, a pip. */
const INKED = ["-500 -500 1000 1000", "-600 -600 1200 1200"];
/** Where ranks and pips of the corners are, by the height that they have there. */
const CORNERS = { 32: { width: 45, height: 45, x: -122, y: -158 }, 26.769: { width: 34, height: 34, x: -116.5, y: -112 } };
const STAR = "M-99-157l5 14h15l-12 9 5 14-13-9-13 9 5-14-12-9h15Z";
const KEPT = ["viewBox", "preserveAspectRatio"];

const child = (node) => [node.props.children ?? []].flat(9).filter(Boolean);
const element = (type, props, ...children) => ({ type, props: { ...props, children } });

/** The same element in our colours, and its corners' places. */
function changed(node, inked = false) {
  const within = inked || INKED.includes(node.props.viewBox);
  const { children, className, xmlnsXlink, "aria-labelledby": _, ...props } = node.props;
  const placed = node.type === "use" ? { ...props, ...CORNERS[props.height] } : props;
  const ink = within && node.type === "path" ? inkOf(props) : {};
  return { type: node.type, props: { ...placed, ...ink, children: child(node).map((one) => changed(one, within)) } };
}

const inkOf = ({ stroke }) => (stroke ? { stroke: "currentColor", strokeWidth: 105 } : { fill: "currentColor" });

/** Does it belong on a card of ours? Not the ground, nor what the ace of spades says. */
const ours = ({ type, props }) => !["rect", "text"].includes(type) && !(type === "path" && props.fill === "#fff");

/** What is drawn on a card, by its name of ours. */
function drawn(name, component) {
  const { props } = component({});
  const all = child({ props }).filter(ours).map((one) => changed(one));
  if (!name.startsWith("JK")) return all;
  const fill = name === "JK1" ? INKS.H : INKS.S;
  return [...all, element("path", { d: STAR, fill }), element("path", { d: STAR, fill, transform: "rotate(180)" })];
}

/** @param {string} name such as `AS` or `JK1` */
function picture(name, component) {
  const [, suit] = name;
  const four = FOUR[suit] && element("style", {}, `:target{color:${FOUR[suit]}}`);
  const props = { xmlns: "http://www.w3.org/2000/svg", width: 240, height: 336, viewBox: "-120 -168 240 336" };
  const more = INKS[suit] ? { color: INKS[suit], ...(four && { id: "four" }) } : {};
  return text(element("svg", { ...props, preserveAspectRatio: "none", ...more }, four, ...drawn(name, component)));
}

function text(node) {
  if (typeof node === "string") return node;
  const { children, ...props } = node.props;
  const said = Object.entries(props).map(([name, value]) => ` ${spelled(name)}="${worth(String(value))}"`).join("");
  const inside = child(node).map(text).join("");
  return inside ? `<${node.type}${said}>${inside}</${node.type}>` : `<${node.type}${said}/>`;
}

/** An attribute as SVG has it. */
function spelled(name) {
  if (name === "xlinkHref") return "href";
  return KEPT.includes(name) ? name : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Its value: in our colours, ids without the card's name. */
const worth = (value) => DYES[value] ?? value.replace(/^(#?)[\w-]+_svg__/, "$1");

const names = [..."SHDC"].flatMap((suit) => [..."23456789TJQKA"].map((rank) => [`${rank}${suit}`, `${suit}${RANKS[rank] ?? rank}`]));
for (const [name, one] of [...names, ["JK1", "J1"], ["JK2", "J2"]])
  writeFileSync(`${process.argv[2]}/${name}.svg`, `${picture(name, theirs[one])}\n`);
