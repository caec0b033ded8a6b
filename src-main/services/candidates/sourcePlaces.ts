import { readdir, stat } from 'node:fs/promises';
import { readPlainFile } from '../../runtime/plainFile.ts';
import { dirname, extname, join, relative, resolve, sep } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { decodeText, presetEncoding } from '../../../src-shared/display/decodeText.ts';
import type {
  SourceChoice,
  SourcePlace,
  UnreadSource,
} from '../../../src-shared/domain/candidate.ts';
import type { ServerConfig } from '../../../src-shared/domain/server.ts';
import type { TextEdit } from '../../../src-shared/domain/textEdit.ts';

/** Bounds of a search that a person waits for. */
const maxFiles = 5_000;
const maxFileBytes = 1_000_000;
const maxDepth = 12;

const skippedFolders = new Set(['node_modules', '.git', '.venv', 'venv', '__pycache__', 'target']);
const sourceEndings = new Set(
  '.js .mjs .cjs .ts .mts .cts .tsx .jsx .py .go .rs .java .kt .cs .rb .php .swift .json .yaml .yml .toml .md .txt'.split(
    ' ',
  ),
);
/** Files that show where a project begins. */
const projectFiles = ['package.json', 'pyproject.toml', 'go.mod', 'Cargo.toml', 'pom.xml', '.git'];

/**
 * The folder of a stdio server's source: the project of the script that it starts, else its working
 * folder; of a folder of skills, that folder. Null for a server over HTTP and for one that is started from nowhere in particular.
 */
export async function sourceFolder(config: ServerConfig): Promise<string | null> {
  if (config.transport === 'skills') return config.folder;
  if (config.transport !== 'stdio') return null;
  const base = config.cwd ?? null;
  for (const word of [config.command, ...config.args]) {
    if (!word.includes(sep) || word.startsWith('-')) continue;
    const path = base === null ? word : resolve(base, word);
    if (resolve(path) !== path) continue;
    const found = await stat(path).catch(() => null);
    if (found?.isFile() !== true || !sourceEndings.has(extname(path))) continue;
    return (await projectOf(dirname(path))) ?? dirname(path);
  }
  return base !== null && (await stat(base).catch(() => null))?.isDirectory() === true
    ? base
    : null;
}

async function projectOf(folder: string): Promise<string | null> {
  const names = await readdir(folder).catch((): string[] => []);
  if (projectFiles.some((name) => names.includes(name))) return folder;
  const parent = dirname(folder);
  return parent === folder ? null : projectOf(parent);
}

const builtFolders = new Set('dist build out bundle .next .output coverage'.split(' '));
const testFolders = new Set('test tests __tests__ __snapshots__ fixtures spec e2e'.split(' '));
const documentFolders = new Set(['docs', 'doc']);

/**
 * How likely a file is the one that the server's text comes from, the most likely first: code,
 * files of definitions, tests, what a build wrote, documents. A SKILL.md is what a skill is read
 * from. A document is never changed unasked: a patch of a README changes no tool.
 */
function rankOf(file: string): number {
  const folders = file.split('/');
  const name = folders.pop() ?? '';
  if (folders.some((folder) => builtFolders.has(folder)) || /\.min\.\w+$/u.test(name)) return 3;
  if (name === 'SKILL.md') return 0;
  if (/\.(?:md|txt)$/u.test(name) || folders.some((folder) => documentFolders.has(folder)))
    return documentRank;
  if (folders.some((folder) => testFolders.has(folder)) || /[._](?:test|spec)\./u.test(name))
    return 2;
  return /\.(?:json|ya?ml|toml)$/u.test(name) ? 1 : 0;
}

const documentRank = 4;

interface Hit {
  file: string;
  line: number;
  at: number;
  form: Form;
}

/** Only what a place is known by. */
const placeName = ({ file, line }: { file: string; line: number }): string => `${file}:${line}`;

export interface FoundSources {
  places: SourcePlace[];
  choices: SourceChoice[];
  unread: UnreadSource[];
}

/**
 * Where the old texts of edits stand in the files of a folder, with the diff of each file. Of
 * several places, the only one in the most likely kind of file counts, or the one in `chosen`
 * (`file:line`); where that leaves several, or only documents, all of them are choices and none is
 * changed. A file with such a text that isn't UTF-8 gets no diff, which would change its other
 * characters; it is named instead.
 */
