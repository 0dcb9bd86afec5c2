/** What the page uses of @nats-io/nats-core. */
export interface Connection {
  publish(subject: string, payload: string): void;
  subscribe(subject: string): AsyncIterable<{ json(): any }>;
  status(): AsyncIterable<{ type: string; error?: Error }>;
}
export function wsconnect(options: Record<string, unknown>): Promise<Connection>;
