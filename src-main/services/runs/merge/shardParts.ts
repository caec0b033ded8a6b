import { z } from 'zod';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import { errorText } from '../../../../src-shared/domain/errorText.ts';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import { modelSettings } from '../../../../src-shared/domain/model.ts';
import { price, type Price } from '../../../../src-shared/domain/price.ts';
import type { RefusedSetting } from '../../../../src-shared/domain/refusedSetting.ts';
import type { SharedShardContent } from '../../../../src-shared/domain/shardContent.ts';
import { serverListing, tool } from '../../../../src-shared/domain/tool.ts';
import type { RefusedByModel } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';

/** The fields that a part has whether it ran cases or tasks. */
export interface Part<Run extends { model_id: string; status: string }> {
  reason: string | null;
  started_at: string | null;
  completed_at: string | null;
  shard: SharedShardContent & { runs: readonly Run[] };
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
export function insertModels(
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

/** Freezes the tools of a part and returns the id of the snapshot. */
export const freezeToolsOf = (
  store: Store,
  { servers, tools }: Pick<SharedShardContent, 'servers' | 'tools'>,
): string =>
  store.toolSnapshots.freeze({
    servers: z.array(serverListing).parse(parseJson(servers)),
    tools: tools.map(({ tool: text, raw }) => ({
      serverId: null,
      tool: { tool: tool.parse(parseJson(text)), raw },
    })),
  }).id;

type Models = SharedShardContent['models'];
const idOf = ({ settings }: Models[number]): string => modelSettings.parse(parseJson(settings)).id;

/**
 * The runs of all parts in the order in which they were planned, with the model ids of the first
 * part: each workspace gives its own.
 */
export function runsInOrder<
  Run extends { model_id: string; status: string; place: number; attempt: number },
>(parts: readonly Part<Run>[], first: Models): Run[] {
  return parts
    .flatMap(({ shard: { runs, models } }) => {
      const ids = new Map(models.map((model, at) => [idOf(model), first[at]]));
      return runs.map((run) => {
        const model = ids.get(run.model_id);
        return { ...run, model_id: model === undefined ? run.model_id : idOf(model) };
      });
    })
    .sort((a, b) => a.place - b.place || a.attempt - b.attempt);
}

/** What kept parts from running all of their cases or tasks. */
export function haltReasons(parts: readonly Part<{ model_id: string; status: string }>[]): string {
  const reasons = parts.flatMap(({ reason, shard }) =>
    reason !== null && shard.runs.some(({ status }) => status === 'pending') ? [reason] : [],
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
