/** Where a file's texts are seen: the first matching prefix wins. */
const screens: readonly (readonly [prefix: string, screen: string])[] = [
  ['src-renderer/features/overview', 'Overview'],
  ['src-renderer/features/tools', 'Tools'],
  ['src-renderer/features/suites', 'Suites'],
  ['src-renderer/features/results/whatIf', 'Improve'],
  ['src-renderer/features/results', 'Evaluations'],
  ['src-renderer/features/candidates', 'Improve'],
  ['src-renderer/features/retrieval', 'Labs'],
  ['src-renderer/features/security', 'Labs'],
  ['src-renderer/features/workshop', 'Workshop'],
  ['src-renderer/features/settings', 'Settings'],
  ['src-renderer', 'Every screen'],
  ['src-shared/display', 'Window, reports and command line'],
  ['src-main/services/reports', 'Reports'],
  ['src-main/hosts/cli', 'Command line'],
  ['src-main/hosts', 'Starting and signing in'],
  ['src-main/analysis', 'Findings'],
  ['src-main/scoring', 'Findings'],
  ['src-main/store', 'Errors'],
  ['src-main/services', 'Errors'],
  ['src-main/adapters', 'Errors'],
  ['src-main/rpc', 'Errors'],
  ['src-main/servers', 'Bundled servers'],
  ['src-shared', 'Errors'],
];

/** In the order of a walk through the program. */
export const screenOrder: readonly string[] = [...new Set(screens.map(([, screen]) => screen))];

/** The screen of a source file; null if nobody sees what it holds. */
export function screenOf(path: string): string | null {
  if (
    /\.(test|fixture)\.tsx?$|\/testing\/|lexiconWords|plainOrders|foreignOrders|orderLanguages|^src-main\/verify\//.test(
      path,
    )
  )
    return null;
  return screens.find(([prefix]) => path.startsWith(`${prefix}/`))?.[1] ?? null;
}
