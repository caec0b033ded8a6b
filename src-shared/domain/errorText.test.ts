import { describe, expect, it } from 'vitest';
import { errorChain, errorCode, errorStack, errorText } from './errorText.ts';

const coded = Object.assign(new Error('open failed'), { code: 'ENOENT' });

describe('error text', () => {
  it('is the message of an error and the text of anything else', () => {
    expect(errorText(new TypeError('no function'))).toBe('no function');
    expect(errorText('refused')).toBe('refused');
    expect(errorText(undefined)).toBe('undefined');
  });

  it('has the stack for logs, or the message of an error without one', () => {
    expect(errorStack(coded)).toMatch(/^Error: open failed\n\s+at /);
    coded.stack = undefined;
    expect(errorStack(coded)).toBe('open failed');
    expect(errorStack(7)).toBe('7');
  });
});

describe('error code', () => {
  it('is null for an error without a code and for anything that is no error', () => {
    expect(errorCode(coded)).toBe('ENOENT');
    expect(errorCode(new Error('plain'))).toBeNull();
    expect(errorCode({ code: 'ENOENT' })).toBeNull();
  });
});

describe('error chain', () => {
  it('lists causes from the outside in and ends at what is no error', () => {
    const inner = new Error('inner', { cause: 'a text' });
    const outer = new Error('outer', { cause: inner });
    expect(errorChain(outer)).toEqual([outer, inner]);
    expect(errorChain('text')).toEqual([]);
  });

  it('cuts a chain that leads back to itself', () => {
    const circular = new Error('circular');
    circular.cause = circular;
    expect(errorChain(circular, 3)).toHaveLength(3);
  });
});
