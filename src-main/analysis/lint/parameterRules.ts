import { isJsonObject } from '../../../src-shared/domain/json.ts';
import { stem, words } from '../tokenizer.ts';
import { archiving, example, parametersOf, quoted, type LintRule, type Parameter } from './rule.ts';

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
  fix: 'Describe each required parameter, with an example of a value.',
  bad: archiving('bill', { ref: { type: 'string' } }, { required: ['ref'] }),
  good: archiving('bill', { ref: invoice }, { required: ['ref'] }),
  check({ tool, parameters }) {
    const bare = parameters.filter((one) => one.required && isBare(one, tool.description));
    return bare.length > 0
      ? [
          {
            message: `Nothing describes ${quoted(bare.map(({ name }) => name))}.`,
          },
        ]
      : [];
  },
};

const parameterRepeatsName: LintRule = {
  id: 'parameter-repeats-name',
  severity: 'low',
  what: 'A parameter description that only repeats the name.',
  fix: 'Say what the value means, with an example.',
  bad: archiving('bill', {
    invoice_id: { type: 'string', description: 'The invoice ID' },
  }),
  good: archiving('bill', { invoice_id: invoice }),
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
      message: `"${one.description.trim()}" only repeats the name of the parameter "${one.name}".`,
    }));
  },
};

const undescribedOptional: LintRule = {
  id: 'undescribed-optional',
  severity: 'low',
  what: 'Optional parameters without an explanation. A model leaves them out or guesses.',
  fix: 'Say what each optional parameter changes and what happens without it.',
  bad: archiving('bill', {
    invoice_id: invoice,
    mode: { type: 'string' },
  }),
  good: archiving('bill', {
    invoice_id: invoice,
    mode: { type: 'string', description: 'How the bill is compressed' },
  }),
  check({ tool, parameters }) {
    const bare = parameters.filter((one) => !one.required && isBare(one, tool.description));
    return bare.length > 0
      ? [
          {
            message: `Nothing describes the optional ${quoted(bare.map(({ name }) => name))}.`,
          },
        ]
      : [];
  },
};

/** True if a description quotes the name, or has it as an entry of a list: "city: Name of it". */
function isExplainedInText(name: string, description: string): boolean {
  const escaped = name.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
  return new RegExp(`[\`"']${escaped}[\`"']|(?<![\\p{L}\\p{N}_])${escaped}\\s*[:(=–-]`, 'iu').test(
    description,
  );
}

const manyBare = 3;

const mostlyUndescribed: LintRule = {
  id: 'mostly-undescribed',
  severity: 'medium',
  what: `A tool with ${manyBare} or more parameters, more than half of them without a description.`,
  fix: 'Describe each parameter in the schema.',
  bad: example('archive_invoice', 'Moves a paid bill to the archive. Use it once it is paid.', {
    url: { type: 'string' },
    title: { type: 'string' },
    query: { type: 'string' },
  }),
  good: example('archive_invoice', 'Moves a paid bill to the archive. Use it once it is paid.', {
    url: { type: 'string', description: 'Where the bill was found' },
    title: { type: 'string', description: 'Title to file the bill under' },
    query: { type: 'string' },
  }),
  check({ tool, parameters }) {
    // A name such as "url" explains one parameter, but a model has to guess if most are like that.
    const bare = parameters.filter(
      ({ description, schema, name }) =>
        description.trim() === '' &&
        !['enum', 'const', '$ref'].some((word) => word in schema) &&
        !isExplainedInText(name, tool.description),
    );
    return parameters.length >= manyBare && bare.length * 2 > parameters.length
      ? [{ message: `${bare.length} of its ${parameters.length} parameters have no description.` }]
      : [];
  },
};

const typeWords = ['type', 'enum', 'const', '$ref', 'anyOf', 'oneOf', 'allOf', 'not', 'if'];

const untypedParameter: LintRule = {
  id: 'untyped-parameter',
  severity: 'medium',
  what: 'A parameter whose schema allows every type.',
  fix: 'Give the parameter a type.',
  bad: archiving('bill', {
    invoice_id: { description: 'Number that is printed on the invoice' },
  }),
  good: archiving('bill', { invoice_id: invoice }),
  check({ tool, parameters }) {
    // What isn't an object at all is found by the rules about schemas.
    const published = isJsonObject(tool.inputSchema['properties'])
      ? tool.inputSchema['properties']
      : {};
    const open = parameters.filter(
      ({ name, schema }) =>
        isJsonObject(published[name]) && !typeWords.some((word) => word in schema),
    );
    return open.length > 0
      ? [
          {
            message:
              `${quoted(open.map(({ name }) => name))} can be a string, a number, an object or ` +
              'anything else.',
          },
        ]
      : [];
  },
};

const unknownRequired: LintRule = {
  id: 'unknown-required',
  severity: 'high',
  what: 'A required parameter that the schema does not define.',
  fix: 'Define the parameter or remove it from "required".',
  bad: archiving('bill', { invoice_id: invoice }, { required: ['invoice'] }),
  good: archiving('bill', { invoice_id: invoice }, { required: ['invoice_id'] }),
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
  fix: 'Split the tool or remove parameters that nobody sets.',
  bad: archiving(
    'bill',
    Object.fromEntries(
      Array.from({ length: maxParameters + 1 }, (_, at) => [
        `line${at + 1}`,
        { type: 'string', description: 'Text of this line of the bill' },
      ]),
    ),
  ),
  good: archiving('bill', { invoice_id: invoice }),
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
    'Parameters that are described in the description of the tool and in the schema. They cost ' +
    'tokens twice.',
  fix: 'Describe parameters in the schema only.',
  bad: example(
    'archive_invoice',
    'Moves a paid bill to the archive.\n\nArgs:\n  invoice_id: number that is printed on it',
    { invoice_id: invoice },
  ),
  good: archiving('bill', { invoice_id: invoice }),
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
  mostlyUndescribed,
  parameterRepeatsName,
  untypedParameter,
  unknownRequired,
  manyParameters,
  describedTwice,
];
