/** What the page and its host agree on before the contract speaks. */

/**
 * No message from a page is larger than this: a suite file at its limit, with room for the escapes
 * of its line breaks.
 */
export const maxFrameLength = 80 * 1024 * 1024;

/**
 * In the loopback window: the key in the tab's sessionStorage, the header of a call, and the
 * subprotocols of the socket.
 */
export const pageTokenKey = 'touchstone.token';
export const pageTokenHeader = 'x-touchstone-token';
export const socketProtocol = 'touchstone';
export const socketTokenPrefix = 'token.';
export const socketPath = '/api/socket';
export const sessionPath = '/api/session';
/** Gives a new one-time link, for a second start of the program on the same workspace. */
export const linkPath = '/api/link';

/** In the Electron window: the page asks its preload for the port, and gets it once per load. */
export const portRequest = 'touchstone:port-please';
export const portHandover = 'touchstone:port';
/** What the preload exposes to the page, and all of it. */
export interface HostBridge {
  host: 'electron';
}
export const bridgeName = 'touchstone';
