/** What this browser keeps for us; where it keeps nothing, or is full, the page does while it is open. */

/** @type {Map<string, string>} */
const otherwise = new Map();

/** @param {string} name @returns {string | null} */
export function kept(name) {
  try {
    return otherwise.get(name) ?? localStorage.getItem(`waraq.${name}`);
  } catch {
    return null;
  }
}

/** The entries of a list that is kept as JSON; what is no such entry is left out, for anything may be kept.
 * @template T @param {string} name @param {(entry: any) => entry is T} fits @returns {T[]} */
export function keptList(name, fits) {
  try {
    const found = JSON.parse(kept(name) ?? "[]");
    return Array.isArray(found) ? found.filter(fits) : [];
  } catch {
    return [];
  }
}

/** @param {string} name @param {string} value */
export function keep(name, value) {
  try {
    localStorage.setItem(`waraq.${name}`, value);
    otherwise.delete(name);
  } catch {
    otherwise.set(name, value);
  }
}
