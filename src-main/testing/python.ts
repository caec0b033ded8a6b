import { findPython } from '../adapters/process/pythonInterpreter.ts';

/**
 * The Python interpreter of this machine; null if there is none, with a visible warning about what
 * is not tested.
 */
export async function pythonHere(file: string): Promise<string | null> {
  const found = await findPython('', new AbortController().signal);
  if (found.found) return found.command;
  process.stderr.write(
    `\nSKIPPED in ${file}: every test that runs Python. ${found.reason} Install Python 3 to ` +
      'run them.\n',
  );
  return null;
}
