import type { ActualCall } from '../../../../src-shared/domain/observation.ts';
import type { StubResult } from '../../../../src-shared/domain/testCase.ts';
import type { CallResult } from '../chatModel.ts';

/**
 * The case's own result for this tool, else "accepted, not executed". Nothing is executed; a call
 * that could not be gets an error.
 */
export function stubResultOf(call: ActualCall, stubs: readonly StubResult[]): CallResult {
  if (call.server === null || call.tool === null)
    return {
      id: call.id,
      text: `There is no tool named ${JSON.stringify(call.name.slice(0, 200))}.`,
      isError: true,
    };
  if (call.arguments === null)
    return { id: call.id, text: "The arguments aren't a JSON object.", isError: true };
  const stub = stubs.find(({ server, tool }) => server === call.server && tool === call.tool);
  if (!stub) return { id: call.id, text: 'accepted, not executed', isError: false };
  return {
    id: call.id,
    text: typeof stub.result === 'string' ? stub.result : JSON.stringify(stub.result),
    isError: false,
  };
}
