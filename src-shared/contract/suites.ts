import { z } from 'zod';
import { foreignFormats } from '../domain/foreignFormat.ts';
import { jsonObject } from '../domain/json.ts';
import { modelConfiguration } from '../domain/model.ts';
import { fileProblem } from '../domain/suiteFile.ts';
import { caseContent, priorMessage, suite, testCase } from '../domain/testCase.ts';
import { procedure } from './base.ts';
import { undoToken } from './servers.ts';

const byId = z.strictObject({ id: z.string() });
const suiteInput = z.strictObject({
  name: z.string().trim().min(1, 'A suite needs a name.').max(200),
  system: z.string().nullable().default(null),
  messages: z.array(priorMessage).default([]),
  servers: z.array(z.string()).default([]),
});
const caseInput = caseContent.extend({ key: z.string().min(1).optional() });

/**
 * Formats that cases are imported from: our own (YAML or JSON by content) and those of other
 * programs.
 */
export const caseFormats = ['touchstone', ...foreignFormats] as const;
export const caseFormat = z.enum(caseFormats);
export type CaseFormat = z.infer<typeof caseFormat>;
export const exportFormat = z.enum(['yaml', 'json', ...foreignFormats]);
export type ExportFormat = z.infer<typeof exportFormat>;

/** What a column of a table or a field of a line may stand for. */
export const mappedFields = [
  'id',
  'name',
  'query',
  'tags',
  'server',
  'tool',
  'parameters',
  'servers',
  'expected_calls',
  'order_dependent',
  'allowed_calls',
  'stub_results',
] as const;
export type MappedField = (typeof mappedFields)[number];
/**
 * Field → name of the column that holds it; what is left out is guessed from the names of the
 * columns.
 */
export const columnMap = z.partialRecord(z.enum(mappedFields), z.string().min(1).max(1000));
export type ColumnMap = z.infer<typeof columnMap>;

const caseNote = { case: z.string() };
/** How far the cases of a file could be taken over; each case stands in one of the three. */
export const importReport = z.object({
  converter: z.string(),
  /** SHA-256 of the text. */
  sourceHash: z.string(),
  exact: z.number().int(),
  approximated: z.array(z.object({ ...caseNote, what: z.string(), why: z.string() })),
  skipped: z.array(z.object({ ...caseNote, why: z.string() })),
  /** The server that tools were put on because the source names none. */
  assumedServer: z.string().nullable(),
});
export type ImportReport = z.infer<typeof importReport>;

/**
 * What the format that was asked for can't say; `case` is null for what concerns the whole suite.
 */
export const exportLoss = z.object({ case: z.string().nullable(), what: z.string() });
export type ExportLoss = z.infer<typeof exportLoss>;

/** The columns of a table, and which of them stands for what as far as it is told or guessed. */
export const importColumns = z.object({ names: z.array(z.string()), mapped: columnMap });
export type ImportColumns = z.infer<typeof importColumns>;

/**
 * What an import would do. Nothing is written while `problems` is not empty, nor before it is
 * confirmed.
 */
export const importPreview = z.object({
  name: z.string().nullable(),
  cases: z.number().int(),
  /** A suite of the same name that would be replaced. */
  replaces: z.object({ id: z.string(), name: z.string(), caseCount: z.number().int() }).nullable(),
  problems: z.array(fileProblem),
  unknownServers: z.array(z.string()),
  report: importReport,
  /** Null where the format has no columns. */
  columns: importColumns.nullable(),
});
export type ImportPreview = z.infer<typeof importPreview>;

/** A suite file is refused above this size, before it is parsed. */
export const maxSuiteFileBytes = 64 * 1024 * 1024;
const fileText = z.strictObject({
  fileName: z.string().max(1000),
  text: z.string().max(maxSuiteFileBytes),
  /** Left out: `touchstone`. */
  format: caseFormat.optional(),
  map: columnMap.optional(),
  /** The server of tools for which the source names none. */
  server: z.string().trim().min(1).max(200).optional(),
  /** The suite's name, where it is to have another one than in the source. */
  name: z.string().trim().min(1).max(200).optional(),
  /**
   * The id of a suite that the cases are added to, under keys of their own; its settings stay as
   * they are.
   */
  into: z.string().optional(),
});

