import { stat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { formatCount } from '../../../../src-shared/display/numbers.ts';
import { fileCause } from '../../../runtime/fileProblem.ts';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import { maxServerFileLength } from '../../../../src-shared/contract/servers.ts';
import type { KnownServerFile } from '../../../../src-shared/domain/serverImport.ts';
import { readTextFile } from '../../files/readTextFile.ts';
import type { Environment } from '../variables.ts';
import { clients } from './clients.ts';
import type { Folders } from './findTables.ts';

/** What the location of a configuration file depends on; replaced in tests. */
export interface Machine {
  environment: Environment;
  platform: NodeJS.Platform;
  home: string;
}

/** Where other programs keep their servers, for this user and platform. */
export function knownLocations({
  environment,
  platform,
  home,
}: Machine): { client: string; path: string }[] {
  const windows = platform === 'win32';
  const join = (...steps: string[]): string => (windows ? win32 : posix).join(...steps);
  const config = environment['XDG_CONFIG_HOME'] ?? join(home, '.config');
  const data = windows
    ? (environment['APPDATA'] ?? join(home, 'AppData', 'Roaming'))
    : platform === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : config;
  const folders: Folders = {
    home: (...steps) => join(home, ...steps),
    data: (...steps) => join(data, ...steps),
    config: (...steps) => join(config, ...steps),
    environment,
    windows,
  };
  return clients.flatMap(({ name, places }) =>
    (places?.(folders) ?? []).map((path) => ({ client: name, path: join(path) })),
  );
}

/** The known files that exist. Only their size is read. */
export async function findKnownFiles(machine: Machine): Promise<KnownServerFile[]> {
  const found = await Promise.all(
    knownLocations(machine).map(async ({ client, path }): Promise<KnownServerFile[]> => {
      const stats = await stat(path).catch(() => null);
      return stats?.isFile() ? [{ client, path, bytes: stats.size }] : [];
    }),
  );
  return found.flat();
}

/**
 * Reads one of the known files that a user chose. Any other path is refused, so that the screen
 * cannot read arbitrary files.
 */
export async function readKnownFile(
  machine: Machine,
  path: string,
): Promise<{ fileName: string; text: string }> {
  const found = (await findKnownFiles(machine)).find((file) => file.path === path);
  if (found === undefined)
    throw new ServiceError('NOT_FOUND', {
      thing: path,
      cause: "It isn't a known configuration file on this computer.",
      nextStep: 'Choose the file itself.',
    });
  if (found.bytes > maxServerFileLength)
    throw new ServiceError('INVALID', {
      thing: path,
      cause: `It has ${formatCount(found.bytes)} bytes, more than are read.`,
      nextStep: 'Copy its servers to a separate file.',
    });
  try {
    return { fileName: path, text: await readTextFile(path) };
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('TROUBLE', {
      thing: path,
      cause: fileCause(error, 'read'),
      nextStep: 'Look at its rights.',
    });
  }
}
