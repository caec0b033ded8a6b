/*
 * A real second process that saves more than its small disk takes over a file that is there:
 * saveChild.ts <file>. It tells how that ended and what is there then.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ServiceError } from '../../src-shared/contract/errors.ts';
import { SavingService } from '../services/saving/savingService.ts';
import type { SettingsStore } from '../store/workspace/settings.ts';

const [file = ''] = process.argv.slice(2);
const old = 'old '.repeat(1000);
writeFileSync(file, old);
const settings: Pick<SettingsStore, 'recall' | 'remember'> = {
  recall: () => null,
  remember: () => undefined,
};
async function* noReport(): AsyncGenerator<{ text: string }, undefined> {}
const saving = new SavingService({
  store: { settings: settings as SettingsStore },
  dialog: {
    choose: async () => file,
    chooseFolder: async () => null,
    confirmReplace: async () => false,
    showInFolder: () => undefined,
  },
  reports: { export: noReport, exportShown: noReport },
  nextId: () => 'token',
});
let told: { code?: string; message?: string } = {};
try {
  for await (const _step of saving.save(
    { fileName: 'report.html', content: { from: 'text', text: 'new '.repeat(2 ** 20) } },
    { signal: new AbortController().signal },
  ));
} catch (error) {
  if (error instanceof ServiceError) told = { code: error.code, message: error.message };
}
process.stdout.write(
  JSON.stringify({
    ...told,
    files: readdirSync(dirname(file)),
    kept: readFileSync(file, 'utf8') === old,
  }),
);
