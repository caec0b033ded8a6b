import { expect, it } from 'vitest';
import { parametersShown } from './parametersShown.ts';

it('lists the required parameters first, with a type that people read', () => {
  expect(
    parametersShown({
      type: 'object',
      properties: {
        note: { type: ['string', 'null'], description: ' Text to keep ' },
        mode: { enum: ['zip', 'tar'] },
        any: true,
        id: { type: 'integer' },
      },
      required: ['id'],
    }),
  ).toEqual([
    { name: 'id', type: 'integer', required: true, description: '' },
    { name: 'note', type: 'string or null', required: false, description: 'Text to keep' },
    { name: 'mode', type: 'one of "zip", "tar"', required: false, description: '' },
    { name: 'any', type: 'any', required: false, description: '' },
  ]);
});

it('lists nothing for a schema without properties', () => {
  expect(parametersShown({ type: 'object' })).toEqual([]);
});
