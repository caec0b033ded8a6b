import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { counted } from '../../../src-shared/display/numbers.ts';
import { canonicalJson } from '../../../src-shared/domain/canonicalJson.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import type { ManagedTool } from '../../../src-shared/domain/workshop.ts';
import type { OpenChatModel } from '../../adapters/llm/chatModel.ts';
import { redacted } from '../../adapters/secrets/redact.ts';
import { proposeCases, proposeFromCall } from '../../analysis/proposals/proposeCases.ts';
import { notFound } from '../../store/database/table.ts';
import type { Store } from '../../store/store.ts';
import type { Input, Output } from '../contractTypes.ts';
import { writeProposals } from '../suites/proposals.ts';
import { findWorkshopServer } from './registerWorkshop.ts';

/** Executions to look through for different arguments. */
const maxExecutions = 500;
const maxArgumentLength = 2000;

/**
 * Cases for one active tool as its server would list it: as those of suites, and
 * from successful executions, whose arguments are expected.
 */
export async function proposeToolCases(
  store: Store,
  { id, kinds, executions, model }: Input<'workshop', 'proposeCases'>,
  openChatModel: OpenChatModel | null,
  signal: AbortSignal,
): Promise<Output<'workshop', 'proposeCases'>> {
  const tool = store.tools.get(id);
  if (tool === null) throw notFound('Tool', id);
  if (tool.status !== 'ACTIVE' || tool.deletedAt !== null)
    throw new ServiceError('CONFLICT', {
      thing: `The tool ${tool.content.name}`,
      cause: 'It is not active, so that no model gets it.',
      nextStep: 'Activate it, then propose cases.',
    });
  const { name: server } = findWorkshopServer(store);
  const tools = store.tools.active().map((each) => asListed(each, server));
  const calls = differentCalls(store, id, executions);
  const drafts = [
    ...calls.map((args) => proposeFromCall(asListed(tool, server), args)),
    ...proposeCases(tools, kinds).filter(
      (draft) => draft.tool === toolId(server, tool.content.name),
    ),
  ];
  const notes =
    executions > 0 && calls.length === 0
      ? ['It has no successful executions yet. Run it, and its arguments become cases.']
      : calls.length > 0
        ? [`Uses the arguments of ${counted(calls.length, 'execution')}.`]
        : [];
  return {
    ...(await writeProposals({ tools, drafts, notes, model, openChatModel, signal })),
    server,
  };
}

/** The arguments of the latest successful executions, each once. */
function differentCalls(store: Store, id: string, wanted: number): JsonObject[] {
  if (wanted === 0) return [];
  const filter = { toolId: id, status: ['SUCCESS' as const] };
  const { rows } = store.toolExecutions.search(filter, { offset: 0, limit: maxExecutions });
  const found = new Map<string, JsonObject>();
  for (const { inputData } of rows) {
    const text = canonicalJson(inputData);
    // A request can't say more, and one with a redacted value would expect that it is redacted.
    const isUsable = text.length <= maxArgumentLength && !text.includes(redacted);
    if (isUsable && !found.has(text)) found.set(text, inputData);
    if (found.size === wanted) break;
  }
  return [...found.values()];
}

const asListed = ({ content }: ManagedTool, server: string): SnapshotTool => ({
  snapshotToolId: 0,
  hash: content.name,
  server,
  name: content.name,
  title: content.displayName,
  description: content.description,
  inputSchema: content.inputSchema,
  outputSchema: null,
  annotations: null,
});
