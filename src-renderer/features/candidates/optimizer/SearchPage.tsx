import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import { Loaded } from '../../../ui/notices/notices.tsx';
import { Section } from '../../../ui/panels/panels.tsx';
import { OfUnit, ResultPartHeader, useOneOf } from '../../results/PageOfUnit.tsx';
import { DerivedResults } from '../../results/result/DerivedResults.tsx';
import { NewOptimization } from './NewOptimization.tsx';
import classes from './optimizer.module.css';

/** A search for better descriptions of the tools of a result, with the searches before it. */
export const SearchPage = () => (
  <OfUnit>{(unit, id) => <SearchOf key={id} unit={unit} id={id} />}</OfUnit>
);

function SearchOf({ unit, id }: { unit: EvaluationUnit; id: string }) {
  const { query, name } = useOneOf(unit, id);
  return (
    <>
      <ResultPartHeader
        id={id}
        name={name}
        crumb="Search"
        title="Search for better descriptions"
        subtitle={`On ${name}. The server stays unchanged.`}
      />
      <Loaded query={query} blocks={[320]}>
        {({ models }) => (
          <>
            <NewOptimization unit={unit} evaluationId={id} models={models} />
            <About />
            <Section title="Estimates and searches of this result">
              <DerivedResults unit={unit} id={id} />
            </Section>
          </>
        )}
      </Loaded>
    </>
  );
}

function About() {
  return (
    <Section title="What a search does">
      <ol className={classes.about}>
        <li>
          <b>Search.</b> It edits the descriptions of tools that cause failures, tries each
          candidate on a few cases, and runs only those that help on the whole search half.
        </li>
        <li>
          <b>Proof.</b> The best candidate runs once on the held-out half, which the search never
          sees. Only that result counts.
        </li>
        <li>
          <b>Patch.</b> You get a diff per tool and a file to apply. No definition on a server
          changes. Cases execute no tool; tasks execute what you agree to.
        </li>
      </ol>
      <p className={classes.quiet}>
        With the built-in selector and rules, it usually takes less than a minute and costs nothing.
        With a paid model, set a budget. You can pause and resume at any time.
      </p>
    </Section>
  );
}
