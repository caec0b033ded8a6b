import type { CaseFormat } from '../contract/suites.ts';
import { notationByName, recognizeText } from './fileKinds.ts';
import { foreignFormatTable } from '../domain/foreignFormat.ts';

export const formatLabel = (format: CaseFormat): string =>
  format === 'touchstone' ? 'Touchstone (YAML or JSON)' : foreignFormatTable[format].importLabel;

/** Number of characters to examine; the start of a file is enough. */
const maxExamined = 20_000;

/** A key that says which tools are expected, in the spellings of programs that keep records. */
const expectationKey =
  /["']?(?:(?:expect(?:ed)?|acceptable|forbidden|correct|required)[_-]?(?:any[_-]?|no[_-]?)?(?:tool|call|function)|should[_-]?(?:call|trigger|use))\w*["']?\s*:/i;

/** A request under a name that no case of ours has; it is a query with us. */
const asksAsOthers =
  /^(?![^]*(?:^|[\n{,])\s*(?:- +)?"?query"?\s*:)[^]*(?:^|[\n{,])\s*(?:- +)?"?(?:utterance|prompt|question|input|user_message|message)"?\s*:/;

/** Assertions of promptfoo are a list; an object or a word names what is expected, as records do. */
const assertsByName =
  /(?:^|[\n{,])\s*"?assert"?\s*:\s*(?:\{|["']?(?!file:)[a-z]|\n\s+(?![-#])["\w]+\s*:)/;

/** A first line that names a separator, or has the same one as the next line and no colon. */
const isTable = (start: string): boolean =>
  /^\ufeff?"?sep=/i.test(start) ||
  [',', ';', '\t', '|'].some((each) => {
    const cells = `[^\\n{[:]+${each === '|' ? '\\|' : each}[^\\n{[]+\\n`;
    return new RegExp(`^${cells}`).test(start) && !isSentence(start.split('\n', 1)[0] ?? '', each);
  });

/** Whether a first line is one of a letter: a header has short names, and one in each column. */
const isSentence = (line: string, separator: string): boolean =>
  line
    .trimEnd()
    .split(separator)
    .some((cell) => cell.trim() === '' || cell.trim().split(/\s+/).length > 4);

/**
 * The most likely format of a text: by its extension first, then by the keys in it. A person can
 * choose another one.
 */
export function guessFormat(fileName: string, text: string): CaseFormat {
  const start = text.slice(0, maxExamined).replace(/^\ufeff/, '');
  const ending = /\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? '';
  if (/^xls[xm]$/.test(ending)) return 'csv';
  if (ending === 'csv' || ending === 'tsv')
    return /^(?:"?sep=.*\n)?[^\n]*__expected/.test(start) ? 'promptfoo' : 'csv';
  const lines = start.split('\n').filter((line) => line.trim() !== '');
  const isLines =
    lines.length > 0 &&
    lines[0]?.trimStart().startsWith('{') === true &&
    lines[0].trimEnd().endsWith('}');
  if (
    ending === 'jsonl' ||
    ending === 'ndjson' ||
    (isLines &&
      (lines.length > 1 ||
        ending !== 'json' ||
        /^\s*\{\s*"id"[^]*"question"\s*:[^]*"(?:function|ground_truth)"\s*:/.test(start)))
  ) {
    // A right answer in words, or written as a call, is one of any record.
    const isBfcl =
      /"(?:ground_truth|question)"\s*:/.test(lines[0] ?? '') &&
      /"function"\s*:|"ground_truth"\s*:\s*\[/.test(lines[0] ?? '');
    return isBfcl ? 'bfcl' : 'jsonl';
  }
  const names = (name: string): boolean =>
    new RegExp(`(?:^|[\\n{,])\\s*"?${name}"?\\s*:`).test(start);
  if (
    names('schemaVersion') ||
    (names('expectedToolCalls') && names('query') && !names('metadata')) ||
    (names('tests') && names('servers') && /"?query"?\s*:/.test(start))
  )
    return 'mcpjam';
  const isOthers = expectationKey.test(start) && !names('expected_calls') && !names('servers');
  // A case of ours has its calls in a list, nothing else names a tool, and the version is a number.
  const isForeign =
    !names('servers') &&
    !names('expected_calls') &&
    (['tool', 'tool_name', 'toolName'].some(names) ||
      // What is asked has one name with us.
      asksAsOthers.test(start) ||
      /(?:^|[\n{,])\s*"?version"?\s*:\s*["']?\d+\.\d/.test(start));
  if (names('cases') && names('version') && !isOthers && !isForeign) return 'touchstone';
  if (
    /["']?kind["']?\s*:\s*["']?(?:Eval|Task)\b/.test(start) &&
    (names('taskSets') || names('prompt'))
  )
    return 'jsonl';
  if (names('task_id') && names('category_id') && names('mcp')) return 'jsonl';
  if (names('question') && (names('mcp_servers') || names('output_format'))) return 'jsonl';
  if (notationByName(fileName) !== null) return 'jsonl';
  const isTau =
    names('evaluation_criteria') && (names('user_scenario') || !expectationKey.test(start));
  if ((names('instruction') && names('actions')) || isTau) return 'tau-bench';
  if (expectationKey.test(start)) return 'jsonl';
  const isPromptfoo =
    (names('assert') && !assertsByName.test(start) && (names('tests') || !names('cases'))) ||
    names('vars') ||
    // Other programs with providers have their tests in sessions of agents.
    (names('providers') && !(names('agents') && names('sessions'))) ||
    // A configuration has tests for its prompts; without them they may be those of a tool.
    (names('prompts') && names('tests'));
  if (names('tests') && !isPromptfoo && (names('expected') || names('tool'))) return 'jsonl';
  if (isPromptfoo || names('tests')) return 'promptfoo';
  if (isTable(start)) return 'csv';
  if (recognizeText(start)?.notation !== undefined) return 'jsonl';
  // A list of objects, and an object that names neither, is no suite of ours.
  const isOwn =
    names('expected_calls') ||
    (names('version') && ((names('name') && !isForeign) || names('servers'))) ||
    (names('cases') && names('servers'));
  // Entries by name, as YAML writes them.
  const isKeyed =
    !['version', 'name', 'servers', 'cases'].some(names) &&
    /^(?:\s*#.*\n)*[\w"'][^\n:]*:[ \t]*\n[ \t]+[\w"'][^\n:]*:/.test(start);
  return isKeyed ||
    /^\s*\[\s*[[{]/.test(start) ||
    (!isOwn && /^\s*(?:\{|- *[\w\"'])|: *\[/m.test(start))
    ? 'jsonl'
    : 'touchstone';
}
