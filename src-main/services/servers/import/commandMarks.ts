import { formatCount } from '../../../../src-shared/display/numbers.ts';
import { namedValues, type ServerConfig } from '../../../../src-shared/domain/server.ts';
import type { CommandMark } from '../../../../src-shared/domain/serverImport.ts';
import { findArgumentSecrets } from '../secrets/findSecrets.ts';
import { address } from '../serverUrl.ts';

const shells = String.raw`(?:ba|z|da|k|fi|c)?sh`;

/**
 * Patterns in a command line that deserve a second look. A command without a match is not proven
 * safe, so no text here ever says so.
 */
const dangerousPatterns: readonly [RegExp, string][] = [
  [/(?:^|[\s/;&|"'(])(?:sudo|doas|pkexec|runas)(?:\s|$)/, 'It runs with administrator rights.'],
  [/\brm\s+(?:\S+\s+)*?-{1,2}(?:\w*[rRf]\w*)/, 'It deletes files without asking.'],
  [/\b(?:mkfs(?:\.\w+)?|shred|wipefs)\b|\bdd\s+(?:\S+\s+)*of=\/dev\//, 'It overwrites a disk.'],
  [
    new RegExp(
      String.raw`\b(?:curl|wget|iwr|invoke-webrequest)\b[^\n]*?\|\s*(?:sudo\s+)?(?:\S*/)?(?:${shells}|python\d?|node|perl|ruby|iex|invoke-expression)\b`,
      'i',
    ),
    'It runs a program that it downloads.',
  ],
  [
    new RegExp(String.raw`\b${shells}\b[^\n]*(?:\$\(|<\(|${'`'})\s*(?:curl|wget)\b`),
    'It runs a program that it downloads.',
  ],
  [
    /\b(?:iex|invoke-expression)\b[^\n]*(?:https?:|downloadstring|iwr|irm)/i,
    'It runs a program that it downloads.',
  ],
  [
    /\bbase64\s+(?:-d|-D|--decode)\b|-enc(?:odedcommand)?\s+[A-Za-z0-9+/=]{16,}/i,
    'It runs or unpacks hidden text (base64).',
  ],
  [
    /(?:^|[\s=:"'/])\.(?:ssh|aws|gnupg|kube|docker|netrc|npmrc|pypirc|git-credentials)(?:[/\s"':]|$)|\/etc\/(?:shadow|passwd|sudoers)|\bid_(?:rsa|ed25519|ecdsa)\b|Login Data|Keychains?\/|wallet\.dat/i,
    'It refers to a place where credentials are stored.',
  ],
  [
    /\b(?:docker|podman|nerdctl)\b[^\n]*\s--privileged\b/,
    'The container has full access to this computer (--privileged).',
  ],
  [
    /\/var\/run\/docker\.sock|\bdocker\.sock\b/,
    'The container controls Docker and therefore this computer.',
  ],
  [
    /\s(?:-v|--volume)[=\s]\/:|[\s,](?:source|src)=\/(?:,|\s|$)|--(?:pid|net|network|ipc)[=\s]host\b/,
    'The container is not isolated from this computer.',
  ],
  [/\b(?:nc|ncat|netcat|socat)\b[^\n]*\s(?:-e|-c|exec:)/i, 'It opens a shell to the network.'],
  [
    /\b(?:chmod\s+(?:-R\s+)?0?777|chown\s+-R|crontab|launchctl\s+load|systemctl\s+enable)\b/,
    'It changes permissions or startup programs.',
  ],
];

/** The patterns run fast on any text up to this length. */
const maxLineLength = 10_000;
const invisibleCharacters =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;
const codeLoadingVariables =
  /^(?:LD_PRELOAD|LD_LIBRARY_PATH|DYLD_INSERT_LIBRARIES|NODE_OPTIONS|PYTHONSTARTUP|BASH_ENV|ENV|PERL5OPT|RUBYOPT|PATH)$/i;

/** Finds everything in a configuration that a user should know before starting the server. */
export function findCommandMarks(config: ServerConfig): CommandMark[] {
  const marks = new Map<string, CommandMark>();
  const mark = (severity: CommandMark['severity'], reason: string): void => {
    if (!marks.has(reason)) marks.set(reason, { severity, reason });
  };
  const words = config.transport === 'stdio' ? [config.command, ...config.args] : [address(config)];
  const whole = words.join(' ');
  const line = whole.slice(0, maxLineLength);
  if (whole.length > maxLineLength)
    mark(
      'danger',
      `It has ${formatCount(whole.length)} characters, of which only the first ${formatCount(maxLineLength)} were ` +
        'looked at here.',
    );
  if ([...words, ...environmentOf(config)].some((text) => invisibleCharacters.test(text)))
    mark('danger', 'It contains characters that are invisible or change how the text is shown.');
  if (findArgumentSecrets(words).some(({ length }) => length > 0))
    mark('note', 'It seems to contain a credential in plain text.');
  if (config.transport === 'skills') return [...marks.values()];
  if (config.transport !== 'stdio') {
    const { protocol, hostname } = URL.parse(config.url) ?? { protocol: '', hostname: '' };
    if (protocol === 'http:' && !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname))
      mark('note', 'The connection is not encrypted.');
    return [...marks.values()];
  }
  for (const [pattern, reason] of dangerousPatterns) if (pattern.test(line)) mark('danger', reason);
  for (const name of Object.keys(config.env))
    if (codeLoadingVariables.test(name)) mark('danger', `${name} changes which code runs.`);
  if (
    new RegExp(String.raw`(?:^|/)(?:${shells}|cmd(?:\.exe)?|powershell(?:\.exe)?|pwsh)$`, 'i').test(
      config.command,
    )
  )
    mark('note', 'It runs a shell script. Read the whole script first.');
  const unpinnedPackage = findUnpinnedPackage(config.command, config.args);
  if (unpinnedPackage !== null)
    mark(
      'note',
      `${unpinnedPackage} is not pinned to a version, so the code that runs may change at any time.`,
    );
  return [...marks.values()];
}

const environmentOf = (config: ServerConfig): string[] =>
  Object.entries(namedValues(config)).flat();

/**
 * The package that a runner such as npx would fetch in its newest version; null if it is pinned.
 */
function findUnpinnedPackage(command: string, args: readonly string[]): string | null {
  const runner = command.replace(/^.*[\\/]/, '').replace(/\.(?:cmd|exe)$/i, '');
  const rest =
    runner === 'npx' || runner === 'bunx' || runner === 'uvx'
      ? args
      : ['pnpm', 'yarn', 'npm'].includes(runner) && ['dlx', 'exec'].includes(args[0] ?? '')
        ? args.slice(1)
        : null;
  const name = rest?.find((word) => !word.startsWith('-'));
  if (name === undefined || /^[./~]|^\$\{/.test(name)) return null;
  return /.[@=](?=[=~^]?\d)/.test(name) ? null : name;
}
