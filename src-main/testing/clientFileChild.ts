/*
 * A real second process that changes the file of a client, or takes the change back, and kills itself
 * before a step of it that touches the disk: clientFileChild.ts HOME CLIENT add|undo STEP.
 */
import { promises } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { mcpClient } from '../../src-shared/domain/clientConfig.ts';
import { clientFilesIn } from './clientFilesIn.ts';

const [home = '', name, what = '', stopAt = ''] = process.argv.slice(2);
const client = mcpClient.parse(name);
let step = 0;
function pass(): void {
  step += 1;
  if (step === Number(stopAt)) process.kill(process.pid, 'SIGKILL');
}

const files = clientFilesIn(home);
const { revision } = await files.read(client);
const { copyFile, open, rename, rm } = promises;
Object.assign(promises, {
  copyFile: (...args: Parameters<typeof copyFile>) => (pass(), copyFile(...args)),
  open: (...args: Parameters<typeof open>) => (pass(), open(...args)),
  rename: (...args: Parameters<typeof rename>) => (pass(), rename(...args)),
  rm: (...args: Parameters<typeof rm>) => (pass(), rm(...args)),
});
syncBuiltinESMExports();
await (what === 'add' ? files.add(client, revision) : files.undo(client));
