import type { ServerStart } from '../../adapters/mcp/mcpConnection.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Output } from '../contractTypes.ts';

/** The stdio servers that this program has started and that have not answered yet. */
export class StartingServers {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #starts = new Set<ServerStart & { since: number }>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Returns what ends the start: the server answered, or it failed. */
  readonly begin = (start: ServerStart): (() => void) => {
    const entry = { ...start, since: this.#clock.monotonic() };
    this.#starts.add(entry);
    return () => void this.#starts.delete(entry);
  };

  /** The longest first. */
  list(): Output<'servers', 'starting'> {
    const now = this.#clock.monotonic();
    return [...this.#starts].map((start) => ({
      server: start.server,
      elapsedMs: Math.round(now - start.since),
      wrote: start.wrote(),
    }));
  }
}
