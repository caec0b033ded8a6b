import type { Services } from '../../services/services.ts';
import { os, type Handlers } from '../implementer.ts';

/** Each call of the security topic with the method of the service that answers it. */
export function securityHandlers(security: Services['security']): Handlers<'security'> {
  return {
    corpora: os.security.corpora.handler(() => security.corpora()),
    corpus: os.security.corpus.handler(({ input }) => security.corpus(input)),
    copyCorpus: os.security.copyCorpus.handler(({ input }) => security.copyCorpus(input)),
    importCorpus: os.security.importCorpus.handler(({ input }) => security.importCorpus(input)),
    exportCorpus: os.security.exportCorpus.handler(({ input }) => security.exportCorpus(input)),
    removeCorpus: os.security.removeCorpus.handler(({ input }) => security.removeCorpus(input)),
    saveEntry: os.security.saveEntry.handler(({ input }) => security.saveEntry(input)),
    deleteEntry: os.security.deleteEntry.handler(({ input }) => security.deleteEntry(input)),
    baselines: os.security.baselines.handler(() => security.baselines()),
    readBaseline: os.security.readBaseline.handler(({ input }) => security.readBaseline(input)),
    score: os.security.score.handler(({ input, context }) => security.score(input, context)),
    scoreVerdicts: os.security.scoreVerdicts.handler(({ input, context }) =>
      security.scoreVerdicts(input, context),
    ),
    scan: os.security.scan.handler(({ input, context }) => security.scan(input, context)),
    toolFindings: os.security.toolFindings.handler(({ input, context }) =>
      security.toolFindings(input, context),
    ),
    scanFile: os.security.scanFile.handler(({ input, context }) =>
      security.scanFile(input, context),
    ),
    accept: os.security.accept.handler(({ input, context }) => security.accept(input, context)),
    withdraw: os.security.withdraw.handler(({ input }) => security.withdraw(input)),
  };
}
