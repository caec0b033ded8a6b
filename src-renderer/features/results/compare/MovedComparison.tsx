import { Navigate, useLocation } from 'react-router';
import { movedComparison } from './compareAddress.ts';

/** Leads from the former page of comparisons to the result that has the comparison now. */
export function MovedComparison() {
  const { search, hash } = useLocation();
  return <Navigate to={`${movedComparison(search)}${hash}`} replace />;
}
