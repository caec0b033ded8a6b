import { caseFormats } from '../../../../src-shared/contract/suites.ts';
import { mcpClients } from '../../../../src-shared/domain/clientConfig.ts';
import { passedWhen } from '../../../../src-shared/domain/comparison.ts';
import { lintSeverities } from '../../../../src-shared/domain/lint.ts';
import { providers, remoteProviders } from '../../../../src-shared/domain/provider.ts';
import { formatsBySubject } from '../../../../src-shared/domain/report.ts';
import { modelJudge, ruleDetectors } from '../../../../src-shared/domain/security.ts';
import { severities } from '../../../../src-shared/domain/severity.ts';
import { serverExportFormat } from '../../../../src-shared/domain/serverImport.ts';
import { encodingNames } from '../../../../src-shared/domain/tokens.ts';
import { executionStatuses } from '../../../../src-shared/domain/toolExecution.ts';
import { modelForms, toolStatuses } from '../../../../src-shared/domain/workshop.ts';
import { offlineRetrieverIds } from '../../../services/retrieval/offlineRetrieverIds.ts';
import { lintRulesById } from '../../../services/similarity/lint.ts';

/**
 * Values to complete for options whose command checks them itself. Keys are `command --option`,
 * `--option` for all commands, or `command` for its first argument.
 */
export const completionWords: Readonly<Record<string, readonly string[]>> = {
  '--encoding': encodingNames,
  '--half': ['all', 'development', 'held-out'],
  '--provider': providers,
  '--retriever': offlineRetrieverIds,
  '--transport': ['streamable-http', 'sse'],
  'compare --right-when': passedWhen.options,
  'export --to': formatsBySubject.evaluation,
  'lint --fail-on': lintSeverities,
  'lint --off': [...lintRulesById.keys()],
  'retrieval --retriever': [...offlineRetrieverIds, 'embedding', 'mcp'],
  'security --detector': [...ruleDetectors, modelJudge],
  'security --fail-on': severities,
};
