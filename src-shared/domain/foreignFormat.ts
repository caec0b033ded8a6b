/** The formats of cases that other programs read and write. */
export const foreignFormats = [
  'promptfoo',
  'bfcl',
  'mcpjam',
  'tau-bench',
  'csv',
  'jsonl',
  'deepeval',
  'inspect',
  'adk',
  'langsmith',
  'ragas',
  'chats',
] as const;
export type ForeignFormat = (typeof foreignFormats)[number];

interface ForeignFormatDescription {
  /** As the import names it, with the files that it reads. */
  importLabel: string;
  /** As the export names it. */
  exportLabel: string;
  /** Of the file that the export writes. */
  mediaType: string;
}

/** How each format is shown; what reads and writes it is in `src-main/services/suites/exchange`. */
export const foreignFormatTable: Readonly<Record<ForeignFormat, ForeignFormatDescription>> = {
  promptfoo: {
    importLabel: 'promptfoo (YAML, JSON or its table)',
    exportLabel: 'promptfoo',
    mediaType: 'application/yaml',
  },
  bfcl: { importLabel: 'BFCL (JSON lines)', exportLabel: 'BFCL', mediaType: 'application/jsonl' },
  mcpjam: {
    importLabel: 'MCPJam suite (version 1)',
    exportLabel: 'MCPJam',
    mediaType: 'application/json',
  },
  'tau-bench': {
    importLabel: 'τ-bench tasks (JSON)',
    exportLabel: 'τ-bench',
    mediaType: 'application/json',
  },
  csv: { importLabel: 'Table (CSV)', exportLabel: 'Table (CSV)', mediaType: 'text/csv' },
  jsonl: {
    importLabel: 'Records (JSON, YAML, TOML, XML, Markdown, or a constant of a program)',
    exportLabel: 'JSON lines',
    mediaType: 'application/jsonl',
  },
  deepeval: {
    importLabel: 'DeepEval goldens',
    exportLabel: 'DeepEval',
    mediaType: 'application/json',
  },
  inspect: {
    importLabel: 'Inspect samples',
    exportLabel: 'Inspect',
    mediaType: 'application/jsonl',
  },
  adk: {
    importLabel: 'evaluation sets of Google ADK',
    exportLabel: 'Google ADK',
    mediaType: 'application/json',
  },
  langsmith: {
    importLabel: 'LangSmith examples',
    exportLabel: 'LangSmith',
    mediaType: 'application/jsonl',
  },
  ragas: {
    importLabel: 'Ragas samples',
    exportLabel: 'Ragas',
    mediaType: 'application/jsonl',
  },
  chats: {
    importLabel: 'chats of a fine-tuning set',
    exportLabel: 'Fine-tuning set (chats)',
    mediaType: 'application/jsonl',
  },
};
