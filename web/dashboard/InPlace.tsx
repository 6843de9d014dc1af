import { TextInput } from '@mantine/core'
import { flushSync } from 'react-dom'
import { useRef, useState, type KeyboardEvent } from 'react'

interface Edited {
  /** As it is; empty: there is none. */
  readonly text: string
  /** The words of what is changed, for who does not see where it stands. */
  readonly label: string
  /** What stands there while there is none. */
  readonly none: string
  readonly isBarred: boolean
  readonly save: (text: string) => void
}

/** A text that is changed where it stands: Enter and leaving it save, Escape does not. */
export function InPlace({ text, label, none, isBarred, save }: Edited) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const isLeft = useRef(false)
  const end = (typed: string) => {
    setOpen(false)
    if (typed.trim() !== text) save(typed.trim())
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    isLeft.current = true
    const { value } = event.currentTarget
    flushSync(() => end(event.key === 'Enter' ? value : text))
    button.current?.focus()
  }
  if (isOpen) {
    return (
      <TextInput
        autoFocus
        aria-label={label}
        defaultValue={text}
        autoComplete="off"
        size="xs"
        onFocus={({ currentTarget }) => currentTarget.select()}
        onKeyDown={press}
        onBlur={({ currentTarget }) => {
          if (!isLeft.current) end(currentTarget.value)
        }}
      />
    )
  }
  return (
    <button
      ref={button}
      type="button"
      className="in-place"
      aria-label={label}
      disabled={isBarred}
      onClick={() => {
        isLeft.current = false
        setOpen(true)
      }}
    >
      {text === '' ? <span className="muted">{none}</span> : text}
    </button>
  )
}
