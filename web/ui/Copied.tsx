import { useRef, useState, type RefObject } from 'react'
import { copyText } from '../shared/copy.ts'
import { Icon } from './Icon.tsx'

/** Milliseconds for which the button says that it is done. */
const SAID_FOR = 2_000

interface Words {
  readonly copy: string
  readonly copied: string
  readonly show: string
}

/** Copies a text, and says so to who cannot see it. */
export function CopyButton({
  text,
  shown,
  words,
  what,
}: {
  /** The text, or what asks for it; null where it is not to be had. */
  readonly text: string | (() => Promise<string | null>)
  /** Where the text stands. */
  readonly shown: RefObject<HTMLElement | null>
  readonly words: Pick<Words, 'copy' | 'copied'>
  /** What is copied, in a word. */
  readonly what: string
}) {
  const [isDone, setDone] = useState(false)
  const copy = async () => {
    const found = typeof text === 'string' ? text : await text()
    if (found === null) return
    await copyText(found, shown.current)
    setDone(true)
    setTimeout(() => setDone(false), SAID_FOR)
  }
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label={`${words.copy} ${what}`.trim()}
        onClick={() => void copy()}
      >
        <Icon name={isDone ? 'done' : 'copy'} />
      </button>
      <span className="unseen" role="status">
        {isDone ? words.copied : ''}
      </span>
    </>
  )
}

/** A text with a button that copies it; a secret is masked but for its end until it is shown. */
export function Copied({
  text,
  words,
  isSecret = false,
}: {
  readonly text: string
  readonly words: Words
  readonly isSecret?: boolean
}) {
  const shown = useRef<HTMLElement>(null)
  const [isOpen, setOpen] = useState(!isSecret)
  return (
    <span className="copied">
      <code ref={shown}>{isOpen ? text : `•••• ${text.slice(-4)}`}</code>
      {isOpen ? null : (
        <button type="button" className="icon-button" aria-label={words.show} onClick={() => setOpen(true)}>
          <Icon name="eye" />
        </button>
      )}
      <CopyButton text={text} shown={shown} words={words} what={isOpen ? text : ''} />
    </span>
  )
}
