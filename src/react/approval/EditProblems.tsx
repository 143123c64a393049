'use client';
import type { ReactElement } from 'react';
import type { Labels } from '../labels.ts';
import { pathText } from '../text/diff-values.ts';
import { Text } from '../text/Text.tsx';

export interface EditProblemsProps {
  readonly id: string;
  readonly issues: readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
  readonly labels: Labels;
}

/** Everything that the tool's schema says against a value, announced when it comes. */
export function EditProblems({ id, issues, labels }: EditProblemsProps): ReactElement {
  return (
    <div id={id} className="cm-problems" role="alert">
      {issues.length > 0 && (
        <>
          <p>{labels.issues(issues.length)}</p>
          <ul>
            {issues.map((issue, at) => (
              <li key={at}>
                {!namesPath(issue) && (
                  <>
                    <code>
                      <Text value={pathText(issue.path)} labels={labels} />
                    </code>{' '}
                  </>
                )}
                <Text value={issue.message} labels={labels} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** Some validators begin their sentence with the place. */
function namesPath({ path, message }: EditProblemsProps['issues'][number]): boolean {
  return path.length > 0 && message.startsWith(`${pathText(path)} `);
}
