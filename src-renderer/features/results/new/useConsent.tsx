import { useState, type ReactNode } from 'react';
import type { ExecutionPlan } from '../../../../src-shared/domain/taskEvaluation.ts';
import { ExecutedTools } from './ExecutedTools.tsx';

/** What may be executed: another server or tool needs another agreement. */
export const coverOf = ({ servers, executes, unlisted }: ExecutionPlan): string =>
  JSON.stringify([servers, executes, unlisted]);

interface Consent {
  /** False until the person agreed where the plan executes every tool. */
  given: boolean;
  agreedServers: string[];
  /** What is executed and changed, with the box to agree to it; null where there is no plan. */
  panel: ReactNode;
}

/** The agreement of a person to what a plan executes. It ends when another plan is shown. */
export function useConsent(plan: ExecutionPlan | null | undefined): Consent {
  const [cover, setCover] = useState<string | null>(null);
  if (plan == null) return { given: true, agreedServers: [], panel: null };
  const agreed = cover === coverOf(plan);
  return {
    given: plan.mode !== 'full' || agreed,
    agreedServers: agreed ? plan.servers : [],
    panel: (
      <ExecutedTools
        plan={plan}
        agreed={agreed}
        onAgree={(agrees) => {
          setCover(agrees ? coverOf(plan) : null);
        }}
      />
    ),
  };
}
