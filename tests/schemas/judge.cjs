// Judges the contract's files by others' rules: reads {schema, asyncapi, messages} on stdin, where
// each message is [root, text], and writes {meta, asyncapi, verdicts} on stdout.
"use strict";
const { readFileSync } = require("node:fs");
const Ajv7 = require("ajv").default;
const Ajv2020 = require("ajv/dist/2020").default;
const spec = require("@asyncapi/specs/schemas/3.0.0-without-$id.json");

const given = JSON.parse(readFileSync(0));
// Strict: a keyword that is not known, or that can never matter, is an error.
const ours = new Ajv2020({ strict: true, allErrors: true });
ours.addKeyword("x-open");
const meta = ours.validateSchema(given.schema) ? [] : ours.errors;
ours.addSchema(given.schema, "waraq");
const official = new Ajv7({ strict: false, validateFormats: false }).compile(spec);
const asyncapi = official(given.asyncapi) ? [] : official.errors;
const judges = new Map();

function judge([root, text]) {
  if (!judges.has(root)) judges.set(root, ours.compile({ $ref: `waraq#/$defs/${root}` }));
  const check = judges.get(root);
  return check(JSON.parse(text)) ? null : ours.errorsText(check.errors);
}

const whole = ours.compile({ $ref: "waraq" });
const verdicts = given.messages.map(judge);
const once = given.messages.map(([, text]) => whole(JSON.parse(text)));
process.stdout.write(JSON.stringify({ meta, asyncapi, verdicts, once }));
