'use client';
import { type ReactElement, useId } from 'react';
import type { JsonSchema } from '../../catalog/tool.ts';
import { isPlainObject, pathKey } from '../../journal/secrets.ts';
import type { Labels } from '../labels.ts';
import { Text } from '../text/Text.tsx';
import { FormField } from './FormField.tsx';
import { fieldsOf, type Path, placedIn } from './form-fields.ts';

export interface EditFormProps {
  readonly value: unknown;
  readonly schema: JsonSchema | undefined;
  readonly issues: readonly { readonly path: Path; readonly message: string }[];
  readonly labels: Labels;
  /** Markers that stand for masked values. */
  readonly markers: ReadonlySet<string>;
  readonly onChange: (value: unknown) => void;
  /** Places whose text is no value of its kind: nothing is sent while there is one. */
  readonly onProblem: (path: string, bad: boolean) => void;
}

/** An input as fields of a form, one per property of the schema. What has no simple field is edited as JSON in place. */
export function EditForm(props: EditFormProps): ReactElement {
  return (
    <div className="cm-form" data-part="form">
      <Level {...props} path={[]} />
    </div>
  );
}

function Level(props: EditFormProps & { readonly path: Path }): ReactElement {
  const { value, schema, issues, labels, path, onChange } = props;
  const id = useId();
  const current = isPlainObject(value) ? value : {};
  return (
    <>
      {fieldsOf(current, schema).map((field) => {
        const place = [...path, field.name];
        const set = (next: unknown): void => onChange(placedIn(current, field, next));
        const item = Object.hasOwn(current, field.name) ? current[field.name] : undefined;
        if (field.kind === 'group')
          return (
            <fieldset key={field.name} className="cm-form-group">
              <legend>
                <Text value={field.name} labels={labels} />
              </legend>
              <Level {...props} value={item} schema={field.schema} path={place} onChange={set} />
            </fieldset>
          );
        return (
          <FormField
            key={field.name}
            id={`${id}${field.name}`}
            field={field}
            value={item}
            labels={labels}
            isSecret={typeof item === 'string' && props.markers.has(item)}
            issues={issues.filter((issue) => isAt(issue.path, place)).map(({ message }) => message)}
            onChange={set}
            onProblem={(bad) => props.onProblem(pathKey(place), bad)}
          />
        );
      })}
    </>
  );
}

/** An issue below a field that is edited as one text is that field's. */
function isAt(issue: Path, place: Path): boolean {
  return place.every((step, at) => String(issue[at]) === String(step));
}
