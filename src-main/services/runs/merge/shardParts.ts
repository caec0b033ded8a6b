import { z } from 'zod';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import { errorText } from '../../../../src-shared/domain/errorText.ts';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import { modelSettings } from '../../../../src-shared/domain/model.ts';
import { price, type Price } from '../../../../src-shared/domain/price.ts';
import type { RefusedSetting } from '../../../../src-shared/domain/refusedSetting.ts';
import type { SharedShardContent } from '../../../../src-shared/domain/shardContent.ts';
import { serverListing, tool, type ToolSnapshot } from '../../../../src-shared/domain/tool.ts';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import type { FrozenEntry } from '../../../store/evaluations/entries.ts';
import {
  frozenSuite,
  type NewEvaluation,
  type RefusedByModel,
} from '../../../store/evaluations/evaluations.ts';
import { hashTool } from '../../../store/servers/toolSnapshots.ts';
import type { Store } from '../../../store/store.ts';
import type { PartOf } from './partFile.ts';

/** A run of a part, of either unit. */
interface MergedRun {
  run_id: string;
  model_id: string;
  status: string;
  place: number;
  position: number;
  repetition: number;
  attempt: number;
  is_current: boolean;
}

/** The fields that a part has whether it ran cases or tasks, and its runs. */
export type Part<Run> = PartOf<
  {
    reason: string | null;
    started_at: string | null;
    completed_at: string | null;
    shard: SharedShardContent;
  },
  Run
>;

/** Merges, and says so where a report can't be read because it was changed. */
export async function refusingChanged<Result>(merge: () => Promise<Result>): Promise<Result> {
  try {
    return await merge();
  } catch (error) {
    if (!(error instanceof z.ZodError) && !(error instanceof SyntaxError)) throw error;
    throw new ServiceError(
      'INVALID',
      {
        thing: 'The reports',
        cause: `One of them was changed after it was written (${errorText(error).slice(0, 200)}).`,
        nextStep: 'Run its part again.',
      },
      { cause: error },
    );
  }
}

/** The models and tools of an evaluation, as its parts hand them on. */
export function writeSharedParts(
  store: Store,
  {
    snapshotId,
    modelSettingsIds,
    refused,
  }: {
    snapshotId: string | null;
    modelSettingsIds: readonly string[];
    refused: RefusedByModel;
  },
  prices: ReadonlyMap<string, Price | null>,
): Pick<SharedShardContent, 'models' | 'servers' | 'tools'> {
  const snapshot = snapshotId === null ? null : store.toolSnapshots.get(snapshotId);
  return {
    models: modelSettingsIds.map((modelId) => {
      const known = prices.get(modelId) ?? null;
      return {
        settings: JSON.stringify(store.modelSettings.get(modelId)),
        price: known && JSON.stringify(known),
        ...(refused[modelId] && { refused: refused[modelId] }),
      };
    }),
    servers: JSON.stringify(snapshot?.servers ?? []),
    tools: (snapshot?.tools ?? []).map(({ hash, snapshotToolId: _, ...frozen }) => ({
      tool: JSON.stringify(frozen),
      raw: store.toolSnapshots.raw(hash),
    })),
  };
}

/** Inserts the models of the first part with their prices, and what any part learned about them. */
function insertModels(
  store: Store,
  parts: readonly { shard: Pick<SharedShardContent, 'models'> }[],
): { id: string; price: Price | null; refused: RefusedSetting[] }[] {
  const [first] = parts;
  return (first?.shard.models ?? []).map(({ settings, price: text }, index) => {
    const { id: modelId, ...content } = modelSettings.parse(parseJson(settings));
    const refused = parts.flatMap(({ shard }) => shard.models[index]?.refused ?? []);
    return {
      id: store.modelSettings.insert(content, modelId).id,
      price: text === null ? null : price.parse(JSON.parse(text)),
      refused: [...new Map(refused.map((each) => [each.setting, each])).values()],
    };
  });
}

type ShardTools = Pick<SharedShardContent, 'servers' | 'tools'>;

/** The tools of a part as a snapshot that is in no store. */
export const snapshotOf = (part: ShardTools): ToolSnapshot => {
  const { servers, tools } = toFreeze(part);
  return {
    ...{ id: '', createdAt: '', servers },
    tools: tools.map(({ tool: { tool, raw } }, snapshotToolId) => ({
      ...{ ...tool, snapshotToolId, hash: hashTool(raw) },
    })),
  };
};

const toFreeze = ({ servers, tools }: ShardTools) => ({
  servers: z.array(serverListing).parse(parseJson(servers)),
  tools: tools.map(({ tool: text, raw }) => ({
    serverId: null,
    tool: { tool: tool.parse(parseJson(text)), raw },
  })),
});

