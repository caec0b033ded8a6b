/** Constants that the page and its host share before the contract is connected. */

/** Largest message from a page: a suite file at its size limit plus its escaped line breaks. */
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
/** A signed-in tab gets an invitation, with which another tab of the browser joins its session. */
export const invitationPath = '/api/invitation';
export const joinPath = '/api/join';
/** Creates a new one-time link, for a second start of the program on the same workspace. */
export const linkPath = '/api/link';

/**
 * In the Electron window, the page asks its preload script for the port and gets it once per load.
 */
export const portRequest = 'touchstone:port-please';
export const portHandover = 'touchstone:port';
/** Everything that the preload script exposes to the page. */
export interface HostBridge {
  host: 'electron';
}
export const bridgeName = 'touchstone';
