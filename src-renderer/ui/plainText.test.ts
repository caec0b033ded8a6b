import { describe, expect, it } from 'vitest';
import { firstCharacters, visibleControls } from './plainText.ts';

describe('plain text', () => {
  it('T09: an ANSI escape that stays invisible would hide what a description says', () => {
    expect(visibleControls('\u001b[31mred\u001b[0m\u0000\u007f')).toBe('␛[31mred␛[0m␀␡');
    expect(visibleControls('a\tb\r\nc\nd')).toBe('a\tb\nc\nd');
  });

  it('T09: a long word cut inside an emoji would show a broken character', () => {
    expect(firstCharacters('ab😀cd', 3)).toBe('ab');
    expect(firstCharacters('ab😀cd', 4)).toBe('ab😀');
    expect(firstCharacters('short', 10)).toBe('short');
  });
});
