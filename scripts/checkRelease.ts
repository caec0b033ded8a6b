/**
 * Refuses a version that is not ready: `npm version` runs it before it commits and tags. It names
 * each place that the version still lacks.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Release {
  name: string;
  version: string;
  lockVersion: string;
  changelog: string;
  /** The number of the last migration, and those whose schema a fixture keeps. */
  newestSchema: number;
  frozenSchemas: readonly number[];
  security: string;
  guide: string;
}

/** What is missing, one sentence each. */
export function faultsOfRelease(release: Release): string[] {
  const { version, lockVersion, changelog, newestSchema, frozenSchemas, security, guide } = release;
  const faults: string[] = [];
  if (lockVersion !== version)
    faults.push(`package-lock.json has version ${lockVersion}. Run npm install.`);
  const dated = `## ${version} (`;
  if (!changelog.split('\n').some((line) => line.startsWith(dated)))
    faults.push(
      `CHANGELOG.md has no section “${dated}DATE)”. Rename Unreleased, and begin a new one above it.`,
    );
  if (!frozenSchemas.includes(newestSchema))
    faults.push(
      `No fixture keeps the schema ${newestSchema}. Write it: node_modules/node/bin/node src-main/testing/fixtures/writeSchemaFixture.ts.`,
    );
  const series = `${version.split('.').slice(0, 2).join('.')}.x`;
  if (!security.includes(`| ${series} `))
    faults.push(`SECURITY.md doesn’t list ${series} among the supported versions.`);
  const others = [...guide.matchAll(/touchstone(?:-|@v)(\d+\.\d+\.\d+)/g)].filter(
    ([, named]) => named !== version,
  );
  if (others.length > 0)
    faults.push(`docs/guide/ci.md names ${others.map(([text]) => text).join(', ')}.`);
  return faults;
}

function readRelease(root: string): Release {
  const read = (name: string): string => readFileSync(join(root, name), 'utf8');
  const numbersOf = (folder: string, pattern: RegExp): number[] =>
    readdirSync(join(root, folder)).flatMap((file) => {
      const [, number] = pattern.exec(file) ?? [];
      return number === undefined ? [] : [Number(number)];
    });
  const { name, version } = JSON.parse(read('package.json')) as Release;
  return {
    name,
    version,
    lockVersion: (JSON.parse(read('package-lock.json')) as Release).version,
    changelog: read('CHANGELOG.md'),
    newestSchema: Math.max(...numbersOf('migrations', /^(\d{4})-/)),
    frozenSchemas: numbersOf('src-main/testing/fixtures', /^schema-(\d+)\.sql$/),
    security: read('SECURITY.md'),
    guide: read('docs/guide/ci.md'),
  };
}

if (process.argv[1] === import.meta.filename) {
  const faults = faultsOfRelease(readRelease(join(import.meta.dirname, '..')));
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) console.error('Nothing was committed or tagged.');
  process.exit(faults.length > 0 ? 1 : 0);
}
