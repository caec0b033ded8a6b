import { guessFormat } from '../../../../src-shared/display/guessFormat.ts';
import { casesOfFile, tasksOfFile } from '../../../../src-shared/domain/suiteFile.ts';
import type { CaseText } from '../caseText.ts';
import { readCases } from './readCases.ts';
import { createCatalog } from './toolCatalog.ts';

const listed: Readonly<Record<string, string[]>> = {
  shelf: ['find_book', 'reserve_book', 'list_loans', 'renew_loan'],
  'room-plan': ['find_room', 'book_room', 'cancel_room'],
};
const catalog = createCatalog(
  (tool) => Object.keys(listed).filter((server) => listed[server]?.includes(tool) === true),
  (server) =>
    (listed[server] ?? []).map((name) => ({
      name,
      readOnly: /^(?:find|list)/.test(name),
      required: [],
    })),
);
const schemaOf = ({ server, tool }: { server: string; tool: string }) =>
  listed[server]?.includes(tool) === true
    ? { type: 'object', properties: { title: { type: 'string' } } }
    : null;

/** The cases, tasks and report of a file, with the servers shelf and room-plan registered. */
export function read(
  fileName: string,
  text: string,
  more: Pick<CaseText, 'map' | 'remembered'> = {},
) {
  const given = { fileName, text, format: guessFormat(fileName, text), ...more };
  const { suite, problems, report, columns } = readCases(given, schemaOf, catalog);
  const cases = suite === null ? [] : casesOfFile(suite);
  return {
    problems: problems.map(({ message }) => message),
    report,
    columns,
    suite,
    tasks: suite === null ? [] : tasksOfFile(suite),
    /** Each case in one line: query, calls with their arguments, and what else it has. */
    lines: cases.map((each) => {
      const calls = each.expected_calls.map((call) => {
        const tools = 'any_of' in call ? call.any_of : [call];
        const names = tools.map(({ server, tool }) => `${server}:${tool}`).join('|');
        return call.parameters === undefined ? names : `${names}${JSON.stringify(call.parameters)}`;
      });
      const more = [
        ...(each.order_dependent === true ? ['ordered'] : []),
        ...(each.arguments_mode === undefined ? [] : [each.arguments_mode]),
        ...(each.allowed_calls ?? []).map(({ tool }) => `allows ${tool}`),
        ...(each.tags ?? []).map((tag) => `#${tag}`),
        ...(each.system === undefined ? [] : [`system ${each.system}`]),
        ...(each.messages ?? []).map(({ role, content }) => `${role}: ${content}`),
        ...(each.note === undefined ? [] : [`note ${each.note}`]),
      ];
      return [`${each.query} → ${calls.join(' + ') || 'no tool'}`, ...more].join('; ');
    }),
  };
}

export const json = (value: unknown): string => JSON.stringify(value, null, 2);
export const lines = (...values: unknown[]): string =>
  values.map((each) => JSON.stringify(each)).join('\n');
