import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import { Problem } from '../shared/call.ts'
import { send } from './server.ts'
import { offerUndo } from './undo.ts'

type Sent = Omit<Parameters<typeof send>[0], 'key'>

interface Changing<Data, Change> {
  /** Under which name what is changed is kept. */
  readonly queryKey: QueryKey
  /** What is shown as soon as it is changed. */
  readonly shown: (data: Data, change: Change) => Data
  readonly sent: (change: Change, before: Data | undefined) => Sent
  /** How a change is called, and what takes it back; null: nothing does. */
  readonly undo?: (change: Change, before: Data) => { readonly text: string; readonly change: Change } | null
}

/**
 * Changes something that is shown, at once: it goes back with the reason where the server refuses it, and can be taken
 * back for ten seconds where `undo` says how. Several changes of the same thing are sent one after the other.
 */
export function useAtOnce<Data, Change>({ queryKey, shown, sent, undo }: Changing<Data, Change>) {
  const queries = useQueryClient()
  const [refused, setRefused] = useState<Change | null>(null)
  const mutationKey = ['at once', ...queryKey]
  const doing = useMutation({
    mutationKey,
    scope: { id: JSON.stringify(queryKey) },
    mutationFn: ({ change, before }: Asked<Data, Change>) =>
      send({ ...sent(change, before), key: crypto.randomUUID() }),
    onError: (_, { change, before }) => {
      setRefused(() => change)
      if (before !== undefined) queries.setQueryData(queryKey, before)
    },
    onSuccess: (_, { change, before, isUndoing }) => {
      setRefused(null)
      const back = before === undefined || isUndoing ? null : undo?.(change, before)
      if (back) offerUndo({ text: back.text, undo: () => ask(back.change, true) })
    },
    // What is read while another change is under way does not have that yet.
    onSettled: async () => {
      if (queries.isMutating({ mutationKey }) === 1) await queries.invalidateQueries()
    },
  })
  function ask(change: Change, isUndoing = false) {
    const before = queries.getQueryData<Data>(queryKey)
    // An answer that is on its way does not have the change yet.
    void queries.cancelQueries({ queryKey }, { revert: false })
    if (before !== undefined) queries.setQueryData(queryKey, shown(before, change))
    doing.mutate({ change, isUndoing, before })
  }
  return {
    problem: doing.error instanceof Problem ? doing.error : null,
    /** The change that the server did not take, to try again. */
    refused,
    change: (change: Change) => ask(change),
  }
}

interface Asked<Data, Change> {
  readonly change: Change
  readonly before: Data | undefined
  readonly isUndoing: boolean
}
