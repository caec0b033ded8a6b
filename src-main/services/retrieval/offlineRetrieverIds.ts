import { offlineRankers } from '../../analysis/rankers/rankers.ts';

/** The retrievers that need neither a model nor a server, as options and messages name them. */
export const offlineRetrieverIds: readonly string[] = [...offlineRankers.keys()];
