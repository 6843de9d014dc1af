import { Modal } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState, type KeyboardEvent } from 'react'
import type { SearchResult } from '../../../src/sales/search/schema.ts'
import { Icon } from '../../ui/Icon.tsx'
import { CREATE } from '../creating.ts'
import { usePlace } from '../place.ts'
import { useChosenProduct } from '../products.ts'
import { creationsOf } from './creations.ts'
import { ask } from '../../ui/server.ts'
import { texts } from '../texts/texts.ts'
import { wayOf, type Way } from '../ways.ts'

/** Milliseconds without another letter after which is looked. */
const PAUSE = 120
const MOST = 10

/** Opens the search from elsewhere in the page. */
export const SEARCH = 'keywright-search'

/** Opens whatever a text names, from everywhere, by Ctrl-K or ⌘K, and what creates something. */
export function Search() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const hear = (event: globalThis.KeyboardEvent) => {
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

/** A thing, or what creates one. */
interface Found {
  readonly key: string
  readonly title: string
  readonly subtitle: string
  readonly kind: string
  readonly way: Way
  readonly hash?: typeof CREATE
}

/** What may be created here, whose words have what was typed; in test mode nothing, as all of it counts live. */
function useCreations(typed: string): readonly Found[] {
  const { account, environment } = usePlace()
  const product = useChosenProduct()
  if (environment === 1) return []
  return creationsOf(account, product, typed).map(({ words, way }) => ({
    key: way.to,
    title: words,
    subtitle: '',
    kind: texts.create,
    way,
    hash: CREATE,
  }))
}

/** What the account has by this text; nothing is asked before there is one. */
function useFound(typed: string): { readonly found: readonly Found[]; readonly isAsked: boolean } {
  const { account, accountPath, environment } = usePlace()
  const [q, setQ] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setQ(typed.trim()), PAUSE)
    return () => clearTimeout(timer)
  }, [typed])
  const query = { q, environment, count: MOST }
  const { data, isFetching } = useQuery({
    queryKey: ['search', accountPath, query],
    enabled: q !== '',
    placeholderData: keepPreviousData,
    queryFn: () => ask<{ results: readonly SearchResult[] }>(`${accountPath}/search.json`, query),
  })
  const results = q === '' ? [] : (data?.results ?? [])
  const found = results.flatMap((result) => {
    const { kind, id, title, subtitle } = result
    const way = wayOf(result, account.developer_id)
    return way ? [{ key: `${kind} ${id}`, title, subtitle, kind: texts.kinds[kind], way }] : []
  })
  return { found, isAsked: q !== '' && q === typed.trim() && !isFetching }
}

function Finder({ close }: { readonly close: () => void }) {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const { found: things, isAsked } = useFound(typed)
  const found = [...things, ...useCreations(typed)]
  const navigate = useNavigate()
  const chosen = Math.min(at, found.length - 1)
  const open = (one: Found | undefined) => {
    if (!one) return
    close()
    const { way, hash } = one
    void navigate({ ...way, ...(hash && { hash }) })
  }
  const press = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) setAt((chosen + step + found.length) % Math.max(found.length, 1))
    else if (event.key === 'Enter') open(found[chosen])
    else return
    event.preventDefault()
  }
  return (
    <div className="finder">
      <input
        data-autofocus
        type="text"
        role="combobox"
        aria-label={texts.searchEverything}
        aria-expanded={found.length > 0}
        aria-controls="found"
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `found-${chosen}` : undefined}
        placeholder={texts.searchEverything}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => {
          setTyped(target.value)
          setAt(0)
        }}
        onKeyDown={press}
      />
      <Results found={found} chosen={chosen} open={open} />
      <p className="muted" role="status">
        {isAsked && found.length === 0 ? texts.nothingFound : typed === '' ? texts.searchHelp : ''}
      </p>
    </div>
  )
}

interface Results {
  readonly found: readonly Found[]
  readonly chosen: number
  readonly open: (one: Found) => void
}

const Results = ({ found, chosen, open }: Results) => (
  <ul id="found" role="listbox" aria-label={texts.found}>
    {found.map((one, place) => (
      <li
        key={one.key}
        id={`found-${place}`}
        role="option"
        aria-selected={place === chosen}
        onClick={() => open(one)}
      >
        <span>{one.title}</span>
        <span className="muted">{one.subtitle}</span>
        <span className="state">{one.kind}</span>
      </li>
    ))}
  </ul>
)
