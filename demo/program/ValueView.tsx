import type { ReactElement } from 'react';
import { type Shape, shapeOf } from './inspect.ts';

/** A value as a table, a list or named parts, whatever fits. Text only. */
export function ValueView({ value }: { readonly value: unknown }): ReactElement {
  return <ShapeView shape={shapeOf(value)} />;
}

function ShapeView({ shape }: { readonly shape: Shape }): ReactElement {
  switch (shape.kind) {
    case 'nothing':
      return <p className="hint">The program gave no value. Its last expression, or what it returns, would stand here.</p>;
    case 'text':
      return <bdi className="value-text">{shape.text}</bdi>;
    case 'list':
      return (
        <>
          <ol className="value-list">
            {shape.items.map((item, index) => (
              // oxlint-disable-next-line react/no-array-index-key
              <li key={index}>
                <bdi>{item}</bdi>
              </li>
            ))}
          </ol>
          <More count={shape.more} />
        </>
      );
    case 'record':
      return (
        <dl className="value-record">
          {shape.entries.map(([key, part]) => (
            <div key={key}>
              <dt>
                <bdi>{key}</bdi>
              </dt>
              <dd>
                <ShapeView shape={part} />
              </dd>
            </div>
          ))}
        </dl>
      );
    case 'table':
      return <Table {...shape} />;
  }
}

function Table({ columns, rows, more }: Extract<Shape, { kind: 'table' }>): ReactElement {
  return (
    <>
      <table className="value-table">
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th key={column} scope="col" data-number={rows.every((row) => isNumber(row[at])) || undefined}>
                <bdi>{column}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={index}>
              {row.map((cell, at) => (
                <td key={columns[at]} data-number={isNumber(cell) || undefined}>
                  <bdi>{cell}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <More count={more} />
    </>
  );
}

function isNumber(cell: string | undefined): boolean {
  return /^-?\d[\d.]*$/.test(cell ?? '');
}

function More({ count }: { readonly count: number }): ReactElement | null {
  return count > 0 ? <p className="hint">{`${count} more in the JSON`}</p> : null;
}
