import { z } from 'zod';
import { foreignFormats } from '../domain/foreignFormat.ts';
import { jsonObject } from '../domain/json.ts';
import { modelConfiguration } from '../domain/model.ts';
import { fileProblem } from '../domain/suiteFile.ts';
import { suiteTask, taskContent } from '../domain/task.ts';
import { argumentsMode, caseContent, priorMessage, suite, testCase } from '../domain/testCase.ts';
import { procedure } from './base.ts';
import { undoToken } from './servers.ts';

const byId = z.strictObject({ id: z.string() });
const suiteFolder = z
  .string()
  .max(4_096)
  .regex(/^(?:\/|[A-Za-z]:[\\/]|\\\\)/u, 'Enter an absolute path.');
const suiteInput = z.strictObject({
  name: z.string().trim().min(1, 'A suite needs a name.').max(200),
  system: z.string().nullable().default(null),
  messages: z.array(priorMessage).default([]),
  servers: z.array(z.string()).default([]),
  argumentsMode: argumentsMode.optional(),
  /** Left out: an update keeps it. Null: it is not known. */
  folder: suiteFolder.nullable().optional(),
});
const byIds = z.strictObject({ ids: z.array(z.string()).min(1) });
const taskInput = { key: z.string().min(1).max(200).optional(), content: taskContent };
const caseInput = caseContent.extend({
  key: z.string().min(1).optional(),
  note: z.string().optional(),
});

/** Import formats: our own (YAML or JSON, by content) and those of other programs. */
export const caseFormats = ['touchstone', ...foreignFormats] as const;
const caseFormat = z.enum(caseFormats);
export type CaseFormat = z.infer<typeof caseFormat>;
export const exportFormat = z.enum(['yaml', 'json', ...foreignFormats]);
export type ExportFormat = z.infer<typeof exportFormat>;

/** Fields that a column of a table or a member of a JSON line can hold. */
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
  'acceptable_tools',
  'forbidden_tools',
  'should_call',
  'no_tool',
  'arguments_mode',
  'order_dependent',
  'allowed_calls',
  'messages',
  'conversation',
  'context',
  'system',
  'note',
  'answer',
  'stub_results',
] as const;
export type MappedField = (typeof mappedFields)[number];
/** What a column is for: a field, a line of the note, or nothing that is imported. */
export const columnRoles = [...mappedFields, 'keep', 'ignore'] as const;
export type ColumnRole = (typeof columnRoles)[number];
/**
 * What a map says besides roles: the list whose entries are the cases, whether the first line of a
 * table names its columns (`no`: it is a case), and the words that mean no tool.
 */
export const mapSettings = ['list', 'header', 'none'] as const;
export type MapSetting = (typeof mapSettings)[number];
const columnName = z.string().min(1).max(1000);
/**
 * The column or columns of each role. Missing fields are guessed from names and values. A column may
 * be a path into an object or a list: `expected.output.tool`, `checks[].tool`, or
 * `checks[type=call].tool` for entries of one kind.
 */
export const columnMap = z.partialRecord(
  z.enum([...columnRoles, ...mapSettings]),
  z.union([columnName, z.array(columnName).min(1).max(1000)]),
);
export type ColumnMap = z.infer<typeof columnMap>;

const caseNote = { case: z.string() };
/** What became of the cases of a file. Each case is in one of the three groups. */
const importReport = z.object({
  converter: z.string(),
  /** SHA-256 of the text. */
  sourceHash: z.string(),
  exact: z.number().int(),
  approximated: z.array(z.object({ ...caseNote, what: z.string(), why: z.string() })),
  /** With the line of the record, where the file has one. */
  skipped: z.array(z.object({ ...caseNote, line: z.number().int().nullable(), why: z.string() })),
  /** Fields of the file, outside its cases, that aren't imported. */
  unreadFields: z.array(z.string()),
  /** The server that was assumed because the source names none. */
  assumedServer: z.string().nullable(),
});
export type ImportReport = z.infer<typeof importReport>;

/** What an export format cannot represent; `case` is null if it concerns the whole suite. */
const exportLoss = z.object({ case: z.string().nullable(), what: z.string() });
export type ExportLoss = z.infer<typeof exportLoss>;

