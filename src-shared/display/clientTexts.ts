import type { ClientId } from '../domain/clientFacts.ts';
import type { ClientMark, KnownClient, LostServer } from '../domain/clientView.ts';
import { counted } from './numbers.ts';
import { listed } from './similarityTexts.ts';

/** "Claude Code and Codex show none of the 12 tools of parcels because of x." */
export const lostText = ({ server, tools, because, clients }: LostServer): string =>
  `${listed(clients)} ${clients.length === 1 ? 'shows' : 'show'} ${noneOf(tools)} of ${server} ` +
  `because of ${because}.`;

/** "none of the 12 tools", as it follows "shows". */
export const noneOf = (tools: number): string =>
  tools === 1 ? 'no tool' : `none of the ${counted(tools, 'tool')}`;

/** The names of the clients, for where their facts aren't loaded. */
export const clientNames: Readonly<Record<ClientId, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  'qwen-code': 'Qwen Code',
  opencode: 'opencode',
  cline: 'Cline',
  continue: 'Continue',
  'copilot-cli': 'Copilot CLI',
};

/** A client by its name; one that isn't known by its id. */
export const clientName = (id: string): string =>
  id === 'generic' ? 'as providers take them' : (clientNames[id as ClientId] ?? id);

/** What a client does to a tool, in one word or two. */
export const markTexts: Readonly<Record<ClientMark, string>> = {
  server: 'server hidden',
  hidden: 'hidden',
  cut: 'cut',
  changed: 'changed',
  shown: 'as is',
};

/** How the reading of a client is known: `measured with 2.1.197`. */
export const knownText = ({ version, known }: KnownClient): string =>
  `${known.how}${version === null ? '' : ` with ${version}`}`;
