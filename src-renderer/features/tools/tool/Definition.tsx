import type { ToolPage } from '../../../../src-shared/domain/toolPage.ts';
import { counted, formatBytes, formatCount } from '../../../../src-shared/display/numbers.ts';
import { editedPart, textsOf } from '../../../../src-shared/domain/textEdit.ts';
import type { Skill, SkillFile } from '../../../../src-shared/domain/skill.ts';
import { Fold } from '../../../ui/panels/Fold.tsx';
import { CodeView } from '../../../ui/text/CodeView.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { JsonText } from '../../../ui/text/JsonText.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import { WordDiff } from '../../../ui/text/WordDiff.tsx';
import { descriptionParts, parameterRows } from './describe.ts';
import { effectOf, effectWords } from '../../../../src-shared/display/toolEffect.ts';
import classes from './tool.module.css';
import { TitledPanel } from '../../../ui/panels/TitledPanel.tsx';

/** The definition as people read it: text, parameters, and folded what only some want to see. */
export function Definition({ page: { tool, versions } }: { page: ToolPage }) {
  const { title, description, inputSchema, outputSchema, annotations, skill } = tool;
  const rows = parameterRows(inputSchema);
  const parts = descriptionParts(description);
  return (
    <TitledPanel
      title="Definition"
      aside={
        skill === undefined && (
          <span className={classes.quiet}>{effectWords[effectOf(annotations)]}</span>
        )
      }
    >
      <div className={classes.body}>
        {title !== null && title !== '' && title !== tool.name && (
          <p>
            <Foreign as="b" text={title} limit={400} />
          </p>
        )}
        {parts.length === 0 && (
          <p className={classes.warning}>
            No description. A model sees its name{skill === undefined ? ' and parameters' : ''}{' '}
            only.
          </p>
        )}
        {parts.map((part, at) =>
          part.title === null ? (
            <Foreign key={at} text={part.text} block />
          ) : (
            <Fold
              key={at}
              title={<PlainText text={part.title} />}
              hint={counted(part.text.length, 'character')}
            >
              <Foreign text={part.text} block limit={20_000} />
            </Fold>
          ),
        )}
      </div>
      {rows.length > 0 && (
        <div className={classes.scroll}>
          <table className={classes.table} aria-label="Parameters">
            <thead>
              <tr>
                {['Parameter', 'Type', 'Required', 'Description', 'Default'].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.name}>
                  <Foreign as="td" className="ts-mono" text={row.name} limit={200} />
                  <Foreign as="td" text={row.type} limit={200} />
                  <td>{row.required ? 'yes' : 'no'}</td>
                  <td>
                    {row.description === '' ? (
                      <span className={classes.warning}>No description</span>
                    ) : (
                      <Foreign text={row.description} limit={600} />
                    )}
                  </td>
                  <td>
                    {row.default === null ? (
                      <span className={classes.quiet}>none</span>
                    ) : (
                      <Foreign as="span" className="ts-mono" text={row.default} limit={120} />
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div className={classes.body}>
        {skill !== undefined && <SkillContent skill={skill} />}
        {outputSchema !== null && (
          <Fold title="Output schema" hint="What the server says that it answers">
            <JsonText value={outputSchema} label="Output schema" />
          </Fold>
        )}
        {annotations !== null && (
          <Fold title="Annotations">
            <JsonText value={annotations} label="Annotations" />
          </Fold>
        )}
        <Fold title="Raw JSON">
          <JsonText
            label="Raw JSON"
            value={{
              name: tool.name,
              ...(title !== null && { title }),
              description,
              inputSchema,
              ...(outputSchema !== null && { outputSchema }),
              ...(annotations !== null && { annotations }),
            }}
          />
        </Fold>
        {versions.length > 1 && (
          <Fold
            title={`Changes (${formatCount(versions.length - 1)})`}
            hint={<LastChange versions={versions} />}
          >
            <Versions versions={versions} />
          </Fold>
        )}
      </div>
    </TitledPanel>
  );
}

const LastChange = ({ versions }: Pick<ToolPage, 'versions'>) => (
  <>
    last <Time iso={versions[0]?.at ?? ''} />
  </>
);

/** The changed texts from each version to the next; what isn't a text is named only. */
function Versions({ versions }: Pick<ToolPage, 'versions'>) {
  return (
    <ul className={classes.versions}>
      {versions.slice(0, -1).map(({ at, tool }, index) => {
        const before = versions[index + 1]?.tool;
        const old = new Map(before && textsOf(before).map(({ path, text }) => [path, text]));
        const changed = textsOf(tool).filter(({ path, text }) => (old.get(path) ?? '') !== text);
        return (
          <li key={at}>
            <p className={classes.quiet}>
              <Time iso={at} />
            </p>
            {changed.map(({ path, text }) => (
              <div key={path}>
                <PlainText as="p" className={classes.quiet} text={editedPart(path)} />
                <WordDiff before={old.get(path) ?? ''} after={text} />
              </div>
            ))}
            {changed.length === 0 && <p>Types, annotations, or removed parameters changed.</p>}
          </li>
        );
      })}
    </ul>
  );
}

/** What a model reads when it uses a skill, and the other files of its folder, as text. */
function SkillContent({ skill }: { skill: Skill }) {
  return (
    <>
      <Fold title="SKILL.md" hint="Loaded when the skill is used">
        <CodeView text={skill.body.trim()} label="SKILL.md, loaded when the skill is used" />
      </Fold>
      {Object.keys(skill.fields).length > 0 && (
        <Fold title="Fields">
          <JsonText value={skill.fields} label="Fields" />
        </Fold>
      )}
      {skill.files.map((file) => (
        <SkillFileView key={file.path} file={file} />
      ))}
    </>
  );
}

function SkillFileView({ file: { path, bytes, text, problem } }: { file: SkillFile }) {
  return (
    <Fold title={<PlainText text={path} />} hint={formatBytes(bytes)}>
      {text !== null && text !== '' ? (
        <CodeView text={text} label={path} maxHeight={240} limit={4_000} />
      ) : (
        <p>{problem ?? (text === null ? 'It isn’t text.' : 'It is empty.')}</p>
      )}
    </Fold>
  );
}
