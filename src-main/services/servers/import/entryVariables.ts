import { isJsonObject } from '../../../../src-shared/domain/json.ts';
import type { ServerConfig } from '../../../../src-shared/domain/server.ts';
import type { ServerFileInput } from '../../../../src-shared/domain/serverImport.ts';
import type { EntrySettings } from './entrySettings.ts';

/** How a client refers to values, apart from what all do. */
export interface VariableSyntax {
  /** True if `$NAME` without braces is a variable. */
  bareVariables?: boolean;
  /** True if `$(command)` is what a command prints. */
  commands?: boolean;
}

/**
 * Text that a client takes from a file or from what a command prints: `${file:…}` (Windsurf),
 * `{file:…}` (opencode), `${cmd: …}` and `$: …` (MCPHub).
 */
const outsideText = /\$?\{(?:file|cmd):[^{}]+\}|^\$:\s.*$/gs;

/**
 * The configuration with the references of other clients as ours: Continue's `${{ secrets.NAME }}`,
 * opencode's `{env:NAME}`, LiteLLM's `os.environ/NAME`, defaults after one colon (fast-agent, Spring),
 * and what a client fills in itself, such as LibreChat's `{{NAME}}`, VS Code's `${config:name}` and
 * the content of a file, which become values to enter.
 */
export function withOurReferences(
  config: ServerConfig,
  settings: EntrySettings,
  { bareVariables = false, commands = false }: VariableSyntax,
): { config: ServerConfig; inputs: ServerFileInput[] } {
  const described = settings.peek('customuservars');
  const inputs = new Map<string, ServerFileInput>();
  const own = isJsonObject(described?.value) ? described.value : {};
  const input = (id: string, description: string | null = null): string => {
    const declared = own[id];
    const words = isJsonObject(declared) ? (declared['description'] ?? declared['title']) : null;
    if (described !== null && isJsonObject(declared)) settings.drop([...described.path, id]);
    inputs.set(id, {
      id,
      description: typeof words === 'string' ? words : description,
      password: true,
      default: null,
    });
    return `\${input:${id}}`;
  };
  const common = (text: string): string => {
    const named = text
      .replace(/\$\{\{\s*(?:secrets|inputs)\.([\w.-]+)\s*\}\}/g, '${secret:$1}')
      .replace(/(?<!\$)\{env:([^{}\s]+)\}/g, '${$1}')
      .replace(/\bos\.environ\/(\w+)/g, '${$1}')
      .replace(/\$\{([A-Z_][A-Z0-9_]*):(?!-)([^{}]*)\}/g, '${$1:-$2}')
      .replace(/\$\{(?:config|command):([^{}]+)\}/g, (_whole, name: string) =>
        input(name, `The setting ${name} of the app that wrote the file.`),
      );
    // Copilot names the variable or the secret of the repository as the value.
    if (/^COPILOT_MCP_\w+$/.test(named)) return `\${${named}}`;
    return bareVariables ? named.replace(/\$([A-Za-z_]\w*)/g, '${$1}') : named;
  };
  const filled = (text: string): string =>
    common(text).replace(/(?<!\$)\{\{\s*([A-Za-z_][\w.-]*)\s*\}\}/g, (_whole, id: string) =>
      input(id),
    );
  // In arguments, braces may be templates of the program itself.
  const argument = (text: string): string =>
    common(text).replace(/(?<!\$)\{\{\s*([A-Za-z_]\w*)\s*\}\}/g, (whole, id: string) =>
      Object.hasOwn(own, id) || id.startsWith('LIBRECHAT_') ? input(id) : whole,
    );
  const outside = commands
    ? new RegExp(`${outsideText.source}|\\$\\([^()]+\\)`, 'gs')
    : outsideText;
  const pairs = (values: Record<string, string>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        filled(
          value.replace(outside, (text) =>
            input(name, `Its file takes this from elsewhere: ${text}`),
          ),
        ),
      ]),
    );
  if (config.transport === 'skills') return { config, inputs: [] };
  const changed: ServerConfig =
    config.transport === 'stdio'
      ? {
          ...config,
          command: argument(config.command),
          args: config.args.map(argument),
          cwd: config.cwd === null ? null : argument(config.cwd),
          env: pairs(config.env),
        }
      : { ...config, url: filled(config.url), headers: pairs(config.headers) };
  return { config: changed, inputs: [...inputs.values()] };
}
