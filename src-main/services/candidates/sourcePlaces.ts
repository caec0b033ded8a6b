import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, extname, join, relative, resolve, sep } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { decodeText, presetEncoding } from '../../../src-shared/display/decodeText.ts';
import type { SourcePlace, UnreadSource } from '../../../src-shared/domain/candidate.ts';
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

/**
 * Where the old texts of edits stand in the files of a folder, with the diff of each file. A text
 * that occurs at several places, or nowhere, is left out: nobody could say which one to change. A
 * file with such a text that isn't UTF-8 gets no diff, which would change its other characters; it
 * is named instead.
 */
export async function findSources(
  folder: string,
  edits: readonly TextEdit[],
  signal: AbortSignal,
): Promise<{ places: SourcePlace[]; unread: UnreadSource[] }> {
  const wanted = edits.filter(({ oldText }) => oldText.trim().length > 3);
  const hits = new Map<TextEdit, { file: string; at: number; form: Form }[]>();
  const texts = new Map<string, string>();
  const unread = new Map<string, string>();
  const nameOf = (file: string): string => relative(folder, file).split(sep).join('/');
  for await (const file of sourceFiles(folder, signal)) {
    const { text, refusal } = readSource(await readFile(file).catch(() => Buffer.of()));
    for (const edit of wanted)
      for (const form of forms) {
        const old = form(edit.oldText);
        for (let at = text.indexOf(old); at >= 0; at = text.indexOf(old, at + old.length)) {
          const known = hits.get(edit) ?? [];
          if (!known.some((hit) => hit.file === file && hit.at === at))
            hits.set(edit, [...known, { file, at, form }]);
          texts.set(file, text);
          if (refusal !== null) unread.set(file, refusal);
        }
      }
  }
  const placed = [...hits].flatMap(([edit, [hit, ...more]]) =>
    hit && more.length === 0 && !unread.has(hit.file) ? [{ edit, ...hit }] : [],
  );
  const places = placed.map(({ edit, file, at }) => {
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
    const name = nameOf(file);
    return {
      toolId: edit.toolId,
      path: edit.path,
      file: name,
      line: before.slice(0, at).split('\n').length,
      diff: createTwoFilesPatch(`a/${name}`, `b/${name}`, before, after),
    };
  });
  return { places, unread: [...unread].map(([file, cause]) => ({ file: nameOf(file), cause })) };
}

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
