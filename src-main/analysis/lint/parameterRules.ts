import { isJsonObject } from '../../../src-shared/domain/json.ts';
import { stem } from '../contentTerms.ts';
import { words } from '../tokenizer.ts';
import { example, parametersOf, quoted, type LintRule, type Parameter } from './rule.ts';

/** Names that need no description. */
const plainNames = new Set([
  'url',
  'uri',
  'path',
  'paths',
  'filename',
  'file name',
  'file path',
  'query',
  'title',
  'text',
  'message',
  'email',
  'name',
]);

/**
 * A model reads the description of the tool too, so a parameter that it mentions is described
 * there.
 */
function namedInText(parameter: Parameter, description: string): boolean {
  return new RegExp(
    `(?<![\\p{L}\\p{N}_])${parameter.name.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&')}(?![\\p{L}\\p{N}_])`,
    'iu',
  ).test(description);
}

/** True if nothing explains the parameter: no text, no fixed values, and no telling name. */
function isBare(parameter: Parameter, description: string): boolean {
  return (
    parameter.description.trim() === '' &&
    !Array.isArray(parameter.schema['enum']) &&
    !('const' in parameter.schema) &&
    !('$ref' in parameter.schema) &&
    !plainNames.has(words(parameter.name).join(' ')) &&
    !namedInText(parameter, description)
  );
}

const invoice = { type: 'string', description: 'Number that is printed on the invoice' };

const undescribedParameter: LintRule = {
  id: 'undescribed-parameter',
  severity: 'medium',
  what: 'A required parameter that neither the schema nor the description of the tool explains.',
  bad: example(
    'archive_invoice',
    'Moves a paid bill to the archive.',
    { ref: { type: 'string' } },
    { required: ['ref'] },
  ),
  good: example(
    'archive_invoice',
    'Moves a paid bill to the archive.',
    { ref: invoice },
    { required: ['ref'] },
  ),
  check({ tool, parameters }) {
    const bare = parameters.filter((one) => one.required && isBare(one, tool.description));
    return bare.length > 0
      ? [
          {
            message:
              `Nothing says what ${quoted(bare.map(({ name }) => name))} ` +
              `${bare.length === 1 ? 'is' : 'are'}.`,
          },
        ]
      : [];
  },
};

const parameterRepeatsName: LintRule = {
  id: 'parameter-repeats-name',
  severity: 'low',
  what: 'A description of a parameter that says nothing but its name.',
  bad: example('archive_invoice', 'Moves a paid bill to the archive.', {
    invoice_id: { type: 'string', description: 'The invoice ID' },
  }),
  good: example('archive_invoice', 'Moves a paid bill to the archive.', { invoice_id: invoice }),
  check({ parameters }) {
    const empty = parameters.filter((one) => {
      const said = words(one.description).filter(
        (word) => !['a', 'an', 'the', 'of', 'value', 'parameter'].includes(word),
      );
      const known = new Set(words(one.name).map(stem));
      // A single word equal to the name is enough reason: "query: Search query" says what it is,
      // "limit: limit" says nothing.
      return said.length > 0 && said.every((word) => known.has(stem(word)));
    });
    return empty.map((one) => ({
      message:
        `"${one.description.trim()}" says no more than the name of the parameter, ` +
        `"${one.name}".`,
    }));
  },
};

const undescribedOptional: LintRule = {
  id: 'undescribed-optional',
  severity: 'low',
  what: 'Optional parameters that nothing explains: a model leaves them out or guesses.',
  bad: example('archive_invoice', 'Moves a paid bill to the archive.', {
    invoice_id: invoice,
    mode: { type: 'string' },
  }),
  good: example('archive_invoice', 'Moves a paid bill to the archive.', {
    invoice_id: invoice,
    mode: { type: 'string', description: 'How the bill is compressed' },
  }),
  check({ tool, parameters }) {
    const bare = parameters.filter((one) => !one.required && isBare(one, tool.description));
    return bare.length > 0
      ? [
          {
            message:
              `Nothing says what the optional ${quoted(bare.map(({ name }) => name))} ` +
              `${bare.length === 1 ? 'is' : 'are'}. Describe ${bare.length === 1 ? 'it' : 'them'}.`,
          },
        ]
      : [];
  },
};

const measured =
  /(?:^|_)(?:timeout|duration|interval|delay|age|size|length|width|height|weight|distance|price|amount)(?:$|_)/u;
const dated =
  /(?:^|_)(?:date|day|time|timestamp|datetime|deadline|since|until|before|after)(?:$|_)/u;
const unitWords =
  /\b(?:ms|s|sec|secs|seconds?|minutes?|hours?|days?|milliseconds?|bytes?|[kmg]i?b|kilobytes?|megabytes?|characters?|chars|words?|tokens?|lines?|pixels?|px|percent|%|meters?|km|miles?|grams?|kg|cents?|usd|eur|dollars?|euros?|currency|unit|items?|number of|count)\b|[$€£]/iu;
const formatWords =
  /iso|8601|rfc|yyyy|unix|epoch|utc|format|timestamp in|\d{4}-\d{2}|\bfor example\b|\be\.g\./iu;

