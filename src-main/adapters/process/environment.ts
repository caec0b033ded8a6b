/**
 * Carries the run id to every descendant, so that the whole tree can be found even if processes
 * left their process group.
 */
export const RUN_ID_VARIABLE = 'TOUCHSTONE_RUN_ID';

const allowedOnPosix = ['PATH', 'HOME', 'LANG', 'TERM', 'SHELL', 'USER', 'LOGNAME', 'TMPDIR'];
// Without these a Windows program finds neither its libraries nor its profile.
const allowedOnWindows = (
  'PATH PATHEXT SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC TEMP TMP APPDATA LOCALAPPDATA ' +
  'PROGRAMDATA PROGRAMFILES USERPROFILE USERNAME HOMEDRIVE HOMEPATH PROCESSOR_ARCHITECTURE'
).split(' ');

/**
 * The environment of a child: a short list of harmless variables, its own entries and its run id.
 * It never inherits the whole environment of this program, which may hold keys.
 */
export function childEnvironment(
  own: Readonly<Record<string, string>>,
  runId: string,
  parent: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of platform === 'win32' ? allowedOnWindows : allowedOnPosix) {
    const value = parent[name];
    if (value !== undefined) environment[name] = value;
  }
  return { ...environment, ...own, [RUN_ID_VARIABLE]: runId };
}
