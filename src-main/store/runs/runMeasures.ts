import type { TokenUsage } from '../../../src-shared/domain/observation.ts';
import type { StoreContext } from '../storeContext.ts';

/** What a recount needs of a run besides its row in a list. Null where it was not measured. */
export interface RunMeasures {
  /** Of the frozen case: runs with the same hash have the same case. */
  contentHash: string;
  /** Σ matched and Σ |E| over matched calls; null unless the run was scored. */
  matchedParameters: number | null;
  expectedParameters: number | null;
  parameterCompleteness: number | null;
  /** Null also if the schema can't decide. */
  conforming: boolean | null;
  hallucinatedParameters: string[];
  /** Arguments of correct calls that the mode `exact` doesn't accept. */
  extraParameters: string[];
  /** What of its calls was read otherwise than the endpoint wrote it. */
  callNotes: string[];
  /** True if the model answered, whatever became of the answer. */
  answered: boolean;
  inputTokens: number | null;
  outputTokens: number | null;
  tokenSource: TokenUsage['source'] | null;
  /** Tokens of the question after the choice, which cost money but are not part of the answer. */
  followUpInputTokens: number;
  followUpOutputTokens: number;
  /** Tokens of replies that could not be used, which cost money but are in no answer. */
  unreportedInputTokens: number;
  unreportedOutputTokens: number;
  /** Requests without a count of tokens, of which nobody knows whether they were billed. */
  unansweredRequests: number;
  /** The answer came from a cache. */
  cached: boolean;
}

type MeasuredRow = Omit<
  RunMeasures,
  'conforming' | 'hallucinatedParameters' | 'extraParameters' | 'callNotes' | 'answered' | 'cached'
> & {
  runId: string;
  conforming: number | null;
  answered: number;
  cached: number;
  hallucinated: string | null;
  extra: string;
  notes: string;
};

export function openRunMeasures({ db }: StoreContext) {
  const measures = db.prepare<[string], MeasuredRow>(
    `SELECT r.id AS runId, c.content_hash AS contentHash, x.matched_parameters AS matchedParameters, x.expected_parameters AS expectedParameters,
       x.parameter_completeness AS parameterCompleteness, x.parameter_type_conformance AS conforming, x.hallucinated_parameters AS hallucinated,
       (SELECT json_group_array(p.value ->> 'name') FROM json_each(x.details, '$.parameters') p WHERE x.classification = 'TP'
         AND p.value ->> 'verdict' = 'unexpected' AND json_type(p.value, '$.expected') IS NULL) AS extra,
       (SELECT json_group_array(c.value ->> 'note') FROM json_each(r.observation, '$.calls') c WHERE c.value ->> 'note' IS NOT NULL) AS notes,
       r.observation IS NOT NULL AS answered, r.input_tokens AS inputTokens, r.output_tokens AS outputTokens, r.observation ->> '$.usage.source' AS tokenSource,
       coalesce(r.observation ->> '$.details.followUpTokens.input', 0) AS followUpInputTokens,
       coalesce(r.observation ->> '$.details.followUpTokens.output', 0) AS followUpOutputTokens,
       coalesce(r.unreported ->> '$.usage.input', 0) AS unreportedInputTokens,
       coalesce(r.unreported ->> '$.usage.output', 0) AS unreportedOutputTokens,
       coalesce(r.unreported ->> '$.unanswered', 0) AS unansweredRequests,
       coalesce(r.observation ->> '$.details.cached', 0) AS cached
     FROM runs r JOIN entries c ON c.evaluation_id = r.evaluation_id AND c.position = r.position
       LEFT JOIN evaluation_results x ON x.test_run_id = r.id WHERE r.id IN (SELECT value FROM json_each(?))`,
  );
  return {
    /** By run id. */
    of(runIds: readonly string[]): Map<string, RunMeasures> {
      return new Map(
        measures
          .all(JSON.stringify(runIds))
          .map(({ runId, conforming, answered, cached, hallucinated, extra, notes, ...rest }) => [
            runId,
            {
              ...rest,
              answered: answered === 1,
              cached: cached === 1,
              conforming: conforming === null ? null : conforming === 1,
              extraParameters: JSON.parse(extra) as string[],
              callNotes: JSON.parse(notes) as string[],
              hallucinatedParameters:
                hallucinated === null ? [] : (JSON.parse(hallucinated) as string[]),
            },
          ]),
      );
    },
  };
}
