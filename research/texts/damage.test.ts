import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allowsRedistribution } from '../../src-shared/domain/licenses.ts';
import { halfOf } from '../../src-shared/metrics/candidateProof.ts';
import { readCompressed } from '../compressed.ts';
import { versions, readRealTools } from '../realTools/realTools.ts';
import { damages, readDamaged, sets } from './damage.ts';

interface Corpus {
  servers: Record<string, { license: string }>;
}
const serversOf = (text: string): Corpus['servers'] => (JSON.parse(text) as Corpus).servers;

const known = new Set(
  versions.flatMap((version) => Object.keys(serversOf(readRealTools(version)))),
);

it.each(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n'] as const)(
  'set %s has servers of no other corpus, each under a license that allows passing it on',
  (set) => {
    const servers = serversOf(readCompressed(join(import.meta.dirname, `tools.${set}.json.br`)));
    expect(Object.keys(servers).filter((name) => known.has(name))).toEqual([]);
    for (const [name, { license }] of Object.entries(servers))
      expect(allowsRedistribution(license), name).toBe(true);
  },
);

it('has no server in two sets', () => {
  const names = sets.flatMap((set) => readDamaged(set).map(({ server }) => server));
  expect(new Set(names).size).toBe(names.length);
});

it.each(sets)('set %s has as many requests of each tool in both halves', (set) => {
  for (const { server, names, cases, proofOfTool } of readDamaged(set))
    for (const name of names) {
      const own = cases.filter(({ id }) => id.startsWith(`${server}/${name}/`));
      expect(own.filter(({ id }) => halfOf(id) === 'proof').length, `${server} ${name}`).toBe(
        proofOfTool,
      );
      expect(own.length).toBe(2 * proofOfTool);
    }
});

it.each(sets)('each damage of descriptions changes every server of set %s', (set) => {
  for (const server of readDamaged(set))
    for (const damage of damages.filter((each) => each !== 'parameter texts gone'))
      expect(server.damaged(damage), `${server.server} ${damage}`).not.toEqual(server.whole);
});

it('lists each frozen file with its checksum', () => {
  const sums = JSON.parse(
    readFileSync(join(import.meta.dirname, 'checksums.json'), 'utf8'),
  ) as Record<string, string>;
  expect(Object.keys(sums).sort()).toEqual([
    'german.a.yaml',
    'german.b.yaml',
    'german.c.yaml',
    'german.d.yaml',
    'german.e.yaml',
    'german.f.yaml',
    'german.g.yaml',
    'german.h.yaml',
    'german.i.yaml',
    'german.j.yaml',
    'german.k.yaml',
    'german.l.yaml',
    'german.m.yaml',
    'german.n.yaml',
    'german.yaml',
    'requests.a.yaml',
    'requests.b.yaml',
    'requests.c.yaml',
    'requests.d.yaml',
    'requests.e.yaml',
    'requests.f.yaml',
    'requests.g.yaml',
    'requests.h.yaml',
    'requests.i.yaml',
    'requests.j.yaml',
    'requests.k.yaml',
    'requests.l.yaml',
    'requests.m.yaml',
    'requests.n.yaml',
    'requests.yaml',
    'tools.a.json.br',
    'tools.b.json.br',
    'tools.c.json.br',
    'tools.d.json.br',
    'tools.e.json.br',
    'tools.f.json.br',
    'tools.g.json.br',
    'tools.h.json.br',
    'tools.i.json.br',
    'tools.j.json.br',
    'tools.k.json.br',
    'tools.l.json.br',
    'tools.m.json.br',
    'tools.n.json.br',
    'written.g.yaml',
    'written.h.yaml',
    'written.i.yaml',
    'written.j.yaml',
    'written.k.yaml',
    'written.l.yaml',
    'written.m.yaml',
    'written.n.yaml',
  ]);
});
