/** Writes the rules of Electron and the first-start checklist into docs/electron.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Rule } from '../src-main/testing/electronContract/rule.ts';
import { rules } from '../src-main/testing/electronContract/rules.ts';

const page = join(import.meta.dirname, '..', 'docs', 'electron.md');
const names: Readonly<Record<string, string>> = { darwin: 'Mac', linux: 'Linux', win32: 'Windows' };

const systemsOf = ({ systems }: Rule): string =>
  systems === undefined ? 'all' : systems.map((system) => names[system] ?? system).join(', ');
const cell = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function table(): string {
  const rows = rules.map((rule) => {
    const { page: source, quote } = rule.source;
    return [
      `\`${rule.id}\``,
      cell(rule.says),
      systemsOf(rule),
      rule.run === undefined ? 'a person' : 'both',
      `[${source}](https://www.electronjs.org/docs/latest/${source}): “${cell(quote)}”`,
    ].join(' | ');
  });
  return [
    '| rule | Electron | systems | tried by | source |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

const needed = (what: string | undefined): string =>
  what === undefined ? '' : ` *Needs ${what}.*`;

/** What only a person can try, one step per rule. */
const steps = (): string =>
  rules
    .flatMap((rule) =>
      rule.person === undefined
        ? []
        : [
            `- ${rule.systems === undefined ? '' : `**${systemsOf(rule)}:** `}${rule.person.does}${needed(rule.person.needs)}\n  *You see:* ${rule.person.sees} (\`${rule.id}\`)`,
          ],
    )
    .join('\n');

/** The page with what is generated in it, between comments that name it. */
export function withRules(text: string): string {
  const between = (written: string, name: string, content: string) =>
    written.replace(
      new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(\n<!-- end of ${name} -->)`),
      (_all, start: string, end: string) => `${start}\n${content}\n${end}`,
    );
  return between(between(text, 'rules', table()), 'steps', steps());
}

if (process.argv[1] === import.meta.filename)
  writeFileSync(page, withRules(readFileSync(page, 'utf8')));
