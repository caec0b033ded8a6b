import { expect } from 'vitest';

/**
 * Texts that hostile servers, models and users may write. The last three break spreadsheets, tables
 * and XML.
 */
export const hostileTexts = [
  '<img src=x onerror=alert(1)>',
  '</script><script>alert(1)</script>',
  '" onmouseover="alert(1)',
  'javascript:alert(1) [a](javascript:alert(1)) ![](https://evil.test/x.png)',
  '\u202Edesrever\u202C \u200B\u2066x',
  '\u001B[31mred\u0007\u0000\uFFFE',
  '`` | \\| ``` @somebody #1 https://evil.test www.evil.test',
  '=HYPERLINK("https://evil.test","x")',
  '-2+3\r\n,"quoted"',
  'half \uD800 a pair ]]> &amp; <!-- -->',
] as const;

/** Nothing of a page runs, loads or submits anything, and no link leaves it. */
export function checkInertHtml(html: string): void {
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html.match(/<\/script/g)).toHaveLength(1);
  const tags = html.replace(/<(style|script)>.*?<\/\1>/gs, '').match(/<[a-z][^>]*>/g) ?? [];
  for (const tag of tags)
    expect(tag).not.toMatch(
      /\s(on\w+|src|style|action|srcset)\s*=|^<(img|iframe|object|link|form|base)\b/,
    );
  expect(tags.filter((tag) => /href=/.test(tag) && !/href="#[\w-]+"/.test(tag))).toEqual([]);
  expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u0000\u001b]/);
}

/** All untrusted text is in code spans, and no table has a broken row. */
export function checkInertMarkdown(text: string): void {
  const outside = text.replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, '');
  expect(outside).not.toMatch(/evil|alert|somebody|onerror|<|\u202e/);
  for (const table of text.split('\n\n')) {
    const rows = table.split('\n').filter((row) => row.startsWith('|'));
    expect(new Set(rows.map((row) => row.match(/(?<!\\)\|/g)?.length)).size).toBeLessThanOrEqual(1);
  }
}
