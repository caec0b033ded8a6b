import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Suite } from '../../../src-shared/domain/testCase.ts';
import { Cut } from '../../ui/text/Cut.tsx';
import { Section } from '../../ui/panels/Section.tsx';
import { suiteSize } from '../../../src-shared/display/suiteTexts.ts';
import classes from './overview.module.css';

export function SuiteList({ suites }: { suites: readonly Suite[] }) {
  return (
    <Section
      title="Suites"
      aside={
        <Anchor component={Link} to="/suites" size="sm">
          All suites
        </Anchor>
      }
    >
      {suites.length === 0 ? (
        <Text c="dimmed" className="ts-panel ts-none">
          No suites yet.{' '}
          <Anchor component={Link} to="/suites/import">
            Import suite
          </Anchor>
        </Text>
      ) : (
        <ul className="ts-panel ts-rows">
          {suites.slice(0, 6).map((suite) => (
            <li key={suite.id}>
              <Link to={`/suites/${suite.id}`} className="ts-row-link">
                <span className={classes.name}>
                  <Cut text={suite.name} />
                </span>
                <Text
                  size="sm"
                  c="dimmed"
                  component="span"
                  className="ts-number"
                  style={{ flex: 'none' }}
                >
                  {suiteSize(suite)}
                </Text>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
