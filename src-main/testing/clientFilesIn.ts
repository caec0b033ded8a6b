import { isDeepStrictEqual } from 'node:util';
import { ClientFiles } from '../services/clientFiles/clientFiles.ts';

/** The files of clients in a home folder, with an entry that starts a command. */
export const clientFilesIn = (home: string, command = '/opt/node'): ClientFiles =>
  new ClientFiles(
    { environment: {}, platform: 'linux', home },
    {
      ...{ name: 'todo', command, args: ['gateway', 'todo'], replacesOthers: true },
      isOwn: ({ args }) => isDeepStrictEqual(args, ['gateway', 'todo']),
    },
  );