/** The columns of a table, the roles that were mapped or guessed, and columns without one. */
const importColumns = z.object({
  names: z.array(z.string()),
  mapped: columnMap,
  unused: z.array(z.string()),
  /** Of the first records: the text of each of `names`, cut. */
  samples: z.array(z.array(z.string())),
  /** The column whose lists of several tools were guessed to mean all of them, not any. */
  allOf: z.string().nullable(),
  /** Whether the roles are those of an earlier import of a file with the same columns. */
  isRemembered: z.boolean(),
  /** By what a map of this file is remembered. */
  shape: z.string(),
  /** The lists of the file that can be the cases, with their entries; one at most: there is no choice. */
  lists: z.array(z.object({ path: z.string(), entries: z.number().int() })),
  /** The one that is read; null if it was found by the names of its fields. */
  list: z.string().nullable(),
  /** Whether the first line of a table names its columns; null if it isn’t a table. */
  hasHeader: z.boolean().nullable(),
  /** Words in the column of the tool, or of whether one is needed, that may mean no tool. */
  words: z.array(z.string()),
});
export type ImportColumns = z.infer<typeof importColumns>;

/**
 * What an import would do. Nothing is written before it is confirmed, nor while there are
 * `problems`.
 */
/** How far an import is: what was read or written of all; null while nothing says how much that is. */
const importProgress = z.object({
  done: z.number().int(),
  total: z.number().int().nullable(),
  unit: z.enum(['records', 'bytes']),
});
export type ImportProgress = z.infer<typeof importProgress>;

const importPreview = z.object({
  name: z.string().nullable(),
  cases: z.number().int(),
  tasks: z.number().int(),
  /** The first cases as they would be imported, with long queries cut. */
  firstCases: z.array(
    caseContent
      .pick({ name: true, query: true, expectedCalls: true, orderDependent: true })
      .extend({ key: z.string() }),
  ),
  /** The suite of the same name that would be replaced. */
  replaces: z
    .object({
      id: z.string(),
      name: z.string(),
      caseCount: z.number().int(),
      taskCount: z.number().int(),
      /** Whether it holds the same already, so that an import changes nothing. */
      isSame: z.boolean(),
    })
    .nullable(),
  /** What the suite that cases are added to has already; null for a suite of its own. */
  into: z
    .object({
      /** Cases and tasks that it has, or that the file has twice: they are left out. */
      known: z.number().int(),
      /** Those whose query is nearly that of another case; null where there are too many to compare. */
      similar: z.number().int().nullable(),
      /** The first of them. */
      firstSimilar: z.array(z.object({ query: z.string(), other: z.string() })),
    })
    .nullable(),
  problems: z.array(fileProblem),
  /** Servers that the file names and the workspace doesn't have. */
  unknownServers: z.array(
    z.object({
      name: z.string(),
      /** How many of its tools the file names. */
      tools: z.number().int(),
      /** The only registered server with all these tools; null if none or several have them. */
      suggestion: z.string().nullable(),
    }),
  ),
  report: importReport,
  /** Null if the format has no columns. */
  columns: importColumns.nullable(),
});
export type ImportPreview = z.infer<typeof importPreview>;

/** A larger suite file is rejected before it is parsed. */
export const maxSuiteFileBytes = 64 * 1024 * 1024;
const namedText = z.strictObject({
  fileName: z.string().max(1000),
  text: z.string().max(maxSuiteFileBytes),
});
const fileText = namedText.extend({
  /** Defaults to `touchstone`. */
  format: caseFormat.optional(),
  /**
   * Missing: the map of the last import of a file with the same columns, if there was one. An empty
   * one guesses anew.
   */
  map: columnMap.optional(),
  /** The server of tools whose server the source does not name. */
  server: z.string().trim().min(1).max(200).optional(),
  /** Other names for servers of the file. */
  serverNames: z.record(z.string(), z.string().trim().min(1).max(200)).optional(),
  /** Overrides the suite's name in the source. */
  name: z.string().trim().min(1).max(200).optional(),
  /** The folder of the file, where files and programs of its tasks are. */
  folder: suiteFolder.optional(),
  /** What the files hold that the text refers to (promptfoo), by the name that it uses. */
  files: z
    .record(z.string(), z.array(z.strictObject({ name: z.string(), text: z.string() })))
    .optional(),
  /**
   * Id of a suite to add the cases to that it doesn't have yet, under new keys; its settings stay
   * unchanged.
   */
  into: z.string().optional(),
});

