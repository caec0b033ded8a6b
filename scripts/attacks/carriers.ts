import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { jsonObject } from '../../src-shared/domain/json.ts';
import type { PeerTool } from '../../src-shared/domain/security.ts';
import { programFiles } from '../../src-main/runtime/programFiles.ts';
import { numberOf, type Choices } from './random.ts';
import type { serverSplits, Split } from './wordings.ts';

const realTool = z.object({
  server: z.string(),
  tool: z.string(),
  description: z.string().nullish(),
  schema: jsonObject.catch({}),
  output_schema: jsonObject.optional().catch(undefined),
});

/** A real tool whose text is honest: it carries a planted text, or is examined as it is. */
export interface Carrier {
  server: string;
  name: string;
  description: string;
  schema: z.infer<typeof jsonObject>;
  outputSchema: z.infer<typeof jsonObject> | undefined;
}

/** Half of the servers train, a quarter each validates and tests. */
const splitOfServer = (server: string): (typeof serverSplits)[number] =>
  (['train', 'train', 'validation', 'test'] as const)[numberOf(`carrier ${server}`) % 4] ?? 'test';

/**
 * The tools of `datasets/real_tools_v1.json` whose servers belong to the split. Fresh wordings have
 * no servers of their own: they are planted into those of the validation split.
 */
export function carriersOf(split: Split): Carrier[] {
  const wanted = split === 'fresh' ? 'validation' : split;
  const file = z
    .object({ tools: z.array(realTool) })
    .parse(JSON.parse(readFileSync(join(programFiles.datasets, 'real_tools_v1.json'), 'utf8')));
  return file.tools
    .filter(({ server }) => splitOfServer(server) === wanted)
    .map(({ server, tool, description, schema, output_schema }) => ({
      server,
      name: tool,
      description: description ?? '',
      schema,
      outputSchema: output_schema,
    }));
}

/** Who else is connected: the carrier's own server and four others of the split. */
export function peersOf(
  carrier: Carrier,
  byServer: ReadonlyMap<string, readonly Carrier[]>,
  choices: Choices,
): PeerTool[] {
  const names = [...byServer.keys()].filter((server) => server !== carrier.server);
  const chosen = [carrier.server, ...[1, 2, 3, 4].map(() => choices.of(names))];
  return [...new Set(chosen)].flatMap((server) =>
    (byServer.get(server) ?? []).map(({ name }) => ({ server, name, description: '' })),
  );
}
