import { z } from 'zod';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import { modelSettings } from '../../../../src-shared/domain/model.ts';
import { price, type Price } from '../../../../src-shared/domain/price.ts';
import type { RefusedSetting } from '../../../../src-shared/domain/refusedSetting.ts';
import type { ShardEntry, SharedShardContent } from '../../../../src-shared/domain/shardContent.ts';
import { serverListing, tool, type ToolSnapshot } from '../../../../src-shared/domain/tool.ts';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import type { FrozenEntry } from '../../../store/evaluations/entries.ts';
import { frozenSuite, type NewEvaluation } from '../../../store/evaluations/evaluations.ts';
import { hashTool } from '../../../store/servers/toolSnapshots.ts';
import type { Store } from '../../../store/store.ts';
import type { PartOf } from './partFile.ts';

export interface MergedRun {
  run_id: string;
  model_id: string;
  status: string;
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

/** Where a report is not as it was written. */
function faultOf(error: z.ZodError | SyntaxError): string {
  if (error instanceof SyntaxError) return error.message;
  const [issue] = error.issues;
  return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`;
}

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
        cause: `One of them was changed after it was written (${faultOf(error)}).`,
        nextStep: 'Run its part again.',
      },
      { cause: error },
    );
  }
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

const freezeToolsOf = (store: Store, part: ShardTools): string =>
  store.toolSnapshots.freeze(toFreeze(part)).id;

/** What only one unit has of a merged evaluation. */
interface MergedRows<Unit extends EvaluationUnit, Run> {
  unit: Unit;
  createdAt: string;
  settings: Omit<NewEvaluation<Unit>['settings'], 'suiteId' | 'shard'>;
  entries: readonly ShardEntry[];
  /** The positions in the order in which a repetition ran them; absent: that of the suite. */
  order?: (repetition: number) => readonly number[];
  content: z.ZodType<FrozenEntry<EvaluationUnit>['content']>;
  end: (run: Run) => void;
}

/** Inserts the rows of a merged evaluation, one case, task or run per step. */
export function* insertMerged<Unit extends EvaluationUnit, Run extends MergedRun>(
  { store, owner }: { store: Store; owner: string },
  reports: readonly (Part<Run> & { evaluation_id: string; suite: string })[],
  { unit, createdAt, settings, entries, order, content, end }: MergedRows<Unit, Run>,
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
  for (const { position, id: sourceId, key, content: text } of entries) {
    store.entries.freeze(id, { position, sourceId, key, content: content.parse(parseJson(text)) });
    yield;
  }
  const ids = new Map(entries.map((entry) => [entry.position, entry.id]));
  for (const run of runsInOrder(reports, plan.models, order)) {
    const { position, repetition, attempt } = run;
    store.runs.insert({
      ...{ id: run.run_id, evaluationId: id, sourceId: ids.get(position) ?? '' },
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
 * The runs of all parts in the order in which one evaluation would have planned them, with the model
 * ids of the first part: each workspace gives its own. The runs of a part are in that order already,
 * so that only one of each part is in memory.
 */
function* runsInOrder<Run extends MergedRun>(
  parts: readonly Part<Run>[],
  first: Models,
  order: MergedRows<EvaluationUnit, Run>['order'],
): Generator<Run, void> {
  const placeOf = placesOf(order);
  const open = parts.map((part) => {
    const ids = new Map(part.shard.models.map((model, at) => [idOf(model), first[at]]));
    const models = [...ids.keys()];
    const runs = part.eachRun();
    const next = () => {
      const { value: run } = runs.next();
      if (!run) return null;
      const { model_id: model, repetition, position, attempt } = run;
      // Later attempts were planned after all others.
      const place =
        attempt > 1
          ? [Infinity]
          : [repetition, placeOf(repetition, position), models.indexOf(model)];
      return { run, place };
    };
    return { ids, runs, next, head: next() };
  });
  try {
    for (;;) {
      let least: (typeof open)[number] | null = null;
      for (const each of open)
        if (each.head && (!least?.head || isBefore(each.head.place, least.head.place)))
          least = each;
      if (!least?.head) return;
      const { run } = least.head;
      const model = least.ids.get(run.model_id);
      yield { ...run, model_id: model === undefined ? run.model_id : idOf(model) };
      least.head = least.next();
    }
  } finally {
    for (const { runs } of open) runs.return();
  }
}

/** Whether the first of two places that differ is the lesser one. */
function isBefore(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((place, index) => place !== b[index]);
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}

function placesOf(
  order: ((repetition: number) => readonly number[]) | undefined,
): (repetition: number, position: number) => number {
  if (order === undefined) return (_repetition, position) => position;
  const known = new Map<number, Uint32Array>();
  return (repetition, position) => {
    let places = known.get(repetition);
    if (places === undefined) {
      const positions = order(repetition);
      places = new Uint32Array(positions.length);
      for (const [place, of] of positions.entries()) places[of] = place;
      // Parts are at most one repetition apart.
      known.delete(repetition - 2);
      known.set(repetition, places);
    }
    return places[position] ?? 0;
  };
}

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
