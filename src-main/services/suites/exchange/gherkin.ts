import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import type { CodeConstants } from './codeMarks.ts';
import { countWords } from './values.ts';

interface Step {
  /** What it belongs to: an “And” to the step before it. */
  keyword: string;
  text: string;
  /** A text of several lines below it. */
  doc: string | null;
  rows: string[][];
}

interface Scenario {
  name: string;
  line: number;
  tags: string[];
  steps: Step[];
  examples: { line: number; header: string[]; row: string[] }[];
}

const quoted = /"((?:\\.|[^"\\])*)"|“([^”]*)”|'([^']*)'(?!\w)/g;
const asks =
  /\b(?:asks?|says?|said|types?|sends?|requests?|prompts?|enters?|quer(?:y|ies)|questions?|messages?|submits?|writes?|tells?)\b/i;
const calls =
  /\b(?:tools?|functions?|call(?:s|ed)?|invoke[sd]?|uses?|used|select(?:s|ed)?|choos(?:es?|en)|picks?|picked|routes?|routed|triggers?|triggered)\b/i;
const denies = /\b(?:no|not|never|without|neither|none)\b|n['’]t\b/i;
const givesArguments = /\b(?:arguments?|args|parameters?|params|inputs?)\b/i;

const textsIn = (text: string): string[] =>
  [...text.matchAll(quoted)].map((found) => found[1] ?? found[2] ?? found[3] ?? '');

/**
 * Reads the scenarios of a feature (Gherkin) as records: the request is what somebody asks in the
 * first step that says so, or in the one that begins with “When”; the tools are the names in the
 * steps of “Then” about a call, and those of a step that denies one must not be called. Each row of
 * “Examples” is a record.
 */
export function readFeature(source: string): CodeConstants {
  const lines = new WeakMap<object, number>();
  const { name, background, scenarios } = parse(source);
  const cases = scenarios.flatMap((scenario) => {
    const rows = scenario.examples.length > 0 ? scenario.examples : [null];
    return rows.map((example) => {
      const fill = (text: string): string =>
        example === null
          ? text
          : text.replaceAll(/<([^<>\n]+)>/g, (whole, key: string) => {
              const at = example.header.indexOf(key.trim());
              return at < 0 ? whole : (example.row[at] ?? '');
            });
      const record = toRecord(
        [...background, ...scenario.steps].map((step) => ({
          ...step,
          text: fill(step.text),
          doc: step.doc === null ? null : fill(step.doc),
          rows: step.rows.map((row) => row.map(fill)),
        })),
      );
      const filled = fill(scenario.name);
      const own = example !== null && filled === scenario.name ? `: ${example.row.join(', ')}` : '';
      const value: JsonObject = {
        name: `${filled}${own}`,
        ...(scenario.tags.length > 0 && { tags: scenario.tags }),
        ...record,
      };
      lines.set(value, example?.line ?? scenario.line);
      return value;
    });
  });
  return {
    value: { ...(name !== '' && { name }), cases },
    lineOf: (value) => lines.get(value) ?? null,
  };
}

function toRecord(steps: readonly Step[]): JsonObject {
  const asked =
    steps.find(
      ({ keyword, text, doc }) =>
        keyword !== 'then' && asks.test(text) && (doc ?? textsIn(text)[0]) !== undefined,
    ) ??
    steps.find(
      ({ keyword, text, doc }) =>
        keyword === 'when' && (doc !== null || textsIn(text).some((each) => countWords(each) > 1)),
    );
  const request = asked?.doc ?? longest(textsIn(asked?.text ?? ''));
  const expected: string[] = [];
  const forbidden: string[] = [];
  const given: Record<string, string> = {};
  const others: string[] = [];
  let written: string | null = null;
  let isNone = false;
  for (const step of steps) {
    if (step === asked) continue;
    const { keyword, text, rows, doc } = step;
    const isAbout = keyword === 'then' && calls.test(text.replaceAll(quoted, ''));
    const names = isAbout ? namesIn(text) : [];
    const listed = isAbout ? rows.flat().filter((cell) => /^\w+[\w.:/-]*$/.test(cell)) : [];
    if (keyword === 'then' && givesArguments.test(text) && (rows.length > 0 || doc !== null)) {
      for (const [key = '', value = ''] of rows) given[key] = value;
      written = doc ?? written;
      expected.push(...names);
    } else if (isAbout && names.length + listed.length > 0) {
      const into = denies.test(text.replaceAll(quoted, '')) ? forbidden : expected;
      into.push(
        ...names,
        ...(names.length === 0 ? listed.filter((cell) => !/^tools?$|^name$/i.test(cell)) : []),
      );
    } else if (isAbout && denies.test(text)) isNone = true;
    else others.push(text);
  }
  return {
    ...(request !== undefined && { query: request }),
    ...(expected.length === 1
      ? { expected_tool: expected[0] ?? '' }
      : expected.length > 1
        ? { expected_tools: expected }
        : {}),
    ...(forbidden.length > 0 && { forbidden_tools: forbidden }),
    ...(isNone && expected.length === 0 && { no_tool: true }),
    ...(written !== null
      ? { expected_args: written }
      : Object.keys(given).length > 0 && { expected_args: given }),
    ...(others.length > 0 && { steps: others }),
  };
}

const longest = (texts: readonly string[]): string | undefined =>
  texts.reduce<string | undefined>(
    (best, each) => (best === undefined || countWords(each) > countWords(best) ? each : best),
    undefined,
  );

/** Names of tools: quoted, or as no word of a sentence is written. */
function namesIn(text: string): string[] {
  const names = textsIn(text).filter((each) => /^[\w.:/-]+$/.test(each));
  if (names.length > 0) return names;
  const code = [...text.matchAll(/`([\w.:/-]+)`/g)].map((found) => found[1] ?? '');
  return code.length > 0
    ? code
    : [...text.matchAll(/\b[a-z]+(?:_[a-z\d]+)+\b/g)].map(([each]) => each);
}

function parse(source: string): { name: string; background: Step[]; scenarios: Scenario[] } {
  const background: Step[] = [];
  const scenarios: Scenario[] = [];
  let name = '';
  let ofAll: string[] = [];
  let tags: string[] = [];
  let steps: Step[] = [];
  let header: string[] | null = null;
  let isExamples = false;
  let doc: { mark: string; margin: number; lines: string[] } | null = null;
  for (const [index, raw] of source.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (doc !== null) {
      if (line !== doc.mark) doc.lines.push(raw.slice(Math.min(doc.margin, raw.search(/\S|$/))));
      else {
        const step = steps.at(-1);
        if (step !== undefined) step.doc = doc.lines.join('\n');
        doc = null;
      }
      continue;
    }
    if (line === '' || line.startsWith('#')) continue;
    const mark = /^("""|```)/.exec(line)?.[1];
    if (mark !== undefined) {
      doc = { mark, margin: raw.indexOf(mark), lines: [] };
      continue;
    }
    if (line.startsWith('@')) {
      tags = [...tags, ...line.split(/\s+/).map((tag) => tag.slice(1))];
      continue;
    }
    if (line.startsWith('|')) {
      const cells = line.replace(/^\||\|$/g, '').split(/(?<!\\)\|/);
      const row = cells.map((cell) => cell.trim().replaceAll('\\|', '|'));
      if (!isExamples) steps.at(-1)?.rows.push(row);
      else if (header === null) header = row;
      else scenarios.at(-1)?.examples.push({ line: index + 1, header, row });
      continue;
    }
    const title =
      /^(Feature|Background|Rule|Scenario(?: Outline| Template)?|Example|Examples|Scenarios)\s*:\s*(.*)$/.exec(
        line,
      );
    if (title !== null) {
      const [, kind = '', text = ''] = title;
      isExamples = kind === 'Examples' || kind === 'Scenarios';
      header = null;
      if (kind === 'Feature') {
        name = text;
        ofAll = tags;
      }
      if (kind === 'Background') steps = background;
      if (/^(?:Scenario|Example)\b/.test(kind) && !isExamples) {
        steps = [];
        scenarios.push({
          name: text,
          line: index + 1,
          tags: [...ofAll, ...tags],
          steps,
          examples: [],
        });
      }
      if (!isExamples) tags = [];
      continue;
    }
    const step = /^(Given|When|Then|And|But|\*)\s+(.*)$/.exec(line);
    if (step === null) continue;
    const [, word = '', text = ''] = step;
    const keyword = /^(?:And|But|\*)$/.test(word)
      ? (steps.at(-1)?.keyword ?? 'given')
      : word.toLowerCase();
    steps.push({ keyword, text, doc: null, rows: [] });
  }
  return { name, background, scenarios };
}
