import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../src-shared/domain/json.ts';
import type { SnapshotTool, ToolSnapshot } from '../../../../src-shared/domain/tool.ts';
import { FrozenTools } from '../tools/offeredTools.ts';
import { packRequest, unpackRequest } from './rawRequest.ts';

const tool = (server: string, name: string, id: number): SnapshotTool => ({
  server,
  name,
  title: null,
  description: `does ${name}`,
  inputSchema: { type: 'object', properties: { z: {}, a: {} } },
  outputSchema: null,
  annotations: null,
  snapshotToolId: id,
  hash: `${server}-${name}`,
});
const snapshot: ToolSnapshot = {
  id: 'one',
  createdAt: '',
  servers: [],
  tools: [tool('a', 'x', 1), tool('b', 'x', 2), tool('a', 'y', 3), tool('c', 'z', 4)],
};
const frozen = new FrozenTools(snapshot);
const describeTools = (tools: readonly SnapshotTool[]): JsonValue[] =>
  tools.map(({ server, name, inputSchema }) => ({ name: `${server}__${name}`, inputSchema }));

describe('a stored request', () => {
  it('is rebuilt with the same keys in the same order and the tools that were sent', () => {
    const sent = {
      model: 'm',
      tools: describeTools(frozen.offer(['b', 'a']).tools),
      messages: [{ role: 'user', content: 'hello' }],
      temperature: 0.4,
    };
    const stored = packRequest(sent, ['b', 'a']);
    expect(stored).not.toContain('inputSchema');
    expect(Object.keys(JSON.parse(stored) as object)).toEqual(Object.keys(sent));
    expect(unpackRequest(stored, frozen, describeTools)).toBe(JSON.stringify(sent));
  });

  it('without tools stays without tools', () => {
    const sent = { model: 'm', messages: [] };
    expect(packRequest(sent, ['a'])).toBe(JSON.stringify(sent));
    expect(unpackRequest(JSON.stringify(sent), frozen, describeTools)).toBe(JSON.stringify(sent));
  });

  it('is left unchanged when its tools are not a list of servers', () => {
    for (const tools of [[], null, 'none', { $offered: 'a' }])
      expect(unpackRequest(JSON.stringify({ tools }), frozen, describeTools)).toBe(
        JSON.stringify({ tools }),
      );
  });

  it('of any shape is rebuilt byte for byte', () => {
    const body = fc.dictionary(
      fc.string(),
      fc.jsonValue().map((value) => value as JsonValue),
    );
    fc.assert(
      fc.property(body, body, fc.subarray(['a', 'b', 'c']), (before, after, servers) => {
        const sent = { ...before, tools: describeTools(frozen.offer(servers).tools), ...after };
        // Only a request that carries the offered tools is packed as one.
        fc.pre(!('tools' in after));
        expect(unpackRequest(packRequest(sent, servers), frozen, describeTools)).toBe(
          JSON.stringify(sent),
        );
      }),
    );
  });
});
