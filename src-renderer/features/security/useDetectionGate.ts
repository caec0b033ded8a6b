import { useState } from 'react';
import type { DetectionBaseline } from '../../../src-shared/domain/detectionBaseline.ts';
import type { GateResult, ScoreReport } from '../../../src-shared/domain/security.ts';
import { checkDetectionGates, gateObstacle } from '../../../src-shared/metrics/detectionGate.ts';

type Limits = DetectionBaseline['limits'];

/** A baseline by the name of its file; no name for limits that were only typed. */
interface ChosenBaseline {
  fileName: string | null;
  baseline: DetectionBaseline;
}

export interface DetectionGate {
  chosen: ChosenBaseline | null;
  choose: (chosen: ChosenBaseline | null) => void;
  limits: Limits;
  setLimit: (detector: string, limit: keyof Limits[string], value: number | null) => void;
  /** Why the report can't be judged by the baseline. */
  obstacle: ReturnType<typeof gateObstacle>;
  /** Null if nothing is gated or judged. */
  gates: GateResult[] | null;
}

const noLimit: Limits[string] = { fprCeiling: null, recallFloor: null };

/** The limits of a baseline, which can be changed here, and the verdicts of a report. */
export function useDetectionGate(report: ScoreReport | null): DetectionGate {
  const [chosen, setChosen] = useState<ChosenBaseline | null>(null);
  const [edited, setEdited] = useState<Limits | null>(null);
  const limits = edited ?? chosen?.baseline.limits ?? {};
  const obstacle =
    report === null || chosen === null
      ? null
      : gateObstacle(report, { ...chosen.baseline, limits });
  const gated = report !== null && obstacle === null && Object.keys(limits).length > 0;
  return {
    chosen,
    choose: (next) => {
      setChosen(next);
      setEdited(null);
    },
    limits,
    setLimit: (detector, limit, value) => {
      const changed = { ...noLimit, ...limits[detector], [limit]: value };
      const { [detector]: _before, ...others } = limits;
      const isEmpty = changed.fprCeiling === null && changed.recallFloor === null;
      setEdited(
        isEmpty
          ? others
          : detector in limits
            ? { ...limits, [detector]: changed }
            : { ...others, [detector]: changed },
      );
    },
    obstacle,
    gates: gated ? checkDetectionGates(report, limits) : null,
  };
}
