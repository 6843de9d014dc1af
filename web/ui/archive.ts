import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { PersonPage } from '../../src/sales/privacy/schema.ts'
import { Problem } from '../shared/call.ts'
import { ask } from './server.ts'

/** Reads everything that is stored of a user, page by page, and has the browser keep it as a file; `own`: the path of the user. */
export function useArchive(own: string) {
  const [count, setCount] = useState(0)
  const reading = useMutation({
    mutationFn: async () => {
      setCount(0)
      keep(await archiveOf(own, setCount), `user-${own.slice(own.lastIndexOf('/') + 1)}.json`)
    },
  })
  return {
    /** Records so far. */
    count,
    isBusy: reading.isPending,
    isDone: reading.isSuccess,
    problem: reading.error instanceof Problem ? reading.error : null,
    read: () => {
      if (!reading.isPending) reading.mutate()
    },
  }
}

/** Each page is text for itself, so that the browser may keep them where it likes. */
async function archiveOf(own: string, told: (count: number) => void): Promise<Blob> {
  const parts: string[] = []
  let count = 0
  let after: string | null = null
  do {
    const page: PersonPage = await ask<PersonPage>(`${own}/export.json`, { ...(after !== null && { after }) })
    if (after === null)
      parts.push(`{"format":${JSON.stringify(page.format)},"user_id":"${page.user_id}","records":[\n`)
    const text = page.records.map((record) => JSON.stringify(record)).join(',\n')
    parts.push(count > 0 && text !== '' ? `,\n${text}` : text)
    count += page.records.length
    told(count)
    after = page.next
  } while (after !== null)
  parts.push('\n]}\n')
  return new Blob(parts, { type: 'application/json' })
}

function keep(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
