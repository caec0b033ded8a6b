import type { Client } from '../../../../src-shared/contract/index.ts';
import type { Output } from '../output/output.ts';

/** How often a command asks how far an import is. */
const everyMs = 250;
const megabyte = 1024 * 1024;

/** Shows how far the import is that the work reads or writes, as long as it takes. */
export async function withImportProgress<Result>(
  { client, output }: { client: Pick<Client, 'suites'>; output: Output },
  work: () => Promise<Result>,
): Promise<Result> {
  const startedAt = Date.now();
  const show = async (): Promise<void> => {
    // What it fails at is said by the work itself.
    const progress = await client.suites.importProgress().catch(() => null);
    if (progress?.total == null || isOver) return;
    const [size, noun] = progress.unit === 'bytes' ? [megabyte, 'MB'] : [1, 'records'];
    output.progress(
      Math.floor(progress.done / size),
      Math.ceil(progress.total / size),
      startedAt,
      noun,
    );
  };
  let isOver = false;
  const timer = setInterval(() => void show(), everyMs);
  try {
    return await work();
  } finally {
    isOver = true;
    clearInterval(timer);
    output.endProgress();
  }
}
