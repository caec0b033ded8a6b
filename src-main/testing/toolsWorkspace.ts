import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { programFiles } from '../runtime/programFiles.ts';
import { systemClock } from '../runtime/clock.ts';
import { openDatabase } from '../store/database/openDatabase.ts';
import { openStore } from '../store/store.ts';

// Runs as a process of its own: `node toolsWorkspace.ts FOLDER SERVERS TOOLS [ODD]` fills a new
// workspace with reachable servers, the last of which can't be reached if there are several, and as
// many listed tools in all. The first server's tools have cases. As many servers as ODD says have a
// tool with a schema for which some clients hide the whole server.
const [folder = '', servers = '1', tools = '1', odd = '0'] = process.argv.slice(2);
const verbs = ['get', 'list', 'create', 'update', 'delete', 'search', 'merge', 'close'];
const nouns = [
  'issue',
  'invoice',
  'file',
  'calendar_event',
  'contact',
  'branch',
  'payment',
  'page',
];
const purposes = ['by its number', 'of a project', 'for one customer', 'in a folder', 'on a date'];
const pick = (list: readonly string[], at: number): string => list[at % list.length] ?? '';

const db = openDatabase({
  file: join(folder, 'touchstone.sqlite'),
  migrationsFolder: programFiles.migrations,
  clock: systemClock,
  access: 'write',
});
try {
  const store = openStore(db, { clock: systemClock, nextId: randomUUID });
  const count = Number(servers);
  for (let at = 0; at < count; at += 1) {
    const name = `server-${at + 1}`;
    const { id } = store.servers.insert({
      name,
      url: `stdio:${name}`,
      config: { transport: 'stdio', command: 'node', args: [`${name}.js`], cwd: null, env: {} },
    });
    const isBroken = count > 1 && at === count - 1;
    store.servers.setStatus(
      id,
      isBroken
        ? {
            status: 'failed',
            statusReason: 'The program node was not found. Install Node.js, then check it again.',
          }
        : { status: 'active', statusReason: null, lastConnectedAt: systemClock.now() },
    );
    const own = Array.from(
      { length: Math.floor(Number(tools) / count) + (at < Number(tools) % count ? 1 : 0) },
      (_, index) => {
        const tool = `${pick(verbs, index)}_${pick(nouns, Math.floor(index / 8) + at)}${index >= 64 ? '_all' : ''}`;
        const verb = pick(verbs, index);
        const noun = pick(nouns, Math.floor(index / 8) + at).replace('_', ' ');
        const description = `${verb.charAt(0).toUpperCase()}${verb.slice(1)} one ${noun} ${pick(purposes, index + at)} and return its fields.${index % 9 === 4 ? ' Long notes about paging and errors follow.'.repeat(60) : ''}`;
        const isOdd = index === 7 && at < Number(odd);
        const inputSchema = {
          type: 'object',
          properties: { id: { type: 'string' }, ...(isOdd && { anything: true }) },
        };
        return {
          serverId: id,
          tool: {
            raw: JSON.stringify({ name: tool, description, inputSchema }),
            tool: {
              ...{ server: name, name: tool, description, inputSchema },
              ...{ title: null, outputSchema: null, annotations: null },
            },
          },
        };
      },
    );
    const snapshot = store.toolSnapshots.freeze({
      servers: [
        {
          ...{ server: name, serverId: id, status: 'listed', error: null, instructions: null },
          ...{ protocolVersion: null, serverInfo: null, rejected: [] },
        },
      ],
      tools: own,
    });
    store.serverListings.add({
      ...{ id: randomUUID(), serverId: id, snapshotId: snapshot.id },
      ...{ createdAt: systemClock.now(), askedBy: 'person' },
    });
    if (at > 0) continue;
    const suite = store.suites.insert({
      ...{ name: 'requests', system: null, messages: [], servers: [name] },
    });
    store.testCases.insertMany(
      suite.id,
      own.slice(0, 12).map(({ tool: { tool } }, index) => ({
        ...{ key: `case-${index}`, name: `case ${index}`, tags: [], servers: [name] },
        query: `Please ${tool.name.replaceAll('_', ' ')} 7`,
        expectedCalls: [{ server: name, tool: tool.name }],
        ...{ orderDependent: false, allowedCalls: [], stubResults: [] },
      })),
    );
  }
} finally {
  db.close();
}
