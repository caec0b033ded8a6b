import { describe, expect, it } from 'vitest';
import { suitesTitle } from './suiteTexts.ts';

describe('suitesTitle', () => {
  const office = { name: 'office', caseCount: 180, taskCount: 0 };
  const todo = { name: 'todo', caseCount: 61, taskCount: 20 };
  const own = { name: 'mail', caseCount: 12, taskCount: 0 };
  const ofSample = ['office', 'todo'];

  it('counts own suites alone where there are some, and says how many the sample has', () => {
    expect(suitesTitle([own, office, todo], ofSample)).toBe(
      '1 own suite with 12 cases, and 2 of the sample',
    );
    expect(suitesTitle([own, { ...own, name: 'jobs', taskCount: 3 }, office], ofSample)).toBe(
      '2 own suites with 24 cases and 3 tasks, and 1 of the sample',
    );
  });

  it('counts all where there are only own ones, or only those of the sample', () => {
    expect(suitesTitle([office, todo], ofSample)).toBe('2 suites with 241 cases and 20 tasks');
    expect(suitesTitle([own], ofSample)).toBe('1 suite with 12 cases');
  });
});
