import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Total } from '../../../src/lists/totals/schema.ts'
import { fill } from '../../shared/language.ts'
import { numberText } from '../format.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ask, type Query } from '../../ui/server.ts'
import { texts } from '../texts/texts.ts'
import { countedAt } from './kinds.ts'
import { useNarrow } from './narrowed.ts'

/** Milliseconds that a total is taken for true. */
const KEPT = 60_000

interface Paged {
  /** Where the list is asked for, by what. */
  readonly path: string
  readonly query: Query
  readonly page: number
  /** Rows of a page. */
  readonly size: number
  /** Rows of this one: more than a page has, where there is a next one. */
  readonly found: number
}

/** Which rows of how many are shown, and the buttons to those before and after. */
export function Paging({ page, size, found, ...list }: Paged) {
  const narrow = useNarrow()
  const first = (page - 1) * size + 1
  const last = first + Math.min(found, size) - 1
  const isLast = found <= size
  const counted = useTotal(list, !isLast)
  const total = isLast ? { total: last, is_more: false } : counted
  const shown = fill(texts.from, { from: numberText(first), to: numberText(last) })
  return (
    <nav className="paging" aria-label={shown}>
      <span className="muted number">
        {total ? fill(ofTotal(total), { shown, total: numberText(total.total) }) : shown}
      </span>
      <Button
        variant="default"
        size="compact-sm"
        disabled={page === 1}
        aria-label={texts.previous}
        onClick={() => narrow({ page: page === 2 ? undefined : page - 1 })}
      >
        <Icon name="previous" />
      </Button>
      <Button
        variant="default"
        size="compact-sm"
        disabled={isLast}
        aria-label={texts.next}
        onClick={() => narrow({ page: page + 1 })}
      >
        <Icon name="next" />
      </Button>
    </nav>
  )
}

const ofTotal = ({ is_more: isMore }: Total): string => (isMore ? texts.ofMore : texts.ofTotal)

/** How many rows a list has; undefined while that is not known, or not told of such lists. */
function useTotal({ path, query }: Pick<Paged, 'path' | 'query'>, isAsked: boolean) {
  const counted = countedAt(path)
  const { count: _count, offset: _offset, sort: _sort, fields: _fields, ...narrowed } = query
  const filter = JSON.stringify(narrowed)
  const { data } = useQuery({
    queryKey: ['total', path, filter],
    queryFn: () => ask<Total>(counted?.at ?? '', { kind: counted?.kind, filter }),
    enabled: isAsked && counted !== undefined,
    staleTime: KEPT,
    retry: false,
  })
  return data
}
