import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { SkillsConfig } from '../../../src-shared/domain/server.ts';
import { DeadlinePassed, unlessAborted, withinDeadline } from '../../runtime/deadline.ts';
import type { CalledTool, McpConnection } from '../mcp/mcpConnection.ts';
import { defaultSkillLimits, type SkillLimits } from './limits.ts';
import { listSkills, reachFolder, type ListedSkills } from './listSkills.ts';
import { SkillsFault } from './skillsFault.ts';

const greeting = { instructions: null, protocolVersion: null, serverInfo: null };

/**
 * A folder of skills, read like a server: its skills are listed as tools, and a call of one returns
 * its body. Nothing of it is ever run. Throws ServiceError TROUBLE with the reason and the next step.
 */
export function openSkills(
  { name: server, config }: { name: string; config: SkillsConfig },
  limits: SkillLimits = defaultSkillLimits,
): McpConnection & {
  /** Rejects if the folder can't be read; whether it has skills shows in its list. */
  reach(signal: AbortSignal): Promise<void>;
} {
  const within = async <T>(
    signal: AbortSignal,
    work: (limited: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    try {
      return await withinDeadline(limits.listMs, signal, (limited) =>
        unlessAborted(work(limited), limited),
      );
    } catch (error) {
      signal.throwIfAborted();
      const fault = error instanceof DeadlinePassed ? SkillsFault.late(error.ms) : error;
      if (!(fault instanceof SkillsFault)) throw fault;
      throw new ServiceError('TROUBLE', {
        thing: `Server ${server}`,
        cause: fault.message,
        nextStep: fault.nextStep,
      });
    }
  };
  const list = (signal: AbortSignal): Promise<ListedSkills> =>
    within(signal, (limited) => listSkills({ server, folder: config.folder, limits }, limited));
  return {
    reach: (signal) => within(signal, () => reachFolder(config.folder)),
    protocolVersion: null,
    greeting,
    listTools: async (signal) => ({ ...(await list(signal)), ...greeting }),
    // A folder has skills only.
    listItems: async () => ({ items: [], lists: [] }),
    async callTool(name, _args, signal): Promise<CalledTool> {
      const started = performance.now();
      const { tools } = await list(signal);
      const body = tools.find(({ tool }) => tool.name === name)?.tool.skill?.body;
      return {
        isError: body === undefined,
        content: [{ type: 'text', text: body ?? `The folder has no skill ${name}.` }],
        structuredContent: null,
        durationMs: Math.max(1, Math.ceil(performance.now() - started)),
      };
    },
    listChanges: () => 0,
    stderrTail: () => '',
    close: async () => undefined,
  };
}
