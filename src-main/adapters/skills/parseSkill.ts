import { LineCounter, parseDocument } from 'yaml';
import { isJson, isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import { maxToolDepth } from '../../../src-shared/domain/tool.ts';

/** A SKILL.md by its parts. */
export interface ParsedSkill {
  name: string;
  /** "" if it has none; such a skill is still offered and reported by the quality rules. */
  description: string;
  fields: JsonObject;
  body: string;
  bodyLine: number;
  /** Lines of texts that end at " #", because YAML begins a comment there; absent if there is none. */
  cutLines?: number[];
}

/** Why a SKILL.md can't be offered, and where. */
export interface SkillProblem {
  line: number;
  reason: string;
}

/** Larger frontmatter is a mistake, and parsing it would hold up everything else. */
const maxFrontmatterLength = 32 * 1024;

/** Parses a SKILL.md of the Agent Skills format: YAML between `---` lines, then Markdown. */
export function parseSkill(text: string): ParsedSkill | SkillProblem {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (lines[0]?.trimEnd() !== '---')
    return { line: 1, reason: 'It doesn’t begin with a line "---" and its frontmatter.' };
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  if (end < 0) return { line: 1, reason: 'Its frontmatter has no closing line "---".' };
  const frontmatter = lines.slice(1, end).join('\n');
  if (frontmatter.length > maxFrontmatterLength)
    return { line: 2, reason: 'Its frontmatter has more than 32 KB.' };
  const fields = readFields(frontmatter);
  if ('reason' in fields) return fields;
  const { value, lineOf, isCut } = fields;
  const { name, description, ...others } = value;
  for (const field of ['name', 'description']) {
    const at = lines.findIndex((line, index) => index < end && eatenValue(field).test(line));
    if ((value[field] ?? null) === null && at > 0)
      return {
        line: at + 1,
        reason: `Its ${field} is empty, because "#" begins a comment in YAML. Put it in quotes.`,
      };
  }
  if (name === undefined || name === null || name === '')
    return { line: 1, reason: 'Its frontmatter has no name.' };
  if (typeof name !== 'string')
    return { line: lineOf('name'), reason: 'Its name isn’t a text. Put it in quotes.' };
  if (description !== undefined && description !== null && typeof description !== 'string')
    return { line: lineOf('description'), reason: 'Its description isn’t a text.' };
  const cutLines = ['name', 'description'].filter(isCut).map(lineOf);
  return {
    name,
    description: description ?? '',
    fields: others,
    body: lines.slice(end + 1).join('\n'),
    bodyLine: end + 2,
    ...(cutLines.length > 0 && { cutLines }),
  };
}

/** A line whose value is nothing but a comment. */
const eatenValue = (field: string): RegExp => new RegExp(`^${field}[ \\t]*:[ \\t]+#`, 'u');

/** The fields of a frontmatter, and the line of SKILL.md that has one of them. */
function readFields(
  text: string,
):
  | { value: JsonObject; lineOf: (field: string) => number; isCut: (field: string) => boolean }
  | SkillProblem {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false });
  // The first line of the frontmatter is the second line of the file.
  const lineAt = (offset: number): number => counter.linePos(offset).line + 1;
  const [error] = document.errors;
  if (error)
    return { line: lineAt(error.pos[0]), reason: `Its frontmatter isn’t YAML: ${error.message}` };
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 20 }) ?? {};
  } catch {
    return { line: 2, reason: 'Its frontmatter repeats too much with aliases.' };
  }
  if (!isJsonObject(value)) return { line: 2, reason: 'Its frontmatter isn’t a list of fields.' };
  if (!isJson(value, maxToolDepth))
    return { line: 2, reason: 'Its frontmatter has a value that JSON can’t hold.' };
  const nodeOf = (field: string) => {
    const node: unknown = document.get(field, true);
    return isRanged(node) ? node : null;
  };
  return {
    value,
    lineOf: (field) => lineAt(nodeOf(field)?.range[0] ?? 0),
    isCut(field) {
      const node = nodeOf(field);
      return node?.type === 'PLAIN' && /^[ \t]+#/.test(text.slice(node.range[1]));
    },
  };
}

const isRanged = (node: unknown): node is { range: [number, number, number]; type?: unknown } =>
  typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range);
