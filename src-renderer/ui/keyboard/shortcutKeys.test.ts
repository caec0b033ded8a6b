import { describe, expect, it } from 'vitest';
import { matchesKeys, writtenKeys } from './shortcutKeys.ts';

const press = (
  key: string,
  held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey', boolean>> = {},
) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});

describe('shortcuts', () => {
  it('Ctrl+J taken for J would steal the browser’s own keys', () => {
    expect(matchesKeys('j', press('j'))).toBe(true);
    expect(matchesKeys('j', press('J'))).toBe(true);
    expect(matchesKeys('j', press('j', { ctrlKey: true }))).toBe(false);
    expect(matchesKeys('j', press('j', { altKey: true }))).toBe(false);
  });

  it('mod that means only one of Ctrl and Cmd would not work on the other system', () => {
    expect(matchesKeys('mod+k', press('k', { ctrlKey: true }))).toBe(true);
    expect(matchesKeys('mod+k', press('k', { metaKey: true }))).toBe(true);
    expect(matchesKeys('mod+k', press('k'))).toBe(false);
  });

  it('keys written for the wrong system could not be found on the keyboard', () => {
    expect(writtenKeys('mod+k', true)).toBe('⌘K');
    expect(writtenKeys('mod+k', false)).toBe('Ctrl K');
    expect(writtenKeys('?', false)).toBe('?');
  });
});