export const caseProblemKinds = [
  'unknown server',
  'unknown tool',
  'unknown parameter',
  'missing parameter',
  'matcher',
  'near duplicate',
] as const;
/** What is odd about a case. None of it keeps it from being saved or run. */
export const caseProblem = z.object({
  kind: z.enum(caseProblemKinds),
  message: z.string(),
  /** The field of the case, such as `expectedCalls.0.parameters.title`. */
  field: z.string(),
});
export type CaseProblem = z.infer<typeof caseProblem>;

export const draftKinds = ['right tool', 'near neighbour', 'no tool'] as const;
/** A case that was made from a list of tools: a proposal, until a person accepts it. */
export const proposedCase = z.object({
  kind: z.enum(draftKinds),
  content: caseContent,
  /** What it was made from. */
  basis: z.string(),
});
export type ProposedCase = z.infer<typeof proposedCase>;

export const proposals = z.object({
  /** `template`, or the label of the model that wrote the queries. */
  madeBy: z.string(),
  cases: z.array(proposedCase),
  /** Servers without tools, tools for which nothing could be made, and why. */
  notes: z.array(z.string()),
});
export type Proposals = z.infer<typeof proposals>;

export const suitesContract = {
  list: procedure.output(z.array(suite)),
  get: procedure.input(byId).output(suite),
  create: procedure.input(suiteInput).output(suite),
  update: procedure.input(suiteInput.extend({ id: z.string() })).output(suite),
  remove: procedure.input(byId).output(undoToken),
  cases: procedure.input(z.strictObject({ suiteId: z.string() })).output(z.array(testCase)),
  createCase: procedure.input(caseInput.extend({ suiteId: z.string() })).output(testCase),
  updateCase: procedure.input(caseInput.extend({ id: z.string() })).output(testCase),
  removeCases: procedure
    .input(z.strictObject({ ids: z.array(z.string()).min(1) }))
    .output(undoToken),
  /** Changes many cases at once; undone by its token. */
  editCases: procedure
    .input(
      z.strictObject({
        ids: z.array(z.string()).min(1),
        addTags: z.array(z.string().min(1)).default([]),
        removeTags: z.array(z.string().min(1)).default([]),
        /** Left out: the servers stay as they are. Empty: those of the suite. */
        servers: z.array(z.string().min(1)).optional(),
      }),
    )
    .output(undoToken),
  /** Copies behind the last case, each under a key of its own. */
  duplicateCases: procedure
    .input(z.strictObject({ ids: z.array(z.string()).min(1) }))
    .output(z.array(testCase)),
  /**
   * What is odd about each case, against the tools that the servers listed last; cases without a
   * problem are left out.
   */
  problems: procedure
    .input(z.strictObject({ suiteId: z.string() }))
    .output(z.array(z.object({ caseId: z.string(), problems: z.array(caseProblem) }))),
  /** What was typed and not saved, by case (`new`: of a case that is not there yet). */
  drafts: procedure
    .input(z.strictObject({ suiteId: z.string() }))
    .output(z.record(z.string(), jsonObject)),
  saveDraft: procedure
    .input(
      z.strictObject({
        suiteId: z.string(),
        key: z.string().min(1).max(200),
        content: jsonObject.nullable(),
      }),
    )
    .output(z.object({ kept: z.boolean() })),
  /** Makes proposals from the tools that the suite's servers listed last. Nothing is written. */
  proposeCases: procedure
    .input(
      z.strictObject({
        suiteId: z.string(),
        servers: z.array(z.string()).optional(),
        model: modelConfiguration.nullable().default(null),
      }),
    )
    .output(proposals),
  /** Adds proposals that a person accepted; each says where it came from. */
  acceptProposals: procedure
    .input(
      z.strictObject({
        suiteId: z.string(),
        madeBy: z.string(),
        cases: z
          .array(proposedCase.extend({ edited: z.boolean() }))
          .min(1)
          .max(1000),
      }),
    )
    .output(z.array(testCase)),
  previewImport: procedure.input(fileText).output(importPreview),
  import: procedure.input(fileText.extend({ replace: z.boolean() })).output(suite),
  export: procedure
    .input(z.strictObject({ id: z.string(), format: exportFormat }))
    .output(z.object({ fileName: z.string(), text: z.string(), losses: z.array(exportLoss) })),
};
