import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { probeRuns } from '../../scripts/clients/probeTools.ts';
import { clientFacts } from '../../src-shared/domain/clientFacts.ts';
import { present, type PresentedServer } from './present.ts';

const root = join(import.meta.dirname, '../..');
const facts = z
  .strictObject({ version: z.literal(1), clients: z.array(clientFacts) })
  .parse(JSON.parse(readFileSync(join(root, 'datasets/clients_v1.json'), 'utf8'))).clients;

/** What `scripts/clients` recorded: per client and run the tools of one request, in its order. */
type Asked = [namespace: string | null, name: string, description: string | null, schema: unknown];
const recorded = JSON.parse(
  gunzipSync(readFileSync(join(import.meta.dirname, 'requests.json.gz'))).toString(),
) as Record<string, { version: string; runs: Record<string, Asked[]> }>;

const serversOf = (run: string): PresentedServer[] =>
  Object.entries(probeRuns[run] ?? {}).map(([name, tools]) => ({
    name,
    instructions: null,
    tools: tools.map((one) => JSON.parse(JSON.stringify(one)) as PresentedServer['tools'][number]),
  }));

describe('present', () => {
  const measured = facts.filter(({ id }) => recorded[id] !== undefined);

  it('knows each client in the version that was recorded', () => {
    expect(measured.map(({ id, version }) => ({ id, version }))).toEqual(
      Object.entries(recorded).map(([id, { version }]) => ({ id, version })),
    );
  });

  describe.each(measured)('$name', (client) => {
    it.each(Object.keys(probeRuns))('makes the request of the run %s, byte for byte', (run) => {
      const { offered } = present(serversOf(run), client);
      expect(
        offered.map(({ namespace, wireName, description, schema }) =>
          JSON.stringify([namespace, wireName, description, schema]),
        ),
      ).toEqual(
        recorded[client.id]?.runs[run]?.map(([namespace, name, description, schema]) =>
          JSON.stringify([namespace, name, description ?? '', schema]),
        ),
      );
    });

    it.each(Object.keys(probeRuns))('accounts for every tool of the run %s once', (run) => {
      const servers = serversOf(run);
      const { offered, hidden } = present(servers, client);
      const key = ({ server, tool }: { server: string; tool: string }): string =>
        `${server}\0${tool}`;
      const sent = servers.flatMap(({ name, tools }) =>
        tools.map((tool) =>
          key({ server: name, tool: typeof tool.name === 'string' ? tool.name : '' }),
        ),
      );
      expect([...offered, ...hidden].map(key).toSorted()).toEqual(sent.toSorted());
    });
  });
});
