import { reportFormatTable } from '../../src-shared/domain/report.ts';
import type { SaveRequest } from '../../src-shared/domain/saving.ts';
import { useApi, type Client } from '../api/index.ts';
import { beginSaveNotice } from '../ui/files/SaveNotice.tsx';
import { saveTextFile } from '../ui/files/saveTextFile.ts';
import { saveByDialog } from './saveByDialog.ts';
import { useAct } from '../ui/notices/notices.tsx';

type Report = Extract<SaveRequest['content'], { report: unknown }>;

/** Saves a report under a name: to disk in the Electron window, as a download in a browser. */
export function useSaveReport() {
  const { client, host } = useApi();
  return useAct(({ fileName, content }: { fileName: string; content: Report }) =>
    host === 'electron'
      ? saveByDialog(client, { fileName, content })
      : download(client, fileName, content),
  );
}

/** The report arrives in parts, so that a large one is never in memory twice. */
async function download(client: Client, fileName: string, content: Report): Promise<void> {
  const stop = new AbortController();
  const notice = beginSaveNotice(fileName, () => stop.abort());
  const parts: string[] = [];
  let length = 0;
  try {
    const given = { signal: stop.signal };
    for await (const { text } of content.from === 'evaluation'
      ? await client.reports.export(content.report, given)
      : await client.reports.exportShown(content.report, given)) {
      parts.push(text);
      length += text.length;
      notice.progress(length);
    }
    stop.signal.throwIfAborted();
    saveTextFile(fileName, parts, reportFormatTable[content.report.format].mediaType);
    notice.end(null);
  } catch (error) {
    notice.end(stop.signal.aborted ? `${fileName} was not saved.` : null);
    if (!stop.signal.aborted) throw error;
  }
}
