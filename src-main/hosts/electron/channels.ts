/** The one channel between a page's preload and the main process. */
export const portChannel = 'touchstone:port';
