import { describe, expect, it } from 'vitest';
import { descriptionParts, editOf, parameterRows } from './describe.ts';

describe('the description of a tool', () => {
  it('is shown by paragraphs, with examples and long parts folded', () => {
    const long = 'word '.repeat(150);
    expect(
      descriptionParts(`Gets the status.\n\n\`\`\`json\n{"a": 1}\n\n{}\n\`\`\`\n${long}\n\nAfter.`),
    ).toEqual([
      { text: 'Gets the status.', title: null },
      { text: '```json\n{"a": 1}\n\n{}\n```', title: '{"a": 1}' },
      { text: long.trim(), title: `${long.trim().slice(0, 60).trim()} …` },
      { text: 'After.', title: null },
    ]);
  });

  it('folds what comes after enough text', () => {
    const parts = descriptionParts(Array.from({ length: 10 }, () => 'x'.repeat(300)).join('\n\n'));
    expect(parts.filter(({ title }) => title === null)).toHaveLength(4);
  });

  it('has no part without a text', () => {
    expect(descriptionParts('')).toEqual([]);
    expect(descriptionParts(' \n\n ')).toEqual([]);
  });
});

describe('the parameters of a tool', () => {
  it('are rows with type, required, description and default, nested ones with dots', () => {
    const rows = parameterRows({
      type: 'object',
      required: ['owner'],
      properties: {
        owner: { type: 'string', description: 'Who owns it.' },
        page: { type: ['integer', 'null'], default: 1 },
        state: { enum: ['open', 'closed', null] },
        labels: { type: 'array', items: { type: 'string' } },
        where: {
          type: 'object',
          required: ['x'],
          properties: { x: { anyOf: [{ type: 'number' }, { $ref: '#/$defs/Point' }] } },
        },
        list: { type: 'array', items: { type: 'object', properties: { id: {} } } },
        any: true,
      },
    });
    expect(rows.map(({ name, type, required }) => [name, type, required])).toEqual([
      ['owner', 'string', true],
      ['page', 'integer or null', false],
      ['state', 'one of open, closed, null', false],
      ['labels', 'string[]', false],
      ['where', 'object', false],
      ['where.x', 'number or Point', true],
      ['list', 'object[]', false],
      ['list.id', 'any', false],
      ['any', 'any', false],
    ]);
    expect(rows[0]?.description).toBe('Who owns it.');
    expect(rows[1]?.default).toBe('1');
    expect(parameterRows({ type: 'object' })).toEqual([]);
  });
});

describe('the way from a tool to its editor', () => {
  const model = (id: string, passed: number, scored: number) => ({
    id,
    name: id,
    scored,
    outcomes: { passed, wrong_tool: scored - passed },
  });

  it.each([
    ['nothing without a result', null, '/tools/s/add/edit'],
    [
      'the model that fails its cases most',
      [model('m1', 3, 4), model('m2', 1, 4), model('m3', 0, 0)],
      '/tools/s/add/edit?result=r1&model=m2',
    ],
    ['the only model', [model('m1', 4, 4)], '/tools/s/add/edit?result=r1&model=m1'],
  ])('names %s', (_name, models, address) => {
    const result = models && { id: 'r1', number: 1, models, instead: [] };
    expect(editOf({ toolId: 's:add', result })).toBe(address);
  });

  it('carries a suggested text to its place', () => {
    expect(
      editOf({ toolId: 's:add', result: null }, { path: '/title', text: 'A & B', source: 'rule' }),
    ).toBe('/tools/s/add/edit?path=%2Ftitle&text=A%20%26%20B&source=rule');
  });
});
