import { counted, formatCount } from '../../../src-shared/display/numbers.ts';
import { isJsonObject } from '../../../src-shared/domain/json.ts';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import type { Proposals, ProposedCase } from '../../../src-shared/contract/suites.ts';
import type { ModelConfiguration } from '../../../src-shared/domain/model.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import type { Suite } from '../../../src-shared/domain/testCase.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import type { ChatModel, OpenChatModel } from '../../adapters/llm/chatModel.ts';
import { ChatFailure } from '../../adapters/llm/chatModel.ts';
import { copiedText } from '../../analysis/proposals/copiedText.ts';
import { proposeCases, type Proposal } from '../../analysis/proposals/proposeCases.ts';
import type { Store } from '../../store/store.ts';
import { storedTools } from '../servers/storedTools.ts';

/** More than a user reviews at one time. */
const maxTools = 100;

const idOf = ({ server, name }: SnapshotTool): string => toolId(server, name);

interface FoundTools {
  tools: SnapshotTool[];
  /** All tools of the servers. */
  among: SnapshotTool[];
  /** Servers and tools that can't be proposed for, with the reason. */
  notes: string[];
}

/** The last listed tools of the servers. */
function findTools(
  store: Store,
  names: readonly string[],
  only: readonly string[] | undefined,
): FoundTools {
  const notes: string[] = [];
  const among = names.flatMap((name) => {
    const server = store.servers.getByName(name);
    const stored = server && storedTools(store, server.id);
    if (server === null) notes.push(`No server is named ${name}. Choose another one.`);
    else if (stored === null)
      notes.push(`${name} hasn’t listed its tools yet. Connect to the server first.`);
    else if (stored.snapshot.tools.length === 0)
      notes.push(`${name} lists no tools. Choose another server.`);
    // A server may have another name than when it was listed.
    return stored?.snapshot.tools.map((tool) => ({ ...tool, server: name })) ?? [];
  });
  const listed = new Set(among.map(idOf));
  for (const id of only ?? [])
    if (!listed.has(id))
      notes.push(`${id} isn’t listed. Choose another tool, or check its server again.`);
  const tools = only === undefined ? among : among.filter((tool) => only.includes(idOf(tool)));
  if (tools.length > maxTools)
    notes.push(
      `Proposed cases for the first ${formatCount(maxTools)} of ${counted(tools.length, 'tool')}. Choose fewer tools to reach the others.`,
    );
  return { tools: tools.slice(0, maxTools), among, notes };
}

export interface ProposeOptions {
  store: Store;
  suite: Suite;
  servers: readonly string[] | undefined;
  /** Only these tools, as `server:tool`. */
  only: readonly string[] | undefined;
  kinds: readonly Proposal['kind'][] | undefined;
  model: ModelConfiguration | null;
  openChatModel: OpenChatModel | null;
  signal: AbortSignal;
}

/** Proposes cases for a list of tools by rules. A model writes their requests, or a person does. */
export async function makeProposals({
  store,
  suite,
  servers = suite.servers,
  only,
  kinds,
  model,
  openChatModel,
  signal,
}: ProposeOptions): Promise<Proposals> {
  const { tools, among, notes } = findTools(store, servers, only);
  const drafts = proposeCases(tools, kinds, among);
  // Every other kind of case has a draft for each tool.
  const alone = drafts.length === 0 ? tools : [];
  return writeProposals({
    tools,
    drafts,
    notes: [
      ...notes,
      ...alone.map(
        (tool) => `${idOf(tool)}: there is no other tool that a request could rule out.`,
      ),
    ],
    model,
    openChatModel,
    signal,
  });
}

export interface WriteOptions extends Pick<ProposeOptions, 'model' | 'openChatModel' | 'signal'> {
  tools: readonly SnapshotTool[];
  /** Cases whose requests are still to be written. */
  drafts: readonly Proposal[];
  notes: readonly string[];
}

/**
 * Lets the model write the requests of cases. Without one, and where it fails or copies the
 * description of the tool, the request is empty: a person writes it.
 */
