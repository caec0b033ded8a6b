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
  ]).flatMap(({ edits }) => edits.map((edit) => (edit.type === 'text' ? edit.inserted : 'hide')));

describe('advice for edited texts', () => {
  const words = advised(
    ...['Put 1 away: the receipt and the newsletter', 'Put 2 away: a receipt or a newsletter'].map(
      (query) => ({ query, values: '{"a":1}' }),
    ),
  );

  it('keeps words that the text lacks and drops them once the text says each in any form', () => {
    expect(opened(words, 'Processes a text.')).toEqual(['Use it for a receipt or a newsletter.']);
    expect(opened(words, 'Archives receipts and newsletters.')).toEqual([]);
  });

  it('names only the words that are still missing, after the text as it is', () => {
    const edits = [
      {
        toolId: 'mail:archive',
        path: '/description',
        oldText: archive.description,
        newText: 'Archives a receipt.',
      },
    ];
    const [piece] = openAdvice(words, tools, edits);
    expect(piece?.why).toBe('Failing requests say “newsletter”; the description doesn’t.');
    expect(piece?.edits).toMatchObject([
      {
        toolId: 'mail:archive',
        newText: 'Archives a receipt. Use it for a newsletter.',
      },
    ]);
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

  describe('of a description that says nothing', () => {
    const box = { enum: ['year', 'topic'] };
    const inputSchema = { type: 'object', properties: { id: {}, box }, required: ['id', 'box'] };
    const mute = [
      { ...archive, name: 'archive_message', description: '', inputSchema },
      { ...remove, inputSchema },
    ];
    const after = (offered: typeof mute, newText: string, advice: Advice[]) =>
      openAdvice(advice, offered, [
        {
          toolId: 'mail:archive_message',
          path: '/description',
          oldText: offered[0]?.description ?? '',
          newText,
        },
      ]).map(({ kind, why }) => `${kind}: ${why}`);
    const drafts = advise({ tools: mute, focus: ['mail:archive_message'] });

    it.each([
      [' ', 'draft: archive_message has no description.'],
      ['Archive', 'draft: The description of archive_message says no more than its name.'],
      ['Performs the operation.', 'draft: The description of archive_message fits any tool.'],
    ])('stays as a draft while the text is “%s”', (text, why) => {
      expect(after(mute, text, drafts)).toEqual([why]);
    });

    it('is gone once the text says something', () => {
      expect(after(mute, 'Moves a message out of the inbox.', drafts)).toEqual([]);
      const [draft] = drafts[0]?.edits ?? [];
      expect(draft?.type === 'text' && after(mute, draft.newText, drafts)).toEqual([]);
    });

    it('comes for a text that said something until it was emptied', () => {
      const spoken = mute.map((one, at) =>
        at === 0 ? { ...one, description: 'Stores mail.' } : one,
      );
      expect(after(spoken, '', [])).toEqual(['draft: archive_message has no description.']);
      expect(after(spoken, 'Stores an old message.', [])).toEqual([]);
    });

    it('comes instead of words and a boundary, and after the text of before', () => {
      const restore = {
        ...(drafts[0] as Advice),
        kind: 'restore' as const,
        why: 'It was described with this text.',
      };
      const found = advised({ expected: 'mail:remove', called: 'mail:archive' }).map((piece) => ({
        ...piece,
        toolIds: ['mail:archive_message', 'mail:remove'],
      }));
      expect(after(mute, '?', [...found, ...drafts, restore])).toEqual([
        'restore: It was described with this text.',
        'draft: archive_message has no description.',
      ]);
      expect(after(mute, 'Moves a message out of the inbox.', [...drafts, restore])).toEqual([]);
    });
  });
});
