import type { Advice } from '../../../src-shared/domain/advice.ts';
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import type { LintFinding, LintSeverity } from '../../../src-shared/domain/lint.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { words } from '../tokenizer.ts';

export interface Finding {
  message: string;
  /** What to do, if the rule's own sentence would be too general. */
  fix?: string | undefined;
  span?: [number, number];
  place?: string;
  refusedBy?: LintFinding['refusedBy'];
}

/** What a rule reads of one tool and of the other tools in the list. */
export interface LintedTool {
  tool: AnalysedTool;
  nameWords: readonly string[];
  descriptionWords: readonly string[];
  parameters: readonly Parameter[];
  /** Other tools of the list with the same description, compared by their words. */
  sameDescription: readonly string[];
  /** Advice that follows from the tools alone and edits this tool: the same name, a deprecated twin. */
  twinAdvice: Advice | null;
  /** What to write where the description is empty or only the name; undefined for others. */
  toBeWritten: () => string | undefined;
  /** The style of the other names on the same server, if all agree. */
  nameStyle: string | null;
  /** Other tools of the same server with this name, which nobody gets. */
  repeats: number;
}

export interface Parameter {
  name: string;
  schema: JsonObject;
  description: string;
  required: boolean;
}

/** One rule: an ID that can be disabled, and an example of each kind that a test runs. */
export interface LintRule {
  id: string;
  severity: LintSeverity;
  /** What the rule looks for, in one sentence. */
  what: string;
  /** What to do about it, as one sentence. */
  fix: string;
  bad: AnalysedTool;
  good: AnalysedTool;
  check(linted: LintedTool): Finding[];
}

export function parametersOf(tool: AnalysedTool): Parameter[] {
  const properties = tool.inputSchema['properties'];
  if (!isJsonObject(properties)) return [];
  const required = Array.isArray(tool.inputSchema['required']) ? tool.inputSchema['required'] : [];
  return Object.entries(properties).map(([name, value]) => {
    const schema = isJsonObject(value) ? value : {};
    return {
      name,
      schema,
      description: typeof schema['description'] === 'string' ? schema['description'] : '',
      required: required.includes(name),
    };
  });
}

/** A tool for an example. */
export const example = (
  name: string,
  description: string,
  properties: JsonObject = {},
  more: JsonObject = {},
): AnalysedTool => ({
  server: 'example',
  name,
  description,
  inputSchema: { type: 'object', properties, ...more },
});

/** The tool of most examples, with a description that no rule finds fault with. */
export const archiving = (
  what: 'bill' | 'invoice',
  properties?: JsonObject,
  more?: JsonObject,
): AnalysedTool =>
  example(
    'archive_invoice',
    `Moves a paid ${what} to the archive. Use it once the money is there.`,
    properties,
    more,
  );

export const quoted = (names: readonly string[]): string => {
  const shown = names.slice(0, 5).map((name) => `"${name}"`);
  return names.length > 5 ? `${shown.join(', ')} and ${names.length - 5} more` : shown.join(', ');
};

/**
 * In scripts without spaces, a run of letters is a whole sentence: there a character counts as half
 * a word.
 */
export function textLength(text: string): number {
  const dense =
    text.match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu,
    )?.length ?? 0;
  return dense === 0
    ? words(text).length
    : words(
        text.replace(
          /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu,
          ' ',
        ),
      ).length +
        dense / 2;
}
