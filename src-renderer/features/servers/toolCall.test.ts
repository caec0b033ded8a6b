import { describe, expect, it } from 'vitest';
import { effectOf, readToolArguments, textOfContent } from './toolCall.ts';

describe('manual tool call', () => {
  it('accepts only a JSON object as arguments', () => {
    expect(readToolArguments(' ')).toEqual({ ok: true, value: {} });
    expect(readToolArguments('{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
    expect(readToolArguments('[1]').ok).toBe(false);
    expect(readToolArguments('null').ok).toBe(false);
    const broken = readToolArguments('{"a":');
    expect(broken.ok ? '' : broken.problem).toContain('Invalid JSON');
  });

  it('reads the effect of a tool from its annotations', () => {
    expect(effectOf({ destructiveHint: true })).toBe('destroys');
    expect(effectOf({ destructiveHint: true, readOnlyHint: false })).toBe('destroys');
    expect(effectOf({ readOnlyHint: true })).toBe('reads');
    expect(effectOf({ destructiveHint: false })).toBe('changes');
    expect(effectOf({ destructiveHint: 'true' })).toBe('unknown');
    expect(effectOf(null)).toBe('unknown');
  });

  it('shows only content items with text', () => {
    expect(textOfContent({ type: 'text', text: 'hello' })).toBe('hello');
    expect(textOfContent({ type: 'text' })).toBeNull();
    expect(textOfContent({ type: 'image', data: '' })).toBeNull();
    expect(textOfContent('text')).toBeNull();
  });
});
