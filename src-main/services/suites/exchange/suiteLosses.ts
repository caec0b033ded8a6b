import type { ExportLoss } from '../../../../src-shared/contract/suites.ts';
import type { SuiteFile, SuiteFileCase } from '../../../../src-shared/domain/suiteFile.ts';

/** Parts of a suite that a format cannot represent. */
interface UnsupportedParts {
  system?: boolean;
  messages?: boolean;
  caseServers?: boolean;
  tags?: boolean;
  order?: boolean;
  allowed?: boolean;
}

/**
 * Lists what a suite loses in a format without these parts. Stub results are lost unless
 * `keepsStubs` is true.
 */
export function suiteLosses(
  suite: SuiteFile,
  unsupported: UnsupportedParts,
  keepsStubs = true,
): ExportLoss[] {
  const losses: ExportLoss[] = [];
  const addLoss = (each: SuiteFileCase, what: string): void =>
    void losses.push({ case: each.id, what });
  if (unsupported.system === true && suite.system !== undefined)
    losses.push({ case: null, what: 'The system prompt has no place in this format.' });
  if (unsupported.messages === true && (suite.messages ?? []).length > 0)
    losses.push({
      case: null,
      what: 'The messages before each query have no place in this format.',
    });
  for (const each of suite.cases) {
    if (unsupported.tags === true && (each.tags ?? []).length > 0)
      addLoss(each, 'Its tags are left out.');
    if (unsupported.caseServers === true && (each.servers ?? []).length > 0)
      addLoss(each, 'Its own servers are left out.');
    if (
      unsupported.order === true &&
      each.order_dependent === true &&
      each.expected_calls.length > 1
    )
      addLoss(each, 'The order of its calls is left out.');
    if (unsupported.allowed === true && (each.allowed_calls ?? []).length > 0)
      addLoss(each, 'The calls that are also allowed are left out.');
    if (!keepsStubs && (each.stub_results ?? []).length > 0)
      addLoss(each, 'The answers of its tools are left out.');
  }
  return losses;
}
