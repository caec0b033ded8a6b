import { ipcMain, type IpcMainEvent, type MessagePortMain } from 'electron';
import type { RpcServer } from '../../rpc/peers.ts';
import type { Log } from '../../runtime/log.ts';
import { portChannel } from './channels.ts';
import { isOwnUrl } from './origin.ts';

/**
 * The only IPC listener of the main process: takes the port that a page's preload hands over, and
 * serves the contract on it. A page has one port; after a reload, the new one replaces the old.
 */
export function registerPorts(rpc: RpcServer, log: Log): void {
  const ports = new Map<number, MessagePortMain>();
  ipcMain.on(portChannel, (event) => {
    const [port, ...more] = event.ports;
    if (port === undefined || more.length > 0 || !isOwnPage(event)) {
      for (const refused of event.ports) refused.close();
      log.error('A page that is not the app asked for a port and got none.');
      return;
    }
    const { id } = event.sender;
    ports.get(id)?.close();
    ports.set(id, port);
    port.on('close', () => {
      if (ports.get(id) === port) ports.delete(id);
    });
    rpc.servePort(port);
  });
}

/**
 * True for the app's own address in the top frame of its window. Frames that are gone or were never
 * there do not count.
 */
function isOwnPage(event: IpcMainEvent): boolean {
  try {
    const frame = event.senderFrame;
    return (
      frame !== null && !frame.detached && frame === event.sender.mainFrame && isOwnUrl(frame.url)
    );
  } catch {
    // The frame was destroyed meanwhile.
    return false;
  }
}
