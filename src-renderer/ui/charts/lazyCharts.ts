import { lazy } from 'react';

/**
 * The drawings of the charts. Each is loaded when it is first shown: the chart library is no part
 * of the script that the first page needs.
 */
export const LinesChart = lazy(() => import('./drawings/LinesDrawing.tsx'));
export const ReliabilityChart = lazy(() => import('./drawings/ReliabilityDrawing.tsx'));
