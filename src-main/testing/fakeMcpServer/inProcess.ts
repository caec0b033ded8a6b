import { parseArgs } from 'node:util';
import type { TreeOptions } from '../../adapters/process/spawnTree.ts';
import type { InProcess } from '../inProcess.ts';
import { readTools, type Era } from './answer.ts';
import { silentModes } from './faultModes.ts';
import { itemModes } from './itemModes.ts';
import { listModes } from './listModes.ts';
import { fakeProgram, options } from './options.ts';
import { serveStdio } from './overStdio.ts';
import type { Mode } from './wire.ts';

/** Modes that only answer: they keep nothing, send little, and neither write elsewhere nor exit. */
const calmModes: ReadonlyMap<string, Mode | undefined> = new Map([
  ['normal', {}],
  ...['silent-initialize', 'silent-list'].map((name) => [name, silentModes[name]] as const),
  ...['bad-null-schema', 'odd-but-usable'].map((name) => [name, listModes[name]] as const),
  ...['items', 'prompts-error', 'resources-10000'].map((name) => [name, itemModes[name]] as const),
]);

/** What serves the calm fake server that these options start; null if they start something else. */
export function fakeInProcess({
  command,
  args: [program, ...args],
  cwd,
}: TreeOptions): ((own: InProcess) => Promise<void>) | null {
  if (command !== process.execPath || program !== fakeProgram || cwd != null) return null;
  const mode = calmModes.get(args[0] ?? 'normal');
  if (mode === undefined) return null;
  const { values } = parseArgs({ args, allowPositionals: true, options });
  if (values.http !== undefined) return null;
  return ({ pipes }) => {
    const served = readTools(values.tools, (values.era ?? '2025-11-25') as Era);
    return serveStdio(withoutEnvironment(mode), served, pipes);
  };
}

/** The tool `environment` says what a process was given, which would be that of the test. */
const withoutEnvironment = (mode: Mode): Mode => ({
  ...mode,
  handle(message, wire, next) {
    if (message.method === 'tools/call' && message.params['name'] === 'environment')
      throw new Error(
        'The tool "environment" needs a fake server with a process of its own: set serverPrograms.start to spawnTree in this test.',
      );
    if (mode.handle === undefined) next();
    else mode.handle(message, wire, next);
  },
});
