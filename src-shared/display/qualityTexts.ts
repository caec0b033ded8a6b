import type { LintReport, LintToolScore } from '../domain/lint.ts';
import { counted, formatCount } from './numbers.ts';

/** What each rule finds: in one tool, and over all tools if that is not the same with an s. */
const causes: Readonly<Record<string, readonly [one: string, all?: string]>> = {
  'broken-encoding': ['broken characters', 'broken characters'],
  'client-closes-schema': [
    'arguments that a client forbids',
    'tools with arguments that clients forbid',
  ],
  'client-cuts-description': ['description that a client cuts', 'descriptions that clients cut'],
  'client-cuts-instructions': [
    'server of which a client says little before a search',
    'servers of which clients say little before a search',
  ],
  'client-drops-keywords': [
    'schema keywords that a client leaves out',
    'tools with schema keywords that clients leave out',
  ],
  'client-hides-server': [
    'tool for which a client hides its server',
    'tools for which clients hide their server',
  ],
  'client-hides-tool': ['tool that a client hides', 'tools that clients hide'],
  'client-loses-reference': [
    'reference that a client breaks',
    'tools with references that clients break',
  ],
  'conflicting-annotations': ['conflicting annotations', 'conflicting annotations'],
  deprecated: ['deprecated tool'],
  'described-twice': ['parameters described twice', 'parameters described twice'],
  'empty-title': ['empty title'],
  'error-codes': ['error codes in the description', 'error codes in descriptions'],
  'long-description': ['long description'],
  'many-parameters': ['too many parameters', 'too many parameters'],
  'missing-description': ['missing description'],
  'missing-unit': ['missing unit or date format', 'missing units and date formats'],
  'mixed-name-style': ['different name style', 'mixed name styles'],
  'mostly-undescribed': ['mostly undescribed parameters', 'mostly undescribed parameters'],
  'no-guidance': ['no guidance on when to use it', 'missing guidance on when to use a tool'],
  'options-in-text': ['options missing from the schema', 'options missing from the schema'],
  'parameter-repeats-name': [
    'parameter description that repeats the name',
    'parameter descriptions that repeat the name',
  ],
  'repeats-name': ['description that repeats the name', 'descriptions that repeat the name'],
  'same-description': ['identical description'],
  'same-name': ['identical name'],
  'schema-array-items': ['array without a schema of its items', 'arrays without a schema of items'],
  'schema-boolean': [
    'parameter schema that is true or false',
    'parameter schemas of true or false',
  ],
  'schema-dialect': [
    'draft of JSON Schema that clients lack',
    'drafts of JSON Schema that clients lack',
  ],
  'schema-duplicate': ['value or name listed twice', 'values or names listed twice'],
  'schema-keyword': ['schema keyword with a wrong value', 'schema keywords with wrong values'],
  'schema-no-properties': [
    'input schema without "properties"',
    'input schemas without "properties"',
  ],
  'schema-null': ['null in the definition', 'nulls in definitions'],
  'schema-output': ['output schema that clients refuse', 'output schemas that clients refuse'],
  'schema-pattern': ['pattern that not every engine reads', 'patterns that not every engine reads'],
  'schema-property-name': [
    'parameter name that clients refuse',
    'parameter names that clients refuse',
  ],
  'schema-recursion': ['schema that contains itself', 'schemas that contain themselves'],
  'schema-reference': ['reference that leads nowhere', 'references that lead nowhere'],
  'schema-root': ['input schema that clients refuse', 'input schemas that clients refuse'],
  'schema-tool-name': ['tool name that clients refuse', 'tool names that clients refuse'],
  'short-description': ['short description'],
  'skill-cut-text': ['cut text of a skill', 'cut texts of skills'],
  'skill-description-length': [
    'description of a skill that is too long',
    'skill descriptions that are too long',
  ],
  'skill-empty-body': ['skill without a body', 'skills without a body'],
  'skill-folder': [
    'folder with another name than its skill',
    'folders with other names than their skills',
  ],
  'skill-long-body': ['long body of a skill', 'long bodies of skills'],
  'skill-missing-file': ['missing file of a skill', 'missing files of skills'],
  'skill-name': ['invalid name of a skill', 'invalid names of skills'],
  'undescribed-optional': ['undescribed optional parameters', 'undescribed optional parameters'],
  'undescribed-parameter': ['undescribed required parameters', 'undescribed required parameters'],
  'unfinished-text': ['unfinished description'],
  'unknown-required': ['undefined required parameters', 'undefined required parameters'],
  'untyped-parameter': ['parameters without a type', 'parameters without a type'],
  'vague-name': ['vague name'],
  'vague-words': ['list without an end', 'lists without an end'],
};

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What a rule finds over all tools, in lower case: `short descriptions`. */
export function qualityCause(rule: string): string {
  const [one = rule, all = one === rule ? rule : `${one}s`] = causes[rule] ?? [];
  return all;
}

/** The same as a title. */
export const qualityTitle = (rule: string): string => capitalized(qualityCause(rule));

/** What a rule found in one tool, as a title: `Short description`. */
export const deductionTitle = (rule: string): string => capitalized(causes[rule]?.[0] ?? rule);

/** A tool with this score or less has low quality: it lost what one severe or two medium rules cost. */
const needsWorkScore = 6;

export const needsWork = ({ score }: Pick<LintToolScore, 'score'>): boolean =>
  score <= needsWorkScore;

export interface RuleCost {
  rule: string;
  severity: LintToolScore['deductions'][number]['severity'];
  /** Tools that lose points to it. */
  tools: number;
  points: number;
}

/** The rules that cost points, the most expensive first. */
export function ruleCosts(tools: readonly LintToolScore[]): RuleCost[] {
  const costs = new Map<string, RuleCost>();
  for (const { deductions } of tools)
    for (const { rule, severity, points } of deductions) {
      const cost = costs.get(rule) ?? { rule, severity, tools: 0, points: 0 };
      costs.set(rule, { ...cost, tools: cost.tools + 1, points: cost.points + points });
    }
  return [...costs.values()].sort(
    (a, b) => b.points - a.points || b.tools - a.tools || (a.rule < b.rule ? -1 : 1),
  );
}

/** The verdict on the tools: how many have low quality, and what for. */
export function qualityHeadline({ tools }: Pick<LintReport, 'tools'>): string {
  const [most] = ruleCosts(tools);
  if (most === undefined)
    return tools.length === 1
      ? 'No rule found a problem in the tool.'
      : `No rule found a problem in ${counted(tools.length, 'tool')}.`;
  const worse = tools.filter(needsWork).length;
  const count =
    worse === 0
      ? `None of ${counted(tools.length, 'tool')} has low quality`
      : `${formatCount(worse)} of ${counted(tools.length, 'tool')} ${worse === 1 ? 'has' : 'have'} low quality`;
  return `${count}. Most points are lost for ${qualityCause(most.rule)}.`;
}
