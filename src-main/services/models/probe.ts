import type { ModelConfiguration } from '../../../src-shared/domain/model.ts';
import type { ProbeResult } from '../../../src-shared/domain/modelService.ts';
import { sentAfter } from '../../../src-shared/domain/refusedSetting.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import { ChatFailure, type OpenChatModel } from '../../adapters/llm/chatModel.ts';

const weatherTool: SnapshotTool = {
  server: 'probe',
  name: 'get_weather',
  title: null,
  description: 'Returns the current weather of a city. The only way to know it.',
  inputSchema: {
    type: 'object',
    properties: { city: { type: 'string', description: 'Name of the city.' } },
    required: ['city'],
  },
  outputSchema: null,
  annotations: null,
  snapshotToolId: 0,
  hash: 'probe',
};

/**
 * Asks a question that only a tool call can answer. An endpoint that replies with text only would
 * otherwise look like a model that never needs a tool.
 */
export async function probeModel(
  open: OpenChatModel,
  configuration: ModelConfiguration,
  signal: AbortSignal,
): Promise<ProbeResult> {
  const model = await open(configuration);
  const startedAt = performance.now();
  const toResult = (calls: boolean, says: string): ProbeResult => ({
    calls,
    says,
    elapsedMs: Math.max(1, Math.ceil(performance.now() - startedAt)),
    sent: sentAfter(model.sent, model.refused ?? []),
  });
  try {
    const request = {
      query: 'What is the weather in Oslo right now? Use the tool.',
      system: null,
      messages: [],
      tools: [weatherTool],
      repetition: 1,
    };
    const { observation } = await model.choose(request, signal);
    const [call] = observation.calls;
    if (!call)
      return toResult(
        false,
        `It made no call. It said: ${observation.text?.slice(0, 300) ?? 'nothing'}`,
      );
    if (call.tool === null)
      return toResult(false, `It called "${call.name}", which was not offered.`);
    const readable = call.arguments !== null;
    return toResult(
      true,
      readable
        ? `It called get_weather with ${JSON.stringify(call.arguments).slice(0, 200)}.`
        : "It called get_weather, with arguments that aren't a JSON object: " +
            (call.argumentsText ?? '').slice(0, 200),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ChatFailure) return toResult(false, error.message);
    throw error;
  } finally {
    await model.close();
  }
}
