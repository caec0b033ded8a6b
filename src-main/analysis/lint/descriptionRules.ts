import { archiving, example, quoted, textLength, type LintRule } from './rule.ts';
import { stem, words } from '../tokenizer.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import { saysDeprecated } from '../advice/pairAdvice.ts';
import { adviceFor } from './twinAdvice.ts';

const longest = 150;
const shortest = 8;

const missingDescription: LintRule = {
  id: 'missing-description',
  severity: 'high',
  what: 'A tool without a description. A model sees only its name.',
  fix: 'Say what the tool does, what it returns, and when to use it.',
  bad: example('archive_invoice', ' '),
  good: archiving('invoice'),
  check: ({ tool, toBeWritten }) =>
    tool.description.trim() === ''
      ? [
          {
            message: `It has no description. A model sees only the name "${tool.name}".`,
            fix: toBeWritten(),
          },
        ]
      : [],
};

const shortDescription: LintRule = {
  id: 'short-description',
  severity: 'medium',
  what:
    `A description of fewer than ${shortest} words. In scripts without spaces, two characters count ` +
    'as one word.',
  fix: 'Say what the tool works on, what it returns, and when to use it.',
  bad: example('archive_invoice', 'Archives paid invoices.'),
  good: archiving('invoice'),
  check({ tool }) {
    const text = withoutErrors(tool.description).trim();
    const count = Math.ceil(textLength(text));
    return count > 0 && count < shortest
      ? [
          {
            message: `"${text}" is the whole description.`,
            span: spanOf(text, tool.description),
          },
        ]
      : [];
  },
};

