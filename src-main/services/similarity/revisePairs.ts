import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { ModelConfiguration } from '../../../src-shared/domain/model.ts';
import type {
  AnalysedTool,
  Differentiation,
  RecommendationItem,
} from '../../../src-shared/domain/similarity.ts';
import type { OpenChatModel } from '../../adapters/llm/chatModel.ts';
import { forEachLimited } from '../../runtime/semaphore.ts';
import { reviseDescription } from './askModel.ts';

/** Pairs revised at the same time. */
const maxConcurrent = 4;

const changesDescription = ({ applyCommands }: RecommendationItem): boolean =>
  applyCommands.some(({ path }) => path === '/description');

/**
 * Asks a model for a new description of both tools of each pair, and fills
 * `revisedDescription`. It belongs to every recommendation that changes the tool's description, or
 * to the tool's first one. Tools for which the model returned no text are listed in `unrevised`.
 */
export async function revisePairs(
  open: OpenChatModel,
  model: ModelConfiguration,
  tools: readonly AnalysedTool[],
  differentiations: readonly Differentiation[],
  signal: AbortSignal,
  onDone: (done: number) => void = () => undefined,
): Promise<Differentiation[]> {
  const byId = new Map(tools.map((tool) => [toolId(tool.server, tool.name), tool]));
  const revised = [...differentiations];
  let done = 0;
  await forEachLimited(differentiations, maxConcurrent, async (found, at) => {
    const [firstId, secondId] = found.toolPair;
    const texts = new Map<string, string>();
    const unrevised: Differentiation['unrevised'] = [];
    for (const [id, other] of [
      [firstId, secondId],
      [secondId, firstId],
    ] as const) {
      const [tool, confusedWith] = [byId.get(id), byId.get(other)];
      if (!tool || !confusedWith) continue;
      try {
        texts.set(id, await reviseDescription(open, model, { tool, confusedWith }, signal));
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ServiceError) || error.code !== 'TROUBLE') throw error;
        unrevised.push({ toolId: id, reason: error.message });
      }
    }
    revised[at] = {
      ...found,
      recommendations: [
        ...fillDescriptions(found.recommendations, texts),
        ...ownItems(found, texts),
      ],
      unrevised,
    };
    onDone((done += 1));
  });
  return revised;
}

function fillDescriptions(
  items: readonly RecommendationItem[],
  texts: ReadonlyMap<string, string>,
): RecommendationItem[] {
  return items.map((item, at) => {
    const text = item.toolId === null ? undefined : texts.get(item.toolId);
    if (text === undefined) return item;
    const own = items.filter(({ toolId: id }) => id === item.toolId);
    const receivesText = own.some(changesDescription)
      ? changesDescription(item)
      : items.findIndex(({ toolId: id }) => id === item.toolId) === at;
    return receivesText ? { ...item, revisedDescription: text } : item;
  });
}

/** Recommendations for new descriptions of tools that the rules say nothing about. */
function ownItems(
  { issues: [issue], recommendations: items }: Differentiation,
  texts: ReadonlyMap<string, string>,
): RecommendationItem[] {
  return [...texts]
    .filter(([id]) => items.every((item) => item.toolId !== id))
    .map(([id, text]) => ({
      issue: issue?.type ?? 'scope_clarity',
      toolId: id,
      priority: 'low',
      recommendation: `Rewrite the description of ${id}.`,
      rationale: 'The two descriptions are similar.',
      revisedDescription: text,
      applyCommands: [{ op: 'add', path: '/description', value: text }],
    }));
}
