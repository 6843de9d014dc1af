import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failed, Loading } from '../ui/parts.tsx'
import { ask } from '../ui/server.ts'
import { Head } from './Head.tsx'

/** What a page about one thing shows while that is asked for, and when it is not there; then the thing. */
export function One<T>({
  title,
  path,
  children,
}: {
  readonly title: string
  /** What the calls about it begin with. */
  readonly path: string
  readonly children: (found: T) => ReactNode
}) {
  const { data, error, refetch } = useQuery({ queryKey: [path], queryFn: () => ask<T>(`${path}.json`) })
  if (data !== undefined) return children(data)
  return (
    <>
      <Head title={title} />
      {error ? <Failed error={error} again={() => void refetch()} /> : <Loading />}
    </>
  )
}
