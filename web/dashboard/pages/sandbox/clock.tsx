import { queryOptions, useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import type { SandboxClock } from '../../../../src/catalogue/sandbox/schema.ts'
import type { Due } from '../../../../src/sales/due/schema.ts'
import { momentOf, writtenTime } from '../../../ui/time.ts'
import { ask } from '../../../ui/server.ts'
import { OfSandbox } from '../../may-write.ts'
import { usePlace } from '../../place.ts'
import { language } from '../../texts/texts.ts'

/** While it is moved it is asked for again and again, milliseconds. */
const MOVING_MS = 500
const STANDING_MS = 30_000

/** How the clock of a product's sandbox stands, by the path of the product. */
export const clockQuery = (path: string) =>
  queryOptions({
    queryKey: [`${path}/sandbox/clock.json`],
    queryFn: () => ask<SandboxClock>(`${path}/sandbox/clock.json`),
    refetchInterval: ({ state }) => (state.data?.status === 'advancing' ? MOVING_MS : STANDING_MS),
  })

/** How much the interface lists at a time. */
export const MOST_DUE = 50

/** What falls due next, as much as is listed at a time. */
export const dueQuery = (path: string) =>
  queryOptions({
    queryKey: [`${path}/sandbox/due.json`],
    queryFn: () => ask<{ due: readonly Due[] }>(`${path}/sandbox/due.json`, { count: MOST_DUE }),
  })

/** A time of a sandbox, which is told as it is: how far from now it lies says nothing there. */
export const sandboxTime = (time: string): string =>
  `${new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(momentOf(time))} UTC`

/**
 * What time it is for what is shown, as the interface writes it: in the sandbox by its clock; undefined while that is
 * asked for.
 */
export function useNow(): string | undefined {
  const { path } = usePlace()
  const isOfSandbox = useContext(OfSandbox)
  const { data, isPending } = useQuery({ ...clockQuery(path), enabled: isOfSandbox })
  if (isOfSandbox && isPending) return undefined
  return data?.now ?? writtenTime(new Date())
}

export const SandboxTime = ({ at }: { readonly at: string }) => (
  <time className="number" dateTime={momentOf(at).toISOString()}>
    {sandboxTime(at)}
  </time>
)