const caseProblemKinds = [
  'unknown server',
  'unknown tool',
  'unknown parameter',
  'missing parameter',
  'unused arguments',
  'matcher',
  'near duplicate',
] as const;
/** A problem of a case that does not prevent saving or running it. */
const caseProblem = z.object({
  kind: z.enum(caseProblemKinds),
  message: z.string(),
  /** The field of the case, such as `expectedCalls.0.parameters.title`. */
  field: z.string(),
});
export type CaseProblem = z.infer<typeof caseProblem>;

export const draftKinds = ['right tool', 'near neighbor', 'no tool'] as const;
/** A case for one of a list of tools: a proposal until a user accepts it. */
const proposedCase = z.object({
  kind: z.enum(draftKinds),
  /** The query is empty where a person is to write it. */
  content: caseContent.extend({ query: z.string() }),
  /** What it was generated from. */
  basis: z.string(),
});
export type ProposedCase = z.infer<typeof proposedCase>;

export const proposals = z.object({
  /** The label of the model that wrote the queries, or `template` if no model did. */
  madeBy: z.string(),
  cases: z.array(proposedCase),
  /** Servers without tools and tools without proposals, with the reason. */
  notes: z.array(z.string()),
});
export type Proposals = z.infer<typeof proposals>;

/** Secrets and personal data that are replaced in what is read of a log. */
const maskedKinds = [
  'key or password',
  'mail address',
  'telephone number',
  'card number',
  'IBAN',
  'IP address',
  'social security number',
] as const;
const maskedValue = z.object({
  kind: z.enum(maskedKinds),
  /** Its first and last characters. */
  value: z.string(),
  /** What stands in its place, everywhere the same. */
  standIn: z.string(),
  times: z.number().int(),
});
export type MaskedValue = z.infer<typeof maskedValue>;

const placed = z.object({ line: z.number().int(), why: z.string() });
/** What became of a log. Each turn is in one of `repeated`, `similar`, `ofNoServer`, `left`, and the cases. */
const logReport = z.object({
  /** Programs or notations that wrote its records. */
  kinds: z.array(z.string()),
  /** Lines, or records of a document. */
  records: z.number().int(),
  /** Records without a request and its answer. */
  unread: z.number().int(),
  /** Requests that a model answered. */
  turns: z.number().int(),
  /** Turns with the request, the earlier messages and the calls of another one, or their beginning. */
  repeated: z.number().int(),
  /** Turns nearly with the words of another one, and with its tools. */
  similar: z.number().int(),
  /** Turns that only called tools of no registered server, by tool. */
  ofNoServer: z.array(z.object({ tool: z.string(), turns: z.number().int() })),
  /** Turns that are left out because there are more than `limit`. */
  left: z.number().int(),
  masked: z.array(maskedValue),
  /** Lines that can’t be read, the first of them by number. */
  damaged: z.object({ count: z.number().int(), first: z.array(placed) }),
});
export type LogReport = z.infer<typeof logReport>;

export const maxLogProposals = 1000;
const logProposals = proposals.extend({ log: logReport });
export type LogProposals = z.infer<typeof logProposals>;

