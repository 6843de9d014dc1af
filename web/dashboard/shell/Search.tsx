import { Modal } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import { drawnLater } from '../../ui/later.tsx'
import { texts } from '../texts/texts.ts'

const load = () => import('./Finder.tsx')
const Finder = drawnLater(async () => (await load()).Finder)

/** Opens the search from elsewhere in the page. */
export const SEARCH = 'keywright-search'

/** Opens whatever a text names, from everywhere, by Ctrl-K or ⌘K, and what creates something. */
export function Search() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    // It comes after the page, and before anybody asks for it.
    void load()
  }, [])
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpen(true)
    }
    const open = () => setOpen(true)
    document.addEventListener('keydown', hear)
    document.addEventListener(SEARCH, open)
    return () => {
      document.removeEventListener('keydown', hear)
      document.removeEventListener(SEARCH, open)
    }
  }, [])
  return (
    <>
      <button type="button" className="search-button" onClick={() => setOpen(true)}>
        <Icon name="search" />
        <span>{texts.search}</span>
        <kbd className="only-wide">{texts.searchKey}</kbd>
      </button>
      <Modal.Root opened={isOpen} onClose={() => setOpen(false)} radius={10} size={560}>
        <Modal.Overlay />
        <Modal.Content aria-label={texts.search}>
          <Finder close={() => setOpen(false)} />
        </Modal.Content>
      </Modal.Root>
    </>
  )
}
