import { Link } from '@tanstack/react-router'
import { createContext, type ReactNode } from 'react'
import type { Way } from './way.ts'

/** Whether what is below stands in a row, which is focused as one. */
export const InRow = createContext(false)

export interface Column<Row> {
  readonly label: string
  readonly show: (row: Row) => ReactNode
  /** Figures stand at the right, so that they can be compared. */
  readonly isNumber?: boolean
}

interface Table<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** The page of a row, which its first column opens; absent: it has none. */
  readonly wayTo?: (row: Row) => Way
  /** By what a row is chosen, at its start. */
  readonly choose?: (row: Row) => ReactNode
  /** What is done with a row, at its end. */
  readonly actions?: (row: Row) => ReactNode
}

interface Shown<Row> {
  readonly show: Column<Row>['show']
  readonly row: Row
}

/** On its own, as what it shows may ask for more: the table has more rows at one time than at another. */
const Cell = <Row,>({ show, row }: Shown<Row>) => show(row)

/** A table; on a narrow screen each row is a block of its names and values. */
export function Rows<Row extends { readonly id: string }>({
  label,
  columns,
  rows,
  wayTo,
  choose,
  actions,
}: Table<Row>) {
  return (
    <InRow value>
      <div className="panel rows">
        <table aria-label={label}>
          <thead>
            <tr>
              {choose ? <td /> : null}
              {columns.map((column) => (
                <th key={column.label} scope="col" className={column.isNumber ? 'at-end' : undefined}>
                  {column.label}
                </th>
              ))}
              {actions ? <td /> : null}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id} className={wayTo ? 'opens' : undefined}>
                {choose ? <td className="lead">{choose(row)}</td> : null}
                {columns.map((column, at) => (
                  <td
                    key={column.label}
                    data-label={column.label}
                    className={at === 0 ? 'names' : column.isNumber ? 'at-end number' : undefined}
                  >
                    {at === 0 && wayTo ? (
                      <Link {...wayTo(row)}>
                        <Cell show={column.show} row={row} />
                      </Link>
                    ) : (
                      <Cell show={column.show} row={row} />
                    )}
                  </td>
                ))}
                {actions ? <td className="at-end">{actions(row)}</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </InRow>
  )
}