const longDescription: LintRule = {
  id: 'long-description',
  severity: 'medium',
  what:
    `A description of more than ${longest} words. It costs tokens in every request, and the ` +
    'important part is hard to find.',
  fix: 'Keep what helps a model choose and call the tool. Move the rest to the documentation.',
  bad: example(
    'archive_invoice',
    'Moves a paid invoice to the archive. ' +
      'It also tells the ledger about each of its lines. '.repeat(20),
  ),
  good: example(
    'archive_invoice',
    'Moves a paid invoice to the archive. Returns the number of its lines.',
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

const fillers = new Set(
  'a an the this tool for to of and by with from in on function it all your is used use'.split(' '),
);

const repeatsName: LintRule = {
  id: 'repeats-name',
  severity: 'medium',
  what: 'A description that only repeats the name.',
  fix: 'Say what the name doesn’t: what the tool works on and what it returns.',
  bad: example('archive_invoice', 'Archives the invoice.'),
  good: archiving('invoice'),
  check({ tool, nameWords, descriptionWords, toBeWritten }) {
    if (descriptionWords.length === 0) return [];
    const known = new Set([...nameWords, ...words(tool.server)].map(stem));
    const own = words(withoutErrors(tool.description)).filter(
      (word) => !fillers.has(word) && !known.has(stem(word)),
    );
    return own.length === 0
      ? [
          {
            message: `"${tool.description.trim()}" only repeats the name "${tool.name}".`,
            fix: toBeWritten(),
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
  fix: 'Write the text that the placeholder stands for.',
  bad: example('archive_invoice', 'Moves a paid invoice to the archive. TODO: say which archive'),
  good: example(
    'archive_invoice',
    'Moves a paid invoice to the archive of its year. Use it at the end of a month.',
  ),
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
  what: 'A list that ends with "etc." or "and more", so a model has to guess the rest.',
  fix: 'List everything, or end the list without it.',
  bad: example('archive_invoice', 'Moves invoices, receipts and more to the archive.'),
  good: example(
    'archive_invoice',
    'Moves invoices and receipts to the archive. Use it at the end of a month.',
  ),
  check: ({ tool }) =>
    [...tool.description.matchAll(vague)]
      .filter(({ index }) => !endsExamples(tool.description.slice(0, index)))
      .slice(0, 3)
      .map((found) => ({
        message: `"${found[0]}" makes a model guess the rest.`,
        span: [found.index, found.index + found[0].length],
      })),
};

const broken =
  /\ufffd|Ã[\u0080-\u00bf]|â€[\u0080-\u00ff™œž]|(?<!["'`“])&(?:amp|lt|gt|quot|nbsp|#\d+);(?!["'`”])/gu;

const brokenEncoding: LintRule = {
  id: 'broken-encoding',
  severity: 'medium',
  what: 'Characters that were read in the wrong encoding or escaped twice.',
  fix: 'Write the character itself.',
  bad: example('archive_invoice', 'Moves a paid invoice to the archive &amp; closes it.'),
  good: example(
    'archive_invoice',
    'Moves a paid invoice to the archive and closes it. Returns its number.',
  ),
  check: ({ tool }) =>
    [...tool.description.matchAll(broken)].slice(0, 3).map((found) => ({
      message: `"${found[0]}" stands for another character.`,
      span: [found.index, found.index + found[0].length],
    })),
};

const sameDescription: LintRule = {
  id: 'same-description',
  severity: 'high',
  what: 'Two tools with the same description. Only the name tells them apart.',
  fix: 'Say in each description when to use this tool and not the other one.',
  bad: example('archive_invoice', 'Works on one invoice of the ledger.'),
  good: example(
    'archive_invoice',
    'Moves one invoice of the ledger to the archive. Returns its number.',
  ),
  check: ({ sameDescription: others }) =>
    others.length > 0 ? [{ message: `It has the same description as ${quoted(others)}.` }] : [],
};

const deprecated: LintRule = {
  id: 'deprecated',
  severity: 'high',
  what: 'A tool that says it is deprecated. Models still call it.',
  fix: 'Remove the tool, or hide it from models.',
  bad: example('archive_bill', 'Deprecated: use archive_invoice. Moves a paid bill away.'),
  good: archiving('invoice'),
  check({ tool, twinAdvice }) {
    const found = saysDeprecated.exec(tool.description);
    return found
      ? [
          {
            message: `It says "${found[0].replace(/^[^\p{L}]+/u, '')}".`,
            ...(twinAdvice?.kind === 'deprecated_twin'
              ? { fix: adviceFor(twinAdvice, toolId(tool.server, tool.name)) }
              : {}),
            span: [found.index, found.index + found[0].length],
          },
        ]
      : [];
  },
};

const manyCodes = 3;
const errorHeading = /^[ \t]*(?:errors?|error (?:codes|responses))[ \t]*:/imu;
const errorCode = /\b(?:[45]\d\d|E[A-Z]{4,}|[A-Z]+_(?:ERROR|NOT_FOUND|EXISTS|DENIED))\b/gu;

const errorCodes: LintRule = {
  id: 'error-codes',
  severity: 'low',
  what:
    `A list of error codes under a heading, or at least ${manyCodes} in the text. They don’t help a ` +
    'model choose the tool.',
  fix: 'Remove the error codes from the description and return them with the error.',
  bad: example(
    'archive_invoice',
    'Moves a paid invoice to the archive. Errors: 400 bad request, 404 not found, 409 conflict.',
  ),
  good: archiving('invoice'),
  check({ tool }) {
    const heading = errorHeading.exec(tool.description);
    const codes = new Set(tool.description.match(errorCode));
    const isListed =
      heading !== null && tool.description.slice(heading.index).match(errorCode) !== null;
    return isListed || codes.size >= manyCodes
      ? [
          {
            message: `It lists error codes (${quoted([...codes])}).`,
            ...(isListed ? { span: [heading.index, tool.description.length] } : {}),
          },
        ]
      : [];
  },
};

/** The text without a list of errors at its end, which says nothing about the tool. */
const withoutErrors = (text: string): string => text.slice(0, errorHeading.exec(text)?.index);

const spanOf = (part: string, text: string): [number, number] => {
  const start = text.indexOf(part);
  return [start, start + part.length];
};

const longestPlain = 20;
const english = /\b(?:the|of|and|from|with)\b/iu;
const guidance =
  /\b(?:when|if|unless|only|instead|not|never|use|uses|returns?|requires?|before|after|must)\b|n[’']t\b/iu;

const noGuidance: LintRule = {
  id: 'no-guidance',
  severity: 'low',
  what:
    `One sentence of ${shortest} to ${longestPlain - 1} words that says what the tool does, but not ` +
    'when to use it, what it needs or what it returns (English only).',
  fix: 'Add a sentence that says when to use the tool or what it doesn’t do.',
  bad: example('archive_invoice', 'Moves a paid invoice from the inbox to the archive.'),
  good: archiving('invoice'),
  check({ tool }) {
    const text = withoutErrors(tool.description).trim();
    const count = textLength(text);
    const isPlain =
      count >= shortest &&
      count < longestPlain &&
      english.test(text) &&
      !guidance.test(text) &&
      !/[.!?]\s+\S|\n/u.test(text);
    return isPlain
      ? [
          {
            message: `"${text}" says what it does, but not when to use it.`,
            span: spanOf(text, tool.description),
          },
        ]
      : [];
  },
};

export const descriptionRules: readonly LintRule[] = [
  deprecated,
  errorCodes,
  noGuidance,
  missingDescription,
  shortDescription,
  longDescription,
  repeatsName,
  unfinishedText,
  vagueWords,
  brokenEncoding,
  sameDescription,
];
