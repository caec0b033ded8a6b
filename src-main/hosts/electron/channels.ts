/** From a page's preload to the main process: the port. */
export const portChannel = 'touchstone:port';
/** From the main process to a page's preload: a command of the menu or of a link. */
export const commandChannel = 'touchstone:command';
