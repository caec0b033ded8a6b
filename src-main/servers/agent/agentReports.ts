import { z } from 'zod';
import type { ListedResult } from '../../../src-shared/contract/results.ts';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import { readReportFile } from '../../services/checks/readReportFile.ts';
import { reportSide, type NamedReport } from '../../services/checks/reportSides.ts';
import type { Side } from '../../services/results/side.ts';
import type { Client } from './agentTool.ts';
import type { ReadAllowed } from './allowedFolder.ts';

/** A report file of a pipeline, as tools take it. */
export const reportName = z
  .string()
  .max(1000)
  .describe(
    'JSON report file of CI, relative to the allowed folder; of a folder (. is the allowed one), the newest',
  );

/** Reads the JSON report of an evaluation of cases or tasks from the allowed folder. */
export async function readReport(read: ReadAllowed, name: string): Promise<NamedReport> {
  const { text } = await read(name, { newest: '.json' });
  let report;
  try {
    report = readReportFile(JSON.parse(text));
  } catch (error) {
    throw new Error(`${name}: It isn't a report that can be read. ${errorText(error)}`, {
      cause: error,
    });
  }
  if (report === null)
    throw new Error(
      `${name}: It isn't the JSON report of an evaluation. Write one with eval --report FILE.json.`,
    );
  return { name, isFile: true, report };
}

export async function storedReport(
  reader: Client,
  { evaluation: { id, number } }: ListedResult,
): Promise<NamedReport> {
  let text = '';
  for await (const part of await reader.reports.export({ id, format: 'json' })) text += part.text;
  const report = readReportFile(JSON.parse(text));
  if (report === null) throw new Error(`Evaluation #${number}: It has no report.`);
  return { name: `#${number}`, isFile: false, report };
}

/** The report as a side of a comparison. Throws unless it has one model. */
export function sideOf(named: NamedReport): Side {
  const [model, ...more] = named.report.models;
  if (model !== undefined && more.length === 0) return reportSide(named, model);
  throw new Error(
    `${named.name}: It has ${named.report.models.length} models. Give one with a single model.`,
  );
}
