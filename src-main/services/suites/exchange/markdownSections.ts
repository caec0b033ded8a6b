import { findFields, noMap, plainName, saysExpectation } from './fieldNames.ts';
import type { KnowsTool } from './plainRecords.ts';
import { headingText, plainCell, toolInHeading } from './markdownTables.ts';
import type { Change } from './suiteDraft.ts';

interface MarkdownSection {
  line: number;
  values: Map<string, string>;
  /** How it was understood. */
  changes?: Change[];
}

interface Section {
  level: number;
  title: string;
  line: number;
  values: Map<string, string>;
  /** Texts of its lists without a name, and lines that are the name of a known tool. */
  entries: { text: string; line: number }[];
}

const heading = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const fence = /^\s{0,3}(?:`{3,}|~{3,})/;
/** `**Prompt:** …`, `- Prompt: …`, `Prompt: …`: a name of up to four words before a colon. */
const labelled =
  /^\s*(?:[-*+]\s+|\d+[.)]\s+)?(?:\*\*|__)?([A-Za-z][\w-]*(?: [\w-]+){0,3})(?:(?:\*\*|__)\s*:|:\s*(?:\*\*|__)?)(?:\s+|$)(.*)$/;
const entry = /^\s*(?:[-*+]|\d+[.)])\s+(.+)$/;

const fieldsOf = (names: Iterable<string>) => findFields([...names], noMap);
/** Whether fields say what is expected, also in words. */
const expects = (values: ReadonlyMap<string, string>): boolean =>
  saysExpectation(fieldsOf(values.keys())) ||
  [...values.keys()].some((name) => /^expect/.test(plainName(name)));

/** Whether a heading is the name of a field of the case around it, such as “Expected tool”. */
const isField = (title: string): boolean => {
  const fields = fieldsOf([title]);
  return Object.keys(fields).length > 0 || /^expect/.test(plainName(title));
};

/**
 * The cases of a text whose headings begin one each: its fields are lines with a name (`**Prompt:**
 * …`) or headings below it with their text. Where no field asks anything, headings that are written
 * like requests are. Below the name of a known tool, each entry of a list is a request for it.
 */
export function markdownSections(text: string, isKnown: KnowsTool): MarkdownSection[] {
  const found: Section[] = [];
  /** The field that the next lines go on with; with the level of its heading if it has one. */
  let field: { name: string; level: number | null } | null = null;
  let isCode = false;
  const extend = (name: string, more: string): void => {
    const values = found.at(-1)?.values;
    const before = values?.get(name) ?? '';
    values?.set(name, before === '' ? more : `${before}\n${more}`);
  };
  const begin = (level: number, title: string, line: number): void => {
    found.push({ level, title, line, values: new Map(), entries: [] });
    field = null;
  };
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (fence.test(line)) {
      isCode = !isCode;
      continue;
    }
    if (isCode) {
      if (field !== null) extend(field.name, line);
      continue;
    }
    const [, marks = '', title = ''] = heading.exec(line) ?? [];
    const current = found.at(-1);
    if (marks !== '') {
      const isInside = current !== undefined && marks.length > current.level;
      if (isInside && isField(title)) {
        field = { name: title, level: marks.length };
        if (!current.values.has(title)) current.values.set(title, '');
      } else begin(marks.length, title, at + 1);
      continue;
    }
    const [, name, said = ''] = labelled.exec(line) ?? [];
    // Cases without headings begin with the name of a field.
    if (current === undefined && name !== undefined && isField(name)) begin(0, '', at + 1);
    if (found.length === 0) continue;
    if (name !== undefined && (field?.level ?? null) === null) {
      // The next case of a section that has several.
      if (current?.values.has(name) === true) begin(current.level, current.title, at + 1);
      found.at(-1)?.values.set(name, plainCell(said));
      field = { name, level: null };
      continue;
    }
    const listed = entry.exec(line)?.[1];
    if (line.trim() === '') {
      if (field?.level === null) field = null;
    } else if (field !== null) extend(field.name, plainCell(listed ?? line));
    else if (listed !== undefined || isKnown(plainCell(line)))
      found.at(-1)?.entries.push({ text: plainCell(listed ?? line), line: at + 1 });
  }
  const cases = found.filter(({ values }) => {
    const fields = fieldsOf([...values].flatMap(([name, value]) => (value === '' ? [] : [name])));
    return fields.query !== undefined;
  });
  if (cases.some(({ values }) => expects(values)))
    return cases.map(({ title, line, values }) => ({
      line,
      values:
        title !== '' && fieldsOf(values.keys()).name === undefined
          ? new Map([['name', title], ...values])
          : values,
    }));
  const asked = cases.length > 0 ? [] : headingsThatAsk(found, isKnown);
  if (asked.length > 0) return asked;
  return found.flatMap(({ title, entries }) => {
    const tool = toolInHeading(title, isKnown);
    return tool === null
      ? []
      : entries
          .filter(({ text: prompt }) => !isKnown(prompt))
          .map(({ text: prompt, line }) => ({
            line,
            values: new Map([
              ['prompt', prompt],
              ['expected_tool', tool],
            ]),
          }));
  });
}

/** Headings that name a case say what it is about, and not what is asked. */
const namesCase = /^(?:test|case|scenario|example|eval|step|tc)\b|^\w+$/i;

/** Sections with an expected tool alone, whose headings are mostly written like requests. */
function headingsThatAsk(found: readonly Section[], isKnown: KnowsTool): MarkdownSection[] {
  const expecting = found.flatMap(({ title, line, values, entries }) => {
    const request = headingText(title, 'prompt|query|question|request|user');
    const [only, ...more] = entries;
    // A list of tools below a heading is most often one of those that there are.
    const isTool = values.size === 0 && more.length === 0 && isKnown(only?.text ?? '');
    const said =
      isTool && /\s\S+\s|[?!]$/.test(request)
        ? new Map([['Expected tool', only?.text ?? '']])
        : values;
    const isCase = request !== '' && !isKnown(request) && expects(said);
    return isCase ? [{ request, line, values: said }] : [];
  });
  const asking = expecting.filter(({ request }) => !namesCase.test(request));
  if (asking.length === 0 || asking.length < expecting.length / 2) return [];
  return expecting.map(({ request, line, values }) => ({
    line,
    values: new Map([['Query', request], ...values]),
    changes: [{ what: 'Heading', why: 'It is read as what is asked.' }],
  }));
}
