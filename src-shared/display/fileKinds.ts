export interface FileKind {
  /** With its article, as in “It’s …”. */
  kind: string;
  remedy: string;
  /** How it keeps records, where those are read. */
  notation?: Notation;
}

/** Notations of records besides JSON and YAML. */
export type Notation =
  | 'markdown'
  | 'xml'
  | 'toml'
  | 'python'
  | 'notebook'
  | 'script'
  | 'source'
  | 'feature'
  | 'snapshot'
  | 'table';

const endings: Readonly<Record<Notation, readonly string[]>> = {
  markdown: ['md', 'markdown'],
  xml: ['xml'],
  toml: ['toml'],
  python: ['py'],
  notebook: ['ipynb'],
  script: ['ts', 'tsx', 'mts', 'cts', 'js', 'mjs', 'cjs', 'jsx'],
  source: [
    'go',
    'rs',
    'java',
    'kt',
    'kts',
    'cs',
    'swift',
    'scala',
    'cpp',
    'cc',
    'hpp',
    'rb',
    'php',
  ],
  feature: ['feature'],
  snapshot: ['snap', 'ambr'],
  table: ['csv', 'tsv'],
};

/** The notation that the ending of a file's name says; null for JSON, YAML and unknown ones. */
export function notationByName(fileName: string): Notation | null {
  const ending = /\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase();
  const found = Object.entries(endings).find(([, all]) => all.includes(ending ?? ''))?.[0];
  return (found as Notation | undefined) ?? null;
}

const asCsv = 'Save its sheet as CSV in UTF-8.';
const asText = 'Copy its cases into a table or a text file.';
const unpack = 'Unpack it, and give a file of it.';

/** What the first bytes of a package say, which name its first members. */
const packages: readonly (readonly [part: RegExp, kind: FileKind])[] = [
  [/xl\/(?:workbook|worksheets|_rels|styles)/, { kind: 'an Excel workbook (XLSX)', remedy: asCsv }],
  [/opendocument\.spreadsheet/, { kind: 'an OpenDocument spreadsheet (ODS)', remedy: asCsv }],
  [/word\/|opendocument\.text/, { kind: 'a text document (DOCX or ODT)', remedy: asText }],
  [/ppt\/|opendocument\.presentation/, { kind: 'a presentation', remedy: asText }],
  [
    /Index\/Tables\/|Index\/Document\.iwa/,
    { kind: 'a document of Numbers or Pages', remedy: asCsv },
  ],
];
/**
 * Whether bytes are a workbook (XLSX), whose sheets an import of cases reads, or an archive that is
 * named like one: what reads workbooks says what is wrong with it.
 */
export const isWorkbook = (bytes: Uint8Array, fileName = ''): boolean => {
  const kind = recognizeBytes(bytes);
  return kind === packages[0]?.[1] || (kind === zip && /\.xls[xm]$/i.test(fileName));
};
const zip: FileKind = { kind: 'a ZIP archive', remedy: unpack };

