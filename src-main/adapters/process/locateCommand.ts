import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

const endings = process.platform === 'win32' ? ['', '.exe', '.cmd', '.bat', '.com'] : [''];

/** The file that a command would start, found as the system finds it; null if there is none. */
export async function locateCommand(
  command: string,
  path = process.env['PATH'] ?? '',
): Promise<string | null> {
  if (command.includes('\0')) return null;
  const isPath =
    isAbsolute(command) ||
    command.includes('/') ||
    (process.platform === 'win32' && command.includes('\\'));
  const folders = isPath ? [''] : path.split(delimiter).filter((folder) => folder !== '');
  for (const folder of folders) {
    for (const ending of endings) {
      const file = folder === '' ? `${command}${ending}` : join(folder, `${command}${ending}`);
      if (await isProgram(file)) return file;
    }
  }
  return null;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
