import { z } from 'zod';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import { errorText } from '../../../../src-shared/domain/errorText.ts';
import {
  isJsonObject,
  jsonObject,
  jsonValue,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { Score } from '../../../../src-shared/domain/score.ts';
import {
  argumentsMode,
  argumentsOf,
  type ArgumentsMode,
  type ExpectedCall,
} from '../../../../src-shared/domain/testCase.ts';
import { replyTrouble } from '../../../adapters/llm/replyTrouble.ts';
import { endingOf } from '../../../adapters/llm/wire/ending.ts';
import {
  argumentsText,
  isBlank,
  leftOutNote,
  readArguments,
  takesNoArguments,
} from '../../../adapters/llm/wire/readCall.ts';
import { underBfclRules } from '../../../scoring/bfcl.ts';
import { cutDepth } from '../../../scoring/depth.ts';
import type { OfferedTool, ScoreInput } from '../../../scoring/scoreInput.ts';
import { readTools } from '../../servers/toolsFile.ts';
import { explainIssues } from '../../suites/shapeProblems.ts';
import { checkMatchers } from '../../suites/suiteProblems.ts';
import type { Scorer } from './scorer.ts';

const reference = z.object({ server: z.string().optional(), name: z.string().min(1) });
/** An object, or its JSON text, as logs of Chat Completions have it. */
const argumentsGiven = z.preprocess((given) => readArguments(given) ?? given, jsonObject);
const expectedOne = reference.extend({ arguments: argumentsGiven.optional() });
const expected = z.union([
  expectedOne,
  z.object({ any_of: z.array(expectedOne).min(1), arguments: argumentsGiven.optional() }),
]);

/** An input line of the `score` command: one recorded exchange. Other fields are listed as unused. */
const recorded = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  query: z.string().default(''),
  tools: z.array(jsonValue),
  expected_calls: z.array(expected),
  actual_calls: z.array(reference.extend({ arguments: jsonValue.optional() })),
  /** The text of the answer, and how it ended: what makes a line not scorable. */
  text: z.string().nullish(),
  finish_reason: jsonValue.optional(),
  allowed_calls: z.array(reference).default([]),
  order_dependent: z.boolean().default(false),
  arguments_mode: argumentsMode.optional(),
  acceptable: z.array(z.record(z.string(), z.record(z.string(), z.array(jsonValue)))).optional(),
});

/** Rules that decide whether a line passed: those of docs/rules.md, or those of the leaderboard. */
export const ruleSets = ['touchstone', 'bfcl'] as const;
export type RuleSet = (typeof ruleSets)[number];

export interface RecordedLine {
  id: string;
  input: ScoreInput;
  /** Why the answer can't be scored; null if it can. */
  notScored: string | null;
  /** Fields that say nothing here, such as `expected_calls[].parameters`. */
  unused: string[];
}
export type ScoreLine = RecordedLine | { problem: string };

/**
 * Parses one line, or returns why it can't be parsed. Tools without a server get the server name
 * "". `mode` is that of lines that name none.
 */
export function readRecorded(line: string, mode?: ArgumentsMode): ScoreLine {
  let parsed: unknown;
  try {
    parsed = parseJson(line);
  } catch (error) {
    return {
      problem: `It isn't valid JSON (${errorText(error)}).`,
    };
  }
  const read = recorded.safeParse(parsed);
  if (!read.success) {
    const whole = 'It needs id, tools, expected_calls, and actual_calls.';
    const problems = explainIssues(read.error.issues, parsed as JsonValue, whole);
    return {
      problem: problems
        .map(({ path, message }) => `${path.join('.') || 'line'}: ${message}`)
        .join(' '),
    };
  }
  const { data } = read;
  const { tools, rejected } = readTools(data.tools, '');
  const [bad] = rejected;
  if (bad) return { problem: `tools: ${bad.name}: ${bad.reason}` };
  const offered: OfferedTool[] = tools.map(({ tool }, index) => {
    const given = data.tools[index];
    const server =
      typeof given === 'object' &&
      given !== null &&
      'server' in given &&
      typeof given.server === 'string'
        ? given.server
        : '';
    return { ...tool, server, toolId: toolId(server, tool.name) };
  });
  const serverOf = (call: { server?: string | undefined; name: string }) =>
    call.server ?? offered.find(({ name }) => name === call.name)?.server ?? '';
  const named = (call: { server?: string | undefined; name: string }) => ({
    server: serverOf(call),
    tool: call.name,
  });
  const given = (call: { arguments?: JsonObject | undefined }) =>
    call.arguments === undefined ? {} : { parameters: call.arguments };
  const expectedOf = (call: z.infer<typeof expectedOne>) => ({ ...named(call), ...given(call) });
  const expectedCalls = data.expected_calls.map((call): ExpectedCall =>
    'any_of' in call ? { anyOf: call.any_of.map(expectedOf), ...given(call) } : expectedOf(call),
  );
  const schemas = new Map(offered.map((tool) => [tool.toolId, tool.inputSchema]));
  for (const [index, call] of expectedCalls.entries()) {
    const [problem] = argumentsOf(call).flatMap(({ parameters, tools, path: [_, ...at] }) =>
      checkMatchers(
        parameters,
        tools,
        ({ server, tool }) => schemas.get(toolId(server, tool)) ?? null,
      ).map((found) => ({ ...found, place: at.length === 0 ? [] : ['any_of', ...at] })),
    );
    if (problem) {
      const { place } = problem;
      const path = ['expected_calls', index, ...place, 'arguments', ...problem.path].join('.');
      return { problem: `${path}: ${problem.message}` };
    }
  }
  const calls = data.actual_calls.map((call, index) => toActual(call, named(call), offered, index));
  const ending = endingOf(data.finish_reason, { called: calls.length > 0 });
  return {
    id: data.id,
    unused: unusedFields(parsed),
    notScored: replyTrouble(
      {
        calls,
        text: data.text ?? null,
        reasoning: null,
        stopReason: ending === 'failed' ? 'unknown' : ending,
      },
      { tools: offered, sent: {} },
    ),
    input: {
      query: data.query,
      tools: offered,
      expectation: {
        expectedCalls,
        orderDependent: data.order_dependent,
        allowedCalls: data.allowed_calls.map(named),
        argumentsMode: data.arguments_mode ?? mode,
      },
      calls,
      confidence: null,
      highConfidence: 0.7,
      modelReasoning: null,
      ...(data.acceptable ? { acceptable: data.acceptable } : {}),
    },
  };
}

