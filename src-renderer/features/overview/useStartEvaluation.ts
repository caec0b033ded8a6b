import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { EnvironmentValues } from '../../../src-shared/domain/environmentDefaults.ts';
import { builtinModelName } from '../../../src-shared/domain/provider.ts';
import type { AppSettings } from '../../../src-shared/domain/settings.ts';
import { useApi } from '../../api/index.ts';

/**
 * The request behind one click: the selector that needs no model, key or network, with the
 * defaults of the environment and the workspace.
 */
function defaultRequest(
  suiteId: string,
  settings: AppSettings,
  environment: EnvironmentValues = {},
) {
  const { repetitions, concurrency, highConfidence, timeout, temperature, maxRetries } = {
    ...settings,
    ...environment,
  };
  const model = {
    provider: 'builtin' as const,
    model: builtinModelName,
    timeout,
    temperature,
    maxRetries,
  };
  return { suiteId, models: [model], repetitions, concurrency, highConfidence };
}

/** Starts an evaluation of a suite and opens its page as soon as it is accepted. */
export function useStartEvaluation() {
  const { client, queries, reread } = useApi();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (suiteId: string) => {
      const [settings, { values }] = await Promise.all([
        client.settings.get(),
        client.settings.environment(),
      ]);
      return client.evaluations.start(defaultRequest(suiteId, settings, values));
    },
    onSuccess: async (evaluation) => {
      void reread(queries.evaluations);
      await navigate(`/results/${evaluation.id}`);
    },
  });
}
