import type { Confidence } from '../../../../src-shared/domain/observation.ts';
import type { ChatRequest } from '../chatModel.ts';
import type { ReadReply } from './readReply.ts';

export const selfReportQuestion =
  'How sure are you that this was the right choice, of the tools that you were given and of ' +
  'calling one at all? Answer with a whole number from 0 (not at all) to 100 (certain) and ' +
  'nothing else.';

/**
 * The question after the choice. It is a conversation of its own without tools, so it can't change
 * what was measured.
 */
export function selfReportRequest(
  request: ChatRequest,
  { calls, text }: Pick<ReadReply, 'calls' | 'text'>,
): ChatRequest {
  const chosen = calls.map(
    (call) =>
      `I called the tool ${call.name} with ` +
      `${call.arguments ? JSON.stringify(call.arguments) : (call.argumentsText ?? '')}.`,
  );
  const said = chosen.length > 0 ? chosen.join('\n') : `I called no tool. ${text ?? ''}`;
  return {
    ...request,
    messages: [
      ...request.messages,
      { role: 'user', content: request.query },
      { role: 'assistant', content: said.slice(0, 8_000) },
    ],
    query: selfReportQuestion,
    tools: [],
  };
}

/** The first whole number from 0 to 100, as a share; null where the answer has none. */
export function parseSelfReport(text: string | null): Confidence | null {
  const found = /(?<![\d.-])(100|\d{1,2})(?![\d]|\.\d)/.exec(text ?? '');
  return found ? { score: Number(found[1]) / 100, method: 'self_report' } : null;
}