export async function writeProposals({
  tools,
  drafts,
  notes: found,
  model,
  openChatModel,
  signal,
}: WriteOptions): Promise<Proposals> {
  const notes = [...found];
  if (model === null || openChatModel === null || tools.length === 0)
    return {
      madeBy: 'template',
      cases: drafts.map((draft) => toProposedCase(draft)),
      notes,
    };
  const chat = await openChatModel(model);
  try {
    const cases: ProposedCase[] = [];
    for (const draft of drafts) {
      signal.throwIfAborted();
      const reply = await writeQuery(chat, draft, tools, signal);
      if (typeof reply !== 'string')
        notes.push(`${draft.name}: ${reply.problem} Write this request yourself.`);
      cases.push(toProposedCase(draft, typeof reply === 'string' ? reply : ''));
      if (typeof reply !== 'string' && reply.fatal)
        return {
          madeBy: modelLabel(model),
          cases,
          notes: [...notes, 'The model wasn’t asked again.'],
        };
    }
    return { madeBy: modelLabel(model), cases, notes };
  } finally {
    await chat.close();
  }
}

function toProposedCase({ kind, name, calls, basis }: Proposal, query = ''): ProposedCase {
  return {
    kind,
    basis,
    content: {
      name,
      query,
      tags: ['proposed', kind.replace(' ', '-')],
      servers: [],
      expectedCalls: calls,
      orderDependent: false,
      allowedCalls: [],
      stubResults: [],
    },
  };
}

const answerTool: SnapshotTool = {
  snapshotToolId: 0,
  hash: 'proposal',
  server: 'touchstone',
  name: 'write_request',
  title: null,
  description: 'Submits the written request.',
  inputSchema: {
    type: 'object',
    properties: {
      request: { type: 'string', description: 'The request as a user would type it.' },
    },
    required: ['request'],
  },
  outputSchema: null,
  annotations: null,
};

const kindInstructions: Record<ProposedCase['kind'], string> = {
  'right tool': 'It must be answered by calling the tool.',
  'near neighbor':
    'It must be answered by calling the tool, although another tool of the list has a similar ' +
    'description.',
  'no tool':
    'It must be about the same topic, but must not require any tool: a question of opinion ' +
    'or knowledge.',
};

/**
 * Asks the model to write one query. It answers by calling a tool that is never executed: a call is
 * easier to parse than text.
 */
async function writeQuery(
  chat: ChatModel,
  draft: Proposal,
  tools: readonly SnapshotTool[],
  signal: AbortSignal,
): Promise<string | { problem: string; fatal: boolean }> {
  const [call] = draft.calls;
  const tool = tools.find(({ server, name }) => server === call?.server && name === call.tool);
  const about =
    tool === undefined ? draft.basis : `${tool.name}: ${tool.description.slice(0, 2000)}`;
  const query =
    'Write one request that a person would type to an assistant, in natural words, without ' +
    `naming any tool and without copying phrases of its description. ${kindInstructions[draft.kind]}\n\nTool: ` +
    `${about}\n${call === undefined ? '' : `Values that it must contain word for word: ${JSON.stringify(call.parameters)}\n`}\nSubmit ` +
    'it by calling write_request.';
  try {
    const { observation } = await chat.choose(
      { query, system: null, messages: [], tools: [answerTool], repetition: 1 },
      signal,
    );
    const given = observation.calls[0]?.arguments;
    const request = isJsonObject(given) ? given['request'] : undefined;
    if (typeof request !== 'string' || request.trim() === '')
      return { problem: 'The model wrote no request.', fatal: false };
    const copied = copiedText(request, tool?.description ?? '');
    if (copied !== null)
      return { problem: `The model copied “${copied}” from the description.`, fatal: false };
    return request.trim().slice(0, 4000);
  } catch (error) {
    signal.throwIfAborted();
    return {
      problem: errorText(error),
      fatal: error instanceof ChatFailure && error.fatal,
    };
  }
}
