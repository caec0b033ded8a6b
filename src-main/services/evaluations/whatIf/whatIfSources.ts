import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { ClientId } from '../../../../src-shared/domain/clientFacts.ts';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import type { StoredTaskSettings } from '../../../../src-shared/domain/taskEvaluation.ts';
import type { AskAgain } from '../../../../src-shared/contract/evaluations.ts';
import type { EvaluationSettings } from '../../../../src-shared/domain/evaluation.ts';
import type { AppliedChange, WhatIfChange } from '../../../../src-shared/domain/whatIf.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';
import { presentedToAgent } from '../../clients/clientViews.ts';
import type { Sources } from '../../runs/unit.ts';
import type { EvaluationSources, SourceCase } from '../plan/evaluationSources.ts';
import { renameCase, renamedTools } from './renamedTools.ts';
import { applyChanges, type ToolSet } from './whatIfChanges.ts';

/** How an evaluation is repeated with other tools. */
export interface Repeat<Settings> {
  changes: readonly WhatIfChange[];
  /** Null = all models of the base. */
  modelSettingsId: string | null;
  /** Positions of the cases or tasks to repeat; null = all. */
  positions: readonly number[] | null;
  /** Replace those of the base. */
  settings: Partial<Settings>;
}
/** What a repetition of an evaluation of either unit may set. */
export type RepeatedSettings = Pick<
  EvaluationSettings,
  | 'repetitions'
  | 'firstRepetition'
  | 'repetitionsUpTo'
  | 'spendLimitUsd'
  | 'recordFile'
  | 'cacheFolder'
  | 'gates'
>;
export type CaseRepeat = Repeat<RepeatedSettings>;

type Base = Pick<EvaluationRow, 'id' | 'suiteId' | 'suiteName' | 'suite' | 'snapshotId'> & {
  modelSettingsIds: readonly string[];
  settings: Pick<EvaluationSettings, 'models' | 'recordFile' | 'whatIf' | 'client'>;
};

/**
 * Settings and tools of a what-if: those of an evaluation, changed as requested. No server is asked
 * and no suite is read. Throws CONFLICT when there are no frozen tools.
 * @param thing names the evaluation in errors
 */
export function readWhatIf<Row extends Base>(
  store: Store,
  base: Row,
  { changes: requested, modelSettingsId, positions, settings }: Repeat<Row['settings']>,
  thing: string,
): {
  sources: Sources<Row['settings'], never>;
  changes: readonly AppliedChange[];
  offered: ToolSet;
  set: ToolSet;
} {
  const offered = base.snapshotId === null ? null : readToolSet(store, base.snapshotId);
  if (!offered)
    throw new ServiceError('CONFLICT', {
      thing,
      cause: 'It has no stored tools to change.',
      nextStep: 'Resume it first.',
    });
  const { changes, addedServers, removedServers, ...set } = applyChanges(
    offered,
    requested,
    (server) => readListedServer(store, server),
  );
  const models = base.settings.models.filter(
    (_, at) => modelSettingsId === null || base.modelSettingsIds[at] === modelSettingsId,
  );
  if (models.length === 0)
    throw new ServiceError('NOT_FOUND', {
      thing,
      cause: 'It has no such model.',
      nextStep: 'Choose one of its models.',
    });
  const client = clientAfter(base.settings.client, changes);
  const toAgent = presentedToAgent({ client, models });
  if (toAgent !== null) throw new ServiceError('INVALID', { thing, ...toAgent });
  // A what-if of a what-if keeps the servers that its base added or removed.
  const before = base.settings.whatIf;
  const both = (own: readonly string[], now: string[], undone: string[]): string[] => [
    ...new Set([...own.filter((server) => !undone.includes(server)), ...now]),
  ];
  return {
    changes,
    offered,
    set,
    sources: {
      suiteId: base.suiteId,
      suiteName: base.suiteName,
      suite: { ...base.suite, inlineTools: true },
      entries: [],
      settings: {
        ...base.settings,
        recordFile: null,
        ...settings,
        models,
        client,
        whatIf: {
          baseId: base.id,
          changes,
          addedServers: both(before?.addedServers ?? [], addedServers, removedServers),
          removedServers: both(before?.removedServers ?? [], removedServers, addedServers),
          positions: positions && [...positions],
        },
      },
    },
  };
}

/** The client as which tools are presented after the changes; undefined: as providers take them. */
function clientAfter(
  before: ClientId | undefined,
  changes: readonly AppliedChange[],
): ClientId | undefined {
  const presented = changes.findLast((change) => change.kind === 'present_as');
  const next = presented === undefined ? before : presented.client;
  return next === 'generic' ? undefined : next;
}

/** The frozen cases of an evaluation with its frozen tools, changed as requested. */
export function readCaseWhatIf(
  store: Store,
  base: EvaluationRow,
  repeat: CaseRepeat,
): { sources: EvaluationSources; set: ToolSet } {
  const { sources, changes, set } = readWhatIf(
    store,
    base,
    { ...repeat, settings: { cacheFolder: null, ...repeat.settings } },
    `Evaluation #${base.number}`,
  );
  const names = renamedTools(changes);
  const entries = readCases(store, base.id, repeat.positions).map((sourceCase) => ({
    ...sourceCase,
    content: renameCase(sourceCase.content, names),
  }));
  return { set, sources: { ...sources, entries } };
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
function readToolSet(store: Store, snapshotId: string): ToolSet | null {
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

/**
 * Some cases or tasks of an evaluation again, as repetitions that follow its own. What was recorded
 * or kept in a cache answers only the repetition that it was asked in.
 */
export function askedAgain(
  store: Store,
  unit: EvaluationUnit,
  { id, settings }: { id: string; settings: EvaluationRow['settings'] | StoredTaskSettings },
  { modelSettingsId, keys, upTo }: Omit<AskAgain, 'id'>,
): Repeat<RepeatedSettings> {
  const wanted = new Set(keys);
  const { repetitions, recordFile, spendLimitUsd } = settings;
  return {
    changes: [],
    modelSettingsId,
    positions: store.entries
      .list(unit, id)
      .filter(({ key }) => wanted.has(key))
      .map(({ position }) => position),
    settings: {
      ...{ repetitions: upTo - repetitions, firstRepetition: repetitions + 1 },
      ...{ repetitionsUpTo: undefined, spendLimitUsd, recordFile, gates: [] },
      ...('cacheFolder' in settings && { cacheFolder: settings.cacheFolder }),
    },
  };
}
