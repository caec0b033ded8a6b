import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { ModelConfiguration } from '../../../src-shared/domain/model.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import type { RatingEvent } from '../../../src-shared/domain/toolQuality.ts';
import type { OpenChatModel } from '../../adapters/llm/chatModel.ts';
import { forEachLimited } from '../../runtime/semaphore.ts';
import { rateTool } from './askModel.ts';

/** Requests sent at the same time. */
const maxConcurrent = 4;
/** After this many failures without any success, the fault is the model's, not the tools'. */
const maxFailures = 5;

/**
 * Asks a model to rate each description, several at a time. A tool whose answer can't be used is
 * reported with the reason and does not affect the others. When the model fails for every tool, its
 * last error is thrown.
 */
export async function rateTools(
  open: OpenChatModel,
  model: ModelConfiguration,
  tools: readonly AnalysedTool[],
  signal: AbortSignal,
  push: (event: RatingEvent) => void,
): Promise<void> {
  let [rated, failures] = [0, 0];
  await forEachLimited(tools, maxConcurrent, async (tool) => {
    signal.throwIfAborted();
    try {
      const quality = await rateTool(open, model, tool, signal);
      rated += 1;
      push({ type: 'rated', quality });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ServiceError) || error.code !== 'TROUBLE') throw error;
      failures += 1;
      if (rated === 0 && failures >= maxFailures) throw error;
      push({ type: 'unrated', toolId: toolId(tool.server, tool.name), reason: error.message });
    }
  });
}
