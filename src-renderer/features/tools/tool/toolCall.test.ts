import { describe, expect, it } from 'vitest';
import { readToolArguments } from '../../../../src-shared/domain/typedArguments.ts';
import { textOfContent } from './toolCall.ts';

describe('manual tool call', () => {
  it('accepts only a JSON object as arguments', () => {
    expect(readToolArguments(' ')).toEqual({ ok: true, value: {} });
    expect(readToolArguments('{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
    expect(readToolArguments('[1]').ok).toBe(false);
    expect(readToolArguments('null').ok).toBe(false);
    const broken = readToolArguments('{"a":');
    expect(broken.ok ? '' : broken.problem).toContain('Invalid JSON');
  });

  it('shows only content items with text', () => {
    expect(textOfContent({ type: 'text', text: 'hello' })).toBe('hello');
    expect(textOfContent({ type: 'text' })).toBeNull();
    expect(textOfContent({ type: 'image', data: '' })).toBeNull();
    expect(textOfContent('text')).toBeNull();
  });
});
