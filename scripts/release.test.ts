import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultsOfRelease } from './checkRelease.ts';

const root = join(import.meta.dirname, '..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const { name, version } = JSON.parse(read('package.json')) as { name: string; version: string };

/** What people copy the package's name from. */
const files = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'action.yml', 'scripts/checkTarball.ts'],
  ...execFileSync('git', ['ls-files', 'docs', 'packaging/action', 'src-main/hosts/cli'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => /\.(md|mjs|sh|ts)$/.test(file) && !/\.test\.ts$/.test(file)),
];

/** Where a package of npm is named: an install, an npx, an import of a library, a tarball. */
const namings: readonly RegExp[] = [
  /\bnpm (?:install|i|add|view)(?: --?[\w-]+(?: "[^"]*")?)* ((?:@[\w-]+\/)?touchstone[\w-]*)/g,
  /\bnpx (?:--?[\w-]+ )*((?:@[\w-]+\/)?touchstone[\w-]*)/g,
  /['"`]((?:@[\w-]+\/)?touchstone[\w-]*)\/(?:metrics|report|scoring|suite|schemas)/g,
  /such as ((?:@[\w-]+\/)?touchstone[\w-]*)@\d/g,
];

describe('the package’s name', () => {
  it.each(files)('is the same in %s', (file) => {
    const text = read(file);
    const others = namings
      .flatMap((naming) => [...text.matchAll(naming)].map(([, found = '']) => found))
      .filter((found) => found !== name);
    expect(others).toEqual([]);
  });

  it('is found where people install it', () => {
    const found = files.flatMap((file) =>
      namings.flatMap((naming) => [...read(file).matchAll(naming)].map(() => file)),
    );
    expect([...new Set(found)]).toEqual(
      expect.arrayContaining(['CONTRIBUTING.md', 'scripts/checkTarball.ts']),
    );
  });

  it('belongs to tarballs of the version that the guide names', () => {
    const named = read('docs/guide/ci.md').match(
      /touchstone-\d[\w.-]*\.tgz|touchstone@v\d[\w.-]*/g,
    );
    expect(named?.length).toBeGreaterThan(1);
    for (const each of named ?? []) expect(each).toContain(version);
  });
});

describe('a release', () => {
  const given = (changes: Partial<Parameters<typeof faultsOfRelease>[0]> = {}) => ({
    name,
    version: '0.2.0',
    lockVersion: '0.2.0',
    changelog: '# Changes\n\n## Unreleased\n\n## 0.2.0 (2026-12-01)\n\n- Something.\n',
    newestSchema: 1,
    frozenSchemas: [1],
    security: '| 0.2.x | yes |',
    guide: 'npm install --global ./ci/touchstone-0.2.0.tgz',
    ...changes,
  });

  it('has one version everywhere, dated changes and a frozen schema', () => {
    expect(faultsOfRelease(given())).toEqual([]);
  });

  it.each([
    [{ lockVersion: '0.1.0' }, /package-lock\.json/],
    [{ changelog: '# Changes\n\n## Unreleased\n\n- Something.\n' }, /CHANGELOG\.md has no section/],
    [{ changelog: '# Changes\n\n## 0.2.0\n\n- Something.\n' }, /CHANGELOG\.md has no section/],
    [{ frozenSchemas: [] }, /schema/],
    [{ security: '| 0.1.x | yes |' }, /SECURITY\.md/],
    [{ guide: 'npm install ./ci/touchstone-0.1.0.tgz' }, /docs\/guide\/ci\.md/],
  ])('is refused with its fault: %j', (changes, fault) => {
    expect(faultsOfRelease(given(changes)).join('\n')).toMatch(fault);
  });
});
