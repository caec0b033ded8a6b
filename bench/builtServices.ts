import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { createServices } from '../src-main/app/createServices.ts';

const folder = join(import.meta.dirname, '..', 'out', 'main');

/**
 * Opens services as the built program does: people run that, and stripping types from the sources
 * takes tens of megabytes. Throws an error that says what to do if nothing is built.
 */
export async function loadBuiltServices(): Promise<typeof createServices> {
  for (const name of readdirSync(folder).filter((file) => file.startsWith('createServices-'))) {
    const chunk = (await import(join(folder, name))) as {
      createServices?: typeof createServices;
    };
    if (chunk.createServices !== undefined) return chunk.createServices;
  }
  throw new Error(`${folder} has no createServices. Run \`npm run build\` first.`);
}
