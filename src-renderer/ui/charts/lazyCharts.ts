import { lazy } from 'react';

/**
 * The drawings of the charts. Each is loaded when it is first shown: the chart library is no part
 * of the script that the first page needs.
 */
export const LinesChart = lazy(() => import('./drawings/LinesDrawing.tsx'));
export const ReliabilityChart = lazy(() => import('./drawings/ReliabilityDrawing.tsx'));
export const TreemapChart = lazy(() => import('./drawings/TreemapDrawing.tsx'));
export const BarsChart = lazy(() => import('./drawings/BarsDrawing.tsx'));
export const DumbbellChart = lazy(() => import('./drawings/DumbbellDrawing.tsx'));
export const HistogramChart = lazy(() => import('./drawings/HistogramDrawing.tsx'));
