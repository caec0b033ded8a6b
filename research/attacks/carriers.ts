import { z } from 'zod';
import { jsonObject } from '../../src-shared/domain/json.ts';
import type { PeerTool } from '../../src-shared/domain/security.ts';
import { readRealTools, versions, type Version } from '../realTools/realTools.ts';
import { numberOf, type Choices } from './random.ts';
import type { serverSplits, Split } from './splits.ts';

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

type ServerSplit = (typeof serverSplits)[number];

/** Which splits the servers of a version belong to, each by its name, in equal shares. */
const sharesOf: Readonly<Record<Version, readonly ServerSplit[]>> = {
  v1: ['train', 'train', 'validation', 'test'],
  v2: ['train', 'validation'],
  v3: ['train', 'validation'],
  v4: ['unseen'],
};

/**
 * The real tools whose servers belong to the split. Fresh wordings have no servers of their own:
 * they are planted into those of the validation split.
 */
export function carriersOf(split: Split): Carrier[] {
  const wanted = split === 'fresh' ? 'validation' : split;
  return versions.flatMap((version) => {
    const shares = sharesOf[version];
    return toolsOf(version)
      .filter(({ server }) => shares[numberOf(`carrier ${server}`) % shares.length] === wanted)
      .map(({ server, tool, description, schema, output_schema }) => ({
        server,
        name: tool,
        description: description ?? '',
        schema,
        outputSchema: output_schema,
      }));
  });
}

const toolsOf = (version: Version) =>
  z.object({ tools: z.array(realTool) }).parse(JSON.parse(readRealTools(version))).tools;

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
