import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { drawnLater } from '../../ui/later.tsx'
import { CREATE, isCreating } from '../creating.ts'
import { useChosenProduct } from '../products.ts'
import { SEARCH } from './Search.tsx'
import { shortcutOf, SHORTCUTS, switchedOff } from './shortcuts.ts'

const Shortcuts = drawnLater(async () => (await import('./Shortcuts.tsx')).Shortcuts)

/** Opens the list of the keys from elsewhere in the page. */
export const HELP = 'keywright-keys'

/** Where letters are written, or a dialog is open, a key means itself. */
const isTaken = ({ target, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean =>
  ctrlKey ||
  metaKey ||
  altKey ||
  isComposing ||
  (target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select, [role=menuitem]'))) ||
  document.querySelector('[role=dialog]') !== null

/** What keys do on every page; each can be switched off. */
export function Keyboard() {
  const [isOpen, setOpen] = useState(false)
  const act = useActs(() => setOpen(true))
  const before = useRef<{ readonly key: string; readonly at: number } | null>(null)
  useEffect(() => {
    const help = () => setOpen(true)
    const hear = (event: KeyboardEvent) => {
      if (isTaken(event)) return
      const pressed = { key: event.key, at: event.timeStamp }
      const keys = shortcutOf(before.current, pressed, switchedOff())
      before.current = keys === undefined ? pressed : null
      if (keys !== undefined && act(SHORTCUTS[keys])) event.preventDefault()
    }
    document.addEventListener('keydown', hear)
    document.addEventListener(HELP, help)
    return () => {
      document.removeEventListener('keydown', hear)
      document.removeEventListener(HELP, help)
    }
  })
  return isOpen ? <Shortcuts close={() => setOpen(false)} /> : null
}

type Act = (typeof SHORTCUTS)[keyof typeof SHORTCUTS]

/** Does what keys stand for; false where there is nothing of that here. */
function useActs(help: () => void): (act: Act) => boolean {
  const { account = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const chosen = useChosenProduct()
  return (act) => {
    if (act === 'filter') {
      const field = document.querySelector<HTMLElement>('main [role=search] input')
      field?.focus()
      return field !== null
    }
    if (act === 'help') help()
    else if (act === 'create' && isCreating()) void navigate({ to: '.', search: true, hash: CREATE } as never)
    else if (act === 'create') document.dispatchEvent(new Event(SEARCH))
    else if (chosen === undefined) return false
    else void navigate({ to: `/$account/$product/${act}`, params: { account, product: chosen } })
    return true
  }
}
