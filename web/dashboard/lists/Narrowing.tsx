import './narrowing.css'
import { TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import { texts } from '../texts/texts.ts'
import { useNarrow, useNarrowed } from './narrowed.ts'

type Choices = readonly (readonly [value: string, label: string])[]

/** What a list may be narrowed to and sorted by. */
export interface Narrowed {
  readonly title: string
  /** Names of the values that the argument `filter` has; absent: there is none. */
  readonly filters?: Choices
  readonly search?: string
  /** Whether the operation takes `from` and `to`. */
  readonly hasSpan?: true
  /** Names of the values that the argument `sort` has beside its default, whose name comes first. */
  readonly sorts?: readonly [first: string, ...others: Choices]
}

/** What stands above a list: a search, filters, the days that it is of, and its order; all of it is in the address. */
export function Narrowing({ list }: { readonly list: Narrowed }) {
  const { search, filters, hasSpan, sorts } = list
  if ([search, filters, hasSpan, sorts].every((one) => one === undefined)) return null
  return (
    <div className="narrowing">
      {search === undefined ? null : <Searching words={search} />}
      {filters === undefined ? null : <Filters filters={filters} />}
      {hasSpan || sorts ? (
        <div className="when">
          {hasSpan ? <Span /> : null}
          {sorts === undefined ? null : <Sorting sorts={sorts} />}
        </div>
      ) : null}
    </div>
  )
}

function Searching({ words }: { readonly words: string }) {
  const { q } = useNarrowed()
  const narrow = useNarrow()
  const field = useRef<HTMLInputElement>(null)
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        narrow({ q: field.current?.value.trim() || undefined })
      }}
    >
      <TextInput
        key={q ?? ''}
        ref={field}
        type="search"
        defaultValue={q ?? ''}
        aria-label={`${texts.search}: ${words}`}
        placeholder={words}
        leftSection={<Icon name="search" />}
      />
    </form>
  )
}

function Filters({ filters }: { readonly filters: Choices }) {
  const { filter = '' } = useNarrowed()
  const narrow = useNarrow()
  return (
    <div role="group" aria-label={texts.filter} className="chips">
      {[['', texts.all] as const, ...filters].map(([value, label]) => (
        <button
          key={value}
          type="button"
          aria-pressed={filter === value}
          onClick={() => narrow({ filter: value || undefined })}
        >
          {label}
        </button>
      ))}
    </div>
  )
}

/** The first and the last day. */
function Span() {
  const { from, to } = useNarrowed()
  const narrow = useNarrow()
  return (
    <div className="span" role="group" aria-label={texts.spanOfDays} title={texts.spanOfDays}>
      <Day words={texts.fromDay} day={from} took={(day) => narrow({ from: day })} />
      <Day words={texts.toDay} day={to} took={(day) => narrow({ to: day })} />
    </div>
  )
}

interface OneDay {
  readonly words: string
  readonly day?: string | undefined
  readonly took: (day: string | undefined) => void
}

/** A year that is being typed is none of this century yet. */
const isDay = (value: string): boolean => value === '' || value >= '2000'

function Day({ words, day = '', took }: OneDay) {
  const field = useRef<HTMLInputElement>(null)
  // Back changes it too; drawn anew, it would lose the focus at each choice.
  useEffect(() => {
    if (field.current) field.current.value = day
  }, [day])
  return (
    <label>
      <span className="muted">{words}</span>
      <input
        ref={field}
        type="date"
        defaultValue={day}
        onChange={({ target: { value } }) => {
          if (isDay(value) && value !== day) took(value || undefined)
        }}
      />
    </label>
  )
}

function Sorting({ sorts: [first, ...others] }: { readonly sorts: NonNullable<Narrowed['sorts']> }) {
  const { sort = '' } = useNarrowed()
  const narrow = useNarrow()
  return (
    <select
      className="sorting"
      aria-label={texts.order}
      value={sort}
      onChange={({ target }) => narrow({ sort: target.value || undefined })}
    >
      {[['', first] as const, ...others].map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  )
}
