/** How wide is the screen? */
import { useEffect, useState } from "./h.js";

/** As a phone's. */
const NARROW = "(max-width: 40rem)";
/** As a phone's on its side, or a small tablet's. */
const MIDDLE = "(max-width: 60rem)";

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
