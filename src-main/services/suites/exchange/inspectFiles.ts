import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import type { TaskFixtures } from '../../../../src-shared/domain/taskFixtures.ts';
import { programOfScript } from './scriptProgram.ts';
import type { Change } from './suiteDraft.ts';
import { isEmpty, nonEmptyText } from './values.ts';

type Files = NonNullable<TaskFixtures['files']>;

/**
 * What a sample of Inspect puts into its sandbox (https://inspect.aisi.org.uk/sandboxing.html): `files`
 * by path, each a path, a data URI or the text itself, then the script `setup`.
 */
export function filesOfSample({ files, setup }: JsonObject, changes: Change[]): Files {
  const found: Files = [];
  if (isJsonObject(files ?? null))
    for (const [to, value] of Object.entries(files as JsonObject)) {
      const file = fileOf(to, nonEmptyText(value) ?? '', changes);
      if (file !== null) found.push(file);
    }
  else if (!isEmpty(files))
    changes.push({
      what: 'files',
      why: 'Not imported: a log has their names alone. Put them next to the suite, and name them in files.',
    });
  const script = nonEmptyText(setup);
  if (script !== null) {
    const program = isPath(script) ? { command: ['bash', script] } : inRunFolder(script);
    if (program === null)
      changes.push({ what: 'setup', why: 'Not imported: nothing here starts its interpreter.' });
    else {
      found.push({ program });
      changes.push({
        what: 'setup',
        why: 'It runs as a program on this computer, if you allow programs. There, it runs in a sandbox.',
      });
    }
  }
  return found;
}

/** One word with a suffix or a folder: a text that is written has more. */
const isPath = (text: string): boolean =>
  text.length <= 1_000 && /^[^\s:]+$/u.test(text) && /[./]/u.test(text);

const dataUri = /^data:[^,]*?(;base64)?,(.*)$/su;

function fileOf(name: string, value: string, changes: Change[]): Files[number] | null {
  const what = `files: ${name}`;
  const [sandbox, inside] = /^([^:/]+):(.*)$/su.exec(name)?.slice(1) ?? ['default', name];
  // A sandbox of one's own is another computer there.
  if (sandbox !== 'default') {
    changes.push({
      what,
      why: `Not imported: it is for the sandbox “${sandbox}”. A run has one folder.`,
    });
    return null;
  }
  const to = (inside ?? '').replace(/^(?:\.?\/)+/u, '');
  if (to === '' || to.split('/').includes('..')) {
    changes.push({ what, why: 'Not imported: its path leads out of the folder of the run.' });
    return null;
  }
  if (to !== inside)
    changes.push({
      what,
      why: 'Its path begins in the folder of the run: {{run_dir}} in a command.',
    });
  const [, encoded, data = ''] = dataUri.exec(value) ?? [];
  if (encoded !== undefined) return { to, base64: data.replaceAll(/\s/gu, '') };
  if (dataUri.test(value)) return { to, text: decoded(data) };
  if (/^[a-z][a-z0-9+]*:\/\//iu.test(value)) {
    changes.push({
      what,
      why: 'Not imported: nothing is fetched from an address. Save it next to the suite.',
    });
    return null;
  }
  if (!isPath(value)) return { to, text: value };
  changes.push({ what, why: 'Taken as a path that begins in the folder of the suite.' });
  return { from: value.replace(/^\.\//u, ''), to };
}

function decoded(data: string): string {
  try {
    return decodeURIComponent(data);
  } catch {
    return data;
  }
}

/** A script that works where its files are: a run's folder, not that of the suite. */
function inRunFolder(script: string): { command: string[]; timeout: number } | null {
  const bash = script.startsWith('#!') ? script : `#!/usr/bin/env bash\n${script}`;
  const program = programOfScript({ inline: bash });
  if (program === null) return null;
  const { command, timeout } = program;
  return {
    command: ['sh', '-c', 'cd "$TOUCHSTONE_RUN_DIR" && exec "$0" "$@"', ...command],
    timeout,
  };
}
