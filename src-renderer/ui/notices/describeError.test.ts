import { describe, expect, it } from 'vitest';
import { describeError, errorDetails, errorOfField } from './describeError.ts';

const typed = Object.assign(new Error('x'), {
  code: 'CONFLICT',
  data: {
    thing: 'Server “todo”',
    cause: 'The name is taken.',
    nextStep: 'Choose another one.',
    field: 'name',
  },
});

describe('describeError', () => {
  it('keeps every part of a typed error', () => {
    expect(describeError(typed)).toEqual({
      thing: 'Server “todo”',
      cause: 'The name is taken.',
      nextStep: 'Choose another one.',
      code: 'CONFLICT',
      field: 'name',
    });
  });

  it('names the field of rejected input', () => {
    const refused = {
      code: 'BAD_REQUEST',
      data: { issues: [{ path: ['config', { key: 'url' }], message: 'Not a URL.' }] },
    };
    expect(describeError(refused)).toMatchObject({ field: 'config.url', cause: 'Not a URL.' });
    expect(
      describeError({
        code: 'BAD_REQUEST',
        data: { issues: [{ path: 'config.url', message: 'Not a URL.' }] },
      }),
    ).toMatchObject({ field: 'config.url' });
    expect(errorOfField(refused, 'url')).toContain('Not a URL.');
    expect(errorOfField(refused, 'name')).toBeUndefined();
  });

  it('describes thrown values that are no errors', () => {
    for (const odd of [undefined, null, 'text', 7, {}, new Error('')]) {
      expect(describeError(odd).cause).toBe('No reason given.');
    }
    expect(describeError(new Error('socket closed')).cause).toBe('socket closed');
  });

  it('copies code and field with the details', () => {
    expect(errorDetails(typed)).toBe(
      'Server “todo”: The name is taken.\nChoose another one.\nCode: CONFLICT\nField: name',
    );
  });
});
