/** What the views are made with: preact and htm, vendored. */
export { html, render, useEffect, useRef, useState } from "../vendor/preact-htm.js";