export async function findSources(
  folder: string,
  edits: readonly TextEdit[],
  signal: AbortSignal,
  chosen: ReadonlySet<string> = new Set(),
): Promise<FoundSources> {
  const wanted = edits.filter(({ oldText }) => oldText.trim().length > 3);
  const hits = new Map<TextEdit, Hit[]>();
  const texts = new Map<string, string>();
  const refused = new Map<string, string>();
  for await (const path of sourceFiles(folder, signal)) {
    const file = relative(folder, path).split(sep).join('/');
    const { text, refusal } = readSource(await readPlainFile(path).catch(() => Buffer.of()));
    for (const edit of wanted)
      for (const form of forms) {
        const old = form(edit.oldText);
        for (let at = text.indexOf(old); at >= 0; at = text.indexOf(old, at + old.length)) {
          const known = hits.get(edit) ?? [];
          const line = text.slice(0, at).split('\n').length;
          if (!known.some((hit) => hit.file === file && hit.at === at))
            hits.set(edit, [...known, { file, line, at, form }]);
          texts.set(file, text);
          if (refusal !== null) refused.set(file, refusal);
        }
      }
  }
  const likely = [...hits].map(([edit, all]) => ({ edit, hits: likeliest(all, chosen) }));
  const placed = likely.flatMap(({ edit, hits: [hit, ...more] }) =>
    hit && more.length === 0 && isClear(hit, chosen) && !refused.has(hit.file)
      ? [{ edit, ...hit }]
      : [],
  );
  const choices = [...hits].flatMap(([edit, all]) =>
    placed.some((one) => one.edit === edit && !chosen.has(placeName(one)))
      ? []
      : [...all]
          .filter(({ file }) => !refused.has(file))
          .sort((a, b) => rankOf(a.file) - rankOf(b.file))
          .map(({ file, line }) => ({ toolId: edit.toolId, path: edit.path, file, line })),
  );
  const places = placed.map(({ edit, file, line }) => {
    const before = texts.get(file) ?? '';
    // From the end, so that earlier places stay where they are.
    const after = placed
      .filter((other) => other.file === file)
      .sort((a, b) => b.at - a.at)
      .reduce(
        (text, { edit: one, at: place, form }) =>
          text.slice(0, place) + form(one.newText) + text.slice(place + form(one.oldText).length),
        before,
      );
    return {
      toolId: edit.toolId,
      path: edit.path,
      file,
      line,
      diff: createTwoFilesPatch(`a/${file}`, `b/${file}`, before, after),
    };
  });
  const read = new Set(places.map(({ file }) => file));
  return {
    places,
    choices,
    unread: [...refused]
      .filter(([file]) => likely.some((one) => one.hits.some((hit) => hit.file === file)))
      .filter(([file]) => !read.has(file))
      .map(([file, cause]) => ({ file, cause })),
  };
}

/** The chosen place, else those in the most likely kind of file. */
function likeliest(all: readonly Hit[], chosen: ReadonlySet<string>): Hit[] {
  const picked = all.filter((hit) => chosen.has(placeName(hit)));
  if (picked.length > 0) return picked;
  const best = Math.min(...all.map(({ file }) => rankOf(file)));
  return all.filter(({ file }) => rankOf(file) === best);
}

const isClear = (hit: Hit, chosen: ReadonlySet<string>): boolean =>
  rankOf(hit.file) < documentRank || chosen.has(placeName(hit));

/**
 * The text of a source file. One that isn't UTF-8 is only searched: `refusal` says why it can't be
 * changed as text.
 */
function readSource(bytes: Buffer): { text: string; refusal: string | null } {
  const decoded = decodeText(bytes);
  if (decoded.problem !== null) {
    const { line, column, cause, suggestion, remedy } = decoded.problem;
    const text = decodeText(bytes, suggestion ?? presetEncoding).text ?? '';
    return { text, refusal: `Line ${line}, column ${column}: ${cause} ${remedy}` };
  }
  if (decoded.encoding !== 'utf-8')
    return {
      text: decoded.text,
      refusal: `It’s ${decoded.encoding.toUpperCase()}. Save it as UTF-8.`,
    };
  const mark = bytes.subarray(0, 3).equals(utf8Mark) ? '\ufeff' : '';
  return { text: mark + decoded.text, refusal: null };
}

const utf8Mark = Buffer.from('\ufeff');

type Form = (text: string) => string;

const inQuotes =
  (quote: string): Form =>
  (text) =>
    text
      .replaceAll('\\', '\\\\')
      .replaceAll('\n', '\\n')
      .replaceAll('\t', '\\t')
      .replaceAll(quote, `\\${quote}`);

/** How a text stands in source: as it is, or in a string with one of the usual quotes. */
const forms: readonly Form[] = [(text) => text, inQuotes('"'), inQuotes("'"), inQuotes('`')];

async function* sourceFiles(folder: string, signal: AbortSignal): AsyncIterable<string> {
  const waiting: { path: string; depth: number }[] = [{ path: folder, depth: 0 }];
  let files = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    signal.throwIfAborted();
    const { path, depth } = next;
    const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const inner = join(path, entry.name);
      if (entry.isDirectory()) {
        if (depth < maxDepth && !skippedFolders.has(entry.name))
          waiting.push({ path: inner, depth: depth + 1 });
      } else if (entry.isFile() && sourceEndings.has(extname(entry.name))) {
        const { size } = await stat(inner).catch(() => ({ size: Infinity }));
        if (size > maxFileBytes) continue;
        if (++files > maxFiles) return;
        yield inner;
      }
    }
  }
}