/** Freezes the tools of a part and returns the id of the snapshot. */
const freezeToolsOf = (store: Store, part: ShardTools): string =>
  store.toolSnapshots.freeze(toFreeze(part)).id;

/** What only one unit has of a merged evaluation. */
interface MergedRows<Unit extends EvaluationUnit, Run> {
  unit: Unit;
  createdAt: string;
  settings: Omit<NewEvaluation<Unit>['settings'], 'suiteId' | 'shard'>;
  entries: readonly { id: string; key: string; content: string }[];
  content: z.ZodType<FrozenEntry<EvaluationUnit>['content']>;
  /** Stores how a run ended. */
  end: (run: Run) => void;
}

/** Inserts the rows of a merged evaluation, one case, task or run per step. */
export function* insertMerged<Unit extends EvaluationUnit, Run extends MergedRun>(
  { store, owner }: { store: Store; owner: string },
  reports: readonly (Part<Run> & { evaluation_id: string; suite: string })[],
  { unit, createdAt, settings, entries, content, end }: MergedRows<Unit, Run>,
): Generator<undefined, void> {
  const [first] = reports;
  if (first === undefined) return;
  const { evaluation_id: id, suite, shard: plan } = first;
  const models = insertModels(store, reports);
  store.evaluations.insert(unit, {
    id,
    suiteId: null,
    suiteName: suite,
    settings: { ...settings, suiteId: null, shard: null } as NewEvaluation<Unit>['settings'],
    suite: frozenSuite.parse(parseJson(plan.suite)),
    models: models.map((model) => ({ modelSettingsId: model.id, price: model.price })),
    plannedRuns: reports.reduce<number>((sum, { runs }) => sum + runs, 0),
    owner,
    createdAt,
  });
  for (const model of models) store.evaluations.setRefused(id, model.id, model.refused);
  store.evaluations.setSnapshot(id, freezeToolsOf(store, plan));
  for (const [position, { id: sourceId, key, content: text }] of entries.entries()) {
    store.entries.freeze(id, { position, sourceId, key, content: content.parse(parseJson(text)) });
    yield;
  }
  for (const run of runsInOrder(reports, plan.models)) {
    const { position, repetition, attempt } = run;
    store.runs.insert({
      ...{ id: run.run_id, evaluationId: id, sourceId: entries[position]?.id ?? '' },
      ...{ modelSettingsId: run.model_id, position, repetition, attempt, createdAt },
    });
    end(run);
    if (!run.is_current) store.runs.supersede(run.run_id);
    yield;
  }
}

type Models = SharedShardContent['models'];
const idOf = ({ settings }: Models[number]): string => modelSettings.parse(parseJson(settings)).id;

/**
 * The runs of all parts in the order in which they were planned, with the model ids of the first
 * part: each workspace gives its own. The runs of a part are in that order already, so that only one
 * of each part is in memory.
 */
function* runsInOrder<Run extends MergedRun>(
  parts: readonly Part<Run>[],
  first: Models,
): Generator<Run, void> {
  const open = parts.map((part) => {
    const ids = new Map(part.shard.models.map((model, at) => [idOf(model), first[at]]));
    const runs = part.eachRun();
    return { ids, runs, next: runs.next() };
  });
  try {
    for (;;) {
      let least: { run: Run; of: (typeof open)[number] } | null = null;
      for (const each of open) {
        if (each.next.done === true) continue;
        const run = each.next.value;
        if (least === null || isBefore(run, least.run)) least = { run, of: each };
      }
      if (least === null) return;
      const { run, of } = least;
      const model = of.ids.get(run.model_id);
      yield { ...run, model_id: model === undefined ? run.model_id : idOf(model) };
      of.next = of.runs.next();
    }
  } finally {
    for (const { runs } of open) runs.return();
  }
}

const isBefore = (a: MergedRun, b: MergedRun): boolean =>
  a.place < b.place || (a.place === b.place && a.attempt < b.attempt);

/** What kept parts, whose runs were read, from running all of their cases or tasks. */
export function haltReasons(parts: readonly Part<unknown>[]): string {
  const reasons = parts.flatMap(({ reason, pending }) =>
    reason !== null && pending > 0 ? [reason] : [],
  );
  return [...new Set(reasons)].join(' ');
}

const known = (times: readonly (string | null)[]): string[] =>
  times.filter((time) => time !== null).sort();
/** When the first part started, and when the last one ended. */
export const timesOf = (
  parts: readonly { started_at: string | null; completed_at: string | null }[],
): { started: string | null; completed: string | null } => ({
  started: known(parts.map(({ started_at: at }) => at))[0] ?? null,
  completed: known(parts.map(({ completed_at: at }) => at)).at(-1) ?? null,
});
