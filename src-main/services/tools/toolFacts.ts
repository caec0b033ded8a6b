import { toolId } from '../../../src-shared/domain/labels.ts';
import type { ToolFinding } from '../../../src-shared/domain/security.ts';
import { severityRank } from '../../../src-shared/domain/severity.ts';
import type { ToolRow } from '../../../src-shared/domain/toolRow.ts';
import type { ToolRowStore } from '../../store/servers/toolRows.ts';
import type { ToolTimes } from '../../store/servers/toolTimes.ts';
import type { Store } from '../../store/store.ts';
import { sha256 } from '../../runtime/sha256.ts';
import type { SecurityService } from '../security/securityService.ts';
import type { SimilarityService } from '../similarity/similarityService.ts';

/** A tool of a server's last listing, with the present name of the server. */
export type ListedTool = ReturnType<ToolRowStore['listed']>[number] & { server: string };

interface ToolFactsParts {
  store: Store;
  similarity: Pick<SimilarityService, 'compareStored'>;
  security: Pick<SecurityService, 'scan'>;
}

type Compared = Awaited<ReturnType<SimilarityService['compareStored']>>;
type Signals = NonNullable<ToolRow['signals']>;

/** Selections of servers whose facts are kept: all, those that a page shows, and a few others. */
const maxKept = 4;

/**
 * What takes long to find out about tools: similarity, quality, signals. Computed once for the same
 * definitions and kept in memory; a caller that can't wait gets what is kept, and null otherwise.
 */
export class ToolFacts {
  readonly #parts: ToolFactsParts;
  readonly #compared = new Map<string, Kept<Compared>>();
  readonly #scanned = new Map<string, Kept<ToolFinding[]>>();
  /** By server. */
  readonly #times = new Map<string, { snapshotId: string; times: ToolTimes }>();
  readonly #closing = new AbortController();

  constructor(parts: ToolFactsParts) {
    this.#parts = parts;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(
      [...this.#compared.values(), ...this.#scanned.values()].map(({ work }) => work),
    );
  }

  /** Quality and similarity of tools among themselves. */
  compared(listed: readonly ListedTool[], wait: boolean): Promise<Compared | null> {
    const { similarityMeasure, overlapWeights, qualityRulesOff } = this.#parts.store.settings.get();
    const settings = [similarityMeasure, overlapWeights, qualityRulesOff];
    const servers = [...new Set(listed.map(({ serverId }) => serverId))];
    return keep(this.#compared, keyOf(listed, settings), wait, () =>
      this.#parts.similarity.compareStored(servers, this.#closing.signal),
    );
  }

  /** Open signals by tool. All tools are examined, because any may shadow another. */
  async signals(
    all: readonly ListedTool[],
    wait: boolean,
  ): Promise<ReadonlyMap<string, Signals> | null> {
    const { signal } = this.#closing;
    const found = await keep(this.#scanned, keyOf(all, []), wait, async () => {
      const { tools } = await this.#parts.security.scan({ serverIds: null }, { signal });
      return tools.flatMap(({ findings }) => findings);
    });
    if (found === null) return null;
    const accepted = this.#parts.store.security.acceptances();
    const signals = new Map<string, Signals>();
    for (const { server, tool, item, severity, fingerprint } of found) {
      if (tool === '' || item !== undefined || accepted.has(fingerprint)) continue;
      const id = toolId(server, tool);
      const { open, worst } = signals.get(id) ?? { open: 0, worst: null };
      signals.set(id, {
        open: open + 1,
        worst: worst !== null && severityRank[worst] >= severityRank[severity] ? worst : severity,
      });
    }
    return signals;
  }

  /** When the definition of a tool changed last; a tool that is as first listed is missing. */
  changes(listed: readonly ListedTool[]): Map<ListedTool, string> {
    const { serverListings } = this.#parts.store;
    const found = new Map<ListedTool, string>();
    for (const tool of listed) {
      const { serverId, snapshotId, hash, name } = tool;
      let known = this.#times.get(serverId);
      if (known?.snapshotId !== snapshotId) {
        known = { snapshotId, times: serverListings.toolTimes(serverId, snapshotId) };
        this.#times.set(serverId, known);
      }
      const [created, updated] = [known.times.created.get(name), known.times.updated.get(hash)];
      if (created !== undefined && updated !== undefined && created < updated)
        found.set(tool, updated);
    }
    return found;
  }
}

interface Kept<Value> {
  work: Promise<Value>;
  /** Null while the work is under way. */
  value: Value | null;
}

/** What is kept for a key. With `wait`, it is computed if it is missing; a failure isn't kept. */
async function keep<Value>(
  kept: Map<string, Kept<Value>>,
  key: string,
  wait: boolean,
  compute: () => Promise<Value>,
): Promise<Value | null> {
  let own = kept.get(key);
  if (own === undefined) {
    if (!wait) return null;
    own = { work: compute(), value: null };
    kept.set(key, own);
    for (const oldest of [...kept.keys()].slice(0, -maxKept)) kept.delete(oldest);
  }
  if (!wait) return own.value;
  try {
    return (own.value = await own.work);
  } catch (error) {
    if (kept.get(key) === own) kept.delete(key);
    throw error;
  }
}

const keyOf = (tools: readonly ListedTool[], settings: readonly unknown[]): string =>
  sha256(JSON.stringify([settings, tools.map(({ server, hash }) => [server, hash])]));
