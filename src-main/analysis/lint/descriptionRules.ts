import { example, quoted, textLength, type LintRule } from './rule.ts';
import { stem } from '../contentTerms.ts';
import { words } from '../tokenizer.ts';

const longest = 300;
const shortest = 4;

const missingDescription: LintRule = {
  id: 'missing-description',
  severity: 'high',
  what: 'A tool without a description: a model has only its name to go by.',
  bad: example('archive_invoice', ' '),
  good: example('archive_invoice', 'Moves a paid invoice to the archive.'),
  check: ({ tool }) =>
    tool.description.trim() === ''
      ? [{ message: `It has no description: a model has only the name "${tool.name}" to go by.` }]
      : [],
};

const shortDescription: LintRule = {
  id: 'short-description',
  severity: 'medium',
  what:
    `A description of fewer than ${shortest} words; in scripts without spaces two signs count ` +
    'as one.',
  bad: example('archive_invoice', 'Archiving.'),
  good: example('archive_invoice', 'Moves a paid invoice to the archive.'),
  check({ tool }) {
    const count = textLength(tool.description);
    return count > 0 && count < shortest
      ? [
          {
            message: `"${tool.description.trim()}" is all that it says of itself.`,
            span: [0, tool.description.length],
          },
        ]
      : [];
  },
};

const longDescription: LintRule = {
  id: 'long-description',
  severity: 'low',
  what:
    `A description of more than ${longest} words: it is paid for in every request, and what ` +
    'matters drowns in it.',
  bad: example(
    'archive_invoice',
    'Moves a paid invoice to the archive. ' +
      'It also tells the ledger about each of its lines. '.repeat(35),
  ),
  good: example(
    'archive_invoice',
    'Moves a paid invoice to the archive and tells the ledger about each of its lines.',
  ),
  check({ tool }) {
    const count = Math.round(textLength(tool.description));
    return count > longest
      ? [
          {
            message:
              `Its description has ${count} words. It begins ` +
              `"${tool.description.trim().slice(0, 60)}…"`,
          },
        ]
      : [];
  },
};

const fillers = new Set([
  'a',
  'an',
  'the',
  'this',
  'tool',
  'for',
  'to',
  'of',
  'and',
  'by',
  'with',
  'from',
  'in',
  'on',
  'function',
  'it',
  'all',
  'your',
  'is',
  'used',
  'use',
]);

const repeatsName: LintRule = {
  id: 'repeats-name',
  severity: 'medium',
  what: 'A description that says nothing but the words of the name.',
  bad: example('archive_invoice', 'Archives the invoice.'),
  good: example('archive_invoice', 'Moves a paid invoice to the archive.'),
  check({ tool, nameWords, descriptionWords }) {
    if (descriptionWords.length === 0) return [];
    const known = new Set([...nameWords, ...words(tool.server)].map(stem));
    const own = descriptionWords.filter((word) => !fillers.has(word) && !known.has(stem(word)));
    return own.length === 0
      ? [
          {
            message: `"${tool.description.trim()}" says no more than the name "${tool.name}".`,
            span: [0, tool.description.length],
          },
        ]
      : [];
  },
};

const placeholder =
  /\b(?:todo|fixme|tbd)\b(?=\s*[:.)\]!]|\s*$)|\blorem ipsum\b|<(?:insert|your|add)\b[^>]*>|\[(?:insert|your)\b[^\]]*\]|\bdescription (?:goes )?here\b|\bno description\b/giu;

const unfinishedText: LintRule = {
  id: 'unfinished-text',
  severity: 'high',
  what: 'A placeholder that was left in the description.',
  bad: example('archive_invoice', 'Moves a paid invoice to the archive. TODO: say which archive'),
  good: example('archive_invoice', 'Moves a paid invoice to the archive of its year.'),
  check: ({ tool }) =>
    [...tool.description.matchAll(placeholder)].map((found) => ({
      message: `"${found[0]}" was left in the description.`,
      span: [found.index, found.index + found[0].length],
    })),
};

const vague =
  /\betc\b\.?|\band (?:so on|more|much more|other things|other stuff)\b|\b(?:various|several) (?:things|stuff|operations|tasks|actions)\b|\bdo(?:es)? (?:things|stuff|something)\b/giu;

