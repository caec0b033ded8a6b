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
