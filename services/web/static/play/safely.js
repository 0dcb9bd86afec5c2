/** What may fail without stopping who does it: it is told on the console, for whoever mends it. */

/** @template {unknown[]} T @param {(...given: T) => unknown} act @returns {(...given: T) => void} */
export const safely = (act) => (...given) => {
  try {
    act(...given);
  } catch (error) {
    console.error(error);
  }
};
