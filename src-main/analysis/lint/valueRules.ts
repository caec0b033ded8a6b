import { words } from '../tokenizer.ts';
import { example, quoted, type LintRule } from './rule.ts';

const listsOptions =
  /\b(?:one of|either|can be|may be|must be|allowed values|options(?: are)?)\b[^.]*?["'`“‘](\w+)["'`”’][^.]*?["'`“‘](\w+)["'`”’]/iu;

const optionsInText: LintRule = {
  id: 'options-in-text',
  severity: 'low',
  what: 'A parameter whose description lists its values while the schema allows any text.',
  fix: 'List the values under "enum" in the schema.',
  bad: example('archive_invoice', 'Moves a paid bill to the archive. Use it once it is paid.', {
    mode: { type: 'string', description: 'How to pack it: one of "zip" or "tar"' },
  }),
  good: example('archive_invoice', 'Moves a paid bill to the archive. Use it once it is paid.', {
    mode: { type: 'string', description: 'How to pack it', enum: ['zip', 'tar'] },
  }),
  check: ({ parameters }) =>
    parameters.flatMap(({ name, schema, description }) => {
      const found =
        schema['type'] === 'string' && !('enum' in schema) && listsOptions.exec(description);
      return found
        ? [
            {
              message: `"${name}" lists "${found[1] ?? ''}" and "${found[2] ?? ''}" only in its description.`,
            },
          ]
        : [];
    }),
};

const measured =
  /(?:^|_)(?:timeout|duration|interval|delay|age|size|length|width|height|weight|distance|price|amount)$/u;
const dated =
  /(?:^|_)(?:date|time|timestamp|datetime|deadline)$|^(?:day|since|until|before|after)$/u;
/** Sizes of these are counts. */
const counts = /(?:^|_)(?:page|batch|chunk|sample|queue|pool)_size$/u;
const unitWords =
  /\b(?:ms|s|sec|secs|seconds?|minutes?|hours?|days?|milliseconds?|bytes?|[kmg]i?b|kilobytes?|megabytes?|characters?|chars|words?|tokens?|lines?|pixels?|px|percent|%|meters?|km|cm|mm|inch|inches|points?|pt|miles?|grams?|kg|cents?|usd|eur|dollars?|euros?|currency|unit|items?|number of|count)\b|[$€£]/iu;
const formatWords =
  /iso|8601|rfc|yyyy|unix|epoch|utc|format|timestamp in|\d{4}-\d{2}|\bfor example\b|\be\.g\./iu;

const missingUnit: LintRule = {
  id: 'missing-unit',
  severity: 'low',
  what: 'A number without its unit, or a date without its format.',
  fix: 'Add the unit of the number or the format of the date.',
  bad: example(
    'wait_for_invoice',
    'Waits until a bill has arrived. Use it once the money is there.',
    {
      timeout: { type: 'number', description: 'How long to wait' },
    },
  ),
  good: example(
    'wait_for_invoice',
    'Waits until a bill has arrived. Use it once the money is there.',
    {
      timeout: { type: 'number', description: 'How long to wait, in seconds' },
    },
  ),
  check({ parameters }) {
    const bare = parameters.filter(({ name, schema, description }) => {
      const called = words(name).join('_');
      const isNumber = schema['type'] === 'number' || schema['type'] === 'integer';
      if (Array.isArray(schema['enum']) || schema['format'] !== undefined) return false;
      return (
        (isNumber &&
          measured.test(called.replace(/_(?:ms|s|sec|secs|seconds|px|inches|kb|mb|bytes)$/u, '')) &&
          !counts.test(called) &&
          !unitWords.test(`${called.replaceAll('_', ' ')} ${description}`)) ||
        (schema['type'] === 'string' && dated.test(called) && !formatWords.test(description))
      );
    });
    return bare.length > 0
      ? [
          {
            message: `${quoted(bare.map(({ name }) => name))} ${bare.length === 1 ? 'has' : 'have'} no unit or format.`,
          },
        ]
      : [];
  },
};

/** Rules about the values that parameters take. */
export const valueRules: readonly LintRule[] = [optionsInText, missingUnit];
