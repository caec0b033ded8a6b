import { expect, it } from 'vitest';
import { allowsRedistribution } from '../../src-shared/domain/licenses.ts';
import { readCorpus } from '../../src-main/services/retrieval/datasetFiles.ts';
import { readRealTools } from './realTools.ts';

it.each([
  ['v1', 157, 3496],
  ['v2', 74, 1840],
  ['v3', 62, 1323],
  ['v4', 66, 1604],
] as const)(
  '%s holds the tools of %i servers, each under a license that allows it',
  (version, many, of) => {
    const text = readRealTools(version);
    const { tools } = readCorpus(text, version);
    const { servers } = JSON.parse(text) as { servers: Record<string, { license: string }> };
    expect([Object.keys(servers).length, tools.length]).toEqual([many, of]);
    expect(new Set(tools.map(({ server }) => server))).toEqual(new Set(Object.keys(servers)));
    for (const [server, { license }] of Object.entries(servers))
      expect(allowsRedistribution(license), server).toBe(true);
  },
);
