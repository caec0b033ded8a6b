import { launchBrowser } from '../e2e/browser.ts';
import { launchLoopback } from '../e2e/launchLoopback.ts';
import type { Row } from './report.ts';

/** From the start of the process to a screen that can be used, in a workspace that is new and in one that is not. */
export async function benchStartUp(): Promise<Row[]> {
  const browser = await launchBrowser();
  const rows: Row[] = [];
  try {
    let workspace: string | undefined;
    for (const what of ['new workspace', 'known workspace']) {
      const began = performance.now();
      const host = await launchLoopback(workspace === undefined ? { keep: true } : { workspace, keep: true });
      const listening = performance.now() - began;
      const page = await browser.newPage();
      await page.goto(host.url);
      await page.getByRole('button', { name: 'Run evaluation' }).first().waitFor();
      const usable = performance.now() - began;
      rows.push({ what: `start to first usable screen, ${what}`, measured: `${Math.round(usable)} ms`, peer: `of which until it listens: ${Math.round(listening)} ms`, ratio: null, bound: null });
      await page.close();
      await host.close();
      workspace = host.workspace;
    }
  } finally {
    await browser.close();
  }
  return rows;
}
