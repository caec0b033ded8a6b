import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { MessageChannel } from 'node:worker_threads';
import type { Client } from '../../src-shared/contract/index.ts';
import { startLoopback } from '../hosts/loopback/startLoopback.ts';
import { createRpcServer } from '../rpc/peers.ts';
import { describeContract } from './contractSuite.ts';
import { FakeMessagePortMain } from './fakeElectron/electron.ts';
import { openPageSocket, signIn } from './loopbackPage.ts';

describeContract('linked ports, as in the Electron window', async (services, log) => {
  const rpc = createRpcServer(services, log);
  const ports: FakeMessagePortMain[] = [];
  return {
    async connect() {
      const { port1, port2 } = new MessageChannel();
      rpc.servePort(new FakeMessagePortMain(port2));
      const page = new FakeMessagePortMain(port1);
      ports.push(page);
      const client = createORPCClient<Client>(new RPCLink({ port: page }));
      page.start();
      return { client, lose: () => page.close() };
    },
    async close() {
      for (const port of ports) port.close();
    },
  };
});

describeContract('the socket of the loopback window', async (services, log) => {
  const host = await startLoopback({ services, log, rendererFolder: import.meta.dirname, port: 0 });
  const page = await signIn(host);
  return {
    async connect() {
      const { client, socket } = await openPageSocket(page);
      return { client, lose: () => socket.terminate() };
    },
    close: () => host.close(),
  };
});
