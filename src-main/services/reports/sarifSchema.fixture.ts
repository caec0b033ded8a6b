const text = { type: 'object', required: ['text'], properties: { text: { type: 'string', minLength: 1 } }, additionalProperties: false };
const level = { enum: ['none', 'note', 'warning', 'error'] };
const bag = { type: 'object', properties: { tags: { type: 'array', uniqueItems: true, items: { type: 'string' } } }, additionalProperties: true };

const rule = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'string' },
    shortDescription: text,
    defaultConfiguration: { type: 'object', properties: { level }, additionalProperties: false },
    properties: { ...bag, properties: { ...bag.properties, 'security-severity': { type: 'string', pattern: '^(10|\\d)\\.\\d$' } } },
  },
  additionalProperties: false,
};

const logicalLocation = {
  type: 'object',
  properties: { name: { type: 'string' }, index: { type: 'integer', minimum: -1 }, fullyQualifiedName: { type: 'string' }, decoratedName: { type: 'string' }, parentIndex: { type: 'integer', minimum: -1 }, kind: { type: 'string' }, properties: bag },
  additionalProperties: false,
};

const physicalLocation = {
  type: 'object',
  required: ['artifactLocation'],
  properties: {
    artifactLocation: { type: 'object', required: ['uri'], properties: { uri: { type: 'string', format: 'uri-reference' } }, additionalProperties: false },
    region: { type: 'object', properties: { startLine: { type: 'integer', minimum: 1 } }, additionalProperties: false },
  },
  additionalProperties: false,
};

const result = {
  type: 'object',
  required: ['message'],
  properties: {
    ruleId: { type: 'string' },
    ruleIndex: { type: 'integer', minimum: -1 },
    level,
    message: text,
    locations: { type: 'array', uniqueItems: true, minItems: 0, items: { type: 'object', properties: { physicalLocation, logicalLocations: { type: 'array', uniqueItems: true, items: logicalLocation } }, additionalProperties: false } },
    partialFingerprints: { type: 'object', additionalProperties: { type: 'string' } },
    suppressions: { type: 'array', uniqueItems: true, items: { type: 'object', required: ['kind'], properties: { kind: { enum: ['inSource', 'external'] }, status: { enum: ['accepted', 'underReview', 'rejected'] }, justification: { type: 'string' } }, additionalProperties: false } },
    properties: bag,
  },
  additionalProperties: false,
};

/** What SARIF 2.1.0 says of the members that are written here; any other member is refused. */
export const sarifSchema = {
  type: 'object',
  required: ['version', 'runs'],
  properties: {
    $schema: { type: 'string', format: 'uri' },
    version: { const: '2.1.0' },
    runs: {
      type: 'array',
      minItems: 0,
      items: {
        type: 'object',
        required: ['tool'],
        properties: {
          tool: { type: 'object', required: ['driver'], properties: { driver: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, rules: { type: 'array', uniqueItems: true, items: rule } }, additionalProperties: false } }, additionalProperties: false },
          columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
          results: { type: 'array', items: result },
          properties: bag,
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
};
