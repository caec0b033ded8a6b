/**
 * The variables that may be seen in the environment of this program's own processes. Other programs
 * of the same user can read that environment, so everything that isn't listed is kept in memory
 * instead: any variable may hold a key of something.
 */
const openNames = new Set([
  // Where programs, libraries and the user's files are.
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'LD_LIBRARY_PATH'],
  // Language, time zone and terminal.
  ...'LANG LANGUAGE TZ TERM TERM_PROGRAM COLORTERM NO_COLOR FORCE_COLOR CI'.split(' '),
  // The desktop session, for the window, the browser and the keychain.
  ...['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'XMODIFIERS', 'DBUS_SESSION_BUS_ADDRESS'],
  ...['DESKTOP_SESSION', 'BROWSER'],
  // What Node reads before any of this program runs.
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'],
  // Windows.
  ...['PATHEXT', 'SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'TEMP', 'TMP', 'APPDATA'],
  ...['LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)', 'PROGRAMW6432'],
  ...['COMMONPROGRAMFILES', 'COMMONPROGRAMFILES(X86)', 'COMMONPROGRAMW6432', 'ALLUSERSPROFILE'],
  ...['PUBLIC', 'USERPROFILE', 'USERNAME', 'USERDOMAIN', 'HOMEDRIVE', 'HOMEPATH', 'COMPUTERNAME'],
  ...['OS', 'NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE', 'SESSIONNAME', 'LOGONSERVER'],
  // This program's own that hold no secret.
  ...['TOUCHSTONE_HOME', 'TOUCHSTONE_KEYCHAIN', 'TOUCHSTONE_RUN_ID', 'TOUCHSTONE_WORKSPACE_FOLDER'],
]);
const openPrefixes = /^(LC|XDG|NODE|ELECTRON|GTK|QT|KDE|GNOME)_/;
/** A name such as `NODE_AUTH_TOKEN`, which an open prefix would let through. */
const secretWords = /TOKEN|SECRET|PASS(WORD|PHRASE)|CREDENTIAL|_KEY|_AUTH/;
/** A URL with a user or password in it, such as that of a proxy. */
const credentialsInUrl = /:\/\/[^/?#]*@/;

/** True if other programs may see the variable. */
export function isOpenVariable(name: string, value: string): boolean {
  const upper = name.toUpperCase();
  const isOpenName = openNames.has(upper) || (openPrefixes.test(upper) && !secretWords.test(upper));
  return isOpenName && !credentialsInUrl.test(value);
}

/** The variables that may be seen. */
export function openVariables(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && isOpenVariable(name, value) ? [[name, value]] : [],
    ),
  );
}
