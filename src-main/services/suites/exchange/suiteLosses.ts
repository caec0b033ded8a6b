import type { ExportLoss } from '../../../../src-shared/contract/suites.ts';
import type { CaseFile, SuiteFileCase } from '../../../../src-shared/domain/suiteFile.ts';

/** Parts of a suite that a format cannot represent. */
interface UnsupportedParts {
  system?: boolean;
  messages?: boolean;
  caseServers?: boolean;
  tags?: boolean;
  order?: boolean;
  allowed?: boolean;
  /** System prompts, earlier messages and notes of single cases. */
  ownPrompts?: boolean;
  /** Notes alone. */
  notes?: boolean;
}

/**
 * Lists what a suite loses in a format without these parts. Stub results are lost unless
 * `keepsStubs` is true.
 */
export function suiteLosses(
  suite: CaseFile,
  unsupported: UnsupportedParts,
  keepsStubs = true,
): ExportLoss[] {
  const losses: ExportLoss[] = [];
  const addLoss = (each: SuiteFileCase, what: string): void =>
    void losses.push({ case: each.id, what });
  if (unsupported.system === true && suite.system !== undefined)
    losses.push({ case: null, what: 'The format has no system prompt.' });
  if (unsupported.messages === true && (suite.messages ?? []).length > 0)
    losses.push({
      case: null,
      what: 'The format has no messages before a query.',
    });
  for (const each of suite.cases) {
    if (unsupported.tags === true && (each.tags ?? []).length > 0)
      addLoss(each, 'Its tags aren’t exported.');
    if (unsupported.caseServers === true && (each.servers ?? []).length > 0)
      addLoss(each, 'Its own servers aren’t exported.');
    if (
      unsupported.order === true &&
      each.order_dependent === true &&
      each.expected_calls.length > 1
    )
      addLoss(each, 'The order of its calls isn’t exported.');
    if (unsupported.allowed === true && (each.allowed_calls ?? []).length > 0)
      addLoss(each, 'Its also allowed calls aren’t exported.');
    if (unsupported.ownPrompts === true) {
      if (each.system !== undefined) addLoss(each, 'Its own system prompt isn’t exported.');
      if (each.messages !== undefined) addLoss(each, 'Its earlier messages aren’t exported.');
    }
    if ((unsupported.ownPrompts ?? unsupported.notes) === true && each.note !== undefined)
      addLoss(each, 'Its note isn’t exported.');
    if (!keepsStubs && (each.stub_results ?? []).length > 0)
      addLoss(each, 'Its stub results aren’t exported.');
  }
  return losses;
}
