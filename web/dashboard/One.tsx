import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, type ReactNode } from 'react'
import { OfSandbox } from './may-write.ts'
import { Failure, PageHead } from './parts.tsx'
import { usePlace, type PlaceSearch } from './place.ts'
import { Loading } from '../ui/parts.tsx'
import { ask, type Query } from '../ui/server.ts'

/** What a page about one thing shows while that is asked for, and when it is not there; then the thing. */
export function One<T>({
  title,
  path,
  query,
  children,
}: {
  /** What kind of thing it is, until it is there. */
  readonly title: string
  /** What the calls about it begin with. */
  readonly path: string
  readonly query?: Query
  readonly children: (found: T) => ReactNode
}) {
  const { data, error, refetch } = useQuery({
    queryKey: [path],
    queryFn: () => ask<T>(`${path}.json`, query),
  })
  const environment = (data as { readonly environment?: 0 | 1 } | undefined)?.environment
  useModeOf(path, environment)
  if (data !== undefined) return <OfSandbox value={environment === 1}>{children(data)}</OfSandbox>
  return (
    <>
      <PageHead title={title} />
      {error ? <Failure error={error} again={() => void refetch()} /> : <Loading />}
    </>
  )
}

/**
 * Puts the page into live or test, whichever what it is about is of. Who switches then is led to the list, which shows
 * what the other one has.
 */
function useModeOf(path: string, environment: 0 | 1 | undefined): void {
  const place = usePlace()
  const navigate = useNavigate()
  const looked = useRef('')
  const isWrong = environment !== undefined && environment !== place.environment
  useEffect(() => {
    if (environment === undefined) return
    const isSwitched = looked.current === path
    looked.current = path
    if (!isWrong) return
    const mode = (environment === 1) === isSwitched ? undefined : ('test' as const)
    const search = (before: PlaceSearch) => ({ ...before, mode })
    const way = isSwitched ? { to: '..', search: { mode } } : { to: '.', search, hash: true }
    void navigate({ ...way, replace: true } as never)
  }, [path, environment, isWrong, navigate])
}
