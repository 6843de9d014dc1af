import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failure, Loading, PageHead } from './parts.tsx'
import { ask } from './server.ts'

/** What a page about one thing shows while that is asked for, and when it is not there; then the thing. */
export function One<T>({
  title,
  path,
  children,
}: {
  /** What kind of thing it is, until it is there. */
  readonly title: string
  /** What the calls about it begin with. */
  readonly path: string
  readonly children: (found: T) => ReactNode
}) {
  const { data, error, refetch } = useQuery({ queryKey: [path], queryFn: () => ask<T>(`${path}.json`) })
  if (data !== undefined) return children(data)
  return (
    <>
      <PageHead title={title} />
      {error ? <Failure error={error} again={() => void refetch()} /> : <Loading />}
    </>
  )
}