const missingUnit: LintRule = {
  id: 'missing-unit',
  severity: 'low',
  what: 'A number without its unit, or a date without its format.',
  bad: example('wait_for_invoice', 'Waits until a bill has arrived.', {
    timeout: { type: 'number', description: 'How long to wait' },
  }),
  good: example('wait_for_invoice', 'Waits until a bill has arrived.', {
    timeout: { type: 'number', description: 'How long to wait, in seconds' },
  }),
  check({ parameters }) {
    const bare = parameters.filter(({ name, schema, description }) => {
      const called = words(name).join('_');
      const isNumber = schema['type'] === 'number' || schema['type'] === 'integer';
      if (Array.isArray(schema['enum']) || schema['format'] !== undefined) return false;
      return (
        (isNumber && measured.test(called) && !unitWords.test(`${name} ${description}`)) ||
        (schema['type'] === 'string' && dated.test(called) && !formatWords.test(description))
      );
    });
    return bare.length > 0
      ? [
          {
            message: `Say the unit or the format of ${quoted(bare.map(({ name }) => name))}.`,
          },
        ]
      : [];
  },
};

const typeWords = ['type', 'enum', 'const', '$ref', 'anyOf', 'oneOf', 'allOf', 'not', 'if'];

const untypedParameter: LintRule = {
  id: 'untyped-parameter',
  severity: 'medium',
  what: 'A parameter whose schema allows every type.',
  bad: example('archive_invoice', 'Moves a paid bill to the archive.', {
    invoice_id: { description: 'Number that is printed on the invoice' },
  }),
  good: example('archive_invoice', 'Moves a paid bill to the archive.', { invoice_id: invoice }),
  check({ parameters }) {
    const open = parameters.filter(({ schema }) => !typeWords.some((word) => word in schema));
    return open.length > 0
      ? [
          {
            message:
              `${quoted(open.map(({ name }) => name))} may be of any type: a string, a number, ` +
              'an object.',
          },
        ]
      : [];
  },
};

const unknownRequired: LintRule = {
  id: 'unknown-required',
  severity: 'high',
  what: 'A required parameter that the schema does not define.',
  bad: example(
    'archive_invoice',
    'Moves a paid bill to the archive.',
    { invoice_id: invoice },
    { required: ['invoice'] },
  ),
  good: example(
    'archive_invoice',
    'Moves a paid bill to the archive.',
    { invoice_id: invoice },
    { required: ['invoice_id'] },
  ),
  check({ tool }) {
    const { required, allOf, anyOf, oneOf, $ref, properties } = tool.inputSchema;
    if (
      !Array.isArray(required) ||
      allOf !== undefined ||
      anyOf !== undefined ||
      oneOf !== undefined ||
      $ref !== undefined
    )
      return [];
    const known = isJsonObject(properties) ? properties : {};
    const unknown = required
      .filter((name) => typeof name === 'string' && !Object.hasOwn(known, name))
      .map(String);
    return unknown.length > 0
      ? [{ message: `It requires ${quoted(unknown)}, which its schema does not define.` }]
      : [];
  },
};

const maxParameters = 15;

const manyParameters: LintRule = {
  id: 'many-parameters',
  severity: 'low',
  what: `A tool with more than ${maxParameters} parameters.`,
  bad: example(
    'archive_invoice',
    'Moves a paid bill to the archive.',
    Object.fromEntries(
      Array.from({ length: maxParameters + 1 }, (_, at) => [
        `line${at + 1}`,
        { type: 'string', description: 'Text of this line of the bill' },
      ]),
    ),
  ),
  good: example('archive_invoice', 'Moves a paid bill to the archive.', { invoice_id: invoice }),
  check: ({ parameters }) =>
    parameters.length > maxParameters
      ? [
          {
            message:
              `It has ${parameters.length} parameters, from "${parameters[0]?.name ?? ''}" to ` +
              `"${parameters.at(-1)?.name ?? ''}".`,
          },
        ]
      : [],
};

const documentedElsewhere = /^[ \t]*(?:args|arguments|parameters|params)[ \t]*:[ \t]*$|:param\s/imu;

const describedTwice: LintRule = {
  id: 'described-twice',
  severity: 'low',
  what:
    'A list of parameters in the description of the tool although the schema describes them: ' +
    'they are paid for twice.',
  bad: example(
    'archive_invoice',
    'Moves a paid bill to the archive.\n\nArgs:\n  invoice_id: number that is printed on it',
    { invoice_id: invoice },
  ),
  good: example('archive_invoice', 'Moves a paid bill to the archive.', { invoice_id: invoice }),
  check({ tool }) {
    const found = documentedElsewhere.exec(tool.description);
    if (!found) return [];
    const parameters = parametersOf(tool);
    const twice = parameters.filter(
      (one) =>
        one.description.trim() !== '' && namedInText(one, tool.description.slice(found.index)),
    );
    return twice.length > 0
      ? [
          {
            message:
              `${quoted(twice.map(({ name }) => name))} ${twice.length === 1 ? 'is' : 'are'} ` +
              `described under "${found[0].trim()}" and in the schema.`,
            span: [found.index, tool.description.length],
          },
        ]
      : [];
  },
};

export const parameterRules: readonly LintRule[] = [
  undescribedParameter,
  undescribedOptional,
  missingUnit,
  parameterRepeatsName,
  untypedParameter,
  unknownRequired,
  manyParameters,
  describedTwice,
];
