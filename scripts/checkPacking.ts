/**
 * Packs the program with electron-builder round a stand-in for Electron's binary, and looks at what
 * came out: the archive, the program beside it, the fuses. It downloads nothing, and shows nothing
 * about Electron itself. Needs `npm run build` and `npm ci --prefix packaging --ignore-scripts`.
 */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkProgram, manifestPath } from '../src-main/hosts/electron/programIntegrity.ts';
import { sentinel, wrongFuses } from './readFuses.ts';

const root = join(import.meta.dirname, '..');
/** Each fuse as Electron ships it. */
const shipped = '101100011';

const builder = join(root, 'packaging', 'node_modules', 'electron-builder', 'cli.js');
if (!existsSync(builder) || process.platform !== 'linux') {
  console.error('On Linux, after: npm ci --prefix packaging --ignore-scripts');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'touchstone-packing-'));
try {
  const dist = join(folder, 'electron');
  mkdirSync(join(dist, 'resources'), { recursive: true });
  const { version } = JSON.parse(
    readFileSync(join(root, 'node_modules', 'electron', 'package.json'), 'utf8'),
  ) as { version: string };
  writeFileSync(join(dist, 'version'), version);
  writeFileSync(join(dist, 'LICENSE'), 'stand-in');
  writeFileSync(
    join(dist, 'electron'),
    Buffer.concat([
      Buffer.from('stand-in for a binary '),
      Buffer.from(sentinel),
      Buffer.from([1, shipped.length]),
      Buffer.from(shipped),
      Buffer.from(' end'),
    ]),
    { mode: 0o755 },
  );

  const packed = join(folder, 'packed');
  execFileSync(
    process.execPath,
    [
      builder,
      '--linux',
      'dir',
      '--publish',
      'never',
      `-c.electronDist=${dist}`,
      `-c.directories.output=${packed}`,
    ],
    { cwd: root, stdio: 'inherit' },
  );

  const app = join(packed, 'linux-unpacked');
  const archive = join(app, 'resources', 'app.asar');
  const { extractFile, listPackage } = createRequire(
    createRequire(builder).resolve('app-builder-lib'),
  )('@electron/asar') as {
    listPackage: (file: string, options: object) => string[];
    extractFile: (file: string, path: string) => Buffer;
  };
  const files = listPackage(archive, { isPack: false });
  const lacking = [
    '/package.json',
    '/out/main/electron.js',
    '/out/preload/preload.cjs',
    '/out/renderer/index.html',
    '/migrations',
    '/datasets/detector_weights.bin',
    '/node_modules/better-sqlite3/package.json',
    '/node_modules/keytar/package.json',
    '/node_modules/zod/package.json',
  ].filter((file) => !files.includes(file));
  check(lacking.length === 0, `the archive lacks ${lacking.join(', ')}`);
  const surplus = files.filter((file) =>
    /^\/(src-main|src-renderer|e2e|bench|docs|research|scripts)(\/|$)|\.map$|^\/node_modules\/(vitest|typescript|playwright|node)(\/|$)/.test(
      file,
    ),
  );
  check(surplus.length === 0, `the archive holds ${surplus.slice(0, 5).join(', ')}`);
  const unpacked = readdirSync(`${archive}.unpacked`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  check(
    files.length > 100 && unpacked.some((file) => file.includes('better-sqlite3')),
    'the database engine is not beside the archive',
  );
  check(
    unpacked.every((file) => file.endsWith('.node')),
    'more than native modules is beside the archive',
  );

  const wrong = wrongFuses(join(app, 'touchstone'));
  check(wrong.length === 0, `of its fuses, ${wrong.join(', ')}`);

  const program = join(app, 'resources', 'program');
  const answer = execFileSync(
    join(program, 'node_modules', 'node', 'bin', 'node'),
    [
      join(program, 'out', 'main', 'cli.js'),
      '--workspace',
      join(folder, 'workspace'),
      'servers',
      'list',
      '--json',
    ],
    { encoding: 'utf8', env: { PATH: '/usr/bin:/bin', TOUCHSTONE_KEYCHAIN: 'off' } },
  );
  check(
    answer.trim().startsWith('{') || answer.trim().startsWith('['),
    'the program beside the archive does not answer',
  );

  const resources = join(app, 'resources');
  const manifestFile = join(folder, 'manifest.json');
  writeFileSync(manifestFile, extractFile(archive, manifestPath));
  const startedAt = performance.now();
  await checkProgram(resources, manifestFile);
  const checkMs = Math.round(performance.now() - startedAt);
  for (const changed of [join(program, 'node_modules', 'node', 'bin', 'node'), unpacked[0] ?? '']) {
    appendFileSync(changed, ' ');
    const refusal = await checkProgram(resources, manifestFile).catch((error: unknown) => error);
    check(refusal instanceof Error, `a change of ${changed} is not noticed`);
  }
  console.log(`The files beside the archive are checked in ${checkMs} ms.`);
  console.log(
    `Packed: ${files.length} files in the archive, all fuses, and the program beside ` +
      'it answers under its own Node.',
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function check(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(`Packing: ${otherwise}.`);
}
