import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { sessionHeader, sessionLine } from '../../../src-shared/domain/recordedSession.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { readSession } from '../capture/readSession.ts';
import { Recording } from './recording.ts';

async function open() {
  const folder = await temporaryFolder();
  const file = join(folder.path, 'session.jsonl');
  const trouble: string[] = [];
  let ms = 0;
  const recording = new Recording({
    file,
    header: { server: 'todo', mode: 'full', overrides: [], masked: true },
    clock: { now: () => '2026-11-28T09:00:00.000Z', monotonic: () => (ms += 1) },
    redact: (value) => value,
    onTrouble: (why) => trouble.push(why),
  });
  const read = () => {
    const [first = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
    sessionHeader.parse(JSON.parse(first));
    return lines.map((line) => sessionLine.parse(JSON.parse(line)));
  };
  return {
    ...{ file, recording, read, trouble },
    text: () => readFileSync(file, 'utf8'),
    [Symbol.asyncDispose]: () => folder.remove(),
  };
}

const message = (id: number, part: JsonObject): JsonObject => ({ jsonrpc: '2.0', id, ...part });
const secret = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH';
const hello = message(0, { method: 'initialize', params: { clientInfo: { name: 'test-agent' } } });

describe('a recording that masks', () => {
  it('masks arguments, results, errors, and what a server asks of its client', async () => {
    await using at = await open();
    const { recording } = at;
    recording.add(
      'client',
      message(1, { method: 'tools/call', params: { arguments: { secret } } }),
    );
    recording.add(
      'server',
      message(1, { error: { code: 1, message: `Not ${secret}`, data: [secret] } }),
    );
    recording.add(
      'server',
      message(1, { method: 'elicitation/create', params: { message: secret } }),
    );
    recording.add('client', message(1, { result: { content: { token: secret } } }));
    recording.add('server', {
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { data: secret },
    });
    expect(at.read()).toHaveLength(5);
    expect(at.text()).not.toContain(secret);
    expect(at.text()).toContain('masked-key-1');
  });

  it('keeps definitions as they are, and nothing else that has the id of a request for them', async () => {
    await using at = await open();
    const { recording } = at;
    const tools = [{ name: 'mail', description: 'Writes to person@shop.test.' }];
    recording.add('client', message(2, { method: 'tools/list' }));
    // Both sides number their requests, so that the server has a second one.
    recording.add('server', message(2, { method: 'elicitation/create', params: {} }));
    recording.add('client', message(2, { result: { content: { mail: 'mia@shop.test' } } }));
    recording.add('server', message(2, { result: { tools } }));
    recording.add('server', message(2, { result: { content: 'mia@shop.test' } }));
    expect(at.text()).toContain('Writes to person@shop.test.');
    expect(at.text()).not.toContain('mia@shop.test');
  });

  it.each(['params', 'result', 'error'])(
    'cuts a message that is too large by its %s',
    async (part) => {
      await using at = await open();
      const large = { code: 7, name: 'add_task', text: 'x'.repeat(2_000_000) };
      at.recording.add('server', message(1, { [part]: large }));
      expect(at.read()).toMatchObject([
        { message: { id: 1, [part]: {} }, cutFrom: expect.any(Number) as number },
      ]);
      expect(at.text().length).toBeLessThan(1_000);
    },
  );
});

describe('a recording that is deleted while its session runs', () => {
  it('goes on in a file of its own, which says whose session it is', async () => {
    await using at = await open();
    const { recording } = at;
    recording.add('client', hello);
    recording.add('client', message(1, { method: 'tools/call', params: { name: 'before' } }));
    rmSync(at.file);
    recording.add('client', message(2, { method: 'tools/call', params: { name: 'after' } }));
    recording.end('the client ended');
    expect(at.read()).toMatchObject([
      { message: hello },
      { message: { params: { name: 'after' } } },
      { ended: 'the client ended' },
    ]);
    expect(at.trouble).toEqual([]);
  });

  it('ends with its reason where its folder is gone, too', async () => {
    await using at = await open();
    rmSync(join(at.file, '..'), { recursive: true });
    at.recording.add('client', hello);
    at.recording.add('client', hello);
    at.recording.end('the client ended');
    expect(at.trouble).toEqual([expect.stringContaining('Nothing more is recorded.')]);
  });
});

describe('a recorded session', () => {
  it('counts no refusal of what its server asked as a failed call of the same id', async () => {
    await using at = await open();
    const { recording } = at;
    recording.add('client', message(1, { method: 'tools/call', params: { name: 'add_task' } }));
    recording.add('server', message(1, { method: 'sampling/createMessage' }));
    recording.add('gateway', message(1, { error: { code: -32_000, message: 'No.' } }), 'server');
    recording.add('server', message(1, { result: { content: [] } }));
    recording.add('client', message(2, { method: 'tools/call', params: { name: 'add_task' } }));
    recording.add(
      'gateway',
      message(2, { error: { code: -32_000, message: 'The server ended.' } }),
    );
    const read = await readSession({ path: at.file, bytes: 0, changedAt: 0 });
    expect(read?.session).toMatchObject({ calls: 2, failed: 1, damaged: 0 });
    expect(read?.uses.get('add_task')?.durations).toHaveLength(2);
  });
});
