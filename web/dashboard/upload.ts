import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Problem, problemIn } from '../shared/call.ts'
import { faultIn } from '../ui/doing.tsx'
import { useOnce } from '../ui/once.ts'
import { problemInLanguage } from '../ui/refusal.ts'
import { isSignedOut, pathOf, writeHeaders } from '../ui/server.ts'
import { lookWhoIsThere } from './signed-out.ts'

interface Upload {
  readonly path: string
  /** By the names of their parts; none: only what is said is sent. */
  readonly files: Readonly<Record<string, File>>
  /** What is said beside the files. */
  readonly data: Readonly<Record<string, string>>
}

/**
 * Sends files once, and says how much of them has gone; everything that is shown is asked for again after it. What was
 * refused stands beside the form as with `useDoing`.
 */
export function useUpload<T>(done: (result: T) => void) {
  const queries = useQueryClient()
  const running = useRef<XMLHttpRequest | null>(null)
  /** From 0 to 1; null: nothing is on its way. */
  const [share, setShare] = useState<number | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const once = useOnce()
  const isDone = useRef(false)
  const send = async (upload: Upload) => {
    if (running.current) return
    isDone.current = false
    setShare(0)
    setProblem(null)
    try {
      const request = (running.current = new XMLHttpRequest())
      const key = once.keyOf(textOf(upload))
      const result = await sent<T>(request, { ...upload, key }, setShare)
      once.answered(null)
      await queries.invalidateQueries()
      isDone.current = true
      done(result)
    } catch (error) {
      if (!(error instanceof Problem)) return
      setProblem(await problemInLanguage(error))
      once.answered(error)
      if (isSignedOut(error)) void lookWhoIsThere(queries)
    } finally {
      running.current = null
      setShare(null)
    }
  }
  return {
    isBusy: share !== null,
    share,
    problem,
    isDone: () => isDone.current,
    send: (upload: Upload) => void send(upload),
    /** Breaks off what is on its way. */
    stop: () => running.current?.abort(),
    faultOf: (field: string) => faultIn(problem, field),
  }
}

/** What tells an upload from another one. */
const textOf = ({ path, files, data }: Upload): string =>
  JSON.stringify([
    path,
    data,
    Object.entries(files).map(([part, { name, size, lastModified }]) => [part, name, size, lastModified]),
  ])

/** The answer; a `Problem` where there is none, null where it was broken off. `fetch` does not tell how far it is. */
function sent<T>(
  request: XMLHttpRequest,
  { path, files, data, key }: Upload & { readonly key: string },
  progress: (share: number) => void,
): Promise<T> {
  const form = new FormData()
  form.append('data', JSON.stringify(data))
  for (const [name, file] of Object.entries(files)) form.append(name, file)
  return new Promise((resolve, reject) => {
    request.open('POST', pathOf(path))
    for (const [name, value] of Object.entries(writeHeaders(key))) {
      request.setRequestHeader(name, value)
    }
    request.upload.addEventListener('progress', ({ loaded, total }) => progress(loaded / total))
    request.addEventListener('load', () => {
      const { status, responseText: text } = request
      if (status < 300) resolve(JSON.parse(text) as T)
      else reject(problemIn(text, status, request.getResponseHeader('x-request-id')))
    })
    request.addEventListener('error', () =>
      reject(new Problem({ status: 0, code: 'no_answer', message: '' })),
    )
    request.addEventListener('abort', () => reject(new Error('broken off')))
    request.send(form)
  })
}
