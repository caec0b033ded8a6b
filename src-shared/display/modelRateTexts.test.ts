import { expect, it } from 'vitest';
import { passedOfModels, passedText, rateOfModels } from './modelRateTexts.ts';

const models = (...pairs: [passed: number, scored: number][]) =>
  pairs.map(([passed, scored]) => ({ passed, scored }));

it.each([
  [models([39, 60]), '39 of 60', '65%'],
  [models([39, 60], [27, 60]), '39 and 27 of 60', '65% and 45%'],
  [models([39, 60], [27, 58]), '39 of 60 and 27 of 58', '65% and 47%'],
  [models([39, 60], [12, 60], [27, 60]), '12–39 of 60', '20–65%'],
  [models([39, 60], [12, 58], [27, 60]), '12–39 of 58–60', '21–65%'],
  [models([1, 1_200], [1, 1_200], [1, 1_200]), '1 of 1,200', '<1%'],
])('says %j as “%s” and “%s”', (each, text, rate) => {
  expect([passedText(each), rateOfModels(each)]).toEqual([text, rate]);
});

it('counts the models of a range, and those that have a score', () => {
  const said = (all: number, ...pairs: [number, number][]) =>
    passedOfModels(models(...pairs), 'case', Array.from({ length: all }));
  expect(said(1, [0, 1])).toBe('0 of 1 case');
  expect(said(2, [39, 60], [27, 60])).toBe('39 and 27 of 60 cases');
  expect(said(3, [39, 60], [27, 60], [12, 60])).toBe('12–39 of 60 cases, 3 models');
  expect(said(2, [39, 60])).toBe('39 of 60 cases, 1 of 2 models');
  expect(said(2)).toBe('No case was scored');
});
