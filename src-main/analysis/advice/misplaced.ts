import type { Advice } from '../../../src-shared/domain/advice.ts';
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import type { FailedRequest } from '../missingWords.ts';
import { nameWords } from './nameWords.ts';
import { flawOf } from './offeredTexts.ts';
import { isPlain } from './plainTexts.ts';
import { baseVerb, reads } from './purpose.ts';
import { faultOf, nounsOf } from './saysNothing.ts';
import { listed } from './spoken.ts';

/** What advice changes that gives a tool another description as a whole. */
export function describedAs(
  { server, name, description }: AnalysedTool,
  newText: string,
): Pick<Advice, 'toolIds' | 'edits'> {
  const id = toolId(server, name);
  const path = '/description';
  return {
    toolIds: [id],
    edits: [{ type: 'text', toolId: id, path, oldText: description, newText, inserted: newText }],
  };
}

/** Whether the text of one tool may be offered to another one that it fits better. */
const isOffered = (text: string, tool: AnalysedTool, tools: readonly AnalysedTool[]): boolean =>
  isPlain(text) && flawOf(text, tool, tools) === null;

/**
 * Each of two tools with the description of the other. Null if the first tool can't be offered
 * its new text; if only the second can't, the first alone gets it, unless that makes the exchange
 * doubtful.
 */
export function exchangeAdvice(
  a: AnalysedTool,
  b: AnalysedTool,
  tools: readonly AnalysedTool[],
  why: string,
  isDoubtful = false,
): Advice | null {
  if (!isOffered(b.description, a, tools)) return null;
  const isHalf = !isOffered(a.description, b, tools);
  if (isDoubtful && (isHalf || !sayMore(a, b, tools))) return null;
  const own = describedAs(a, b.description);
  const theirs = isHalf ? { toolIds: [], edits: [] } : describedAs(b, a.description);
  return {
    kind: 'exchange',
    toolIds: [...own.toolIds, ...theirs.toolIds],
    edits: [...own.edits, ...theirs.edits],
    why,
    evidence: { requests: [], words: [] },
  };
}

/** Whether each of two tools has a text that says something of it once they have exchanged theirs. */
function sayMore(a: AnalysedTool, b: AnalysedTool, tools: readonly AnalysedTool[]): boolean {
  const [one, other] = [
    { ...a, description: b.description },
    { ...b, description: a.description },
  ];
  const all = tools.map((tool) => (tool === a ? one : tool === b ? other : tool));
  // The words of a name alone are poor, but of this tool.
  return [one, other].every((each) => [undefined, 'name'].includes(faultOf(each, all)?.kind));
}

type DescribedTool = AnalysedTool & { outputSchema?: JsonObject | null };

/** Its own text for a tool that has exchanged its description with another one; else null. */
export function misplacedAdvice(
  tool: AnalysedTool,
  tools: readonly AnalysedTool[],
  requests: readonly FailedRequest[] = [],
): Advice | null {
  const fault = faultOf(tool, tools);
  if (fault?.kind !== 'exchanged' || !fault.about) return null;
  const piece = exchangeAdvice(tool, fault.about, tools, fault.why);
  const evidence = { requests: requests.map(({ query }) => query), words: [] };
  return piece && { ...piece, evidence };
}

/**
 * What a text lacks where a description says nothing and no other one is offered, as sentences; else
 * null.
 */
export function missingText(tool: DescribedTool, tools: readonly AnalysedTool[]): string | null {
  const fault = faultOf(tool, tools);
  if (fault === null || misplacedAdvice(tool, tools) !== null) return null;
  if (fault.kind === 'exchanged' && fault.about) {
    return `${fault.why} Its own text may be the one that ${fault.about.name} has now: read it before you move it.`;
  }
  return `${fault.why} No text by rules; what is missing: ${missingFrom(tool)}.`;
}

/**
 * What an author has to write where a description is empty or only the name, as a sentence; null
 * for other descriptions.
 */
export function toBeWritten(tool: DescribedTool, tools: readonly AnalysedTool[]): string | null {
  const kind = faultOf(tool, tools)?.kind;
  return kind === 'empty' || kind === 'name' ? `Say ${missingFrom(tool)}.` : null;
}

function missingFrom({ inputSchema, outputSchema }: DescribedTool): string {
  const { properties } = inputSchema;
  const unclear = Object.entries(isJsonObject(properties) ? properties : {}).filter(
    ([, schema]) =>
      isJsonObject(schema) &&
      typeof schema['description'] !== 'string' &&
      (schema['type'] === 'boolean' || schema['type'] === 'object'),
  );
  const missing = [
    'what it does beyond its name',
    ...(outputSchema ? [] : ['what it returns']),
    'when to use it',
    ...unclear.map(([name]) => `what ${name} means`),
  ];
  return listed(missing, 'and');
}

/** Whether the names of two tools do the same to the same thing, so that they can be confused. */
export function isLike(a: AnalysedTool, b: AnalysedTool): boolean {
  const [own, theirs] = [a, b].map((tool) => {
    const name = nameWords(tool);
    const verb = name.map(baseVerb).find((each) => each !== null) ?? 'get';
    return `${reads.has(verb) ? 'read' : verb} ${nounsOf(name).at(-1) ?? name.join(' ')}`;
  });
  return own === theirs;
}
