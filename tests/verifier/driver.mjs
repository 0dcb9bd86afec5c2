/**
 * Calls the verifier for the tests: one `{"call", "args"}` a line in, one `{"value"}` or
 * `{"refused"}` a line out. `argv[2]` is the verifier. Anything but an InputError ends the process.
 */
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const verifier = await import(pathToFileURL(process.argv[2]).href);

const CALLS = {
  ...verifier,
  firstWords: async (seed, label, number) => {
    const source = verifier.words(seed, label);
    const found = [];
    while (found.length < number) found.push((await source.next()).value);
    return found;
  },
  belowOf: (words, limit) => verifier.below(words.values(), limit),
  packs: () => ({ hokm: verifier.HOKM_PACK, hand: verifier.HAND_PACK }),
  verifyRepeated: (message, times) => verifier.verify(new Array(times).fill(message)),
  again: (line) => verifier.lineOf(JSON.parse(line)),
};

async function answer({ call, args }) {
  try {
    return { value: await CALLS[call](...args) };
  } catch (error) {
    if (!(error instanceof verifier.InputError)) throw error;
    return { refused: error.message };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`);
}
