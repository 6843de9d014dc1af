import { Checkbox } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { loadedLater } from '../../ui/later.tsx'
import type { Query } from '../../ui/server.ts'
import { texts } from '../texts/texts.ts'

const useBulkBar = loadedLater(async () => (await import('./BulkBar.tsx')).BulkBar)

/** Rows that something is done to many of at once. */
export interface ManyOf {
  readonly kind: 'licenses' | 'coupons' | 'users'
  /** Whose right it takes. */
  readonly group: string
  /** Whether no other button of the page says why a role may not. */
  readonly isAlone?: true
}

interface Chosen<Row> {
  /** The box of a row, at its start. */
  readonly boxOf: (row: Row) => ReactNode
  /** What is done with those that are chosen; null until it is there, which comes while the rows are asked for. */
  readonly bar: ((rows: readonly Row[], query: Query) => ReactNode) | null
}

/** The rows of a list that are chosen, to do something to all of them at once. */
export function useChosen<Row extends { readonly id: string }>(many: ManyOf | undefined): Chosen<Row> | null {
  const [chosen, setChosen] = useState<readonly string[]>([])
  const BulkBar = useBulkBar(many !== undefined)
  if (many === undefined) return null
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  return {
    boxOf: ({ id }) => (
      <Checkbox
        className="choose"
        aria-label={`${texts.choose}: #${id}`}
        checked={chosen.includes(id)}
        onChange={() => toggle(id)}
      />
    ),
    bar:
      BulkBar &&
      ((rows, query) => (
        <BulkBar many={many} ids={chosen} page={rows.map(({ id }) => id)} query={query} choose={setChosen} />
      )),
  }
}
