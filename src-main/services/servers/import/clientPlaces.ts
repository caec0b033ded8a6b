import type { Folders } from './findTables.ts';

export const extensionFile =
  (id: string, name: string) =>
  ({ data }: Folders): string =>
    data('Code', 'User', 'globalStorage', id, 'settings', name);

/** A file in the folder that a variable names, else in one of the home folder. */
export const fileIn =
  (variable: string, folder: string, name: string) =>
  ({ home, environment }: Folders): string =>
    environment[variable] === undefined ? home(folder, name) : `${environment[variable]}/${name}`;

/** The file that Cline's extension and its command line share. */
export function clineFile({ home, environment }: Folders): string {
  const name = 'cline_mcp_settings.json';
  const { CLINE_MCP_SETTINGS_PATH, CLINE_DATA_DIR, CLINE_DIR } = environment;
  if (CLINE_MCP_SETTINGS_PATH) return CLINE_MCP_SETTINGS_PATH;
  if (CLINE_DATA_DIR) return `${CLINE_DATA_DIR}/settings/${name}`;
  if (CLINE_DIR) return `${CLINE_DIR}/data/settings/${name}`;
  return home('.cline', 'data', 'settings', name);
}
