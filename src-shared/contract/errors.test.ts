import { expect, it } from 'vitest';

import { ServiceError } from './errors.ts';

it('an error ends its cause as a sentence, in its message and in what callers read', () => {
  const error = new ServiceError('INVALID', {
    thing: 'Corpus tools.json:1',
    cause: 'tools: expected array, received undefined',
    nextStep: 'Fix the file.',
  });

  expect(error.message).toBe(
    'Corpus tools.json:1: tools: expected array, received undefined. Fix the file.',
  );
  expect(error.data.cause).toBe('tools: expected array, received undefined.');
});
