import { Button, Group, Textarea } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import type { Note as Written } from '../../../../src/people/notes/schema.ts'
import { Problem } from '../../../shared/call.ts'
import { Allowed } from '../../Allowed.tsx'
import { Refusal } from '../../../ui/doing.tsx'
import { Failure } from '../../parts.tsx'
import { Loading } from '../../../ui/parts.tsx'
import { usePlace } from '../../place.ts'
import { may } from '../../session.ts'
import { askIfAny, send } from '../../../ui/server.ts'
import { texts } from '../../texts/texts.ts'

interface OfThing {
  /** What the calls about the thing begin with. */
  readonly own: string
  /** Whom a role must be allowed to write the note. */
  readonly group?: 'notes' | 'sales'
}

/** What the seller remarks on a thing, for nobody else to see. */
export function Note({ own, group = 'notes' }: OfThing) {
  const { account } = usePlace()
  const path = `${own}/note.json`
  const { data, error, refetch } = useQuery({
    queryKey: [path],
    enabled: may(account, group, 'read'),
    queryFn: () => askIfAny<Written>(path),
  })
  const [isOpen, setOpen] = useState(false)
  const writing = useWriting(own)
  if (!may(account, group, 'read')) return null
  const text = data?.note ?? ''
  return (
    <section className="panel facts note-part">
      <h2>{texts.note}</h2>
      {error ? (
        <Failure error={error} again={() => void refetch()} />
      ) : data === undefined ? (
        <Loading lines={1} />
      ) : isOpen ? (
        <Writing
          text={writing.refused ?? text}
          close={() => setOpen(false)}
          write={(changed) => {
            setOpen(false)
            writing.write(changed)
          }}
        />
      ) : (
        <>
          <p className={text === '' ? 'muted' : 'note-text'}>{text === '' ? texts.noNote : text}</p>
          <Refusal problem={writing.problem} />
          <Allowed group={group} isQuiet>
            {(barred) => (
              <Button {...barred} variant="default" size="compact-sm" onClick={() => setOpen(true)}>
                {text === '' ? texts.writeNote : texts.changeNote}
              </Button>
            )}
          </Allowed>
        </>
      )}
    </section>
  )
}

/**
 * Writes, changes or deletes a note. It is shown at once, and as it was again with the reason where that is refused; what
 * was typed is kept for the next try.
 */
function useWriting(own: string) {
  const path = `${own}/note.json`
  const queries = useQueryClient()
  const [refused, setRefused] = useState<string | null>(null)
  const doing = useMutation({
    mutationFn: ({ text, isThere }: { readonly text: string; readonly isThere: boolean }) => {
      if (text === '') return send({ method: 'DELETE', path })
      return send({ method: isThere ? 'PUT' : 'POST', path, body: { note: text } })
    },
    onMutate: async ({ text }) => {
      await queries.cancelQueries({ queryKey: [path] })
      const before = queries.getQueryData<Written | null>([path])
      queries.setQueryData([path], text === '' ? null : { ...before, note: text })
      return { before }
    },
    onError: (_, { text }, made) => {
      setRefused(text)
      queries.setQueryData([path], made?.before ?? null)
    },
    onSuccess: async () => {
      setRefused(null)
      await queries.invalidateQueries({ queryKey: [`${own}/timeline.json`] })
      await queries.invalidateQueries({ queryKey: [path] })
    },
  })
  return {
    refused,
    problem: doing.error instanceof Problem ? doing.error : null,
    write(text: string) {
      const isThere = Boolean(queries.getQueryData<Written | null>([path]))
      if (text !== '' || isThere) doing.mutate({ text, isThere })
    },
  }
}

interface Editing {
  readonly text: string
  readonly close: () => void
  readonly write: (text: string) => void
}

function Writing({ text, close, write }: Editing) {
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    write(String(new FormData(event.currentTarget).get('note')).trim())
  }
  return (
    <form className="stack" method="post" onSubmit={submit}>
      <Textarea
        name="note"
        aria-label={texts.note}
        defaultValue={text}
        rows={4}
        maxLength={10_000}
        description={texts.noteHelp}
        autoFocus
      />
      <Group justify="flex-end">
        <Button variant="default" size="compact-sm" onClick={close}>
          {texts.close}
        </Button>
        <Button type="submit" size="compact-sm">
          {texts.saveNote}
        </Button>
      </Group>
    </form>
  )
}
