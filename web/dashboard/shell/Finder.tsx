import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { SearchResult } from '../../../src/sales/search/schema.ts'
import { CREATE } from '../creating.ts'
import { usePlace, type Place } from '../place.ts'
import { useChosenProduct } from '../products.ts'
import { creationsOf } from './creations.ts'
import { ask } from '../../ui/server.ts'
import { texts } from '../texts/texts.ts'
import { wayOf, type Way } from '../ways.ts'

/** Milliseconds without another letter after which is looked; what is pasted is looked for at once. */
const PAUSE = 120
/** Of each mode: more than there are kinds, as one number may be the ID of each. */
const MOST = 25

type Environment = Place['environment']

/** A thing, or what creates one. */
interface Found {
  readonly key: string
  readonly title: string
  readonly subtitle: string
  readonly kind: string
  readonly way: Way
  readonly hash?: typeof CREATE
  /** Live or of the sandbox, where it is not what is shown: opening it switches to that. */
  readonly other?: Environment
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

interface Looked {
  readonly found: readonly Found[]
  /** Nothing more comes by what is typed. */
  readonly isDone: boolean
}

/** What the account has by this text: what is of the mode that is shown, then of the other one. */
function useFound(typed: string): Looked {
  const { account, environment } = usePlace()
  const [q, setQ] = useState('')
  const before = useRef('')
  useEffect(() => {
    const isPasted = typed.length > before.current.length + 1
    before.current = typed
    const timer = setTimeout(() => setQ(typed.trim()), isPasted ? 0 : PAUSE)
    return () => clearTimeout(timer)
  }, [typed])
  const other = environment === 1 ? 0 : 1
  const [here, there] = [useResults(q, environment), useResults(q, other)]
  const found = (results: readonly SearchResult[], more: Partial<Found>) =>
    results.flatMap((result) => {
      const { kind, id, title, subtitle } = result
      const way = wayOf(result, account.developer_id)
      return way ? [{ key: `${kind} ${id}`, title, subtitle, kind: texts.kinds[kind], way, ...more }] : []
    })
  // What is of neither was found here.
  const ofOther = there.results.filter((result) => result.environment === other)
  return {
    found: [...found(here.results, {}), ...found(ofOther, { other })],
    isDone: q === typed.trim() && here.isThere && there.isThere,
  }
}

/** What is live or of the sandbox by this text, or of neither; nothing is asked before there is one. */
function useResults(q: string, environment: Environment) {
  const { accountPath } = usePlace()
  const query = { q, environment, count: MOST }
  const { data, isFetching } = useQuery({
    queryKey: ['search', accountPath, query],
    enabled: q !== '',
    placeholderData: keepPreviousData,
    queryFn: () => ask<{ results: readonly SearchResult[] }>(`${accountPath}/search.json`, query),
  })
  return { results: q === '' ? [] : (data?.results ?? []), isThere: !isFetching }
}

/** What is typed, and what there is of it. */
export function Finder({ close }: { readonly close: () => void }) {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const [isEntered, setEntered] = useState(false)
  const { found: things, isDone } = useFound(typed)
  const found = [...things, ...useCreations(typed)]
  const navigate = useNavigate()
  const chosen = Math.min(at, found.length - 1)
  const open = (one: Found | undefined) => {
    if (!one) return
    close()
    const { way, hash, other } = one
    const mode = other === 1 ? ('test' as const) : undefined
    const search = other === undefined ? way.search : { ...way.search, mode }
    void navigate({ ...way, ...(search && { search }), ...(hash && { hash }) })
  }
  // What is found by what was typed before is not what is wanted.
  useEffect(() => {
    if (!isEntered || !isDone) return
    setEntered(false)
    open(found[chosen])
  })
  const press = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) setAt((chosen + step + found.length) % Math.max(found.length, 1))
    else if (event.key === 'Enter') setEntered(true)
    else return
    event.preventDefault()
  }
  return (
    <div className="finder">
      <input
        autoFocus
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
          setEntered(false)
        }}
        onKeyDown={press}
      />
      <Results found={found} chosen={chosen} open={open} />
      <p className="muted" role="status">
        {typed === '' ? texts.searchHelp : isDone && found.length === 0 ? texts.nothingFound : ''}
      </p>
    </div>
  )
}

interface Results {
  readonly found: readonly Found[]
  readonly chosen: number
  readonly open: (one: Found) => void
}

function Results({ found, chosen, open }: Results) {
  useEffect(() => {
    document.getElementById(`found-${chosen}`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
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
          <span>
            {one.other === undefined ? null : (
              <span className="state warning">{one.other === 1 ? texts.testMode : texts.live}</span>
            )}{' '}
            <span className="state">{one.kind}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}
