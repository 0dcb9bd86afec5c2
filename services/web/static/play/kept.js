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

/** @param {string} name @param {string} value */
export function keep(name, value) {
  try {
    localStorage.setItem(`waraq.${name}`, value);
    otherwise.delete(name);
  } catch {
    otherwise.set(name, value);
  }
}
