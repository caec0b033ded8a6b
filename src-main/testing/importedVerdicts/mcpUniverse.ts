import type { JsonValue } from '../../../src-shared/domain/json.ts';
import { isEqual, played, textOf, type JudgedKind, type PlayedRun } from './judgedRuns.ts';

interface Evaluator {
  func: string;
  op?: string;
  value?: JsonValue;
}
const file = (...evaluators: Evaluator[]): JsonValue => ({
  category: 'todo',
  question: 'Which tasks are open?',
  mcp_servers: [{ name: 'todo' }],
  output_format: { tasks: ['[Title]'], total: '[Number]' },
  evaluators: evaluators as unknown as JsonValue,
});
const said = (answer: JsonValue): PlayedRun => played([], JSON.stringify(answer));

/** The values that a chain of functions leads to. Throws where the program would. */
function valuesOf(func: string, text: string): JsonValue[] {
  let values: JsonValue[] = [text];
  for (const step of func.split('->').map((one) => one.trim())) {
    const key = /^get\((.*)\)$/.exec(step)?.[1];
    values = values.flatMap((value): JsonValue[] => {
      if (step === 'json')
        return [
          JSON.parse(
            textOf(value)
              .trim()
              .replace(/^`+|`+$/g, '')
              .trim()
              .replace(/^json/, ''),
          ) as JsonValue,
        ];
      const isList = Array.isArray(value);
      if (step === 'foreach' && isList) return value;
      if (step === 'len' && isList) return [value.length];
      if (key !== undefined && typeof value === 'object' && value !== null && !isList)
        return [value[key] ?? null];
      throw new Error('The chain doesn’t fit the answer.');
    });
  }
  return values;
}

function isMet(op: string, found: JsonValue, value: JsonValue): boolean {
  if (op === '') return true;
  if (op === '=') return isEqual(found, value);
  if (op === '!=') return !isEqual(found, value);
  if (op === 'in') return (value as JsonValue[]).some((one) => isEqual(one, found));
  if (op === 'contain')
    return typeof found === 'string'
      ? found.includes(textOf(value))
      : (found as JsonValue[]).some((one) => isEqual(one, value));
  if (typeof found !== 'number') throw new Error('No number.');
  const limit = Number(value);
  return op === '<'
    ? found < limit
    : op === '<='
      ? found <= limit
      : op === '>'
        ? found > limit
        : found >= limit;
}

/** Every evaluator passes; what throws fails. */
function judge(given: JsonValue, { messages }: PlayedRun): boolean {
  const { evaluators } = given as unknown as { evaluators: Evaluator[] };
  return evaluators.every(({ func, op = '', value = null }) => {
    try {
      return valuesOf(func, messages.at(-1) ?? '').every((found) => isMet(op, found, value));
    } catch {
      return false;
    }
  });
}

const total = 'json -> get(total)';
const titles = 'json -> get(tasks) -> foreach -> get(title)';

export const mcpUniverse: JudgedKind = {
  name: 'MCP-Universe',
  format: 'jsonl',
  fileName: 'open_tasks.json',
  source: 'mcpuniverse/evaluator of SalesforceAIResearch/MCP-Universe',
  executes: false,
  judge,
  runs: [
    {
      title: '=: a number',
      file: file({ func: total, op: '=', value: 2 }),
      run: said({ total: 2 }),
    },
    {
      title: '=: a text is compared with its case',
      file: file({ func: 'json -> get(first)', op: '=', value: 'Milk' }),
      run: said({ first: 'milk' }),
    },
    {
      title: '>: not above',
      file: file({ func: total, op: '>', value: 2 }),
      run: said({ total: 2 }),
    },
    {
      title: 'in: one of a list',
      file: file({ func: 'json -> get(first)', op: 'in', value: ['Milk', 'Rent'] }),
      run: said({ first: 'Rent' }),
    },
    {
      title: 'contain: within a text',
      file: file({ func: 'json -> get(note)', op: 'contain', value: 'a.b' }),
      run: said({ note: 'It is aXb.' }),
    },
    {
      title: 'len: long enough',
      file: file({ func: 'json -> get(tasks) -> len', op: '>=', value: 2 }),
      run: said({ tasks: ['Milk', 'Rent'] }),
    },
    {
      title: 'foreach: one element differs',
      file: file({ func: titles, op: '!=', value: '' }),
      run: said({ tasks: [{ title: 'Milk' }, { title: '' }] }),
    },
    {
      title: '!=: what is missing differs',
      file: file({ func: 'json -> get(note)', op: '!=', value: '' }),
      run: said({ total: 1 }),
    },
    {
      title: 'get: inside something that is missing',
      file: file({ func: 'json -> get(user) -> get(name)' }),
      run: said({ total: 1 }),
    },
    {
      title: 'the answer is a code block, and all evaluators pass',
      file: file(
        { func: total, op: '<=', value: 3 },
        { func: 'json -> get(tasks) -> len', op: '=', value: 0 },
      ),
      run: played([], '```json\n{"total": 3, "tasks": []}\n```'),
    },
  ],
};
