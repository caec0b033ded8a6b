import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import { cutDepth } from '../../../scoring/depth.ts';
import type { AcceptableCall, OfferedTool } from '../../../scoring/scoreInput.ts';
import type { ScoringItem } from './scoringItem.ts';

/**
 * The same input, cut where it is nested too deeply to be copied. Scoring treats the rest as if it
 * were whole.
 */
export function sendableInput(input: ScoringItem['input']): ScoringItem['input'] {
  const { expectation } = input;
  return {
    ...input,
    ...(input.acceptable
      ? { acceptable: cutDepth(input.acceptable as JsonValue[]) as unknown as AcceptableCall[] }
      : {}),
    calls: input.calls.map((call) =>
      call.arguments === null ? call : { ...call, arguments: cutDepth(call.arguments) },
    ),
    expectation: {
      ...expectation,
      expectedCalls: expectation.expectedCalls.map((call) =>
        'anyOf' in call
          ? { ...withCutArguments(call), anyOf: call.anyOf.map(withCutArguments) }
          : withCutArguments(call),
      ),
    },
  };
}

const withCutArguments = <Call extends { parameters?: JsonObject | undefined }>(
  call: Call,
): Call =>
  call.parameters === undefined ? call : { ...call, parameters: cutDepth(call.parameters) };

/** Lists are cut once: the same list is sent for every run that shows it. */
const sendableLists = new WeakMap<readonly OfferedTool[], readonly OfferedTool[]>();

/**
 * The same tools with only what scoring reads, and with schemas cut where they are nested so deeply
 * that copying them to a thread would exhaust the stack.
 */
export function sendableTools(tools: readonly OfferedTool[]): readonly OfferedTool[] {
  let sendable = sendableLists.get(tools);
  if (!sendable) {
    sendable = tools.map(({ toolId, server, name, title, description, inputSchema }) => ({
      toolId,
      server,
      name,
      title,
      description,
      inputSchema: cutDepth(inputSchema),
      outputSchema: null,
      annotations: null,
    }));
    sendableLists.set(tools, sendable);
  }
  return sendable;
}
