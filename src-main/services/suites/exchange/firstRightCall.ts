import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import type { FileCall } from './suiteDraft.ts';

export interface SingleCall {
  server: string;
  tool: string;
  parameters?: JsonObject | undefined;
}

/** The call that a format with one right call keeps, and what is lost of the others. */
export function firstRightCall(call: FileCall, lose: (what: string) => void): SingleCall {
  if (!('any_of' in call)) return call;
  const [first, ...others] = call.any_of;
  const { server = '', tool = '', parameters = call.parameters } = first ?? {};
  if (others.length > 0) {
    const isOneTool = others.every((each) => each.server === server && each.tool === tool);
    lose(
      isOneTool
        ? `${tool} is correct with several sets of arguments, but only the first is exported.`
        : `Several tools are correct, but only ${tool} is exported.`,
    );
  }
  return { server, tool, parameters };
}
