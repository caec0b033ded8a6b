import { describe, expect, it } from 'vitest';
import { formatFromFileName, reportFileName } from './report.ts';

describe('report file names', () => {
  it('T63: are safe, short and never cut within a character', () => {
    expect(
      ['../../x', 'con', 'a/b\\c:d*?"<>|', '', '...', '日本語 x', '\0'].map((name) =>
        reportFileName('case', 7, name, 'md'),
      ),
    ).toEqual([
      'evaluation-7-x.md',
      'evaluation-7-con.md',
      'evaluation-7-a-b-c-d.md',
      'evaluation-7.md',
      'evaluation-7.md',
      'evaluation-7-日本語-x.md',
      'evaluation-7.md',
    ]);
    for (const name of [
      'A'.repeat(300),
      '𝐀'.repeat(300),
      `a${'𝐀'.repeat(300)}`,
      'ab-'.repeat(100),
    ]) {
      const made = reportFileName('case', 7, name, 'junit');
      expect(made.length).toBeLessThan(120);
      expect(made).toMatch(/^evaluation-7-.*[^-]\.xml$/u);
      expect(made.isWellFormed()).toBe(true);
    }
  });

  it('give the format by their extension', () => {
    expect(
      ['a.html', 'a.HTML', 'x/a.md', 'a.json', 'a.csv', 'a.xml', 'a.txt', 'html', '-'].map((name) =>
        formatFromFileName(name),
      ),
    ).toEqual(['html', 'html', 'md', 'json', 'csv', 'junit', null, null, null]);
  });
});