/** What the first bytes of binary files are, as Latin-1. */
const signatures: readonly (readonly [start: RegExp, kind: FileKind])[] = [
  [
    /^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/,
    { kind: 'an old Office file (such as XLS)', remedy: asCsv },
  ],
  [/^%PDF-/, { kind: 'a PDF', remedy: asText }],
  [/^\{\\rtf/, { kind: 'a text document (RTF)', remedy: asText }],
  [/^\x1f\x8b\x08/, { kind: 'a gzip archive', remedy: unpack }],
  [
    /^BZh\d1AY&SY|^\xfd7zXZ\0|^7z\xbc\xaf\x27\x1c|^\x28\xb5\x2f\xfd/,
    { kind: 'a compressed archive', remedy: unpack },
  ],
  [/^[^]{257}ustar/, { kind: 'a TAR archive', remedy: unpack }],
  [
    /^SQLite format 3\0/,
    { kind: 'an SQLite database', remedy: 'Export its table as CSV in UTF-8.' },
  ],
  [
    /^PAR1[^\n\r -~]|^ARROW1\0/,
    { kind: 'a Parquet or Arrow table', remedy: 'Export it as CSV or JSON lines.' },
  ],
  [/^\x89PNG\r\n|^\xff\xd8\xff|^GIF8[79]a|^RIFF[^]{4}WEBP/, { kind: 'a picture', remedy: asText }],
];

const examinedBytes = 4096;
const examinedCharacters = 100_000;

/** What a file is by its first bytes, if that is no text; else null. Takes constant time. */
export function recognizeBytes(bytes: Uint8Array): FileKind | null {
  const start = [...bytes.subarray(0, examinedBytes)]
    .map((byte) => String.fromCharCode(byte))
    .join('');
  if (/^PK(?:\x03\x04|\x05\x06)/.test(start)) {
    // The list of all members stands at the end.
    const end = [...bytes.subarray(-examinedBytes)]
      .map((byte) => String.fromCharCode(byte))
      .join('');
    return packages.find(([part]) => part.test(start + end))?.[1] ?? zip;
  }
  return signatures.find(([own]) => own.test(start))?.[1] ?? null;
}

const asLines = 'one JSON object with the query and the expected tool per line';
const program = (language: string, notation?: Notation): FileKind => ({
  kind: `a program (${language})`,
  remedy: `It isn’t run; only constants that are written out are read. Let it print its cases: ${asLines}.`,
  ...(notation && { notation }),
});

/** By the first line of code. */
const languages: readonly (readonly [line: RegExp, kind: FileKind])[] = [
  [
    /^(?:import\s*(?:type\s)?[\w${},*\s]*["'{*]|import\s+\w+\s+from\s|export\s+(?:const|default|type|interface|function|\{)|(?:const|let|var)\s+[\w${}[\],\s]+[:=]|module\.exports\b|exports\.\w|["']use strict["']|interface\s+\w+\s*\{|declare\s|type\s+\w+\s*=|(?:describe|test|it)\(|#!.*\b(?:node|bun|deno)\b)/,
    program('TypeScript or JavaScript', 'script'),
  ],
  [
    /^(?:from\s+[\w.]+\s+import\s|import\s+[\w.]+(?:\s+as\s+\w+)?(?:\s*,\s*[\w.]+)*$|(?:async\s+)?def\s+\w+\(|class\s+\w+.*:$|@\w[\w.]*(?:\(|$)|[rfb]?"""|[rfb]?\x27\x27\x27|\w+(?:\s*:\s*[\w[\], .]+)?\s*=\s*[[{(]|#!.*\bpython)/,
    program('Python', 'python'),
  ],
  [
    /^(?:package\s+[\w.]+;?$|using\s+[\w.]+;$|<\?php|use\s+[\w:{}*, ]+;$|(?:pub\s+)?(?:fn|mod|struct|enum)\s+\w+|require\s+["'])/,
    program('source code', 'source'),
  ],
  [
    /^(?:Feature|Rule)\s*:/,
    { kind: 'a feature (Gherkin)', remedy: `Write ${asLines}.`, notation: 'feature' },
  ],
];

/**
 * What a text is that holds no cases in a form that is read: Markdown, XML, HTML, a notebook or a
 * program. Null for text that may be YAML, JSON or a table. Meant for a text that couldn't be read,
 * because its first lines alone don't decide. Takes time linear in its length, and looks at
 * its start, except for a notebook.
 */
export function recognizeText(source: string): FileKind | null {
  const text = source
    .slice(0, examinedCharacters)
    .replace(/^\ufeff/, '')
    .trimStart();
  const signed = signatures.find(([own]) => own.test(text))?.[1];
  if (signed !== undefined) return signed;
  if (/^\[\[?[\w. -]+\]\]?[ \t]*\r?$/m.test(text) && /^[\w-]+\s*=/m.test(text))
    return {
      kind: 'TOML',
      remedy: `Write its cases as tables ([[cases]]), or ${asLines}.`,
      notation: 'toml',
    };
  if (/^[{[]/.test(text)) return isNotebook(source) ? notebook : null;
  if (
    /^<(?:!doctype\s+html|html|head|body|table|div|p|h\d|ul|ol|section|main|article)\b/i.test(text)
  )
    return { kind: 'HTML', remedy: 'Save its table as CSV.' };
  const code = text
    .replaceAll(/^\s*\/\*[^]*?\*\//g, '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.slice(0, 500).trimEnd())
    .find((line) => line !== '' && !/^(?:#(?!!)|\/\/)/.test(line));
  const language = languages.find(([line]) => code !== undefined && line.test(code))?.[1];
  if (language !== undefined) return language;
  if (/^<(?:\?xml\b|!--|!doctype\b|[a-z_][\w.:-]*[\s/>])/i.test(text))
    return { kind: 'XML', remedy: `Write ${asLines}.`, notation: 'xml' };
  return isMarkdown(text)
    ? {
        kind: 'Markdown',
        remedy: `Save its table as CSV, or write ${asLines}.`,
        notation: 'markdown',
      }
    : null;
}

const notebook: FileKind = {
  kind: 'a Jupyter notebook',
  remedy: `It isn’t run. Let it print its cases: ${asLines}.`,
  notation: 'notebook',
};
const isNotebook = (text: string): boolean =>
  /"nbformat"\s*:/.test(text) && /"cells"\s*:/.test(text);

const tableRule = /^\|?[ \t]*:?-{3,}:?[ \t]*\|[ \t|:-]*$/m;
const heading = /^#{1,6}[ \t].*\r?\n[ \t]*\r?\n/m;
/** A name of a mapping in YAML, which a comment may stand before. */
const yamlName = /^["']?[\w$.-]+["']?[ \t]*:(?:\s|$)/m;

/** True for a text with a table of Markdown, or with headings or code around sentences. */
function isMarkdown(text: string): boolean {
  const body = text.replace(/^---\r?\n[^]*?\n---\r?\n/, '');
  if (tableRule.test(body)) return true;
  return (
    (heading.test(body) || /^(?:```|~~~)/m.test(body)) &&
    /^\p{L}\S*[ \t]+\p{L}/mu.test(body) &&
    !yamlName.test(body)
  );
}
