import { words } from '../tokenizer.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import { archiving, example, quoted, type LintRule } from './rule.ts';
import { adviceFor } from './twinAdvice.ts';

const vagueNames = new Set(
  (
    'do run execute process handle perform action tool function call invoke task command helper ' +
    'util utils main it data go thing stuff test query request'
  ).split(' '),
);

const vagueName: LintRule = {
  id: 'vague-name',
  severity: 'medium',
  what: 'A name that fits any tool.',
  fix: 'Name the tool after what it does to what, such as "archive_invoice".',
  bad: example(
    'execute_command',
    'Moves a paid bill to the archive. Use it once the money is there.',
  ),
  good: archiving('bill'),
  check({ tool, nameWords }) {
    // A name that repeats its server's name at least says where it belongs.
    const own = nameWords.filter((word) => !words(tool.server).includes(word));
    const left = own.length === 0 ? nameWords : own;
    return left.length > 0 && left.every((word) => vagueNames.has(word))
      ? [{ message: `"${tool.name}" fits any tool.` }]
      : [];
  },
};

/** How the words of a name are joined; null if it has only one. */
export function styleOf(name: string): string | null {
  if (/^[a-z0-9]+(?:_[a-z0-9]+)+$/u.test(name)) return 'snake_case';
  if (/^[a-z0-9]+(?:-[a-z0-9]+)+$/u.test(name)) return 'kebab-case';
  if (/^[a-z]+[a-z0-9]*(?:[A-Z][a-z0-9]*)+$/u.test(name)) return 'camelCase';
  return null;
}

const mixedStyle: LintRule = {
  id: 'mixed-name-style',
  severity: 'low',
  what: 'A name in a different style than all other names on its server.',
  fix: 'Write the name in the style of the other tools.',
  bad: example(
    'archiveInvoice',
    'Moves a paid bill to the archive. Use it once the money is there.',
  ),
  good: archiving('bill'),
  check({ tool, nameStyle }) {
    const own = styleOf(tool.name);
    return own !== null && nameStyle !== null && own !== nameStyle
      ? [{ message: `"${tool.name}" is ${own}; all other names on its server are ${nameStyle}.` }]
      : [];
  },
};

const sameName: LintRule = {
  id: 'same-name',
  severity: 'medium',
  what: 'The same name on two servers, ignoring separators and case.',
  fix: 'Add the server’s name as a prefix.',
  bad: example('archive_invoice', 'Moves a paid bill to the archive. Use it once it is paid.'),
  good: example(
    'archive_paid_invoice',
    'Moves a paid bill to the archive. Use it once it is paid.',
  ),
  check: ({ tool, twinAdvice }) =>
    twinAdvice?.kind === 'same_name'
      ? [
          {
            message: `${quoted(twinAdvice.toolIds)} have the same name.`,
            fix: adviceFor(twinAdvice, toolId(tool.server, tool.name)),
          },
        ]
      : [],
};

export const nameRules: readonly LintRule[] = [vagueName, mixedStyle, sameName];
