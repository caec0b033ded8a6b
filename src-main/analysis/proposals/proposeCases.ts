import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { Tool } from '../../../src-shared/domain/tool.ts';
import { exampleArguments } from './exampleValues.ts';

export type ProposalKind = 'right tool' | 'near neighbor' | 'no tool';

/**
 * What a request is to be written for: a model or a person writes it. `calls` is empty if no tool
 * should be called.
 */
export interface Proposal {
  kind: ProposalKind;
  name: string;
  calls: { server: string; tool: string; parameters: JsonObject }[];
  basis: string;
  /** The tool that it is about, as `server:tool`. */
  tool: string;
}

/**
 * Cases without requests for a list of tools (docs/rules.md §2): for each tool one that it should
 * answer, with example values for its required parameters, one that is told apart from the tool with
 * the most similar words, and one that needs no tool. A request made of the name of a tool would
 * measure whether a model can match text.
 *
 * @param tools as listed
 * @param kinds the kinds to propose
 * @param among the tools that a `near neighbor` may rule out
 * @returns proposals tool by tool, without a `near neighbor` where there is no other tool
 */
export function proposeCases(
  tools: readonly Tool[],
  kinds: readonly ProposalKind[] = ['right tool', 'near neighbor', 'no tool'],
  among: readonly Tool[] = tools,
): Proposal[] {
  return tools.flatMap((tool, index) =>
    kinds
      .map((kind) => proposalOf(kind, tool, index, among))
      .filter((proposal) => proposal !== null),
  );
}

/** A case for a call that was really made, which is expected as it is. */
export const proposeFromCall = (tool: Tool, parameters: JsonObject): Proposal => ({
  kind: 'right tool',
  name: `${labelOf(tool)}, as run`,
  calls: [{ server: tool.server, tool: tool.name, parameters }],
  basis: `${tool.server}:${tool.name}, an execution`,
  tool: `${tool.server}:${tool.name}`,
});

function proposalOf(
  kind: ProposalKind,
  tool: Tool,
  index: number,
  tools: readonly Tool[],
): Proposal | null {
  const label = labelOf(tool);
  const basis = `${tool.server}:${tool.name}`;
  if (kind === 'no tool')
    return { kind, name: `${label}: only a question`, calls: [], basis, tool: basis };
  const parameters = exampleArguments(tool.inputSchema, kind === 'right tool' ? index : index + 1);
  const calls = [{ server: tool.server, tool: tool.name, parameters }];
  if (kind === 'right tool') return { kind, name: label, calls, basis, tool: basis };
  const neighbor = nearestTo(tool, tools);
  if (neighbor === null) return null;
  return {
    kind,
    name: `${label}, not ${labelOf(neighbor)}`,
    calls,
    basis: `${basis} and its neighbor ${neighbor.server}:${neighbor.name}`,
    tool: basis,
  };
}

/** The words of a name: `listTasks`, `list_tasks` and `list-tasks` are “list tasks”. */
const wordsIn = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();

const labelOf = (tool: Pick<Tool, 'name' | 'title'>): string =>
  (tool.title ?? wordsIn(tool.name)).slice(0, 80);

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
