import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { EvaluationSettings } from '../../../../src-shared/domain/evaluation.ts';
import type { WhatIfChange } from '../../../../src-shared/domain/whatIf.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';
import type { SourceCase } from '../plan/evaluationSources.ts';
import { renameCase, renamedTools } from './renamedTools.ts';
import { applyChanges, type ToolSet } from './whatIfChanges.ts';

export interface WhatIfRequest {
  changes: readonly WhatIfChange[];
  /** Null = all models of the base. */
  modelSettingsId: string | null;
  /** Positions of the cases to repeat; null = all. */
  positions: readonly number[] | null;
  repetitions: number;
  /** Replaces the limit of the base. */
  spendLimitUsd?: number | null;
}

export interface WhatIfSources {
  settings: EvaluationSettings;
  cases: SourceCase[];
  set: ToolSet;
}

/**
 * The sources of a what-if: the frozen cases of an evaluation with its frozen tools, changed as
 * requested. No server is asked and no suite is read. Throws CONFLICT when there are no frozen
 * tools.
 */
export function readWhatIf(
  store: Store,
  base: EvaluationRow,
  request: WhatIfRequest,
): WhatIfSources {
  const offered = base.snapshotId === null ? null : readToolSet(store, base.snapshotId);
  if (!offered) {
    throw new ServiceError('CONFLICT', {
      thing: `Evaluation #${base.number}`,
      cause: 'This evaluation has no stored tools to change.',
      nextStep: 'Resume it first.',
    });
  }
  const { changes, addedServers, removedServers, ...set } = applyChanges(
    offered,
    request.changes,
    (server) => readListedServer(store, server),
  );
  const models = base.settings.models.filter(
    (_, at) =>
      request.modelSettingsId === null || base.modelSettingsIds[at] === request.modelSettingsId,
  );
  if (models.length === 0)
    throw new ServiceError('NOT_FOUND', {
      thing: `Evaluation #${base.number}`,
      cause: 'It has no such model.',
      nextStep: 'Choose one of its models.',
    });
  // A what-if of a what-if keeps the servers that its base added or removed.
  const before = base.settings.whatIf;
  const names = renamedTools(changes);
  return {
    set,
    cases: readCases(store, base.id, request.positions).map((sourceCase) => ({
      ...sourceCase,
      content: renameCase(sourceCase.content, names),
    })),
    settings: {
      ...base.settings,
      models,
      repetitions: request.repetitions,
      ...(request.spendLimitUsd !== undefined && { spendLimitUsd: request.spendLimitUsd }),
      recordFile: null,
      cacheFolder: null,
      whatIf: {
        baseId: base.id,
        changes,
        addedServers: [
          ...new Set([
            ...(before?.addedServers ?? []).filter((server) => !removedServers.includes(server)),
            ...addedServers,
          ]),
        ],
        removedServers: [
          ...new Set([
            ...(before?.removedServers ?? []).filter((server) => !addedServers.includes(server)),
            ...removedServers,
          ]),
        ],
        positions: request.positions === null ? null : [...request.positions],
      },
    },
  };
}

function readCases(
  store: Store,
  evaluationId: string,
  positions: readonly number[] | null,
): SourceCase[] {
  const wanted = positions === null ? null : new Set(positions);
  return store.entries
    .list('case', evaluationId)
    .filter(({ position }) => wanted === null || wanted.has(position))
    .map(({ position: _place, ...source }) => source);
}

/** A stored snapshot as a set of tools with their raw text. */
export function readToolSet(store: Store, snapshotId: string): ToolSet | null {
  const snapshot = store.toolSnapshots.get(snapshotId);
  if (!snapshot) return null;
  return {
    servers: snapshot.servers,
    tools: snapshot.tools.map(({ snapshotToolId: _id, hash, ...tool }) => ({
      serverId: snapshot.servers.find(({ server }) => server === tool.server)?.serverId ?? null,
      tool: { tool, raw: store.toolSnapshots.raw(hash) },
    })),
  };
}

function readListedServer(store: Store, name: string): ToolSet | null {
  const server = store.servers.list().find((sourceCase) => sourceCase.name === name);
  const latest = server ? store.serverListings.latest(server.id) : null;
  return latest ? readToolSet(store, latest.snapshotId) : null;
}
