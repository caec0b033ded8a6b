import { isJsonObject, type JsonObject, type JsonValue } from '../../src-shared/domain/json.ts';

type IsValid = (value: JsonValue, schema: JsonObject) => boolean;

const isText: IsValid = (value) => typeof value === 'string';
const isFlag: IsValid = (value) => typeof value === 'boolean';
const isNumber: IsValid = (value) => typeof value === 'number' || typeof value === 'bigint';
const isCount: IsValid = (value) =>
  isNumber(value, {}) && Number(value) >= 0 && !(Number(value) % 1);
const isNameList: IsValid = (value) =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
const beside =
  (name: string, isValid: IsValid): IsValid =>
  (value, schema) =>
    schema[name] !== undefined && isValid(value, schema);

function isPattern(value: JsonValue): boolean {
  try {
    return typeof value === 'string' && new RegExp(value, 'u').source !== '';
  } catch {
    return false;
  }
}

const types = ['string', 'number', 'boolean', 'integer', 'object', 'array', 'null'];
const isType: IsValid = (value) => {
  const names = [value].flat();
  return names.length > 0 && names.every((one) => typeof one === 'string' && types.includes(one));
};

/** Where a draft has further schemas, and which keywords it has besides. */
interface Draft {
  schemas: readonly string[];
  lists: readonly string[];
  maps: readonly string[];
  plain: Readonly<Record<string, IsValid>>;
}

const always: IsValid = () => true;
const all = (names: readonly string[], isValid: IsValid): Record<string, IsValid> =>
  Object.fromEntries(names.map((name) => [name, isValid]));

const draft7: Draft = {
  schemas: ['additionalProperties', 'contains', 'propertyNames', 'not', 'if', 'then', 'else'],
  lists: ['allOf', 'anyOf', 'oneOf'],
  maps: ['properties', 'patternProperties', '$defs', 'definitions'],
  plain: {
    ...all(['$id', '$schema', '$ref', '$comment', 'title', 'description', 'format'], isText),
    ...all(['contentEncoding', 'contentMediaType'], isText),
    ...all(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'], isNumber),
    ...all(['minLength', 'maxLength', 'minItems', 'maxItems'], isCount),
    ...all(['minProperties', 'maxProperties'], isCount),
    ...all(['uniqueItems', 'readOnly', 'writeOnly', 'deprecated'], isFlag),
    ...all(['default', 'const', 'dependencies', 'contentSchema'], always),
    multipleOf: (value) => isNumber(value, {}) && Number(value) > 0,
    nullable: beside('type', isFlag),
    pattern: isPattern,
    type: isType,
    required: isNameList,
    examples: Array.isArray,
    enum: (value) => Array.isArray(value) && value.length > 0,
  },
};

const draft2020: Draft = {
  schemas: [...draft7.schemas, 'unevaluatedItems', 'unevaluatedProperties'],
  lists: [...draft7.lists, 'prefixItems'],
  maps: [...draft7.maps, 'dependentSchemas'],
  plain: {
    ...draft7.plain,
    ...all(['$anchor', '$dynamicRef', '$dynamicAnchor'], isText),
    ...all(['minContains', 'maxContains'], beside('contains', isCount)),
    dependentRequired: (value) =>
      isJsonObject(value) && Object.values(value).every((names) => isNameList(names, {})),
  },
};

/**
 * Whether a strict reader takes a schema: Ajv with `strictSchema`, in draft 7 unless the schema names
 * 2020-12. Such a reader refuses keywords that its draft doesn't have, such as `prefixItems` in draft
 * 7 or `example`, values of another form, references that lead nowhere, and keywords that say nothing
 * where they are.
 */
export function isStrictlyValid(root: JsonObject): boolean {
  const address = typeof root['$schema'] === 'string' ? root['$schema'].replace(/#$/, '') : null;
  const is2020 = address === 'https://json-schema.org/draft/2020-12/schema';
  if (address !== null && !is2020 && address !== 'http://json-schema.org/draft-07/schema')
    return false;
  const draft = is2020 ? draft2020 : draft7;
  const isSchema = (value: JsonValue): boolean => {
    if (typeof value === 'boolean') return true;
    if (!isJsonObject(value)) return false;
    const { $ref, if: condition, then, else: otherwise, items, additionalItems } = value;
    if ($ref !== undefined && !leadsSomewhere(root, $ref)) return false;
    if ((condition === undefined) !== (then === undefined && otherwise === undefined)) return false;
    if (additionalItems !== undefined && !(Array.isArray(items) && isSchema(additionalItems)))
      return false;
    return Object.entries(value).every(([name, one]) => {
      if (name === 'additionalItems') return !is2020;
      if (name === 'items')
        return Array.isArray(one) ? !is2020 && one.every(isSchema) : isSchema(one);
      if (draft.schemas.includes(name)) return isSchema(one);
      if (draft.lists.includes(name))
        return Array.isArray(one) && one.length > 0 && one.every(isSchema);
      if (draft.maps.includes(name))
        return (
          isJsonObject(one) &&
          Object.values(one).every(isSchema) &&
          (name !== 'patternProperties' || Object.keys(one).every(isPattern))
        );
      return Object.hasOwn(draft.plain, name) && draft.plain[name]?.(one, value) === true;
    });
  };
  return isSchema(root);
}

/** Whether a reference names a place in the schema. */
function leadsSomewhere(root: JsonObject, $ref: JsonValue): boolean {
  if (typeof $ref !== 'string' || !/^#(?:\/|$)/.test($ref)) return false;
  let place: JsonValue | undefined = root;
  for (const step of $ref.split('/').slice(1)) {
    const name = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    place = isJsonObject(place)
      ? Object.hasOwn(place, name)
        ? place[name]
        : undefined
      : Array.isArray(place)
        ? place[Number(name)]
        : undefined;
  }
  return place !== undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
