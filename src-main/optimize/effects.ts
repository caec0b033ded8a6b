import type { Objective, OptimizationStep } from '../../src-shared/domain/optimization.ts';
import type { TextEdit } from '../../src-shared/domain/textEdit.ts';
import type { Tool } from '../../src-shared/domain/tool.ts';
import type { EarlierText } from '../analysis/advice/restore.ts';
import type { AdvisedFailure } from '../analysis/advice/advise.ts';
import type { Catalog } from './catalog.ts';

/** What a person asks for, and the tools that it leads to. */
export interface ToolRequest {
  query: string;
  expected: readonly string[];
}

/** A case or a task of the search half. */
export interface SearchCase extends ToolRequest {
  /** Its position in the evaluation that the optimization starts from. */
  position: number;
  /** Its user turns, where it has several; absent: it asks for one thing. */
  requests?: readonly ToolRequest[] | undefined;
}

/** How a case or a task came out with one catalog. */
export interface CaseScore {
  position: number;
  /** Share of its scored repetitions that passed or succeeded; null if none was scored. */
  share: number | null;
  /** What went wrong, for the proposer. */
  failures: readonly AdvisedFailure[];
}

/** What a proposer is asked: how to change one tool of a catalog. */
export interface ProposalRequest {
  /** The tool to edit, as the catalog has it. */
  tool: Tool;
  /** All tools, as the catalog has them. */
  tools: readonly Tool[];
  /** Failures that expect the tool, or in which it was called. */
  failing: readonly AdvisedFailure[];
  /** Requests for which the tool was called correctly. */
  passing: readonly string[];
  /** What all search cases ask for. */
  requests: readonly ToolRequest[];
  /** Tools that failing requests expect and that were not called, by ID. */
  missed: ReadonlySet<string>;
  /** What servers described a tool with before, newest first, by ID of the tool. */
  earlier: (toolId: string) => readonly EarlierText[];
  /** The instructions of its server, as the model is sent them; '' if it isn't. */
  instructions: string;
  /** Tools with texts of candidates, by ID: only those of the author can be misplaced. */
  edited?: ReadonlySet<string>;
  objective: Objective;
  maxAddedTokens: number;
  allowNames: boolean;
}

/** Changes of one tool with the reason; `oldText` is what the asked tool has. */
export interface Proposal {
  edits: readonly TextEdit[];
  reason: string;
  /** Why the answer can't be used at all; absent if it can. */
  problem?: string | undefined;
}

/**
 * Everything that an optimization does besides computing. Null means that the budget doesn't allow
 * it: the search ends. The same answers lead to the same optimization, so answers that were
 * recorded continue it after an interruption, and repeat it.
 */
export interface Effects {
  /** Runs the cases at these positions with a catalog, in their order. */
  evaluate(catalog: Catalog, positions: readonly number[]): Promise<readonly CaseScore[] | null>;
  propose(request: ProposalRequest): Promise<readonly Proposal[] | null>;
  /** Called after each step. */
  done(step: OptimizationStep): void;
}
