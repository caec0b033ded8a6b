import { describe, expect, test } from 'vitest';
import { readExternal } from '../../../testing/externalData.ts';
import { read, readBack } from './readBack.fixture.ts';

describe('BFCL', () => {
  test('reads all 740 lines and its own export of them', () => {
    const counts = ['simple_python', 'multiple', 'irrelevance'].map((name) => {
      const text = readExternal(`bfcl/${name}.jsonl.br`);
      const { first, second } = readBack('bfcl', text);
      expect(second.suite).toEqual(first.suite);
      return [
        first.suite?.cases.length,
        first.report.exact,
        new Set(first.report.approximated.map((each) => each.case)).size,
        first.report.skipped.length,
      ];
    });
    expect(counts.map(([cases]) => cases)).toEqual([300, 200, 240]);
    for (const [cases = 0, exact = 0, nearly = 0, skipped] of counts) {
      expect(exact + nearly).toBe(cases);
      expect(skipped).toBe(0);
    }
    // Cases without a tool hold no text that could be compared in two ways.
    expect(counts[2]).toEqual([240, 240, 0, 0]);
  });

  test('reads lists of accepted values as matchers', () => {
    const line = {
      id: 'a',
      question: [
        [
          { role: 'system', content: 'x' },
          { role: 'user', content: 'q' },
        ],
      ],
      ground_truth: [
        {
          'f.g': {
            n: [1, 2],
            unit: ['m', ''],
            only: [''],
            deep: [{ x: [1], y: ['a', ''] }],
            list: [[{ k: [true] }]],
          },
        },
      ],
    };
    const { suite, report } = read('bfcl', JSON.stringify(line), { server: 's' });
    expect(suite?.cases[0]?.expected_calls).toEqual([
      {
        server: 's',
        tool: 'f.g',
        parameters: {
          n: { $any: [1, 2] },
          unit: { $optional: 'm' },
          only: { $optional: '' },
          deep: { x: 1, y: { $optional: 'a' } },
          list: [{ k: true }],
        },
      },
    ]);
    expect(suite?.cases[0]).toMatchObject({ system: 'x', query: 'q' });
    expect(report.approximated.map(({ what }) => what)).toEqual(['f.g: unit, deep', 'f.g: unit']);
    const { report: other } = read(
      'bfcl',
      [
        {
          id: 'm',
          question: [[{ role: 'user', content: 'a' }], [{ role: 'user', content: 'b' }]],
          ground_truth: [],
        },
        { id: 'n', question: 'q' },
        { id: 'live_irrelevance_1', question: 'q' },
      ]
        .map((each) => JSON.stringify(each))
        .join('\n'),
    );
    expect(other.skipped.map((each) => each.case)).toEqual(['m', 'n']);
    expect(other.exact).toBe(1);
  });

  test('reads questions with several turns, and those with an answer in words, as tasks', () => {
    const text = [
      {
        id: 'multi_turn_base_0',
        question: [[{ role: 'user', content: 'Move it' }], [{ role: 'user', content: 'Sort it' }]],
        initial_config: { files: {} },
        involved_classes: ['Files'],
        ground_truth: [["cd(folder='a')", "mv('x', 'y')"], ["sort('y')"]],
      },
      {
        id: 'web_search_0',
        question: [[{ role: 'user', content: 'Who won?' }]],
        num_hops: 1,
        ground_truth: ['Spain', 'ESP'],
      },
    ]
      .map((each) => JSON.stringify(each))
      .join('\n');
    const { suite, tasks, report, problems } = read('bfcl', text);
    expect([problems, suite?.servers]).toEqual([[], ['bfcl']]);
    expect(tasks).toMatchObject([
      {
        id: 'multi_turn_base_0',
        turns: ['Move it', 'Sort it'],
        checks: [{ calls: { must: ['cd', 'mv', 'sort'] } }],
      },
      {
        id: 'web_search_0',
        turns: ['Who won?'],
        checks: [{ answer: { $any: [{ $contains: 'Spain' }, { $contains: 'ESP' }] } }],
      },
    ]);
    expect(report.approximated.map(({ what }) => what)).toEqual([
      'ground_truth',
      'num_hops',
      'ground_truth',
    ]);
  });
});
