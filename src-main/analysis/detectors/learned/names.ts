import type { PeerTool } from '../../../../src-shared/domain/security.ts';
import { hashStep } from '../lexicon.ts';
import { letterOf } from '../letters.ts';
import type { Subject } from '../subject.ts';
import type { Names } from './features.ts';

/** The hash that the reader of sentences gives to a name. */
function hashName(name: string): number {
  let hash = 0;
  for (let index = 0; index < name.length; index += 1) {
    const code = name.charCodeAt(index);
    hash = hashStep(hash, letterOf(code) || code);
  }
  return hash;
}

interface ToolNames {
  own: Set<number>;
  foreign: Set<number>;
}

/** The tools of a scan share their peers, so the names are read once for each server. */
const read = new WeakMap<readonly PeerTool[], Map<string, ToolNames>>();

function toolNamesOf(peers: readonly PeerTool[], server: string): ToolNames {
  const byServer = read.get(peers) ?? new Map<string, ToolNames>();
  read.set(peers, byServer);
  const known = byServer.get(server);
  if (known) return known;
  const own = new Set<number>();
  for (const peer of peers) if (peer.server === server) own.add(hashName(peer.name));
  const foreign = new Set<number>();
  for (const peer of peers) {
    const hash = hashName(peer.name);
    if (!own.has(hash)) foreign.add(hash);
  }
  byServer.set(server, { own, foreign });
  return { own, foreign };
}

const none: ReadonlySet<number> = new Set();

/** What the names in a tool's texts refer to. A name that the own server has too is its own. */
export function namesOf({ peers, server }: Subject, parameters: readonly string[]): Names {
  const { own, foreign } =
    peers.length === 0 ? { own: none, foreign: none } : toolNamesOf(peers, server);
  return {
    foreign,
    own,
    keys: parameters.length === 0 ? none : new Set(parameters.map(hashName)),
  };
}
