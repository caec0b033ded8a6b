import { errorText } from '../../../src-shared/domain/errorText.ts';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import { splitToolId, toolId } from '../../../src-shared/domain/labels.ts';
import { z } from 'zod';
import {
  alternatives,
  argumentsMode,
  priorMessage,
  stubResult,
  type ArgumentsMode,
  type CaseContent,
  type ExpectedCall,
  type TestCase,
  type ToolReference,
} from '../../../src-shared/domain/testCase.ts';
import { formOfMessages, messagesOfForm, type MessageForm } from './PriorMessages.tsx';
import { matcherProblem } from './matcherHelp.ts';

export interface CallForm {
  /** Identifies the row while it is edited. */
  row: number;
  /** `server:tool`; with several, any of them is correct. */
  tools: string[];
  /** JSON text of the arguments that each tool has of its own; null, or nothing: those of the call. */
  own: (string | null)[];
  /** False if the tool's schema alone decides. */
  judged: boolean;
  /** JSON text of the expected parameters. */
  parameters: string;
}

export interface CaseForm {
  key: string;
  name: string;
  query: string;
  tags: string[];
  servers: string[];
  calls: CallForm[];
  /** False until a tool, or that no tool should be called, is chosen. */
  decided: boolean;
  orderDependent: boolean;
  allowed: string[];
  /** Null leaves it to the suite. */
  argumentsMode: ArgumentsMode | null;
  /** Empty leaves them to the suite. */
  system: string;
  messages: MessageForm[];
  note: string;
  /** Not editable here; kept unchanged. */
  stubResults: CaseContent['stubResults'];
}

/** Problems by field: `name`, `calls.0.tools`, `calls.0.parameters`, `calls.0.own.1`, `allowed`, … */
export type CaseProblems = Readonly<Record<string, string>>;
export type CaseInput = CaseContent & { key?: string; note?: string };
export type CaseResult = { ok: true; input: CaseInput } | { ok: false; problems: CaseProblems };

export const emptyCaseForm: CaseForm = {
  key: '',
  name: '',
  query: '',
  tags: [],
  servers: [],
  calls: [],
  decided: false,
  orderDependent: false,
  allowed: [],
  argumentsMode: null,
  system: '',
  messages: [],
  note: '',
  stubResults: [],
};

/** Whether each chosen tool has arguments of its own, so that there are none for all. */
export function allOwn({ tools, own }: Pick<CallForm, 'tools' | 'own'>): boolean {
  const chosen = [...tools.keys()].filter((at) => tools[at] !== '');
  return chosen.length > 0 && chosen.every((at) => (own[at] ?? null) !== null);
}

export const emptyCall: CallForm = { row: 0, tools: [], own: [], judged: true, parameters: '{}' };

const idOf = (reference: ToolReference): string => toolId(reference.server, reference.tool);

const textOf = (parameters: JsonObject | undefined): string | null =>
  parameters === undefined ? null : JSON.stringify(parameters, null, 2);

export function formOfCase(testCase: TestCase): CaseForm {
  return {
    key: testCase.key,
    name: testCase.name,
    query: testCase.query,
    tags: [...testCase.tags],
    servers: [...testCase.servers],
    calls: testCase.expectedCalls.map((call, row) => {
      const right = 'anyOf' in call ? call.anyOf : [call];
      return {
        row,
        tools: right.map(idOf),
        own: right.map((one) => (one === call ? null : textOf(one.parameters))),
        judged: call.parameters !== undefined,
        parameters: textOf(call.parameters) ?? '{}',
      };
    }),
    decided: true,
    orderDependent: testCase.orderDependent,
    allowed: testCase.allowedCalls.map(idOf),
    argumentsMode: testCase.argumentsMode ?? null,
    system: testCase.system ?? '',
    messages: formOfMessages(testCase.messages),
    note: testCase.note ?? '',
    stubResults: testCase.stubResults,
  };
}

/** A copy to be saved as a new case with its own key. */
export function duplicateOfCase(testCase: TestCase): CaseForm {
  return { ...formOfCase(testCase), key: '', name: `${testCase.name} (copy)` };
}

/** A new case after one was saved: likely for the same tool, with other arguments. */
export function formAfterCase(testCase: TestCase): CaseForm {
  const { calls, servers, tags, argumentsMode: mode } = formOfCase(testCase);
  return {
    ...emptyCaseForm,
    ...{ servers, tags, argumentsMode: mode, decided: true },
    calls: calls.map((call) => ({
      ...call,
      parameters: '{}',
      own: call.own.map((text) => text && '{}'),
    })),
  };
}

/**
 * Maps field names of the contract to those of the form (`expectedCalls.0.parameters.id` →
 * `calls.0.parameters`).
 */
export function fieldOfCaseForm(field: string): string {
  const call = /^expectedCalls\.(\d+)(?:\.anyOf\.(\d+))?(?:\.(parameters))?/.exec(field);
  if (call !== null) {
    const [, index = '0', nth, part] = call;
    if (nth !== undefined && part !== undefined) return `calls.${index}.own.${nth}`;
    return `calls.${index}.${part ?? 'tools'}`;
  }
  return field.startsWith('allowedCalls') ? 'allowed' : (field.split('.')[0] ?? field);
}

