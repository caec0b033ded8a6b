import { z } from 'zod';
import { jsonObject, jsonValue, type JsonObject } from './json.ts';

export const toolReference = z.strictObject({ server: z.string().min(1), tool: z.string().min(1) });
export type ToolReference = z.infer<typeof toolReference>;

/**
 * Absent `parameters` = judged by the tool's schema alone. Values may hold matchers at any depth.
 */
const singleCall = toolReference.extend({ parameters: jsonObject.optional() });
/** `parameters` are those of every alternative that has none of its own. */
const alternativeCall = z.strictObject({
  anyOf: z.array(singleCall).min(1),
  parameters: jsonObject.optional(),
});

export const expectedCall = z.union([singleCall, alternativeCall]);
export type ExpectedCall = z.infer<typeof expectedCall>;

/** The calls that satisfy an expected call: one, or several that are equally right. */
export function rightCalls(call: ExpectedCall): z.infer<typeof singleCall>[] {
  if (!('anyOf' in call)) return [call];
  const { anyOf, parameters } = call;
  return parameters === undefined
    ? anyOf
    : anyOf.map((each) => (each.parameters === undefined ? { ...each, parameters } : each));
}

const toTool = ({ server, tool }: ToolReference): ToolReference => ({ server, tool });

/** The tools that satisfy an expected call, each once: also one that is right in several ways. */
export function alternatives(call: ExpectedCall): ToolReference[] {
  const all = 'anyOf' in call ? call.anyOf : [call];
  return all
    .map(toTool)
    .filter(
      (one, at, list) =>
        list.findIndex(({ server, tool }) => server === one.server && tool === one.tool) === at,
    );
}

/** Whether the equally right calls differ in their arguments, so that no one set is expected. */
export const hasOwnArguments = (call: ExpectedCall): boolean =>
  'anyOf' in call && call.anyOf.some(({ parameters }) => parameters !== undefined);

/** All sets of arguments that a call expects, with the tools that they are of and their place in it. */
export function argumentsOf(
  call: ExpectedCall,
): { parameters: JsonObject; tools: ToolReference[]; path: (string | number)[] }[] {
  const { parameters } = call;
  const all = 'anyOf' in call ? call.anyOf : [];
  const shared = 'anyOf' in call ? all.filter((each) => each.parameters === undefined) : [call];
  return [
    ...(parameters === undefined ? [] : [{ parameters, tools: shared.map(toTool), path: [] }]),
    ...all.flatMap(({ parameters: own, ...tool }, at) =>
      own === undefined ? [] : [{ parameters: own, tools: [tool], path: ['anyOf', at] }],
    ),
  ];
}

export const stubResult = z.strictObject({
  server: z.string(),
  tool: z.string(),
  result: jsonValue,
});
export type StubResult = z.infer<typeof stubResult>;

/**
 * Whether a call may have arguments that its `parameters` don't name: `at-least`, if its schema
 * allows them; `exact`, none (docs/rules.md §2).
 */
export const argumentsModes = ['at-least', 'exact'] as const;
export const argumentsMode = z.enum(argumentsModes);
export type ArgumentsMode = z.infer<typeof argumentsMode>;
export const defaultArgumentsMode: ArgumentsMode = 'at-least';

interface WithMode {
  argumentsMode?: ArgumentsMode | undefined;
}

/** A case of a suite as an evaluation of it freezes it: with the suite's mode where it sets none. */
export const inSuite = <Case extends WithMode>(
  each: Case,
  { argumentsMode: mode }: WithMode,
): Case =>
  mode === undefined || each.argumentsMode !== undefined ? each : { ...each, argumentsMode: mode };

/** What is right for a query. An empty list of calls means that no tool should be called. */
export const expectation = z.object({
  expectedCalls: z.array(expectedCall),
  orderDependent: z.boolean(),
  /** Tools whose calls are ignored in matching: a look-up before the act. */
  allowedCalls: z.array(toolReference),
  /** Left out: the suite's in a suite, the evaluation's in an evaluation. */
  argumentsMode: argumentsMode.optional(),
});
export type Expectation = z.infer<typeof expectation>;

export const priorMessage = z.strictObject({
  role: z.enum(['user', 'assistant']),
  content: z.string(),
});
export type PriorMessage = z.infer<typeof priorMessage>;

/** The part of a case that an evaluation freezes: it is content-addressed as a whole. */
export const caseContent = expectation.extend({
  name: z.string().min(1, 'A case needs a name.'),
  query: z.string().min(1, 'A case needs a query.'),
  tags: z.array(z.string().min(1)),
  /** Names of the servers whose tools the model sees. */
  servers: z.array(z.string().min(1)),
  stubResults: z.array(stubResult),
  /** In place of the suite's. Left out: the suite's. */
  system: z.string().optional(),
  messages: z.array(priorMessage).optional(),
});
export type CaseContent = z.infer<typeof caseContent>;

/**
 * Where an imported case came from: enough to find it again, and to know how far it can be trusted.
 */
const importOrigin = z.strictObject({
  kind: z.literal('import'),
  format: z.string(),
  /** The program part that converted it, with its version. */
  converter: z.string(),
  /** SHA-256 of the source's text. */
  sourceHash: z.string(),
  /** What the source calls the case; null where it has no name for it. */
  sourceId: z.string().nullable(),
  /** What could be taken over only nearly; empty: it means the same as in the source. */
  approximated: z.array(z.string()),
});
/** Where a proposed case came from that a person accepted. */
const proposalOrigin = z.strictObject({
  kind: z.literal('proposal'),
  /** `template`, or the label of a model. */
  madeBy: z.string(),
  /** The tool or the rule that it was made from. */
  basis: z.string(),
  /** True where the person changed it before accepting. */
  edited: z.boolean(),
});

const caseOrigin = z.discriminatedUnion('kind', [importOrigin, proposalOrigin]);
export type CaseOrigin = z.infer<typeof caseOrigin>;

export const testCase = caseContent.extend({
  id: z.string(),
  suiteId: z.string(),
  /**
   * The id that the suite file gives the case: unique in its suite and kept through import and
   * export.
   */
  key: z.string(),
  position: z.number().int(),
  /** Null for a case that was written here. */
  origin: caseOrigin.nullable().default(null),
  /** What a person keeps with the case. No model sees it. */
  note: z.string().optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type TestCase = z.infer<typeof testCase>;

/** What a model is told before the query of a case: the case's own, else the suite's. */
export const promptOf = (
  own: Pick<CaseContent, 'system' | 'messages'>,
  suite: { system: string | null; messages: PriorMessage[] },
): { system: string | null; messages: PriorMessage[] } => ({
  system: own.system ?? suite.system,
  messages: own.messages ?? suite.messages,
});

export const suite = z.object({
  id: z.string(),
  name: z.string(),
  system: z.string().nullable(),
  messages: z.array(priorMessage),
  /** Servers of cases that name none. */
  servers: z.array(z.string()),
  /** Of cases that set none. Left out: the evaluation's. */
  argumentsMode: argumentsMode.optional(),
  /** Where files and programs of its tasks are: an absolute path. Left out: it is not known. */
  folder: z.string().optional(),
  caseCount: z.number().int(),
  taskCount: z.number().int(),
  /** Tasks with a check that asks a judge. */
  judgedTaskCount: z.number().int(),
  /** Tasks with a state check: no mode can score them that executes nothing. */
  executedTaskCount: z.number().int(),
  simulatedTaskCount: z.number().int(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Suite = z.infer<typeof suite>;
