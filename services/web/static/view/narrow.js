/** How wide is the screen? */
import { useEffect, useState } from "./h.js";

/** As a phone's. */
const NARROW = "(max-width: 40rem)";
/** As a phone's on its side, or a small tablet's. */
const MIDDLE = "(max-width: 60rem)";
/** As a phone's on its side: all cards in one row; low.css says the same. */
const LOW = "(max-height: 30rem) and (min-aspect-ratio: 4/3)";

/** @param {string} asked a media query */
function useMedia(asked) {
  const [is, setIs] = useState(matchMedia(asked).matches);
  useEffect(() => {
    const query = matchMedia(asked);
    const look = () => setIs(query.matches);
    query.addEventListener("change", look);
    return () => query.removeEventListener("change", look);
  }, []);
  return is;
}

export const useNarrow = () => useMedia(NARROW);
export const useMiddle = () => useMedia(MIDDLE);
export const useLow = () => useMedia(LOW);
