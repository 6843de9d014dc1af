import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
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

/**
 * Follows a stream of events as long as the page is looked at: a hidden tab holds none, and goes on where it was. Null:
 * nothing is followed. Returns whether it is open.
 */
export function useLive(path: string | null, query: Query, heard: Heard): boolean {
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
      const stream = new EventSource(pathOf(of, { ...more, is_unnamed: true, last_event_id: last }))
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
        // The browser comes again by itself unless it was refused, as when the session was ended elsewhere.
        if (stream.readyState !== EventSource.CLOSED) return
        rest = window.setTimeout(start, REST_MS)
        void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
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
