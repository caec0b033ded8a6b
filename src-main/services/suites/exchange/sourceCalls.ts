import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import { plainName } from './fieldNames.ts';

/** A tool that a source names, with the server if the source names one. */
export interface NamedTool {
  server: string | null;
  tool: string;
  /** Of one of several right calls that each have their own. */
  parameters?: JsonObject;
}

/** A call that a source expects: of one tool, or of one of several equally good ones. */
export interface SourceCall {
  tools: NamedTool[];
  /** True for a list of alternatives, even if it has only one. */
  isChoice?: boolean;
  /** Undefined: any arguments. */
  parameters?: JsonObject;
  /** The source names only some of its arguments: it may have others. */
  isPartial?: boolean;
  /** Its arguments are written as another program does, and are all unless it says otherwise. */
  isForeign?: boolean;
}

/** What a value says of calls. No calls: the source says that no tool should be called. */
export interface SourceCalls {
  calls: SourceCall[];
  /** Tools that the source lists as those that must not be called. */
  never?: NamedTool[];
  /** Tools that may be called as well: the source says that their calls are optional. */
  optional?: NamedTool[];
  /** How parts of the calls were understood. */
  changes?: { what: string; why: string }[];
  /** True if the source puts the calls in an order. */
  ordered: boolean;
  /** Parts of the calls that aren't read. */
  unread: string[];
}

export const isSame = (one: NamedTool, other: NamedTool): boolean =>
  one.server === other.server &&
  one.tool === other.tool &&
  isDeepStrictEqual(one.parameters, other.parameters);

/** Each tool once, and more often only with other arguments. */
export const unique = <Tool extends NamedTool>(tools: readonly Tool[]): Tool[] =>
  tools.filter((tool, at) => tools.findIndex((other) => isSame(tool, other)) === at);

/** Calls of which any one is right, as one call with the arguments of each. */
export const oneOf = (calls: readonly SourceCall[]): SourceCall => ({
  tools: calls.flatMap(({ tools, parameters }) =>
    tools.map((tool) =>
      parameters === undefined || tool.parameters !== undefined ? tool : { ...tool, parameters },
    ),
  ),
  ...(calls.some(({ isForeign }) => isForeign === true) && { isForeign: true }),
  ...(calls.some(({ isPartial }) => isPartial === true) && { isPartial: true }),
});

/** Changes the arguments of a call, and those that its alternatives have of their own. */
export function mapArguments(
  call: SourceCall,
  change: (parameters: JsonObject, tool: NamedTool | undefined) => JsonObject,
): SourceCall {
  const { tools, parameters } = call;
  return {
    ...call,
    tools: tools.map((tool) =>
      tool.parameters === undefined ? tool : { ...tool, parameters: change(tool.parameters, tool) },
    ),
    ...(parameters !== undefined && { parameters: change(parameters, tools[0]) }),
  };
}

export const hasArguments = ({ tools, parameters }: SourceCall): boolean =>
  parameters !== undefined || tools.some((tool) => tool.parameters !== undefined);

/** The call in `{type: "function", function: {name, arguments}}` and `{functionCall: {…}}`. */
export function innerCall(call: JsonObject): JsonObject | null {
  for (const [name, value] of Object.entries(call))
    if (isJsonObject(value) && ['function', 'functioncall', 'toolcall'].includes(plainName(name)))
      return { ...value, ...(call['server'] !== undefined && { server: call['server'] }) };
  return null;
}

/** Words of a remark that say of a tool more than how it is called. */
const changesMeaning =
  /\b(?:not|no|never|or|and|if|unless|optional|maybe|alternative|instead|first|last|then|before|after)\b/i;

/** The name before a remark in parentheses, such as `find_book (by title)`; null if there is none. */
export function beforeRemark(text: string): string | null {
  const [, tool, remark] = /^(\w\S*[a-z\d])\s+\(([a-z][\w ]*)\)$/i.exec(text) ?? [];
  return tool === undefined || changesMeaning.test(remark ?? '') ? null : tool;
}
