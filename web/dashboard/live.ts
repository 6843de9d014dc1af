import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { EventLog } from '../../src/events/log/schema.ts'
import { sessionQuery } from './session.ts'
import { pathOf, type Query } from '../ui/server.ts'

/** How long after a stream was refused it is asked for again, milliseconds. */
const REST_MS = 10_000

interface Heard {
  /** Each event once, as it happens. */
  readonly event: (event: EventLog) => void
  /** From now on nothing is missed; also where the stream cannot be had. */
  readonly open?: () => void
}

let followers = 0
const heardOf = new Set<() => void>()

function follow(more: 1 | -1): void {
  followers += more
  for (const hear of heardOf) hear()
}

const listen = (hear: () => void) => {
  heardOf.add(hear)
  return () => heardOf.delete(hear)
}

/** After a page was left, the next one has so long to follow what it shows, milliseconds. */
const PAUSE_MS = 1_000

/** After all that ever happens: who begins there is told of nothing. */
const NEVER = 999_999_999_999_999

/**
 * Has a page that follows nothing told by itself that its session was ended elsewhere: a server ends the stream of who
 * may not read any more.
 */
export function useWatched(path: string): void {
  const isFollowed = useSyncExternalStore(listen, () => followers > 0)
  const [isWatched, setWatched] = useState(false)
  useEffect(() => {
    if (isFollowed) return setWatched(false)
    const timer = window.setTimeout(() => setWatched(true), PAUSE_MS)
    return () => window.clearTimeout(timer)
  }, [isFollowed])
  useStream(isWatched ? path : null, { last_event_id: NEVER }, { event: () => {} })
}

/**
 * Follows a stream of events as long as the page is looked at: a hidden tab holds none, and goes on where it was. Null:
 * nothing is followed. Returns whether it is open.
 */
export function useLive(path: string | null, query: Query, heard: Heard): boolean {
  const isFollowing = path !== null
  useEffect(() => {
    if (!isFollowing) return
    follow(1)
    return () => follow(-1)
  }, [isFollowing])
  return useStream(path, query, heard)
}

function useStream(path: string | null, query: Query, heard: Heard): boolean {
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const hears = useRef(heard)
  hears.current = heard
  const asked = path === null ? null : JSON.stringify([path, query])
  useEffect(() => {
    if (asked === null) return
    const [of, more] = JSON.parse(asked) as [string, Query]
    let last: string | undefined
    let source: EventSource | null = null
    let rest: number | undefined
    const stop = () => {
      window.clearTimeout(rest)
      source?.close()
      source = null
      setOpen(false)
    }
    const start = () => {
      stop()
      if (document.hidden) return
      const stream = new EventSource(pathOf(of, { last_event_id: last, ...more, is_unnamed: true }))
      source = stream
      stream.addEventListener('place', ({ lastEventId }) => {
        last = lastEventId
        setOpen(true)
        hears.current.open?.()
      })
      stream.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
        last = lastEventId
        hears.current.event(JSON.parse(data) as EventLog)
      }
      stream.onerror = () => {
        setOpen(false)
        hears.current.open?.()
        // The server ends the stream of who may not read any more, as when the session was ended elsewhere.
        void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
        // The browser comes again by itself unless it was refused.
        if (stream.readyState === EventSource.CLOSED) rest = window.setTimeout(start, REST_MS)
      }
    }
    start()
    document.addEventListener('visibilitychange', start)
    return () => {
      document.removeEventListener('visibilitychange', start)
      stop()
    }
  }, [asked, queries])
  return isOpen
}
