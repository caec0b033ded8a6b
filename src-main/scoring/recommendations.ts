import type { ConfidenceCategory, Recommendation } from '../../src-shared/domain/score.ts';
import { isJsonObject } from '../../src-shared/domain/json.ts';
import { toolsOfLabel } from '../../src-shared/domain/labels.ts';
import type { ChoiceFault } from './confusions.ts';
import { quote } from './describe.ts';
import type { Findings, ScoredCall } from './reasoning.ts';
import { schemaProperties } from './schemaProperties.ts';
import type { OfferedTool } from './scoreInput.ts';
import { pick, wordsOf, wordsOfTool } from './words.ts';

export interface RecommendationInput {
  findings: Findings;
  query: string;
  tools: ReadonlyMap<string, OfferedTool>;
  category: ConfidenceCategory;
}

/** The tool to change for an expected label: of several equally right tools, the first. */
function firstTool(label: string | null | undefined): string | undefined {
  return label == null ? undefined : toolsOfLabel(label)[0];
}

type Priority = Recommendation['priority'];

function forExpected(
  fault: ChoiceFault,
  tools: ReadonlyMap<string, OfferedTool>,
  priority: Priority,
): Recommendation[] {
  const { selected } = fault;
  const expected = firstTool(fault.expected);
  const tool = expected === undefined ? undefined : tools.get(expected);
  if (expected === undefined || !tool) return [];
  const words = fault.queryOnlySelected.length > 0 ? fault.queryOnlySelected : fault.queryNowhere;
  if (words.length === 0) return [];
  const so =
    fault.queryOnlySelected.length > 0
      ? `${selected ?? ''} says them, it does not`
      : 'nothing in it says them';
  const none = tool.description.trim() === '' ? ', which has no description' : '';
  const message = `Take ${quote(words)} of the query into the description of ${expected}${none}: ${so}.`;
  return [{ toolId: expected, priority, message }];
}

function forSelected(fault: ChoiceFault, priority: Priority): Recommendation[] {
  const { expected, selected } = fault;
  if (selected === null || fault.phantom) return [];
  const words = fault.shared.length > 0 ? fault.shared : fault.queryOnlySelected;
  if (words.length === 0) return [];
  const message =
    expected === null
      ? `Narrow ${quote(fault.queryOnlySelected)} in the description of ${selected}: say for ` +
        'which requests it is not meant.'
      : fault.shared.length > 0
        ? `Both ${selected} and ${expected} say ${quote(words)}: reword them in ${selected}, ` +
          `or say there when ${expected} is meant instead.`
        : `Narrow ${quote(words)} in the description of ${selected}: say there when ` +
          `${expected} is meant instead.`;
  return [{ toolId: selected, priority, message }];
}

/** The offered tool whose words are closest to a made-up name; null if none shares a word. */
function nearest(
  words: readonly string[],
  tools: ReadonlyMap<string, OfferedTool>,
  except: string | null,
): { id: string; words: string[] } | null {
  let best: { id: string; words: string[] } | null = null;
  for (const [id, tool] of tools) {
    if (id === except) continue;
    const own = wordsOfTool(tool);
    const shared = words.filter((word) => own.has(word));
    if (shared.length > (best?.words.length ?? 0)) best = { id, words: shared };
  }
  return best;
}

function forPhantom(name: string, tools: ReadonlyMap<string, OfferedTool>): Recommendation {
  const close = nearest(wordsOf(name), tools, null);
  return close
    ? {
        toolId: close.id,
        priority: 'high',
        message:
          `The model called “${name}”, which was not offered; ${close.id} says ` +
          `${quote(close.words)} too. Take that name into its description, or rename it.`,
      }
    : {
        toolId: null,
        priority: 'high',
        message:
          `The model called “${name}”, which was not offered, and no offered tool says any of ` +
          'its words. Offer such a tool, or say in the system prompt that there is none.',
      };
}

function describedAs(tool: OfferedTool | undefined, name: string): string {
  const schema = tool ? schemaProperties(tool.inputSchema).properties.get(name) : undefined;
  const text =
    isJsonObject(schema) && typeof schema['description'] === 'string'
      ? schema['description'].trim()
      : '';
  return text === ''
    ? 'which has no description'
    : `which is described as “${text.length > 100 ? `${text.slice(0, 99)}…` : text}”`;
}

