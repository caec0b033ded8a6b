import { describe, expect, it } from 'vitest';
import { descriptionParts, parameterRows } from './describe.ts';

describe('the description of a tool', () => {
  it('is shown by paragraphs, with examples and long parts folded', () => {
    const long = 'word '.repeat(150);
    expect(
      descriptionParts(`Gets the status.\n\n\`\`\`json\n{"a": 1}\n\n{}\n\`\`\`\n${long}\n\nAfter.`),
    ).toEqual([
      { text: 'Gets the status.', title: null },
      { text: '```json\n{"a": 1}\n\n{}\n```', title: '{"a": 1}' },
      { text: long.trim(), title: long.trim().slice(0, 60) },
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
