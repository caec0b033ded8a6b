import { ClientFiles } from '../services/clientFiles/clientFiles.ts';

/** The files of clients in a home folder, with an entry that starts a command. */
export const clientFilesIn = (home: string): ClientFiles =>
  new ClientFiles(
    { environment: {}, platform: 'linux', home },
    {
      ...{ name: 'todo', command: '/opt/node', args: ['gateway', 'todo'] },
      ...{ mayReplace: () => true, replacesWhole: true },
    },
  );
