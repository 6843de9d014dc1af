import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { fill } from '../../shared/language.ts'
import { numberText } from '../format.tsx'
import { useLive } from '../live.ts'
import { usePlace, type ListSearch } from '../place.ts'
import { texts } from '../texts/texts.ts'

interface NewsOf {
  /** Where the rows of the list come from. */
  readonly path: string
  /** The types of events that bring a row, `all` for each; undefined: nothing is said. */
  readonly types: readonly string[] | 'all' | undefined
}

/** Says how many rows have come since the list was read, and shows them when it is pressed: nothing moves by itself. */
export function News(news: NewsOf) {
  const { environment } = usePlace()
  return news.types === undefined ? null : <Counter key={`${news.path} ${environment}`} {...news} />
}

function Counter({ path, types }: NewsOf) {
  const { path: ofProduct, environment } = usePlace()
  const [count, setCount] = useState(0)
  const queries = useQueryClient()
  const navigate = useNavigate()
  useLive(
    `${ofProduct}/events/stream`,
    { environment },
    {
      event: ({ type }) => {
        if (types === 'all' || types?.includes(type)) setCount((before) => before + 1)
      },
    },
  )
  const show = () => {
    setCount(0)
    void queries.invalidateQueries({ queryKey: [path] })
    void navigate({ to: '.', search: (before: ListSearch) => ({ ...before, page: undefined }) })
  }
  return (
    <div role="status" className={count === 0 ? 'unseen' : 'news'}>
      {count === 0 ? null : (
        <Button variant="default" size="compact-sm" onClick={show}>
          {fill(texts.newRows, { count: numberText(count) })}
        </Button>
      )}
    </div>
  )
}
