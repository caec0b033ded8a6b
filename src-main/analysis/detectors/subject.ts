import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import { appendToPointer } from '../../../src-shared/domain/jsonPointer.ts';
import type { ServerItem } from '../../../src-shared/domain/serverItem.ts';
import type { Skill } from '../../../src-shared/domain/skill.ts';
import type { EarlierVersion, PeerTool } from '../../../src-shared/domain/security.ts';

/**
 * Everything that a detector may look at: what a server published, and its context. Never a label.
 */
export interface Subject {
  server: string;
  name: string;
  title: string | null;
  description: string;
  annotations: JsonObject | null;
  /**
   * The server's own instructions; null if there are none, or if another tool of the server is
   * examined with them.
   */
  instructions: string | null;
  inputSchema: JsonObject;
  outputSchema: JsonObject | null;
  /** Only of a skill: its body and files are read too. */
  skill?: Skill;
  /** Only of a prompt, a resource or a resource template. */
  item?: SubjectItem;
  peers: readonly PeerTool[];
  previous: PreviousVersion | null;
}

type SubjectItem = Pick<ServerItem, 'uri' | 'mimeType' | 'arguments'>;

/** What was last seen of a subject. Parts that are absent are not compared. */
export interface PreviousVersion extends EarlierVersion {
  skill?: Skill;
  item?: SubjectItem;
}

type PassageKind = 'name' | 'text' | 'key';

/** One string of a subject and its place: a JSON pointer, with `#name` if it is the key itself. */
export interface Passage {
  place: string;
  kind: PassageKind;
  text: string;
}

/** Keywords of JSON Schema: as keys they say nothing about their author. */
const schemaWords = new Set(
  (
    '$schema $id $ref $defs $comment $anchor definitions type properties required items ' +
    'description title default enum const examples format pattern anyOf oneOf allOf not if ' +
    'then else ' +
    'additionalProperties patternProperties propertyNames minItems maxItems uniqueItems ' +
    'minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf ' +
    'minProperties maxProperties ' +
    'nullable deprecated readOnly writeOnly prefixItems contains dependentRequired ' +
    'dependentSchemas readOnlyHint destructiveHint idempotentHint openWorldHint'
  ).split(' '),
);

/** Walks without recursion, in document order, so that no depth can exhaust the stack. */
function pushStrings(root: JsonValue, place: string, out: Passage[]): void {
  const waiting: { value: JsonValue; place: string; key: string | null }[] = [
    { value: root, place, key: null },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, place: at, key } = next;
    if (key !== null && !schemaWords.has(key))
      out.push({ place: `${at}#name`, kind: 'key', text: key });
    if (typeof value === 'string') {
      if (key !== 'type' && key !== '$schema' && value !== '')
        out.push({ place: at, kind: 'text', text: value });
    } else if (Array.isArray(value)) {
      for (let index = value.length - 1; index >= 0; index -= 1)
        waiting.push({ value: value[index] ?? null, place: appendToPointer(at, index), key: null });
    } else if (value !== null && typeof value === 'object') {
      const entries = Object.entries(value);
      for (let index = entries.length - 1; index >= 0; index -= 1) {
        const [name, child] = entries[index] ?? ['', null];
        waiting.push({ value: child, place: appendToPointer(at, name), key: name });
      }
    }
  }
}

/**
 * Every string of a subject in document order (docs/rules.md §9): names, title, description,
 * annotations, the server's instructions, each key and string of both schemas, the body, fields and
 * files of a skill, and the address and arguments of a prompt or a resource.
 */
export function passagesOf(subject: Subject): Passage[] {
  const out: Passage[] = [];
  const text = (place: string, value: string | null, kind: PassageKind = 'text') => {
    if (value !== null && value !== '') out.push({ place, kind, text: value });
  };
  text('/server', subject.server, 'name');
  text('/name', subject.name, 'name');
  text('/title', subject.title);
  text('/description', subject.description);
  if (subject.annotations) pushStrings(subject.annotations, '/annotations', out);
  pushStrings(subject.inputSchema, '/inputSchema', out);
  if (subject.outputSchema) pushStrings(subject.outputSchema, '/outputSchema', out);
  if (subject.skill) {
    text('/skill/body', subject.skill.body);
    pushStrings(subject.skill.fields, '/skill/fields', out);
    for (const [index, file] of subject.skill.files.entries())
      text(`/skill/files/${index}/text`, file.text);
  }
  if (subject.item) {
    text('/uri', subject.item.uri);
    text('/mimeType', subject.item.mimeType);
    for (const [index, { name, description }] of subject.item.arguments.entries()) {
      text(`/arguments/${index}/name`, name, 'name');
      text(`/arguments/${index}/description`, description);
    }
  }
  text('/instructions', subject.instructions);
  return out;
}
