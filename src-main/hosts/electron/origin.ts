/**
 * The one address of the app's own pages: a scheme of its own, so that no page has the rights of a
 * file.
 */
export const appScheme = 'touchstone';
export const appHost = 'app';
export const appUrl = `${appScheme}://${appHost}/`;
/**
 * What other programs may link to. Another scheme, so that no link from outside is ever an address
 * of the app's pages.
 */
export const linkScheme = 'touchstone-open';

/**
 * True for the app's own pages only. Scheme and host are compared after parsing: no prefix, no user
 * name in front, no port.
 */
export function isOwnUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, host, username, password } = new URL(url);
  return protocol === `${appScheme}:` && host === appHost && username === '' && password === '';
}
