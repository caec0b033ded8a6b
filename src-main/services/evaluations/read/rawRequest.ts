import { z } from 'zod';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import { jsonObject } from '../../../../src-shared/domain/json.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import type { FrozenTools } from '../tools/offeredTools.ts';

const packedTools = z.object({
  $offered: z.array(z.string()),
  $only: z.array(z.string()).optional(),
  $order: z.number().optional(),
});

/**
 * The request as it is stored. Its tool array is the same in nearly every run, so it is replaced by
 * a reference: the servers (`$offered`), the ids if only some tools were shown (`$only`), and the
 * seed of their order (`$order`).
 */
export function packRequest(
  request: { readonly [key: string]: JsonValue },
  servers: readonly string[],
  only: readonly string[] | null = null,
  orderSeed: number | null = null,
): string {
  return JSON.stringify(
    'tools' in request
      ? {
          ...request,
          tools: {
            $offered: [...servers],
            ...(only ? { $only: [...only] } : {}),
            ...(orderSeed !== null && { $order: orderSeed }),
          },
        }
      : request,
  );
}

/**
 * Rebuilds a stored request byte for byte: key order is kept, and the tools come from the frozen
 * snapshot.
 */
export function unpackRequest(
  stored: string,
  tools: FrozenTools,
  describeTools: (tools: readonly SnapshotTool[]) => JsonValue[],
): string {
  const body: JsonObject = jsonObject.parse(parseJson(stored));
  const packed = packedTools.safeParse(body['tools']);
  if (packed.success) {
    const { $offered: servers, $only: only, $order: orderSeed = null } = packed.data;
    body['tools'] = describeTools(
      (only ? tools.subset(servers, only, orderSeed) : tools.offer(servers, orderSeed)).shown,
    );
  }
  return JSON.stringify(body);
}
