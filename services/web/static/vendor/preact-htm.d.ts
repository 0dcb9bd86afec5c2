/** What the page uses of preact and htm. */
export function html(strings: TemplateStringsArray, ...values: any[]): any;
export function render(what: any, into: Element): void;
export function useEffect(act: () => void | (() => void), of?: readonly unknown[]): void;
export function useRef<T>(first: T): { current: T };
export function useState<T>(first: T | (() => T)): [T, (next: T) => void];
