/** A command from the window's menu, or from a link that the user accepted, to the page. */
export type HostCommand = { kind: 'go'; to: string } | { kind: 'act'; act: HostAction };

export const hostActions = ['palette', 'shortcuts', 'undo'] as const;
export type HostAction = (typeof hostActions)[number];

/** Begins the argument by which the command line names the page that a window shows first. */
export const pageArgument = '--page=';

/**
 * Screens that can be opened from outside, by the first part of their path. The empty one is the
 * overview.
 */
export const screens = [
  '',
  'servers',
  'tools',
  'suites',
  'results',
  'labs',
  'workshop',
  'settings',
] as const;

/**
 * Commands are sent as text. The preload script forwards messages with this prefix and the page
 * parses the rest.
 */
export const hostCommandPrefix = 'touchstone:command ';

export function writeHostCommand(command: HostCommand): string {
  return hostCommandPrefix + (command.kind === 'go' ? `go ${command.to}` : `act ${command.act}`);
}

/** Returns null for anything but a valid command. */
export function readHostCommand(message: unknown): HostCommand | null {
  if (typeof message !== 'string' || !message.startsWith(hostCommandPrefix)) return null;
  const [, kind, rest = ''] =
    /^(go|act) (.*)$/s.exec(message.slice(hostCommandPrefix.length)) ?? [];
  if (kind === 'go') return isScreenPath(rest) ? { kind, to: rest } : null;
  const act = hostActions.find((known) => known === rest);
  return kind === 'act' && act !== undefined ? { kind, act } : null;
}

/**
 * True for a path of one of the app's screens: plain characters only, and never the address of
 * another host.
 */
export function isScreenPath(path: string): boolean {
  if (
    path.length > 1024 ||
    !/^\/(?!\/)[\w\-./%]*(\?[\w\-.~%&=+]*)?$/.test(path) ||
    path.includes('..')
  )
    return false;
  const [first = ''] = path.slice(1).split(/[/?]/, 1);
  return screens.some((screen) => screen === first);
}
