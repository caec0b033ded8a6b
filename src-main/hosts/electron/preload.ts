import { contextBridge, ipcRenderer } from 'electron';
import {
  bridgeName,
  portHandover,
  portRequest,
  type HostBridge,
} from '../../../src-shared/domain/connection.ts';
import { hostCommandPrefix } from '../../../src-shared/domain/hostCommand.ts';
import { commandChannel, portChannel } from './channels.ts';

/** The part of the page's DOM that the preload uses. */
declare const window: {
  addEventListener(
    type: 'message',
    listener: (event: { data: unknown; source: unknown }) => void,
  ): void;
  postMessage(message: unknown, targetOrigin: string, transfer?: unknown[]): void;
};

const bridge: HostBridge = { host: 'electron' };
contextBridge.exposeInMainWorld(bridgeName, bridge);

let handedOver = false;
window.addEventListener('message', (event) => {
  if (handedOver || event.source !== window || event.data !== portRequest) return;
  handedOver = true;
  const { port1, port2 } = new MessageChannel();
  ipcRenderer.postMessage(portChannel, null, [port2]);
  // Posts to this window only, whose address the main process has checked. The content policy
  // blocks frames.
  window.postMessage(portHandover, '*', [port1]);
});

// Passes on the text but not the event. The page ignores commands that it does not know.
ipcRenderer.on(commandChannel, (_event, command: unknown) => {
  if (typeof command === 'string' && command.startsWith(hostCommandPrefix))
    window.postMessage(command, '*');
});
