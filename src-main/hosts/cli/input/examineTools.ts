import { ruleDetectors } from '../../../../src-shared/domain/security.ts';
import type { Tool } from '../../../../src-shared/domain/tool.ts';
import { allFindings } from '../../../services/security/scannedTools.ts';
import { scanToolsFile } from '../../../services/security/fileScans.ts';
import type { ExamineTools } from '../../../services/similarity/openSignals.ts';
import type { CommandContext } from '../commandContext.ts';
import { inSession } from '../declare.ts';

/**
 * Examines the tools of a command for security signals. Tools of registered servers are examined in
 * the workspace, which knows what was marked as safe; others need no workspace.
 */
export function examineWith(
  context: CommandContext,
  { tools, registered }: { tools: readonly Tool[]; registered: boolean },
): ExamineTools {
  return async (concerned, signal) => {
    if (!registered) {
      const entries = tools.map((tool) => ({ tool, raw: JSON.stringify(tool) }));
      return allFindings(await scanToolsFile({ tools: entries, rejected: [] }, ruleDetectors));
    }
    return inSession(context, 'read', ({ client }) =>
      client.security.toolFindings({ tools: [...concerned] }, { signal }),
    );
  };
}
