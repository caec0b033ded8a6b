/** What a window's menu, or a link that somebody agreed to, tells the page. */
export type HostCommand = { kind: 'go'; to: string } | { kind: 'act'; act: HostAction };

export const hostActions = ['palette', 'shortcuts', 'undo'] as const;
export type HostAction = (typeof hostActions)[number];

/**
 * The screens that can be gone to from outside, as the first part of an address. The empty one is
 * the overview.
 */
export const screens = [
  '',
  'servers',
  'suites',
  'evaluations',
  'similarity',
  'retrieval',
  'tokens',
  'security',
  'workshop',
  'settings',
] as const;

/**
 * Commands travel as text: what the preload passes on is told by its beginning, and the page reads
 * the rest.
 */
export const hostCommandPrefix = 'touchstone:command ';

export function writeHostCommand(command: HostCommand): string {
  return hostCommandPrefix + (command.kind === 'go' ? `go ${command.to}` : `act ${command.act}`);
}

/** Null for anything but a command of ours. */
export function readHostCommand(message: unknown): HostCommand | null {
  if (typeof message !== 'string' || !message.startsWith(hostCommandPrefix)) return null;
  const [, kind, rest = ''] =
    /^(go|act) (.*)$/s.exec(message.slice(hostCommandPrefix.length)) ?? [];
  if (kind === 'go') return isScreenPath(rest) ? { kind, to: rest } : null;
  const act = hostActions.find((known) => known === rest);
  return kind === 'act' && act !== undefined ? { kind, act } : null;
}

/**
 * A path within the app: one of its screens, plain characters only, and never the address of
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
  return (screens as readonly string[]).includes(first);
}
