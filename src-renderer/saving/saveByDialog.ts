import type { SaveRequest } from '../../src-shared/domain/saving.ts';
import type { Client } from '../api/index.ts';
import { beginSaveNotice } from '../ui/files/SaveNotice.tsx';
import { showFailure } from '../ui/notices/notices.tsx';
import { counted } from '../../src-shared/display/numbers.ts';

/**
 * Asks for a place by the system's dialog, one file after the other, and says where each was saved.
 */
let before: Promise<unknown> = Promise.resolve();

export function saveByDialog(client: Client, request: SaveRequest): Promise<void> {
  const mine = before.then(() => saveOne(client, request));
  before = mine;
  return mine;
}

async function saveOne(client: Client, request: SaveRequest): Promise<void> {
  const stop = new AbortController();
  const notice = beginSaveNotice(request.fileName, () => stop.abort());
  try {
    for await (const step of await client.saving.save(request, { signal: stop.signal })) {
      if (step.state === 'writing') notice.progress(step.bytes);
      if (step.state === 'cancelled') notice.end(null);
      if (step.state === 'saved') {
        const { token, files } = step;
        notice.end(
          `Saved ${files === 1 ? step.fileName : counted(files, 'file')} in ${step.folder}.`,
          {
            label: 'Show in folder',
            run: () => void client.saving.showInFolder({ token }).catch(showFailure),
          },
        );
      }
    }
    if (stop.signal.aborted) notice.end(`${request.fileName} was not saved.`);
  } catch (error) {
    notice.end(stop.signal.aborted ? `${request.fileName} was not saved.` : null);
    if (!stop.signal.aborted) showFailure(error);
  }
}
