import { parseArgs } from 'node:util';
import { readTools, type Era } from './answer.ts';
import { effectModes } from './effectModes.ts';
import {
  endingModes,
  floodModes,
  noiseModes,
  ruleModes,
  silentModes,
  slowModes,
} from './faultModes.ts';
import { hostileCallModes, hostileListModes } from './hostileModes.ts';
import { itemModes } from './itemModes.ts';
import { largeModes } from './largeModes.ts';
import { listModes } from './listModes.ts';
import type { HttpShape } from './overHttp.ts';
import { serveStdio } from './overStdio.ts';
import type { Mode } from './wire.ts';

/**
 * A server without an SDK, for tests: `node main.ts <mode> [--tools FILE] [--era
 * 2025-11-25|2026-07-28|both] [--http json|events|sse] [--location URL] [--scale N]`. Over HTTP it prints
 * `{"port": n}` as its first line and exits when its standard input ends.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    tools: { type: 'string' },
    era: { type: 'string' },
    http: { type: 'string' },
    location: { type: 'string' },
    scale: { type: 'string' },
  },
});
const scale = Number(values.scale ?? 1);

const modes: Record<string, Mode> = {
  normal: {},
  ...silentModes,
  ...slowModes(values.location ?? ''),
  ...noiseModes,
  ...ruleModes,
  ...floodModes,
  ...endingModes,
  ...effectModes,
  ...largeModes,
  ...listModes,
  ...itemModes,
  ...hostileListModes(scale),
  ...hostileCallModes(scale),
};
const name = positionals[0] ?? 'normal';
const mode = values.http === undefined ? modes[name] : (modes[name] ?? {});
if (mode === undefined)
  throw new Error(`No mode "${name}". There are: ${Object.keys(modes).join(', ')}.`);

const served = readTools(values.tools, (values.era ?? '2025-11-25') as Era);
if (values.http === undefined) serveStdio(mode, served);
else {
  const shape = values.http as HttpShape;
  // The module behind it takes longer to start than all the rest, and most tests talk over stdio.
  const { serveHttp } = await import('./overHttp.ts');
  serveHttp({ name, mode, served, shape, location: values.location ?? '' });
}
