/**
 * Reads the fuses of a packed program back from its binary, and compares them with what
 * electron-builder.yml sets: node scripts/readFuses.ts BINARY.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '..');
/**
 * How the wire is found in a binary; its version, its length and one character per fuse follow.
 * https://github.com/electron/fuses, src/constants.ts
 */
export const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
/** In the order of the wire. The tool that packs doesn't know the last one, which stays on. */
const names = [
  'runAsNode',
  'enableCookieEncryption',
  'enableNodeOptionsEnvironmentVariable',
  'enableNodeCliInspectArguments',
  'enableEmbeddedAsarIntegrityValidation',
  'onlyLoadAppFromAsar',
  'loadBrowserProcessSpecificV8Snapshot',
  'grantFileProtocolExtraPrivileges',
  'wasmTrapHandlers',
];

/** The fuses that electron-builder.yml sets, by name. */
function wantedFuses(): Record<string, boolean> {
  const { electronFuses } = parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8')) as {
    electronFuses: Record<string, boolean>;
  };
  return { ...electronFuses, wasmTrapHandlers: true };
}

/** On a Mac, the wire is in the framework next to the binary. */
function binaryOf(path: string): string {
  if (!statSync(path).isDirectory()) return path;
  return join(path, 'Contents/Frameworks/Electron Framework.framework/Electron Framework');
}

/** What differs, one line each; none if all fuses are as they should be. */
export function wrongFuses(path: string): string[] {
  const binary = binaryOf(path);
  if (!existsSync(binary)) return [`${binary} does not exist`];
  const bytes = readFileSync(binary);
  const wires: number[] = [];
  for (let at = bytes.indexOf(sentinel); at >= 0; at = bytes.indexOf(sentinel, at + 1))
    wires.push(at + sentinel.length);
  if (wires.length === 0) return ['it has no fuses'];
  // A binary for two kinds of processor has two.
  return wires.flatMap((at) => {
    const [version = 0, length = 0] = bytes.subarray(at, at + 2);
    if (version !== 1) return [`its fuses are of version ${version}, not 1`];
    const wire = bytes.subarray(at + 2, at + 2 + length).toString('latin1');
    const wrong = names.flatMap((name, index) => {
      const wanted = wantedFuses()[name] === true ? '1' : '0';
      return wire[index] === wanted
        ? []
        : [`${name} is ${wire[index] ?? 'missing'}, not ${wanted}`];
    });
    if (length > names.length)
      wrong.push(`it has ${length} fuses, and ${names.length} are decided in electron-builder.yml`);
    return wrong;
  });
}

if (process.argv[1] === import.meta.filename) {
  const [, , path] = process.argv;
  if (path === undefined || !existsSync(path)) {
    console.error(
      `Name a packed program: node scripts/readFuses.ts BINARY (${path ?? 'nothing'} is not there).`,
    );
    process.exit(2);
  }
  const wrong = wrongFuses(path);
  console.log(
    wrong.length === 0 ? `All ${names.length} fuses are set as decided.` : wrong.join('\n'),
  );
  process.exit(wrong.length === 0 ? 0 : 1);
}