function forParameters(
  { toolId, score }: ScoredCall,
  tools: ReadonlyMap<string, OfferedTool>,
): Recommendation[] {
  const tool = tools.get(toolId);
  const names = tool ? [...schemaProperties(tool.inputSchema).properties.keys()] : [];
  if (!score.readable)
    return [
      {
        toolId,
        priority: 'high',
        message:
          `The arguments for ${toolId} were no JSON object: look at the raw text; a flatter ` +
          `schema for ${quote(names.slice(0, 6)) || toolId} is easier to fill.`,
      },
    ];
  const found: Recommendation[] = [];
  for (const row of score.rows) {
    if (row.verdict === 'wrong_value')
      found.push({
        toolId,
        priority: 'medium',
        message:
          `Say in ${toolId} what “${row.name}” takes, ${describedAs(tool, row.name)}. ` +
          row.reason,
      });
    if (row.verdict === 'unexpected')
      found.push({
        toolId,
        priority: 'medium',
        message:
          `Say in ${toolId} when “${row.name}” is to be left out, ` +
          `${describedAs(tool, row.name)}. ${row.reason}`,
      });
  }
  for (const name of score.missing) {
    found.push({
      toolId,
      priority: 'medium',
      message:
        `“${name}” of ${toolId}, ${describedAs(tool, name)}, was left out: say there from ` +
        'which words of a request it is taken.',
    });
  }
  for (const name of score.hallucinated) {
    const words = new Set(wordsOf(name));
    const close = names.find((known) => wordsOf(known).some((word) => words.has(word)));
    const rest =
      close === undefined
        ? `its parameters are ${quote(names.slice(0, 6)) || 'none'}`
        : `nearest is “${close}”: take “${name}” into its description`;
    found.push({
      toolId,
      priority: 'low',
      message: `The model made up “${name}” for ${toolId}; ${rest}.`,
    });
  }
  if (score.conforms === null)
    found.push({
      toolId,
      priority: 'medium',
      message: (
        `The input schema of ${toolId} could not judge the arguments. ` +
        (score.conformanceReason ?? '')
      ).trim(),
    });
  return found;
}

/**
 * For correct choices with low confidence: the offered tool that shares most words of the query
 * with the correct one.
 */
function forLowConfidence({ findings, query, tools }: RecommendationInput): Recommendation[] {
  const right = firstTool(findings.expected[0]);
  const tool = right === undefined ? undefined : tools.get(right);
  if (right === undefined || !tool) return [];
  const own = wordsOfTool(tool);
  const rival = nearest(wordsOf(query), tools, right);
  if (!rival) return [];
  const apart = pick(own, (word) => !wordsOfTool(tools.get(rival.id) ?? tool).has(word));
  const mark = apart.length === 0 ? '' : ` Stress ${quote(apart)}, which only ${right} says.`;
  return [
    {
      toolId: right,
      priority: 'low',
      message:
        `Right, but with low confidence: ${rival.id} says ${quote(rival.words.slice(0, 6))} of ` +
        `the query too.${mark}`,
    },
  ];
}

/**
 * What to change, without a model: each sentence names the tool or the parameter and quotes the
 * words (docs/rules.md §3, Metrics). Says nothing if no words can be quoted. Order: the choice of
 * tools, then parameters, then confidence, without repeats.
 */
export function recommend(input: RecommendationInput): Recommendation[] {
  const { findings, tools, category } = input;
  const priority: Priority = category === 'misleading' ? 'high' : 'medium';
  const all = [
    ...findings.phantoms.map((name) => forPhantom(name, tools)),
    ...findings.faults.flatMap((fault) => [
      ...forExpected(fault, tools, priority),
      ...forSelected(fault, priority),
    ]),
    ...(findings.classification === 'TP'
      ? findings.scored.flatMap((call) => forParameters(call, tools))
      : []),
    ...(category === 'needs_clarity' ? forLowConfidence(input) : []),
  ];
  const seen = new Set<string>();
  return all.filter(({ message }) => !seen.has(message) && seen.add(message));
}
