import { RPCLink } from '@orpc/client/message-port';
import { portHandover, portRequest } from '../../src-shared/domain/connection.ts';
import { createLine, type Connection } from './connection.ts';

/**
 * In the Electron window: asks the preload for this page's port. It lives as long as the page does.
 */
export function connectByPort(): Connection {
  const line = createLine();
  const onMessage = (event: MessageEvent<unknown>) => {
    const [port] = event.ports;
    if (event.source !== window || event.data !== portHandover || port === undefined) return;
    window.removeEventListener('message', onMessage);
    // Before the link hears of it: a call that fails then knows its transport is gone.
    port.addEventListener('close', () => line.down('lost'));
    line.up(new RPCLink({ port }));
    port.start();
  };
  window.addEventListener('message', onMessage);
  window.postMessage(portRequest, '*');
  return {
    host: 'electron',
    link: line.link,
    state: line.state,
    subscribe: line.subscribe,
    close: () => window.removeEventListener('message', onMessage),
  };
}
