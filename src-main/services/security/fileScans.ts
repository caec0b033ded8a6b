import type {
  RuleDetector,
  ScannedTool,
  ScoreReport,
} from '../../../src-shared/domain/security.ts';
import { hashTool } from '../../store/servers/toolSnapshots.ts';
import type { ToolsFile } from '../servers/toolsFile.ts';
import { Examiner } from './examiner.ts';
import { readCorpus, type CorpusRules } from './readCorpus.ts';
import { scanTools } from './scanTools.ts';
import { scoreCorpus } from './scoreCorpus.ts';
import { readVerdicts } from './verdicts.ts';

export interface CorpusText extends CorpusRules {
  content: string;
  name: string;
}

export interface CorpusFileScoring {
  corpus: CorpusText;
  half: ScoreReport['half'];
  detectors: readonly RuleDetector[];
  verdicts: { content: string; name: string } | null;
}

/** Scores a corpus file without opening a workspace, for the command line. */
export async function scoreCorpusFile({
  corpus: file,
  half,
  detectors,
  verdicts,
}: CorpusFileScoring): Promise<ScoreReport> {
  const corpus = readCorpus(file.content, file.name, file);
  const externalVerdicts = verdicts ? readVerdicts(verdicts.content, verdicts.name, corpus) : null;
  const examiner = new Examiner();
  try {
    return await scoreCorpus(examiner, {
      corpus,
      half,
      detectors,
      ...(externalVerdicts ? { externalVerdicts } : {}),
    });
  } finally {
    await examiner.close();
  }
}

/** Scans a tools file without opening a workspace, for the command line. */
export async function scanToolsFile(
  { tools }: ToolsFile,
  detectors: readonly RuleDetector[],
): Promise<ScannedTool[]> {
  const examiner = new Examiner();
  try {
    return await scanTools(
      examiner,
      tools.map(({ tool, raw }) => ({ serverId: null, tool, hash: hashTool(raw), previous: null })),
      { detectors },
    );
  } finally {
    await examiner.close();
  }
}