export const suitesContract = {
  list: procedure.output(z.array(suite)),
  get: procedure.input(byId).output(suite),
  create: procedure.input(suiteInput).output(suite),
  update: procedure.input(suiteInput.extend({ id: z.string() })).output(suite),
  remove: procedure.input(byId).output(undoToken),
  cases: procedure.input(z.strictObject({ suiteId: z.string() })).output(z.array(testCase)),
  tasks: procedure.input(z.strictObject({ suiteId: z.string() })).output(z.array(suiteTask)),
  createCase: procedure.input(caseInput.extend({ suiteId: z.string() })).output(testCase),
  /** All or none. */
  createCases: procedure
    .input(z.strictObject({ suiteId: z.string(), cases: z.array(caseInput).min(1).max(1000) }))
    .output(z.array(testCase)),
  updateCase: procedure.input(caseInput.extend({ id: z.string() })).output(testCase),
  removeCases: procedure.input(byIds).output(undoToken),
  /** Changes many cases at once. Its token undoes it. */
  editCases: procedure
    .input(
      z.strictObject({
        ids: z.array(z.string()).min(1),
        addTags: z.array(z.string().min(1)).default([]),
        removeTags: z.array(z.string().min(1)).default([]),
        /** If missing, the servers stay unchanged; empty means those of the suite. */
        servers: z.array(z.string().min(1)).optional(),
      }),
    )
    .output(undoToken),
  /** Adds copies after the last case, with new keys. */
  duplicateCases: procedure.input(byIds).output(z.array(testCase)),
  createTask: procedure
    .input(z.strictObject({ ...taskInput, suiteId: z.string() }))
    .output(suiteTask),
  updateTask: procedure.input(z.strictObject({ ...taskInput, id: z.string() })).output(suiteTask),
  removeTasks: procedure.input(byIds).output(undoToken),
  /** Adds copies after the last task, with new keys. */
  duplicateTasks: procedure.input(byIds).output(z.array(suiteTask)),
  /**
   * Problems of each case, checked against the last listed tools. Cases without a problem are left
   * out.
   */
  problems: procedure
    .input(z.strictObject({ suiteId: z.string() }))
    .output(z.array(z.object({ caseId: z.string(), problems: z.array(caseProblem) }))),
  /** Unsaved edits by the ID of a case, `task ` and the ID of a task, or `new` in place of the ID. */
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
  /**
   * Proposals for the last listed tools of the suite's servers; a model writes their queries, or
   * nobody yet. Nothing is written.
   */
  proposeCases: procedure
    .input(
      z.strictObject({
        suiteId: z.string(),
        servers: z.array(z.string()).optional(),
        /** Only these tools, as `server:tool`; all tools of the servers if missing. */
        tools: z.array(z.string()).optional(),
        kinds: z.array(z.enum(draftKinds)).min(1).optional(),
        model: modelConfiguration.nullable().default(null),
      }),
    )
    .output(proposals),
  /**
   * Proposals from a log of what models did: what is right, a person says. The text, or a file that
   * is read where the workspace is. Nothing is written.
   */
  proposeFromLog: procedure
    .input(
      z.strictObject({
        fileName: z.string().max(1000),
        source: z.union([
          z.strictObject({ text: z.string().max(maxSuiteFileBytes) }),
          z.strictObject({ path: z.string().min(1).max(4096) }),
        ]),
        /** The server of tools that no registered server lists. */
        server: z.string().trim().min(1).max(200).optional(),
        limit: z.number().int().min(1).max(maxLogProposals).default(200),
      }),
    )
    .output(logProposals),
  /** Adds accepted proposals. Each records its origin. */
  acceptProposals: procedure
    .input(
      z.strictObject({
        suiteId: z.string(),
        madeBy: z.string(),
        cases: z
          .array(proposedCase.extend({ content: caseContent, edited: z.boolean() }))
          .min(1)
          .max(1000),
      }),
    )
    .output(z.array(testCase)),
  /**
   * The rows of a sheet of a workbook (XLSX) as CSV, which the imports read under the name of the
   * workbook. Without a name, the sheet that looks most like cases.
   */
  readWorkbook: procedure
    .input(
      z.strictObject({
        fileName: z.string().max(1000),
        /** Base64. */
        data: z.string().max(maxSuiteFileBytes),
        sheet: z.string().max(1000).optional(),
      }),
    )
    .output(z.object({ text: z.string(), sheet: z.string(), sheets: z.array(z.string()) })),
  /**
   * A file of requests and one of their right answers, or of the results of a batch, by the ID of each
   * request: one text, and its format.
   */
  joinAnswers: procedure
    .input(
      z.strictObject({
        ...namedText.shape,
        format: caseFormat,
        answers: namedText,
      }),
    )
    .output(z.object({ text: z.string(), format: caseFormat, unused: z.array(z.string()) })),
  previewImport: procedure.input(fileText).output(importPreview),
  /** Of the file that is read or written now; null if there is none, or none that takes long. */
  importProgress: procedure.output(importProgress.nullable()),
  import: procedure.input(fileText.extend({ replace: z.boolean() })).output(suite),
  export: procedure
    .input(z.strictObject({ id: z.string(), format: exportFormat }))
    .output(z.object({ fileName: z.string(), text: z.string(), losses: z.array(exportLoss) })),
};
