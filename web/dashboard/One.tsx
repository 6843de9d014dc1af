import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failure, PageHead } from './parts.tsx'
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
  if (data !== undefined) return children(data)
  return (
    <>
      <PageHead title={title} />
      {error ? <Failure error={error} again={() => void refetch()} /> : <Loading />}
    </>
  )
}
