import { describe, expect, it } from 'vitest';
import { linkEntry, screenOfLink } from './deepLinks.ts';

describe('a link', () => {
  it.each([
    'touchstone-open://servers',
    'touchstone-open://results/17/runs/3?filter=fn',
    'touchstone-open://suites/import',
  ])('%s names a screen', (link) => {
    expect(screenOfLink(link)).toBe(`/${link.slice('touchstone-open://'.length)}`);
  });
});

describe('the desktop entry of an AppImage', () => {
  // Quoting and escaping of the Desktop Entry Specification 1.5, “The Exec key”.
  it.each([
    ['/home/a b/T.AppImage', 'Exec="/home/a b/T.AppImage" %u'],
    ['/x/$HOME`"', 'Exec="/x/\\\\$HOME\\\\`\\\\"" %u'],
    ['/x/100%', 'Exec="/x/100%%" %u'],
    [String.raw`/x/\y`, String.raw`Exec="/x/\\\\y" %u`],
  ])('names %s', (image, line) => {
    expect(linkEntry(image).split('\n')).toContain(line);
    expect(linkEntry(image)).toContain('MimeType=x-scheme-handler/touchstone-open;');
  });
});
