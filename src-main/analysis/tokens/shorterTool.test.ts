import { describe, expect, it } from 'vitest';
import { shorterDescriptions, simplerSchemas } from './shorterTool.ts';

describe('shorterDescriptions', () => {
  it('keeps whole sentences from the start, the longest version first', () => {
    expect(shorterDescriptions('Adds a task. It needs a title. Dates are optional.')).toEqual([
      'Adds a task. It needs a title. Dates are optional.',
      'Adds a task. It needs a title.',
      'Adds a task.',
    ]);
  });

  it('cuts a first sentence that is too long after its first words', () => {
    const words = Array.from({ length: 300 }, (_, at) => `w${at}`);
    const shorter = shorterDescriptions(words.join(' '));
    expect(shorter.map((text) => text.split(' ').length)).toEqual([75, 50, 30]);
    expect(shorter.every((text) => words.join(' ').startsWith(text))).toBe(true);
  });

  it('offers no sentence that the text does not end with itself', () => {
    const text = 'One two three four. '.repeat(200);
    expect(shorterDescriptions(text)[0]).toMatch(/four\.$/);
  });
});

describe('simplerSchemas', () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    title: 'Arguments',
    required: ['title'],
    properties: {
      title: { type: 'string', description: 'The title. At most 80 characters.', examples: ['a'] },
      place: {
        type: 'object',
        description: 'Where. Optional.',
        properties: { description: { type: 'string', description: 'In words. Or none.' } },
      },
      kind: { enum: ['title', 'description'], default: 'title' },
    },
  };

  it('removes notes first and descriptions last, and never a property or a value', () => {
    const simpler = simplerSchemas(schema);
    expect(simpler[0]).toEqual({
      type: 'object',
      required: ['title'],
      properties: {
        title: { type: 'string', description: 'The title. At most 80 characters.' },
        place: schema.properties.place,
        kind: schema.properties.kind,
      },
    });
    expect(simpler[1]).toMatchObject({
      properties: {
        title: { description: 'The title.' },
        place: { properties: { description: { description: 'In words.' } } },
      },
    });
    expect(simpler[2]).toMatchObject({
      properties: {
        title: { description: 'The title.' },
        place: { description: 'Where.', properties: { description: { type: 'string' } } },
      },
    });
    expect(JSON.stringify(simpler[2])).not.toContain('In words');
    expect(simpler[3]).toEqual({
      type: 'object',
      required: ['title'],
      properties: {
        title: { type: 'string' },
        place: { type: 'object', properties: { description: { type: 'string' } } },
        kind: { enum: ['title', 'description'], default: 'title' },
      },
    });
  });
});
