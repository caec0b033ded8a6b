import { readPlainFile } from '../../runtime/plainFile.ts';
import { join } from 'node:path';
import { errorCode } from '../../../src-shared/domain/errorText.ts';
import type { SaveRequest } from '../../../src-shared/domain/saving.ts';
import type { ReportsService } from '../reports/reportsService.ts';
import type { SaveDialog } from './saveDialog.ts';

interface NamedText {
  name: string;
  text: string;
}

export interface SaveTarget {
  path: string;
  /** Whether the path is checked before the first file is written. */
  checked: boolean;
  texts: () => AsyncIterable<string>;
}

/** Size in characters of the pieces that are written to disk and reported as progress. */
const maxPartLength = 1024 * 1024;

/**
 * The targets of several files in the folder that the user chooses. Returns null if no folder is
 * chosen or replacing a file is refused.
 */
export async function chooseTargets(
  files: readonly NamedText[],
  dialog: SaveDialog,
  last: string | null,
): Promise<SaveTarget[] | null> {
  const folder = await dialog.chooseFolder({ folder: last });
  if (folder === null) return null;
  const targets = files.map(({ name, text }) => ({ name, text, path: join(folder, name) }));
  const replaced = new Set<string>();
  for (const { name, text, path } of targets) {
    // Bytes, because a text in another encoding must not count as the same.
    const old = await readPlainFile(path).catch((error: unknown) =>
      errorCode(error) === 'ENOENT' ? Buffer.from(text) : null,
    );
    if (old?.equals(Buffer.from(text)) !== true) replaced.add(name);
  }
  if (replaced.size > 0 && !(await dialog.confirmReplace({ folder, names: [...replaced] })))
    return null;
  return targets.map(({ name, path, text }, index) => ({
    path,
    checked: index === 0 || replaced.has(name),
    texts: () => splitText(text),
  }));
}

/** The content to save in parts: a given text, or a report while it is created. */
export async function* readContent(
  reports: Pick<ReportsService, 'export' | 'exportShown'>,
  content: Exclude<SaveRequest['content'], { from: 'files' }>,
  signal: AbortSignal,
): AsyncIterable<string> {
  if (content.from === 'text') {
    yield* splitText(content.text);
    return;
  }
  const parts =
    content.from === 'evaluation'
      ? reports.export(content.report, { signal })
      : reports.exportShown(content.report, { signal });
  for await (const { text } of parts) yield text;
}

async function* splitText(text: string): AsyncIterable<string> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + maxPartLength);
    // Never splits a surrogate pair.
    if (/[\ud800-\udbff]/.test(text[end - 1] ?? '') && end < text.length) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}
