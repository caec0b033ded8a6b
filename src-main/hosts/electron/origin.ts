/**
 * The address of the app's own pages: a separate scheme, so that no page has the rights of a file.
 */
export const appScheme = 'touchstone';
const appHost = 'app';
export const appUrl = `${appScheme}://${appHost}/`;
/**
 * The scheme that other programs may link to. It differs from the app's own, so that no link from
 * outside is an address of the app's pages.
 */
export const linkScheme = 'touchstone-open';

/**
 * True for the app's own pages only. Compares scheme and host after parsing: no prefix, no user
 * name, no port.
 */
export function isOwnUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, host, username, password } = new URL(url);
  return protocol === `${appScheme}:` && host === appHost && username === '' && password === '';
}
