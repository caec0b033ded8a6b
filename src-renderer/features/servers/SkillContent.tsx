import { Text } from '@mantine/core';
import { formatBytes } from '../../../src-shared/display/numbers.ts';
import type { Skill, SkillFile } from '../../../src-shared/domain/skill.ts';
import { CodeView } from '../../ui/text/CodeView.tsx';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { JsonText } from '../../ui/text/JsonText.tsx';

/** Facts of a skill besides what a model chooses it by. */
export const skillRows = ({ folder, fields }: Skill) => [
  { name: 'Folder', value: <Foreign text={folder} limit={200} /> },
  ...Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string' ? [{ name, value: <Foreign text={value} limit={400} /> }] : [],
  ),
];

/** What a model reads when it uses a skill, and the other files of its folder, as text. */
export function SkillContent({ skill }: { skill: Skill }) {
  const others = Object.fromEntries(
    Object.entries(skill.fields).filter(([, value]) => typeof value !== 'string'),
  );
  return (
    <>
      <CodeView text={skill.body.trim()} label="SKILL.md, loaded when the skill is used" />
      {Object.keys(others).length > 0 && (
        <div style={{ marginTop: 12 }}>
          <JsonText value={others} label="Other fields" />
        </div>
      )}
      {skill.files.map((file) => (
        <FileView key={file.path} file={file} />
      ))}
    </>
  );
}

function FileView({ file: { path, bytes, text, problem } }: { file: SkillFile }) {
  if (text !== null && text !== '')
    return (
      <div style={{ marginTop: 12 }}>
        <CodeView text={text} label={path} maxHeight={240} limit={4_000} />
      </div>
    );
  return (
    <Text size="sm" mt="sm">
      <span className="ts-mono">
        <Foreign text={path} limit={200} />
      </span>{' '}
      ({formatBytes(bytes)}): {problem ?? (text === null ? 'It isn’t text.' : 'It is empty.')}
    </Text>
  );
}
