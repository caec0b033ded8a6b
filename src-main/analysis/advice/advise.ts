import type { Advice } from '../../../src-shared/domain/advice.ts';
import type { JsonValue } from '../../../src-shared/domain/json.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { misplacedAdvice } from './misplaced.ts';
import { restoreAdvice, type EarlierText } from './restore.ts';
import { parameterAdvice, unneededAdvice, wordsAdvice } from './failureAdvice.ts';
import { advisePair, boundary, lookAlike, structural } from './pairAdvice.ts';
import { faultOf, saysNothing } from './saysNothing.ts';

/** One wrong choice or one wrong call in an evaluation. */
export interface AdvisedFailure {
  query: string;
  /** Expected argument values as one text: what the request is about, not how it is asked. */
  values: string;
  /** Tool IDs; null if no call was needed or none was made. */
  expected: string | null;
  called: string | null;
  /** Arguments with another value than expected, or left out. */
  wrongArguments: readonly { name: string; expected?: JsonValue | undefined }[];
}

export interface AdviceInput {
  /** All offered tools. */
  tools: readonly AnalysedTool[];
  /** Ids that a new name must not have; default: those of the tools. */
  taken?: ReadonlySet<string>;
  /** Tools that are flagged as similar, by index. */
  pairs?: readonly { a: number; b: number }[];
  failures?: readonly AdvisedFailure[];
  /** Tools that are looked at by themselves, by ID: their descriptions may say nothing of them. */
  focus?: readonly string[];
  /** What a server described a tool with before, newest first, by ID of the tool. */
  earlier?: (toolId: string) => readonly EarlierText[];
  /** Tools with an open security signal: nothing is advised toward them. */
  openSignals?: ReadonlySet<string>;
}

/**
 * What to change in tool definitions, mostly with text that can be pasted; empty where no rule
 * is sure. Failures come first, then similar pairs; each pair of tools gets at most one piece.
 * Source: docs/rules.md §4, Advice.
 */
export function advise(input: AdviceInput): Advice[] {
  const { tools, pairs = [], failures = [], openSignals = new Set<string>() } = input;
  const byId = new Map(tools.map((tool) => [toolId(tool.server, tool.name), tool]));
  const { taken = new Set(byId.keys()) } = input;
  const found = [
    ...adviseFailures(failures, byId, tools, taken),
    ...wordsOf(failures, byId, tools),
  ];
  // Of a tool with the text of another one, its own is the advice, whatever else could be added.
  const exchanged = exchangesOf(input, byId);
  const isExchanged = ({ kind, toolIds: [id = ''] }: Advice): boolean =>
    exchanged.has(id) && (kind === 'missing_words' || kind === 'boundary');
  const paired = new Set(found.map(pairKey));
  for (const { a, b } of pairs) {
    const [one, two] = [tools[a], tools[b]];
    const piece = one && two ? advisePair(one, two, taken) : null;
    if (piece && !paired.has(pairKey(piece))) found.push(piece);
  }
  const restored = restoresOf(input, byId);
  return [
    ...restored,
    ...exchanged.values(),
    ...found.filter((piece) => !isExchanged(piece)),
  ].filter(({ toolIds }) => toolIds.every((id) => !openSignals.has(id)));
}

/** Earlier texts of the tools that failing requests expect, or that are looked at and say nothing. */
function restoresOf(
  { tools, failures = [], focus = [], earlier = () => [] }: AdviceInput,
  byId: ReadonlyMap<string, AnalysedTool>,
): Advice[] {
  const missed = failures.flatMap(({ expected, called }) =>
    expected !== null && expected !== called ? [expected] : [],
  );
  const empty = focus.filter((id) => {
    const tool = byId.get(id);
    return tool !== undefined && saysNothing(tool, tools) !== null;
  });
  const concerned = new Set([...missed, ...empty]);
  return [...concerned].flatMap((id) => {
    const tool = byId.get(id);
    const piece = tool ? restoreAdvice(tool, tools, earlier(id)) : null;
    return piece ? [piece] : [];
  });
}

/** The own texts of the tools that are concerned and have another one's, by ID. */
function exchangesOf(
  { tools, failures = [], focus = [] }: AdviceInput,
  byId: ReadonlyMap<string, AnalysedTool>,
): Map<string, Advice> {
  const concerned = new Set([
    ...failures.flatMap(({ expected, called }) => (expected !== called ? (expected ?? []) : [])),
    ...focus,
  ]);
  return new Map(
    [...concerned].flatMap((id): [string, Advice][] => {
      const tool = byId.get(id);
      const requests = failures.filter(({ expected, called }) => expected === id && called !== id);
      const piece = tool ? misplacedAdvice(tool, tools, requests) : null;
      return piece ? [[id, piece]] : [];
    }),
  );
}

const pairKey = ({ toolIds }: Advice): string => [...toolIds].sort().join(' ');

function adviseFailures(
  failures: readonly AdvisedFailure[],
  byId: ReadonlyMap<string, AnalysedTool>,
  tools: readonly AnalysedTool[],
  taken: ReadonlySet<string>,
): Advice[] {
  const causes = new Map<string, AdvisedFailure[]>();
  for (const failure of failures) {
    const key = `${failure.expected ?? ''} ${failure.called ?? ''}`;
    causes.set(key, [...(causes.get(key) ?? []), failure]);
  }
  return [...causes.values()].flatMap((alike) => {
    const [first] = alike;
    const expected = byId.get(first?.expected ?? '');
    const called = byId.get(first?.called ?? '');
    const queries = alike.map(({ query }) => query);
    if (!expected) {
      const piece = called && first?.expected === null ? unneededAdvice(called, queries) : null;
      return piece ? [piece] : [];
    }
    if (called === expected)
      return alike.flatMap(({ query, wrongArguments }) =>
        wrongArguments.flatMap(
          ({ name, expected: value }) => parameterAdvice(expected, name, value, query) ?? [],
        ),
      );
    if (called && lookAlike(expected, called)) return [];
    const certain = called && structural(expected, called, taken);
    if (certain) return [{ ...certain, evidence: { ...certain.evidence, requests: queries } }];
    // A hint says what the expected tool is for by its text, and so needs one that is about it.
    const isClear = called && [called, expected].every((one) => speaksOfItself(one, tools));
    const between =
      isClear &&
      boundary(
        [[called, expected]],
        `${called.name} was called although ${expected.name} was expected.`,
        queries,
      );
    return between ? [between] : [];
  });
}

/** Words that the requests for each tool say, whatever was called instead. */
function wordsOf(
  failures: readonly AdvisedFailure[],
  byId: ReadonlyMap<string, AnalysedTool>,
  tools: readonly AnalysedTool[],
): Advice[] {
  const missed = failures.filter(({ expected, called }) => expected !== called);
  return [...Map.groupBy(missed, ({ expected }) => expected ?? '')].flatMap(([id, requests]) => {
    const expected = byId.get(id);
    const piece = expected ? wordsAdvice(expected, requests, tools) : null;
    return piece ? [piece] : [];
  });
}

/** Whether a description is about its tool, however little it says: a hint can follow it. */
function speaksOfItself(tool: AnalysedTool, tools: readonly AnalysedTool[]): boolean {
  const kind = faultOf(tool, tools)?.kind;
  return kind === undefined || (kind === 'name' && /[.!?]$/u.test(tool.description.trim()));
}
