import type { Services } from '../../services/services.ts';
import { os, type Handlers } from '../implementer.ts';
import { endWithReader } from '../stream.ts';

/** Each call of the similarity topic with the method of the service that answers it. */
export function similarityHandlers(similarity: Services['similarity']): Handlers<'similarity'> {
  return {
    analyze: os.similarity.analyze.handler(({ input, context }) =>
      endWithReader(similarity.analyze(input, context), context.signal),
    ),
    pairs: os.similarity.pairs.handler(({ input }) => similarity.pairs(input)),
    pair: os.similarity.pair.handler(({ input, context }) => similarity.pair(input, context)),
    matrix: os.similarity.matrix.handler(({ input }) => similarity.matrix(input)),
    groups: os.similarity.groups.handler(({ input }) => similarity.groups(input)),
    recommend: os.similarity.recommend.handler(({ input, context }) =>
      similarity.recommend(input, context),
    ),
    revise: os.similarity.revise.handler(({ input, context }) => similarity.revise(input, context)),
    lint: os.similarity.lint.handler(({ input, context }) => similarity.lint(input, context)),
    lintRules: os.similarity.lintRules.handler(() => similarity.lintRules()),
    rate: os.similarity.rate.handler(({ input, context }) =>
      endWithReader(similarity.rate(input, context), context.signal),
    ),
    forget: os.similarity.forget.handler(({ input }) => similarity.forget(input)),
  };
}
