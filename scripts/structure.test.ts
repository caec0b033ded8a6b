import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../src-main/testing/temporaryFolder.ts';

const root = join(import.meta.dirname, '..');

/** Runs the project's own rules over a small tree. */
async function cruise(files: Record<string, string>): Promise<{ code: number; output: string }> {
  await using folder = await temporaryFolder();
  await writeFile(
    join(folder.path, 'tsconfig.base.json'),
    '{"compilerOptions":{"module":"preserve","moduleResolution":"bundler","allowImportingTsExtensions":true,"noEmit":true}}',
  );
  for (const [name, text] of Object.entries({
    'src-shared/a.ts': '',
    'src-main/a.ts': '',
    'src-renderer/a.ts': '',
    ...files,
  })) {
    await mkdir(dirname(join(folder.path, name)), { recursive: true });
    await writeFile(join(folder.path, name), text);
  }
  const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const args = [
    program,
    '--config',
    join(root, '.dependency-cruiser.mjs'),
    'src-shared',
    'src-main',
    'src-renderer',
  ];
  return await new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder.path }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

const value = 'export const value = 1;\nexport type Value = number;\n';

/** What breaks a rule, in files of its own: x.ts and y.ts are named after the rule. */
const violations: [rule: string, files: Record<string, string>][] = [
  [
    'renderer-never-reaches-main',
    {
      'src-main/store/x.ts': value,
      'src-renderer/x.ts':
        "import type { Value } from '../src-main/store/x.ts';\nexport type Y = Value;\n",
    },
  ],
  [
    'src-main-store-imports-what-it-may',
    {
      'src-main/services/x.ts': value,
      'src-main/store/y.ts': "import { value } from '../services/x.ts';\nexport { value };\n",
    },
  ],
  [
    'runs-knows-topics-before-it',
    {
      'src-main/services/results/x.ts': value,
      'src-main/services/runs/y.ts':
        "import { value } from '../results/x.ts';\nexport { value };\n",
    },
  ],
  [
    'topics-have-a-place',
    {
      'src-main/services/unlisted/x.ts': "import { value } from './y.ts';\nexport { value };\n",
      'src-main/services/unlisted/y.ts': value,
    },
  ],
  [
    'src-main-adapters-mcp-imports-what-it-may',
    {
      'src-main/store/x.ts': value,
      'src-main/adapters/mcp/y.ts':
        "import { value } from '../../store/x.ts';\nexport { value };\n",
    },
  ],
  [
    'rooms-have-a-rule',
    {
      'src-shared/domain/x.ts': value,
      'src-main/attic/y.ts':
        "import { value } from '../../src-shared/domain/x.ts';\nexport { value };\n",
    },
  ],
  [
    'hosts-open-services-only',
    {
      'src-main/scoring/x.ts': value,
      'src-main/hosts/cli/y.ts': "import { value } from '../../scoring/x.ts';\nexport { value };\n",
    },
  ],
  [
    'features-stay-apart',
    {
      'src-renderer/features/one/x.ts': value,
      'src-renderer/features/two/y.ts': "import { value } from '../one/x.ts';\nexport { value };\n",
    },
  ],
  [
    'ui-knows-no-domain',
    {
      'src-shared/domain/x.ts': value,
      'src-renderer/ui/y.ts':
        "import { value } from '../../src-shared/domain/x.ts';\nexport { value };\n",
    },
  ],
  [
    'shared-is-pure',
    { 'src-shared/domain/x.ts': "import { join } from 'node:path';\nexport { join };\n" },
  ],
  [
    'one-importer-of-sqlite',
    {
      'node_modules/better-sqlite3/package.json':
        '{"name":"better-sqlite3","version":"1.0.0","main":"index.js"}',
      'node_modules/better-sqlite3/index.js': '',
      'package.json': '{"dependencies":{"better-sqlite3":"1.0.0"}}',
      'src-main/services/x.ts': "import Sqlite from 'better-sqlite3';\nexport { Sqlite };\n",
    },
  ],
  [
    'product-knows-no-research',
    {
      'research/x.ts': value,
      'src-main/y.ts': "import { value } from '../research/x.ts';\nexport { value };\n",
    },
  ],
  [
    'no-cycles',
    {
      'src-main/store/x.ts': "import type { Y } from './y.ts';\nexport type X = Y;\n",
      'src-main/store/y.ts': "import type { X } from './x.ts';\nexport type Y = X;\n",
    },
  ],
];

const named = (text: string, rule: string): string =>
  text.replaceAll(/\/([xy])\.ts/g, `/${rule}.$1.ts`);

describe('the rules of the house', () => {
  it('let a tree pass in which every arrow goes the right way', async () => {
    const { code, output } = await cruise({
      'src-shared/domain/x.ts': value,
      'src-main/store/x.ts':
        "import { value } from '../../src-shared/domain/x.ts';\nexport { value };\n",
      'src-renderer/features/one/x.ts':
        "import { value } from '../../../src-shared/domain/x.ts';\nexport { value };\n",
    });
    expect({ code, output }).toMatchObject({ code: 0 });
  });

  let output: string;
  beforeAll(async () => {
    const planted = violations.flatMap(([rule, files]) =>
      Object.entries(files).map((file) => file.map((text) => named(text, rule)) as typeof file),
    );
    const answer = await cruise(Object.fromEntries(planted));
    expect(answer.code).toBeGreaterThan(0);
    ({ output } = answer);
  });

  it.each(violations)('catch a planted violation of %s, type imports included', (rule, _files) => {
    expect(output).toMatch(new RegExp(`${rule}: .*/${rule}\\.[xy]\\.ts`));
  });
});
