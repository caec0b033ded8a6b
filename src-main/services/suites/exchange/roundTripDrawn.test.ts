import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foreignFormats, type ForeignFormat } from '../../../../src-shared/domain/foreignFormat.ts';
import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import {
  casesOfFile,
  tasksOfFile,
  type CaseFile,
  type SuiteFile,
  type SuiteFileCase,
} from '../../../../src-shared/domain/suiteFile.ts';
import type { SuiteFileTask } from '../../../../src-shared/domain/taskFile.ts';
import { draws } from '../../../testing/nightly.ts';
import { exchangeFormats } from './formats.ts';
import { toFileChecks } from './taskChecks.ts';
import { createCatalog } from './toolCatalog.ts';

const tools = ['find_book', 'list_loans', 'none', 'a.b', 'book-room', 'find book'];
const catalog = createCatalog((tool) => (tools.includes(tool) ? ['shelf'] : []));

/** Texts of the characters that notations trip over. */
const text = fc
  .string({
    unit: fc.constantFrom(...`aB7=-'",;[{}:|#ü\n <$`.split(''), '🛒', '{{'),
    minLength: 1,
    maxLength: 12,
  })
  .map((inner) => `x${inner}x`);
const reference = fc.constantFrom(...tools).map((tool) => ({ server: 'shelf', tool }));
const value: fc.Arbitrary<JsonValue> = fc.oneof(
  text,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(text, { maxLength: 2 }),
  fc.record({ a: text }),
  fc.constantFrom<JsonObject>(
    { $contains: 'x' },
    { $any: [1, 2] },
    { $ignore: true },
    { $optional: 'x' },
    { $exact: 'x' },
  ),
);
const parameters: fc.Arbitrary<JsonObject> = fc.dictionary(
  fc.constantFrom('title', 'limit', 'a b', 'x.y'),
  value,
  { maxKeys: 3 },
);
const withArguments = fc
  .tuple(reference, parameters)
  .map(([tool, own]) => ({ ...tool, parameters: own }));
const some = { minLength: 1, maxLength: 2 };
const call: fc.Arbitrary<SuiteFileCase['expected_calls'][number]> = fc.oneof(
  reference,
  withArguments,
  fc.array(reference, some).map((any_of) => ({ any_of })),
  fc.array(withArguments, some).map((any_of) => ({ any_of })),
  fc
    .tuple(fc.array(reference, some), parameters)
    .map(([any_of, shared]) => ({ any_of, parameters: shared })),
);
const testCase: fc.Arbitrary<SuiteFileCase> = fc
  .tuple(
    fc.record({
      id: text,
      name: text,
      query: text,
      expected_calls: fc.array(call, { maxLength: 3 }),
    }),
    fc.record(
      {
        tags: fc.array(text, some),
        order_dependent: fc.constant(true),
        arguments_mode: fc.constantFrom('exact' as const, 'at-least' as const),
        allowed_calls: fc.uniqueArray(reference, { ...some, selector: ({ tool }) => tool }),
        system: text,
        note: text,
        messages: fc.constantFrom<NonNullable<SuiteFileCase['messages']>>(
          [{ role: 'user', content: 'Hi' }],
          [
            { role: 'user', content: 'Hi' },
            { role: 'assistant', content: 'Yes' },
          ],
        ),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([needed, more]) => ({ ...needed, ...more }));
const task: fc.Arbitrary<SuiteFileTask> = fc
  .tuple(text, fc.array(text, some), fc.uniqueArray(fc.constantFrom(...tools), some))
  .map(([id, turns, must]) => ({
    ...{ id: `task ${id}`, name: id, turns, servers: ['shelf'] },
    checks: toFileChecks({ must, never: [], texts: [] }),
  }));
const suite = fc
  .tuple(
    fc.uniqueArray(testCase, { selector: ({ id }) => id, minLength: 1, maxLength: 4 }),
    fc.uniqueArray(task, { selector: ({ id }) => id, maxLength: 2 }),
    fc.option(text),
  )
  .map(([cases, tasks, system]) => ({
    cases: {
      ...{ version: 1 as const, name: 'books', servers: ['shelf'], cases },
      ...(system !== null && { system }),
    },
    tasks,
  }));

/** Writes a suite in a format and reads it again. */
function pass(format: ForeignFormat, cases: CaseFile, tasks: readonly SuiteFileTask[]) {
  const { write, read, extension, holdsTasks = false } = exchangeFormats[format];
  const { text: written, losses } = write(cases, holdsTasks ? tasks : []);
  const found = read(written, {
    ...{ fileName: `books${extension}`, map: {}, server: 'shelf', name: 'books' },
    schemaOf: ({ server, tool }) =>
      server === 'shelf' && tools.includes(tool) ? { type: 'object' } : null,
    catalog,
  });
  return { ...found, losses };
}

/** What a suite asks and expects: nothing said of further arguments is at-least. */
const meaning = (file: SuiteFile) => ({
  cases: casesOfFile(file).map(({ id: _id, name: _name, servers: _servers, ...each }) => {
    const hasArguments = JSON.stringify(each.expected_calls).includes('"parameters"');
    const { tags = [], allowed_calls: allowed = [], arguments_mode: mode = 'at-least' } = each;
    return {
      ...{ query: each.query, calls: each.expected_calls, tags, allowed, note: each.note },
      ordered: each.order_dependent === true && each.expected_calls.length > 1,
      mode: hasArguments ? mode : null,
      system: each.system ?? file.system,
      messages: each.messages ?? file.messages,
    };
  }),
  tasks: tasksOfFile(file).map(({ turns, checks }) => ({ turns, checks })),
});

describe.each(foreignFormats)('a suite in the format %s', (format) => {
  test('is the same after it was exported and imported again', () => {
    fc.assert(
      fc.property(suite, ({ cases, tasks }) => {
        const first = pass(format, cases, tasks);
        // Nothing of it can be said in the format, and the export says so.
        if (first.suite === null) {
          expect(first.losses).not.toEqual([]);
          return;
        }
        const imported = { ...first.suite, cases: casesOfFile(first.suite) };
        const second = pass(format, imported, tasksOfFile(first.suite));
        expect(second.problems).toEqual([]);
        expect(second.report.skipped).toEqual([]);
        expect(second.suite && meaning(second.suite)).toEqual(meaning(first.suite));
      }),
      draws(100),
    );
  });

  test('means the same as before, or the export or the import says what differs', () => {
    fc.assert(
      fc.property(suite, ({ cases, tasks }) => {
        const { suite: read, losses, report } = pass(format, cases, tasks);
        const said = losses.length + report.approximated.length + report.skipped.length;
        if (said > 0 || read === null) return;
        const held = exchangeFormats[format].holdsTasks === true ? tasks : [];
        expect(meaning(read)).toEqual(meaning({ ...cases, cases: [...cases.cases, ...held] }));
      }),
      draws(100),
    );
  });
});
