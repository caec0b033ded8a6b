import { foreignFormats, foreignFormatTable } from '../../../../src-shared/domain/foreignFormat.ts';
import type { CaseFile, SuiteFileCase } from '../../../../src-shared/domain/suiteFile.ts';
import { casesOfFile, tasksOfFile } from '../../../../src-shared/domain/suiteFile.ts';
import type { SuiteFileTask } from '../../../../src-shared/domain/taskFile.ts';
import { canonicalJson } from '../../../../src-shared/domain/canonicalJson.ts';
import { exchangeFormats } from './formats.ts';
import { toFileChecks } from './taskChecks.ts';
import { createCatalog } from './toolCatalog.ts';

/** What a suite can hold, as the smallest change to a case that needs it. */
const parts: readonly (readonly [
  part: string,
  each: Partial<SuiteFileCase>,
  suite?: Partial<CaseFile>,
])[] = [
  ['one call with its arguments', {}],
  ['a call with any arguments', { expected_calls: [{ server: 'shelf', tool: 'find_book' }] }],
  [
    'a call that may have further arguments',
    {
      arguments_mode: 'at-least',
    },
  ],
  ['no tool', { expected_calls: [] }],
  [
    'several calls in any order',
    {
      expected_calls: [
        { server: 'shelf', tool: 'find_book', parameters: { title: 'Dune' } },
        { server: 'shelf', tool: 'list_loans', parameters: {} },
      ],
    },
  ],
  [
    'several calls in order',
    {
      expected_calls: [
        { server: 'shelf', tool: 'find_book', parameters: { title: 'Dune' } },
        { server: 'shelf', tool: 'list_loans', parameters: {} },
      ],
      order_dependent: true,
    },
  ],
  [
    'alternative tools',
    {
      expected_calls: [
        {
          any_of: [
            { server: 'shelf', tool: 'find_book' },
            { server: 'shelf', tool: 'list_loans' },
          ],
        },
      ],
    },
  ],
  [
    'alternative tools with their own arguments',
    {
      expected_calls: [
        {
          any_of: [
            { server: 'shelf', tool: 'find_book', parameters: { title: 'Dune' } },
            { server: 'shelf', tool: 'list_loans', parameters: { reader: 'Ada' } },
          ],
        },
      ],
    },
  ],
  [
    'a matcher',
    {
      expected_calls: [
        { server: 'shelf', tool: 'find_book', parameters: { title: { $contains: 'Dune' } } },
      ],
    },
  ],
  ['also allowed calls', { allowed_calls: [{ server: 'shelf', tool: 'list_loans' }] }],
  ['tags', { tags: ['find'] }],
  ['a system prompt', { system: 'You lend books.' }],
  [
    'earlier messages',
    {
      messages: [
        { role: 'user', content: 'I like Herbert.' },
        { role: 'assistant', content: 'Good.' },
      ],
    },
  ],
  ['a note', { note: 'Asked by Mia.' }],
  ['stub results', { stub_results: [{ server: 'shelf', tool: 'find_book', result: 'Yes' }] }],
];

const plain: SuiteFileCase = {
  id: 'dune',
  name: 'dune',
  query: 'Is Dune there?',
  expected_calls: [{ server: 'shelf', tool: 'find_book', parameters: { title: 'Dune' } }],
  arguments_mode: 'exact',
};
const task: SuiteFileTask = {
  id: 'renew',
  name: 'renew',
  turns: ['Renew Dune.'],
  checks: toFileChecks({ must: ['renew_loan'], never: [], texts: [] }),
};

const catalog = createCatalog((tool) =>
  ['find_book', 'list_loans', 'renew_loan'].includes(tool) ? ['shelf'] : [],
);

/** What a case asks and expects, whatever its notation. */
const meaning = (each: SuiteFileCase): string => {
  const { query, expected_calls: calls, order_dependent: ordered = false, tags = [] } = each;
  const hasArguments = JSON.stringify(calls).includes('"parameters":');
  return canonicalJson({
    query,
    tags,
    ordered: ordered && calls.length > 1,
    mode: hasArguments ? (each.arguments_mode ?? 'at-least') : null,
    calls: calls.map((call) => [
      'any_of' in call ? call.any_of : [{ server: call.server, tool: call.tool }],
      // Of a text, $exact and the text itself mean nearly the same.
      canonicalJson(call.parameters ?? null).replaceAll(
        /\{"\$(?:exact|eq)":("(?:[^"\\]|\\.)*")\}/g,
        '$1',
      ),
    ]),
    allowed: each.allowed_calls ?? [],
    system: each.system ?? null,
    messages: each.messages ?? [],
    note: each.note ?? null,
    stubs: each.stub_results ?? [],
  });
};

type Outcome = 'kept' | 'changed' | 'lost' | 'changed unsaid';

/** What a format does to each part: exported, and read again with the server registered. */
export function roundTrips(): { part: string; outcomes: Outcome[] }[] {
  const rows = parts.map(([part, change]) => ({
    part,
    outcomes: foreignFormats.map((format): Outcome => {
      const each = { ...plain, ...change };
      const suite: CaseFile = { version: 1, name: 'books', servers: ['shelf'], cases: [each] };
      const { write, read, extension } = exchangeFormats[format];
      const { text, losses } = write(suite, []);
      const { suite: again, report } = read(text, {
        fileName: `books${extension}`,
        map: {},
        server: 'shelf',
        name: 'books',
        schemaOf: () => null,
        catalog,
      });
      const [found] = again === null ? [] : casesOfFile(again);
      if (found === undefined) return losses.length > 0 ? 'lost' : 'changed unsaid';
      const system = found.system ?? again?.system;
      const messages = found.messages ?? again?.messages;
      const whole = {
        ...found,
        ...(system !== undefined && { system }),
        ...(messages !== undefined && { messages }),
      };
      if (meaning(whole) === meaning(each)) return 'kept';
      if (meaning(whole) === meaning(plain) && losses.length > 0) return 'lost';
      return losses.length + report.approximated.length > 0 ? 'changed' : 'changed unsaid';
    }),
  }));
  const ofTask = foreignFormats.map((format): Outcome => {
    const { write, read, extension, holdsTasks } = exchangeFormats[format];
    if (holdsTasks !== true) return 'lost';
    const { text, losses } = write({ version: 1, name: 'books', servers: ['shelf'], cases: [] }, [
      task,
    ]);
    const { suite, report } = read(text, {
      fileName: `books${extension}`,
      map: {},
      server: 'shelf',
      name: 'books',
      schemaOf: () => null,
      catalog,
    });
    const [found] = suite === null ? [] : tasksOfFile(suite);
    const same = found !== undefined && JSON.stringify(found.turns) === JSON.stringify(task.turns);
    if (same) return 'kept';
    return losses.length + report.approximated.length > 0 ? 'changed' : 'changed unsaid';
  });
  return [...rows, { part: 'a task', outcomes: ofTask }];
}

export function roundTripTable(): string {
  const head = ['', ...foreignFormats.map((format) => foreignFormatTable[format].exportLabel)];
  const rows = roundTrips().map(({ part, outcomes }) => [
    part,
    ...outcomes.map((outcome) => (outcome === 'kept' ? 'kept' : `*${outcome}*`)),
  ]);
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