const callFields = ['server', 'name', 'arguments'];
const fieldsOfCalls = {
  expected_calls: [...callFields, 'any_of'],
  actual_calls: [...callFields, 'id', 'type'],
  allowed_calls: callFields.slice(0, 2),
};

/** The names in a line that nothing reads: a misspelled one would silently expect less. */
function unusedFields(line: unknown): string[] {
  if (!isJsonObject(line)) return [];
  const others = (object: JsonValue, known: readonly string[], prefix: string): string[] =>
    isJsonObject(object)
      ? Object.keys(object).flatMap((name) => (known.includes(name) ? [] : [`${prefix}${name}`]))
      : [];
  const inCalls = Object.entries(fieldsOfCalls).flatMap(([name, known]) => {
    const calls = line[name];
    return Array.isArray(calls)
      ? calls.flatMap((call: JsonValue) => [
          ...others(call, known, `${name}[].`),
          ...(isJsonObject(call) && Array.isArray(call['any_of']) ? call['any_of'] : []).flatMap(
            (each: JsonValue) => others(each, callFields, `${name}[].any_of[].`),
          ),
        ])
      : [];
  });
  return [...new Set([...others(line, Object.keys(recorded.shape), ''), ...inCalls])];
}

/** A recorded call as scoring reads it; a call to an unknown tool has neither server nor tool. */
function toActual(
  call: { name: string; arguments?: JsonValue | undefined },
  target: { server: string; tool: string },
  offered: readonly OfferedTool[],
  index: number,
): ScoreInput['calls'][number] {
  const tool = offered.find(({ toolId: id }) => id === toolId(target.server, target.tool));
  const read = jsonObject.safeParse(readArguments(call.arguments));
  // Nothing at all means no arguments; a blank in their place does where the tool needs none.
  const isGiven = call.arguments !== undefined;
  const isLeftOut =
    !isGiven || (isBlank(call.arguments) && (tool ? takesNoArguments(tool.inputSchema) : true));
  const args = read.success ? read.data : isLeftOut ? {} : null;
  return {
    id: String(index),
    server: tool ? target.server : null,
    tool: tool ? target.tool : null,
    name: call.name,
    arguments: args,
    // Very deep values can be parsed but not written, so they are cut.
    argumentsText: args === null ? argumentsText(cutDepth(call.arguments ?? null)) : null,
    ...(isGiven && isLeftOut && { note: leftOutNote(call.arguments) }),
  };
}

/** Scores a line by the named rules, and says whether BFCL's rules accept it if it has their truth. */
export async function scoreRecorded(
  scorer: Pick<Scorer, 'scoreInput'>,
  { id, input, notScored }: Omit<RecordedLine, 'unused'>,
  rules: RuleSet,
) {
  const notes = input.calls.flatMap(({ note }) => note ?? []);
  const noted = notes.length > 0 && { call_notes: notes };
  if (notScored !== null) return { ...withoutScore(id, notScored), ...noted };
  const bfcl =
    rules === 'bfcl' || input.acceptable ? scorer.scoreInput(underBfclRules(input)) : null;
  const score = await (rules === 'bfcl' && bfcl ? bfcl : scorer.scoreInput(input));
  const accepted = input.acceptable && bfcl ? (await bfcl).passed : undefined;
  return { ...scoreShape(id, score, accepted), ...noted };
}

/** An output line for an answer that can't be scored: null is neither passed nor failed. */
function withoutScore(id: string, reason: string) {
  return {
    id,
    classification: null,
    tool_selection_correct: null,
    parameter_completeness: null,
    parameter_correctness: null,
    parameter_type_conformance: null,
    hallucinated_parameters: null,
    missing_parameters: [],
    passed: null,
    not_scored: reason,
    parameters: [],
    matches: [],
  };
}

/**
 * An output line of the `score` command. `accepted` is the leaderboard's verdict on a line with
 * `acceptable`, whatever the rules that `passed` follows.
 */
export function scoreShape(id: string, score: Score, accepted?: boolean | null) {
  return {
    id,
    classification: score.classification,
    tool_selection_correct: score.toolSelectionCorrect,
    parameter_completeness: score.parameterCompleteness,
    parameter_correctness: score.parameterCorrectness,
    parameter_type_conformance: score.parameterTypeConformance,
    hallucinated_parameters: score.hallucinatedParameters,
    missing_parameters: score.missingParameters,
    passed: score.passed,
    ...(score.undecided === null ? {} : { not_scored: score.undecided }),
    ...(accepted === undefined ? {} : { accepted }),
    parameters: score.parameters.map(({ name, expected: wanted, actual, verdict, reason }) => ({
      name,
      expected: wanted ?? null,
      actual: actual ?? null,
      verdict,
      reason,
    })),
    matches: score.matches.map(({ expectedIndex, actualIndex, toolId: tool, allowed }) => ({
      expected_index: expectedIndex,
      actual_index: actualIndex,
      tool_id: tool,
      allowed,
    })),
  };
}
