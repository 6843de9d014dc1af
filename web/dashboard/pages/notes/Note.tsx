import { Button, Group, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import type { Note as Written } from '../../../../src/people/notes/schema.ts'
import { useLeaving } from '../../Dialog.tsx'
import { useAtOnce } from '../../../ui/at-once.ts'
import { Allowed } from '../../Allowed.tsx'
import { Refusal } from '../../../ui/doing.tsx'
import { Failure } from '../../parts.tsx'
import { Loading } from '../../../ui/parts.tsx'
import { usePlace } from '../../place.ts'
import { may } from '../../session.ts'
import { askIfAny } from '../../../ui/server.ts'
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
            if (changed !== text) writing.write(changed)
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
  const { change, refused, problem } = useAtOnce<Partial<Written> | null, string>({
    queryKey: [path],
    shown: (before, note) => (note === '' ? null : { ...before, note }),
    sent: (note, before) =>
      note === '' ? { method: 'DELETE', path } : { method: before ? 'PUT' : 'POST', path, body: { note } },
    undo: (note, before) => ({
      text: note === '' ? texts.noteDeleted : texts.noteSaved,
      change: before?.note ?? '',
    }),
  })
  return { refused, problem, write: change }
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
  const leaving = useLeaving({ close })
  return (
    <>
      <form className="stack" method="post" {...leaving.noting} onSubmit={submit}>
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
          <Button variant="default" size="compact-sm" onClick={leaving.close}>
            {texts.close}
          </Button>
          <Button type="submit" size="compact-sm">
            {texts.saveNote}
          </Button>
        </Group>
      </form>
      {leaving.asking}
    </>
  )
}
