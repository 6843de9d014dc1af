import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { fill } from '../shared/language.ts'
import { Dialog, useDoing, type Sent } from './doing.tsx'
import { Failed, Loading } from './parts.tsx'
import { texts } from './texts.ts'

interface Asked {
  readonly error: unknown
  refetch(): unknown
}

interface Confirming {
  readonly title: string
  /** What will happen, with its numbers; undefined: they are asked for. */
  readonly text: string | undefined
  /** What is asked for it, where that is; what failed of it is said, and asked for again. */
  readonly asked?: readonly Asked[]
  /** The name that is typed first, where more than one row is hit; absent: none. */
  readonly typed?: string | undefined
  readonly keep: string
  readonly sent: Sent
  readonly close: () => void
  /** What follows where it was done; absent: it closes. */
  readonly done?: () => void
  /** Absent: it is. */
  readonly isDangerous?: boolean
}

/** Asks before what cannot be undone; its button has the words of the title. */
export function Confirm({
  title,
  text,
  asked = [],
  typed,
  keep,
  sent,
  close,
  done = close,
  isDangerous = true,
}: Confirming) {
  const doing = useDoing(done)
  const [name, setName] = useState('')
  const failed = asked.filter(({ error }) => error !== null)
  const isTyped = typed === undefined || isName(name, typed)
  return (
    <Dialog
      title={title}
      isOpen
      close={close}
      act={title}
      keep={keep}
      isDangerous={isDangerous}
      isBarred={text === undefined || !isTyped}
      doing={doing}
      submit={() => doing.send(sent)}
    >
      {text !== undefined ? (
        <p>{text}</p>
      ) : failed.length > 0 ? (
        <Failed error={failed[0]?.error} again={() => failed.forEach((one) => void one.refetch())} />
      ) : (
        <Loading lines={2} />
      )}
      {typed === undefined ? null : <TypedName name={typed} value={name} type={setName} />}
    </Dialog>
  )
}

/** Whether what was typed is the name that was asked for. */
export const isName = (typed: string, name: string): boolean => name !== '' && typed.trim() === name.trim()

interface Typing {
  readonly name: string
  readonly value: string
  readonly type: (text: string) => void
}

/** Wants the name typed of what many rows are lost with. */
export const TypedName = ({ name, value, type }: Typing) => (
  <TextInput
    label={fill(texts.typeName, { name })}
    value={value}
    onChange={({ target }) => type(target.value)}
    autoComplete="off"
  />
)
