import { contextBridge, ipcRenderer } from 'electron';
import {
  bridgeName,
  portHandover,
  portRequest,
  type HostBridge,
} from '../../../src-shared/domain/connection.ts';
import { hostCommandPrefix } from '../../../src-shared/domain/hostCommand.ts';
import { commandChannel, portChannel } from './channels.ts';

/** What of the page's world is used here; the rest of the DOM has no business in a preload. */
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
  // To this very window, whose address the main process has checked; frames are refused by the
  // content policy.
  window.postMessage(portHandover, '*', [port1]);
});

// Text only, and nothing of the event: the page reads it and takes what it knows.
ipcRenderer.on(commandChannel, (_event, command: unknown) => {
  if (typeof command === 'string' && command.startsWith(hostCommandPrefix))
    window.postMessage(command, '*');
});
