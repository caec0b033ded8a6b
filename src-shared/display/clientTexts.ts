import type { ClientFacts, ClientId, ResultFacts } from '../domain/clientFacts.ts';
import type { ClientMark, KnownClient, LostServer } from '../domain/clientView.ts';
import { counted, formatCount } from './numbers.ts';
import { listed } from './similarityTexts.ts';

/** "Claude Code and Codex show none of the 12 tools of parcels because of x." */
export function lostText({ server, tools, because, clients }: LostServer): string {
  const named = byProgram(clients);
  return (
    `${listed(named)} ${named.length === 1 ? 'shows' : 'show'} ${noneOf(tools)} of ${server} ` +
    `because of ${because}.`
  );
}

/** Names of clients, one program with several models once: "Codex (also with gpt-5.5)". */
export function byProgram(clients: readonly string[]): string[] {
  const programs = Map.groupBy(clients, (name) => name.replace(withModel, ''));
  return [...programs].map(([program, names]) => {
    const models = names.flatMap((name) => withModel.exec(name)?.[1] ?? []);
    if (models.length === 0) return program;
    const withThem = `with ${listed(models)}`;
    return models.length < names.length
      ? `${program} (also ${withThem})`
      : `${program} ${withThem}`;
  });
}

const withModel = / with (.+)$/u;

/** "none of the 12 tools", as it follows "shows". */
export const noneOf = (tools: number): string =>
  tools === 1 ? 'no tool' : `none of the ${counted(tools, 'tool')}`;

/** The names of the clients, for where their facts aren't loaded. */
export const clientNames: Readonly<Record<ClientId, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  'codex-gpt-5.5': 'Codex with gpt-5.5',
  'codex-gpt-6.1-sol': 'Codex with gpt-6.1-sol',
  'gemini-cli': 'Gemini CLI',
  'qwen-code': 'Qwen Code',
  opencode: 'opencode',
  cline: 'Cline',
  continue: 'Continue',
  'copilot-cli': 'Copilot CLI',
  cursor: 'Cursor',
  vscode: 'VS Code',
  windsurf: 'Windsurf',
  'claude-desktop': 'Claude Desktop',
  chatgpt: 'ChatGPT',
  goose: 'goose',
};

/** A client by its name; one that isn't known by its id. */
export const clientName = (id: string): string =>
  id === 'generic'
    ? 'as providers take them'
    : ((clientNames as Readonly<Record<string, string | undefined>>)[id] ?? id);

/** What of a client isn't known; empty for one that was measured. */
export const unknownText = ({ assumed }: Pick<ClientFacts, 'assumed'>): string =>
  assumed.length === 0 ? '' : `Not documented: ${listed(assumed)}.`;

/** The same where it is presented all the same. */
export const assumedText = ({ assumed }: Pick<ClientFacts, 'assumed'>): string =>
  assumed.length === 0
    ? ''
    : `Not documented, and assumed to be as the server sends them: ${listed(assumed)}.`;

/** In which clients no tool is visible before a search; empty if in none. */
export function searchingText(
  clients: readonly Pick<KnownClient, 'name' | 'presentation'>[],
): string {
  const names = clients.flatMap(({ name, presentation }) =>
    presentation?.before?.descriptions === null ? [name] : [],
  );
  return names.length === 0
    ? ''
    : `In ${listed(byProgram(names))}, no tool is visible before a search.`;
}

/** How a model comes to the tools, as one sentence; empty where a request has them. */
export function presentationText(presentation: ClientFacts['presentation']): string {
  if (presentation === null || presentation.before === null) return '';
  const { kind, before, search } = presentation;
  const { instructions } = before;
  const reads =
    instructions === null
      ? 'the names of servers'
      : `the names of servers and the first line of their instructions, up to ${formatCount(instructions.longest)} characters`;
  const comes =
    kind === 'code' ? `code finds and calls tools, in ${search}` : `it finds tools with ${search}`;
  return `No tool is visible before a search: the model reads ${reads}; ${comes}.`;
}

/** What a model reads of a server's instructions before it searches. */
export const beforeText = (text: string): string =>
  text === ''
    ? 'the model reads the name alone, because it has no instructions'
    : `the model reads “${text}”`;

/** How an evaluation presents tools that a model would have to find; empty where a request has them. */
export const foundText = ({ presentation }: Pick<ClientFacts, 'presentation'>): string =>
  presentation?.kind === 'deferred'
    ? `The model is given the tools as a search returns them that finds all, and doesn't search.`
    : presentation?.kind === 'code'
      ? `The model is given each declaration as a tool that it calls, and doesn't search or write code.`
      : '';

const images = { image: null, text: 'images as text', dropped: 'no images' } as const;
const ofBoth = {
  structured: 'only structuredContent where there is text, too',
  text: 'only text where there is structuredContent, too',
  both: null,
} as const;

/** What a model reads of results, in a few words each; empty where nothing is known. */
export function resultTexts(results: ResultFacts | null): string[] {
  if (results === null) return [];
  const { whole, beyond, both, structuredAlone, image, link, longLine, error } = results;
  const limit = whole === null ? null : `up to ${formatCount(whole)} characters whole`;
  const rest = beyond === null ? null : `${limit === null ? 'of a long one' : 'then'} ${beyond}`;
  return [
    [limit, rest].filter((part) => part !== null).join(', '),
    both && ofBoth[both],
    structuredAlone === 'empty' ? 'nothing of structuredContent alone' : null,
    image && images[image],
    link === 'dropped' ? 'no resource links' : null,
    longLine === 'empty' ? 'nothing of a line over 50 KB' : null,
    error === 'unmarked' ? 'errors without a mark' : null,
  ].flatMap((part) => (part === null || part === '' ? [] : [part]));
}

/** What a client does to a tool, in one word or two. */
export const markTexts: Readonly<Record<ClientMark, string>> = {
  server: 'server hidden',
  hidden: 'hidden',
  cut: 'cut',
  changed: 'changed',
  unknown: 'not documented',
  shown: 'as is',
};

export const markMeanings: Readonly<Record<ClientMark, string>> = {
  server: 'the model sees no tool of the server',
  hidden: 'the model never sees the tool',
  cut: 'the model reads the start of the description',
  changed: 'the model can call it, and reads another name, description or schema',
  unknown: 'what the model reads isn’t documented',
  shown: 'the model reads what the server sent',
};

/** How the reading of a client is known: `measured with 2.1.197`. */
export const knownText = ({ version, known }: KnownClient): string =>
  `${known.how}${version === null ? '' : ` with ${version}`}`;
