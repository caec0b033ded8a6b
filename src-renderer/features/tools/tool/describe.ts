import { editAddress, type EditTarget } from '../../../../src-shared/display/toolAddresses.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { ToolPage } from '../../../../src-shared/domain/toolPage.ts';

/** A part of a description; a long one, or an example, is folded. */
export interface DescriptionPart {
  text: string;
  /** What the fold says instead of the text; null if the text is shown. */
  title: string | null;
}

/** Longer paragraphs, and whole descriptions, are read only by those who want to. */
const longPart = 500;
const longText = 1_200;

/** A description by paragraphs, with code blocks and long parts folded. */
export function descriptionParts(text: string): DescriptionPart[] {
  let shown = 0;
  return blocksOf(text).map((block): DescriptionPart => {
    const isLong = block.length > longPart || block.startsWith('```');
    if (!isLong && shown + block.length <= longText) {
      shown += block.length;
      return { text: block, title: null };
    }
    const [first = ''] = block
      .split('\n')
      .map((line) => line.replace(/^[`#*\s-]+/u, '').trim())
      .filter((line) => line !== '' && !/^\w+$/u.test(line));
    return {
      text: block,
      title: first.length > 60 ? `${first.slice(0, 60).trim()} …` : first || 'Example',
    };
  });
}

/** Paragraphs; a fenced block stays whole. */
function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let fenced = false;
  let open: string[] = [];
  const close = (): void => {
    const block = open.join('\n').trim();
    if (block !== '') blocks.push(block);
    open = [];
  };
  for (const line of text.split('\n')) {
    const isFence = line.trimStart().startsWith('```');
    if (!fenced && (isFence || line.trim() === '')) close();
    open.push(line);
    if (!isFence) continue;
    if (fenced) close();
    fenced = !fenced;
  }
  close();
  return blocks;
}

export interface ParameterRow {
  /** With the names of the objects around it. */
  name: string;
  type: string;
  required: boolean;
  description: string;
  /** As JSON; null without one. */
  default: string | null;
}

const maxDepth = 4;

export function parameterRows(schema: JsonObject, names: string[] = []): ParameterRow[] {
  const properties = schema['properties'];
  if (!isJsonObject(properties) || names.length >= maxDepth) return [];
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties).flatMap(([name, property]): ParameterRow[] => {
    const own = isJsonObject(property) ? property : {};
    const path = [...names, name];
    const { description, items } = own;
    return [
      {
        name: path.join('.'),
        type: typeWords(own),
        required: required.includes(name),
        description: typeof description === 'string' ? description : '',
        default: own['default'] === undefined ? null : JSON.stringify(own['default']),
      },
      ...parameterRows(own, path),
      ...(isJsonObject(items) ? parameterRows(items, path) : []),
    ];
  });
}

/** The type of a schema in words: "string", "integer or null", "string[]", "one of a, b". */
function typeWords(schema: JsonObject): string {
  const { type, items } = schema;
  if (Array.isArray(schema['enum'])) return `one of ${schema['enum'].map(valueWords).join(', ')}`;
  if (schema['const'] !== undefined) return valueWords(schema['const']);
  if (type === 'array') return isJsonObject(items) ? `${typeWords(items)}[]` : 'array';
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) return type.map(String).join(' or ');
  for (const key of ['anyOf', 'oneOf'])
    if (Array.isArray(schema[key]))
      return schema[key].map((one) => (isJsonObject(one) ? typeWords(one) : 'any')).join(' or ');
  const ref = schema['$ref'];
  return typeof ref === 'string' ? (ref.split('/').at(-1) ?? 'any') : 'any';
}

const valueWords = (value: JsonValue): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** The editor of the tool on its last result, with the model that fails its cases most. */
export function editOf(
  { toolId, result }: Pick<ToolPage, 'toolId' | 'result'>,
  text: Pick<EditTarget, 'text' | 'path' | 'source'> | false = false,
): string {
  const failed = ({ scored, outcomes }: NonNullable<typeof result>['models'][number]): number =>
    scored === 0 ? 0 : (scored - (outcomes.passed ?? 0)) / scored;
  const worst = result?.models.toSorted((a, b) => failed(b) - failed(a))[0];
  return editAddress(toolId, {
    result: result?.id ?? null,
    model: worst?.id ?? null,
    ...(text !== false && text),
  });
}