export function readReference(id: string): ToolReference | null {
  const { server, tool } = splitToolId(id.trim());
  return server === '' || tool === '' ? null : { server, tool };
}

export function readParameters(
  text: string,
): { ok: true; value: JsonObject } | { ok: false; problem: string } {
  let value: unknown;
  try {
    value = parseJson(text.trim() === '' ? '{}' : text);
  } catch (error) {
    return { ok: false, problem: `This isn’t valid JSON: ${errorText(error)}.` };
  }
  if (!isJsonObject(value))
    return { ok: false, problem: 'Arguments are a JSON object: { "name": value }.' };
  // The parameters object itself holds names; only its values may be matchers.
  for (const [name, member] of Object.entries(value)) {
    const problem = matcherProblem(member, name);
    if (problem !== null) return { ok: false, problem };
  }
  return { ok: true, value };
}

function readReferences(
  ids: readonly string[],
  field: string,
  problems: Record<string, string>,
): ToolReference[] {
  const read = ids.map(readReference);
  const broken = ids.find((_id, index) => read[index] === null);
  if (broken !== undefined) problems[field] = `“${broken}” doesn’t have the form server:tool.`;
  return read.filter((reference) => reference !== null);
}

function readCall(call: CallForm, index: number, problems: Record<string, string>): ExpectedCall {
  const places = [...call.tools.keys()].filter((at) => call.tools[at] !== '');
  const tools = places.map((at) => call.tools[at] ?? '');
  const references = readReferences(tools, `calls.${index}.tools`, problems);
  if (tools.length === 0)
    problems[`calls.${index}.tools`] = 'Choose the tool that should be called.';
  const parameters = call.judged && !allOwn(call) ? readParameters(call.parameters) : null;
  if (parameters?.ok === false) problems[`calls.${index}.parameters`] = parameters.problem;
  const given = parameters?.ok === true ? { parameters: parameters.value } : {};
  const right = references.map((reference, nth) => {
    const at = places[nth] ?? nth;
    const text = call.own[at] ?? null;
    const own = text === null ? null : readParameters(text);
    if (own?.ok === false) problems[`calls.${index}.own.${at}`] = own.problem;
    return { ...reference, ...(own?.ok === true && { parameters: own.value }) };
  });
  const [only, ...others] = right;
  if (only !== undefined && others.length === 0) return { ...given, ...only };
  return { anyOf: right, ...given };
}

/** The form as the contract takes it, or what is wrong with each field. */
export function inputOfCaseForm(form: CaseForm): CaseResult {
  const problems: Record<string, string> = {};
  if (form.query.trim() === '') problems['query'] = 'Enter the query.';
  if (!form.decided && form.calls.length === 0)
    problems['calls'] = 'Choose a tool, or that no tool should be called.';
  const expectedCalls = form.calls.map((call, index) => readCall(call, index, problems));
  const allowedCalls = readReferences(form.allowed, 'allowed', problems);
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  const key = form.key.trim();
  const messages = messagesOfForm(form.messages);
  const note = form.note.trim();
  return {
    ok: true,
    input: {
      name: form.name.trim() === '' ? nameFrom(form.query) : form.name.trim(),
      query: form.query,
      tags: form.tags,
      servers: form.servers,
      expectedCalls,
      orderDependent: form.orderDependent,
      allowedCalls,
      stubResults: form.stubResults,
      ...(form.argumentsMode !== null && { argumentsMode: form.argumentsMode }),
      ...(form.system !== '' && { system: form.system }),
      ...(messages.length > 0 && { messages }),
      ...(note !== '' && { note }),
      ...(key === '' ? {} : { key }),
    },
  };
}

/** The beginning of a query, as the name of its case. */
export function nameFrom(query: string): string {
  const line = query.trim().split('\n', 1)[0] ?? '';
  return line.length <= 60 ? line : `${line.slice(0, 60).replace(/\s+\S*$/, '')}…`;
}

export function expectationText(
  content: Pick<CaseContent, 'expectedCalls' | 'orderDependent'>,
): string {
  if (content.expectedCalls.length === 0) return 'no tool';
  const calls = content.expectedCalls.map((call) =>
    alternatives(call)
      .map((reference) => reference.tool)
      .join(' or '),
  );
  return calls.join(content.orderDependent ? ' → ' : ' + ');
}

const draftForm = z.object({
  key: z.string(),
  name: z.string(),
  query: z.string(),
  tags: z.array(z.string()),
  servers: z.array(z.string()),
  calls: z.array(
    z.object({
      row: z.number(),
      tools: z.array(z.string()),
      own: z.array(z.string().nullable()).default([]),
      judged: z.boolean(),
      parameters: z.string(),
    }),
  ),
  decided: z.boolean(),
  orderDependent: z.boolean(),
  allowed: z.array(z.string()),
  argumentsMode: argumentsMode.nullable().default(null),
  system: z.string().default(''),
  messages: z.array(priorMessage.extend({ row: z.number() })).default([]),
  note: z.string().default(''),
  stubResults: z.array(stubResult),
});

/** A stored draft; null if another version of the program stored it in a different shape. */
export function readDraft(content: unknown): CaseForm | null {
  const read = draftForm.safeParse(content);
  return read.success ? read.data : null;
}
