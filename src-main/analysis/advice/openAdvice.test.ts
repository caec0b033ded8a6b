import { describe, expect, it } from 'vitest';
import type { Advice } from '../../../src-shared/domain/advice.ts';
import { advise, type AdvisedFailure } from './advise.ts';
import { openAdvice } from './openAdvice.ts';

const archive = {
  server: 'mail',
  name: 'archive',
  title: null,
  description: 'Processes a message.',
  inputSchema: { type: 'object', properties: { due: { type: 'string' } } },
};
const remove = { ...archive, name: 'remove', description: 'Deletes a message.' };
const tools = [archive, remove];

const advised = (...failures: Partial<AdvisedFailure>[]): Advice[] =>
  advise({
    tools,
    failures: failures.map((over) => ({
      query: 'Put it away',
      values: '',
      expected: 'mail:archive',
      called: null,
      wrongArguments: [],
      ...over,
    })),
  });
const opened = (advice: Advice[], newText: string, path = '/description') =>
  openAdvice(advice, tools, [
    {
      toolId: 'mail:archive',
      path,
      oldText: path === '/description' ? archive.description : '',
      newText,
    },
  ]).flatMap(({ edits }) =>
    edits.map((edit) => (edit.type === 'text' ? edit.inserted : edit.type)),
  );

describe('advice for edited texts', () => {
  const words = advised(
    ...['Show the receipt and the newsletter', 'Show a receipt or a newsletter'].map((query) => ({
      query,
      values: '{"a":1}',
    })),
  );

  it('keeps words that the text lacks and drops them once the text says each in any form', () => {
    expect(opened(words, 'Processes a text.')).toEqual(['write']);
    expect(opened(words, 'Archives receipts and newsletters.')).toEqual([]);
  });

  it('names only the words that are still missing', () => {
    const edits = [
      {
        toolId: 'mail:archive',
        path: '/description',
        oldText: archive.description,
        newText: 'Archives a receipt.',
      },
    ];
    const [piece] = openAdvice(words, tools, edits);
    expect(piece).toMatchObject({
      why: 'Failing requests say “newsletter”; the description doesn’t.',
      evidence: { words: ['newsletter'] },
    });
  });

  it('never asks for other words than before the edit', () => {
    const receipts = words.map((piece) => ({
      ...piece,
      evidence: { ...piece.evidence, words: ['receipt'] },
    }));
    expect(opened(receipts, 'Archives a receipt.')).toEqual([]);
  });

  it('finds the words in a new name, and still edits the tool by its old one', () => {
    expect(
      openAdvice(words, tools, [
        { toolId: 'mail:archive', path: '/name', oldText: 'archive', newText: 'archive_receipt' },
      ]),
    ).toMatchObject([{ evidence: { words: ['newsletter'] }, edits: [{ toolId: 'mail:archive' }] }]);
  });

  it('drops what a parameter needs once it is described', () => {
    const parameter = advised({
      called: 'mail:archive',
      wrongArguments: [{ name: 'due', expected: '2026-05-04' }],
    });
    const path = '/inputSchema/properties/due/description';
    expect(opened(parameter, 'Archives a message.')).toEqual([
      'Date as YYYY-MM-DD, for example "2026-05-04".',
    ]);
    expect(opened(parameter, 'Due date.', path)).toEqual([]);
  });

  it('drops a boundary once the text names the other tool', () => {
    const boundary = advised({ expected: 'mail:remove', called: 'mail:archive' }).filter(
      ({ kind }) => kind === 'boundary',
    );
    expect(boundary).toHaveLength(1);
    expect(opened(boundary, 'Archives a message.')).toHaveLength(1);
    expect(opened(boundary, 'Archives a message, never deletes it: see remove.')).toEqual([]);
  });

  it('drops an unneeded call once the text says when to use the tool', () => {
    const advice = advise({
      tools: [{ ...archive, description: 'Archives a message.' }],
      failures: [
        { query: 'Hello', values: '', expected: null, called: 'mail:archive', wrongArguments: [] },
      ],
    });
    expect(advice).toHaveLength(1);
    expect(opened(advice, 'Archives one message.')).toHaveLength(1);
    expect(opened(advice, 'Use it only when a message is named.')).toEqual([]);
  });

  it('keeps a whole text while the edited one says nothing', () => {
    const swapped = [
      { ...archive, name: 'delete_berth', description: 'Shows when the tide rises and falls.' },
      { ...remove, name: 'get_tides', description: 'Removes a berth from the plan.' },
    ];
    const exchange = advise({ tools: swapped, focus: ['mail:delete_berth'] });
    expect(exchange.map(({ kind }) => kind)).toEqual(['exchange']);
    const restore = { ...(exchange[0] as Advice), kind: 'restore' as const };
    const kindsAfter = (newText: string) =>
      openAdvice([restore, ...exchange], swapped, [
        {
          toolId: 'mail:delete_berth',
          path: '/description',
          oldText: swapped[0]?.description ?? '',
          newText,
        },
      ]).flatMap(({ kind, edits }) => (edits.length > 1 ? [kind] : []));
    for (const text of [' ', 'Deletes a berth', 'Performs the operation.'])
      expect(kindsAfter(text), text).toEqual(['restore', 'exchange']);
    expect(kindsAfter('Removes a berth from the plan for good.')).toEqual([]);
  });
});
