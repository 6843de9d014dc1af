import { Button } from '@mantine/core'
import type { RefObject } from 'react'
import { mailTexts as words } from '../../texts/of-mails.ts'

interface Placed {
  readonly names: readonly string[]
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly write: (value: string) => void
}

/** The values that a text may name; one that is pressed stands where the cursor is. */
export function Placeholders({ names, field, write }: Placed) {
  const put = (name: string) => {
    const area = field.current
    if (!area) return
    const { value, selectionStart: from, selectionEnd: to } = area
    const named = `{{${name}}}`
    write(value.slice(0, from) + named + value.slice(to))
    requestAnimationFrame(() => {
      area.focus()
      area.setSelectionRange(from + named.length, from + named.length)
    })
  }
  return (
    <div className="stack">
      <p className="muted">
        {words.placeholders}. {words.placeholdersHelp}
      </p>
      <div className="actions" role="group" aria-label={words.placeholders}>
        {names.map((name) => (
          <Button key={name} variant="default" size="compact-sm" onClick={() => put(name)}>
            <code>{`{{${name}}}`}</code>
          </Button>
        ))}
      </div>
    </div>
  )
}
