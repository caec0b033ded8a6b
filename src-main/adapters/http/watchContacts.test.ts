import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { watchContacts } from './watchContacts.ts';

it('reports every contacted host, redirected and refused requests included', async () => {
  const seen: string[] = [];
  const server = createServer((asked, answer) => {
    if (asked.url === '/away')
      answer.writeHead(302, {
        location: `http://localhost:${(server.address() as AddressInfo).port}/there`,
      });
    answer.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = watchContacts((host) => void seen.push(host));
  await (await fetch(`http://127.0.0.1:${port}/away`)).text();
  const asked = request(`http://127.0.0.1:${port}/`).end();
  const [answer] = (await once(asked, 'response')) as [NodeJS.ReadableStream];
  answer.resume();
  // Nobody listens there any more.
  const gone = createServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const { port: deaf } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  await fetch(`http://127.0.0.1:${deaf}/`).catch(() => undefined);
  expect(new Set(seen)).toEqual(
    new Set([`127.0.0.1:${port}`, `localhost:${port}`, `127.0.0.1:${deaf}`]),
  );
  const before = seen.length;
  stop();
  await (await fetch(`http://127.0.0.1:${port}/`)).text();
  expect(seen).toHaveLength(before);
  server.closeAllConnections();
  server.close();
});
