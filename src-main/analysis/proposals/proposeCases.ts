import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { Tool } from '../../../src-shared/domain/tool.ts';
import { copiedText } from './copiedText.ts';
import { exampleArguments, wordsOf } from './exampleValues.ts';
import { labelOf, wishOf, wordsIn } from './requestWords.ts';

export type ProposalKind = 'right tool' | 'near neighbor' | 'no tool';

/**
 * A query with its expected calls, written by rules. `calls` is empty if no tool should be called.
 */
export interface Proposal {
  kind: ProposalKind;
  name: string;
  query: string;
  calls: { server: string; tool: string; parameters: JsonObject }[];
  basis: string;
  /** The tool that it is about, as `server:tool`. */
  tool: string;
  /** Words that the query copies from the description of its tool; null if there are none. */
  copied: string | null;
}

/** A proposal before its query is compared with the description. */
type Draft = Omit<Proposal, 'copied'>;

/** How people begin and end a request. */
const phrasings: readonly ((wish: string) => string)[] = [
  (wish) => `Please ${wish}.`,
  (wish) => `Can you ${wish}?`,
  (wish) => `I need you to ${wish}.`,
  (wish) => `Would you ${wish} for me?`,
];

/**
 * Rough cases for a list of tools, by rules alone (docs/rules.md §2): for each tool a request in the
 * words of its name with example values for its required parameters, one that is told apart from
 * the tool with the most similar words, and one that needs no tool.
 *
 * @param tools as listed
 * @param kinds the kinds to propose
 * @param among the tools that a `near neighbor` may rule out
 * @returns proposals tool by tool, without a `near neighbor` where there is no other tool. One that
 * shares five consecutive words with the description of its tool is marked as copied.
 */
export function proposeCases(
  tools: readonly Tool[],
  kinds: readonly ProposalKind[] = ['right tool', 'near neighbor', 'no tool'],
  among: readonly Tool[] = tools,
): Proposal[] {
  return tools.flatMap((tool, index) =>
    kinds
      .map((kind) => draftOf(kind, tool, index, among))
      .filter((draft) => draft !== null)
      .map((draft) => ({ ...draft, copied: copiedText(draft.query, tool.description) })),
  );
}

/**
 * A rough case for a call that was really made: a request in the words of the tool's name with the
 * values of the call, which are expected as they are.
 *
 * @param index chooses how the request is put
 */
export function proposeFromCall(tool: Tool, parameters: JsonObject, index: number): Proposal {
  const say = phrasings[index % phrasings.length] ?? phrasings[0];
  return {
    kind: 'right tool',
    name: `${labelOf(tool)}, as run`,
    query: say?.(`${wishOf(tool)}${wordsOf(parameters)}`) ?? '',
    calls: [{ server: tool.server, tool: tool.name, parameters }],
    basis: `${tool.server}:${tool.name}, an execution`,
    tool: `${tool.server}:${tool.name}`,
    copied: null,
  };
}

function draftOf(
  kind: ProposalKind,
  tool: Tool,
  index: number,
  tools: readonly Tool[],
): Draft | null {
  const wish = wishOf(tool);
  const label = labelOf(tool);
  const basis = `${tool.server}:${tool.name}`;
  if (kind === 'no tool')
    return {
      kind,
      name: `${label}: only a question`,
      query: `In general, when would somebody want to ${wish}? Just explain, don’t do it.`,
      calls: [],
      basis,
      tool: basis,
    };
  const { parameters, words } = exampleArguments(
    tool.inputSchema,
    kind === 'right tool' ? index : index + 1,
  );
  const calls = [{ server: tool.server, tool: tool.name, parameters }];
  const say = phrasings[index % phrasings.length] ?? phrasings[0];
  if (kind === 'right tool')
    return { kind, name: label, query: say?.(`${wish}${words}`) ?? '', calls, basis, tool: basis };
  const neighbor = nearestTo(tool, tools);
  if (neighbor === null) return null;
  return {
    kind,
    name: `${label}, not ${labelOf(neighbor)}`,
    query: `${say?.(`${wish}${words}`) ?? ''} Don’t ${wishOf(neighbor)}.`,
    calls,
    basis: `${basis} and its neighbor ${neighbor.server}:${neighbor.name}`,
    tool: basis,
  };
}

/** The tool whose name and description share the most words (Jaccard, 0 to 1). */
function nearestTo(tool: Tool, tools: readonly Tool[]): Tool | null {
  const own = vocabulary(tool);
  let best: { tool: Tool; share: number } | null = null;
  for (const other of tools) {
    if (other === tool) continue;
    const words = vocabulary(other);
    const common = [...own].filter((word) => words.has(word)).length;
    const share = common / Math.max(1, own.size + words.size - common);
    if (best === null || share > best.share) best = { tool: other, share };
  }
  return best?.tool ?? null;
}

const vocabularies = new WeakMap<Tool, ReadonlySet<string>>();

function vocabulary(tool: Tool): ReadonlySet<string> {
  const known = vocabularies.get(tool);
  if (known !== undefined) return known;
  const words = new Set(
    `${wordsIn(tool.name)} ${tool.description.slice(0, 2000)}`
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu) ?? [],
  );
  vocabularies.set(tool, words);
  return words;
}
