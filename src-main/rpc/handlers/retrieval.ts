import type { Services } from '../../services/services.ts';
import { os, type Handlers } from '../implementer.ts';

/** Each call of the retrieval topic with the method of the service that answers it. */
export function retrievalHandlers(retrieval: Services['retrieval']): Handlers<'retrieval'> {
  return {
    datasets: os.retrieval.datasets.handler(() => retrieval.datasets()),
    corpus: os.retrieval.corpus.handler(({ input }) => retrieval.corpus(input)),
    golden: os.retrieval.golden.handler(({ input }) => retrieval.golden(input)),
    importFile: os.retrieval.importFile.handler(({ input }) => retrieval.importFile(input)),
    corpusFromServers: os.retrieval.corpusFromServers.handler(({ input }) =>
      retrieval.corpusFromServers(input),
    ),
    saveGolden: os.retrieval.saveGolden.handler(({ input }) => retrieval.saveGolden(input)),
    exportFile: os.retrieval.exportFile.handler(({ input }) => retrieval.exportFile(input)),
    remove: os.retrieval.remove.handler(({ input }) => retrieval.remove(input)),
    retrievers: os.retrieval.retrievers.handler(() => retrieval.retrievers()),
    tryRetriever: os.retrieval.tryRetriever.handler(({ input, context }) =>
      retrieval.tryRetriever(input, context),
    ),
    askSearchTool: os.retrieval.askSearchTool.handler(({ input, context }) =>
      retrieval.askSearchTool(input, context),
    ),
    compare: os.retrieval.compare.handler(({ input, context }) =>
      retrieval.compare(input, context),
    ),
    saveBaseline: os.retrieval.saveBaseline.handler(({ input, context }) =>
      retrieval.saveBaseline(input, context),
    ),
  };
}