/**
 * A list in brackets, or one after "such as", gives examples, so its "etc." leaves nothing open.
 */
function endsExamples(before: string): boolean {
  const sentence = before.slice(Math.max(before.lastIndexOf('. '), before.lastIndexOf('\n\n'), 0));
  return (
    sentence.lastIndexOf('(') > sentence.lastIndexOf(')') ||
    /\b(?:such as|for example|for instance|like|including|e\.g\.)/iu.test(sentence)
  );
}

const vagueWords: LintRule = {
  id: 'vague-words',
  severity: 'low',
  what: 'An open end, such as "etc." or "and more", where a model has to guess what belongs to it.',
  bad: example('archive_invoice', 'Moves invoices, receipts and more to the archive.'),
  good: example('archive_invoice', 'Moves invoices and receipts to the archive.'),
  check: ({ tool }) =>
    [...tool.description.matchAll(vague)]
      .filter(({ index }) => !endsExamples(tool.description.slice(0, index)))
      .slice(0, 3)
      .map((found) => ({
        message: `"${found[0]}" leaves open what belongs to it.`,
        span: [found.index, found.index + found[0].length],
      })),
};

const broken =
  /\ufffd|Ã[\u0080-\u00bf]|â€[\u0080-\u00ff™œž]|(?<!["'`“])&(?:amp|lt|gt|quot|nbsp|#\d+);(?!["'`”])/gu;

const brokenEncoding: LintRule = {
  id: 'broken-encoding',
  severity: 'medium',
  what: 'Signs that were read in the wrong encoding or escaped once too often.',
  bad: example('archive_invoice', 'Moves a paid invoice to the archive &amp; closes it.'),
  good: example('archive_invoice', 'Moves a paid invoice to the archive and closes it.'),
  check: ({ tool }) =>
    [...tool.description.matchAll(broken)].slice(0, 3).map((found) => ({
      message: `"${found[0]}" replaces another character.`,
      span: [found.index, found.index + found[0].length],
    })),
};

const sameDescription: LintRule = {
  id: 'same-description',
  severity: 'high',
  what: 'Two tools with the same description: nothing but the name tells them apart.',
  bad: example('archive_invoice', 'Works on one invoice of the ledger.'),
  good: example('archive_invoice', 'Moves one invoice of the ledger to the archive.'),
  check: ({ sameDescription: others }) =>
    others.length > 0
      ? [{ message: `Its description is word for word that of ${quoted(others)}.` }]
      : [],
};

const deprecated: LintRule = {
  id: 'deprecated',
  severity: 'high',
  what: 'A tool that says it is deprecated: models still call it.',
  bad: example('archive_bill', 'Deprecated: use archive_invoice. Moves a paid bill away.'),
  good: example('archive_invoice', 'Moves a paid invoice to the archive.'),
  check({ tool }) {
    const found = /\b(?:deprecated|obsolete|superseded by|no longer supported)\b/iu.exec(
      tool.description,
    );
    return found
      ? [
          {
            message: `It says "${found[0]}". Remove the tool, or hide it from models.`,
            span: [found.index, found.index + found[0].length],
          },
        ]
      : [];
  },
};

const manyCodes = 3;

const errorCodes: LintRule = {
  id: 'error-codes',
  severity: 'low',
  what: `A description that lists ${manyCodes} or more error codes: they don’t help to choose the tool.`,
  bad: example(
    'archive_invoice',
    'Moves a paid invoice to the archive. Errors: 400 bad request, 404 not found, 409 conflict.',
  ),
  good: example('archive_invoice', 'Moves a paid invoice to the archive.'),
  check({ tool }) {
    const codes = new Set(
      tool.description.match(
        /\b(?:[45]\d\d|E[A-Z]{4,}|[A-Z]+_(?:ERROR|NOT_FOUND|EXISTS|DENIED))\b/gu,
      ),
    );
    return codes.size >= manyCodes
      ? [
          {
            message: `It lists error codes (${quoted([...codes])}). Return them with the error instead.`,
          },
        ]
      : [];
  },
};

export const descriptionRules: readonly LintRule[] = [
  deprecated,
  errorCodes,
  missingDescription,
  shortDescription,
  longDescription,
  repeatsName,
  unfinishedText,
  vagueWords,
  brokenEncoding,
  sameDescription,
];
