import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { ModelConfiguration } from '../../../../src-shared/domain/model.ts';
import {
  ChatFailure,
  type ChatModel,
  type OpenChatModel,
} from '../../../adapters/llm/chatModel.ts';
import type { EvaluationSources } from './evaluationSources.ts';
import type { PlannedCounts, PlannedWires } from './planModels.ts';
import type { PlannedGroup } from './plannedGroups.ts';

/**
 * The first request of each group is counted. Beyond this many groups the calls would take longer
 * than the better number is worth.
 */
const maxRequests = 20;

type ModelCounts =
  PlannedCounts extends ReadonlyMap<ModelConfiguration, infer Value> ? Value : never;

/**
 * Asks the models' endpoints to count the tokens of the first request of each group. No model
 * answers anything, so this costs nothing. A model that can't be counted gets a note with the
 * reason instead of numbers.
 */
export async function countPlan(
  { wires, openChatModel }: { wires: PlannedWires | undefined; openChatModel: OpenChatModel },
  { settings, suite }: Pick<EvaluationSources, 'settings' | 'suite'>,
  groups: readonly PlannedGroup[],
  signal: AbortSignal,
): Promise<PlannedCounts> {
  const notCounted = (note: string): ModelCounts => ({ byGroup: new Map(), note });
  // These reasons apply to every model alike, so no endpoint is opened for them.
  const obstacle =
    settings.topK !== null
      ? 'The tools of each case are chosen while it runs.'
      : groups.some(({ tools }) => tools === null)
        ? 'The tools of some servers haven’t been listed yet.'
        : groups.length > maxRequests
          ? `Its cases see ${groups.length} different lists of servers; up to ${maxRequests} ` +
            'are counted.'
          : null;
  const counts = await Promise.all(
    settings.models.map(async (configuration): Promise<[ModelConfiguration, ModelCounts]> => {
      const wire = wires?.of(configuration) ?? null;
      if (!wire) return [configuration, { byGroup: new Map(), note: null }];
      if (obstacle !== null) return [configuration, notCounted(obstacle)];
      if (!wire.countable)
        return [configuration, notCounted('Chat Completions has no API that counts tokens.')];
      let model: ChatModel | null = null;
      try {
        model = await openChatModel(configuration);
        const byGroup = new Map<PlannedGroup, number>();
        for (const group of groups) {
          const [{ query }] = group.entries;
          const tokens = await model.countInput?.(
            {
              query,
              system: group.system,
              messages: suite.messages,
              tools: group.tools ?? [],
              repetition: 1,
            },
            signal,
          );
          if (tokens !== undefined) byGroup.set(group, tokens);
        }
        return [configuration, { byGroup, note: null }];
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ChatFailure || error instanceof ServiceError)
          return [configuration, notCounted(error.message)];
        throw error;
      } finally {
        await model?.close();
      }
    }),
  );
  return new Map(counts);
}
