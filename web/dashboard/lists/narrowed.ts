import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import type { ListSearch } from '../place.ts'

/** What a step of the history has beside its address. */
interface Beside {
  readonly q?: string | undefined
}

/** The address of a person, or a key, which never stands in the address of a page. */
const isPrivate = (text: string): boolean => text.includes('@') || /^sk_|[\w-]{24,}/.test(text)

/**
 * What a list is narrowed to, by its address. A search for an address of a person or a key is in the history of the tab
 * instead: Back and a reload know it, and nobody whom the address of the page is sent to.
 */
export function useNarrowed(): ListSearch {
  const search = useSearch({ strict: false }) as ListSearch
  const { q } = useLocation({ select: ({ state }) => state as Beside })
  return q === undefined ? search : { ...search, q }
}

/** Changes what a list is narrowed to; what is left out goes. */
export function useNarrow(): (change: ListSearch) => void {
  const navigate = useNavigate()
  return (change) => {
    const beside = change.q !== undefined && isPrivate(change.q)
    void navigate({
      to: '.',
      search: (before: ListSearch) => ({
        ...before,
        page: undefined,
        ...change,
        ...(beside && { q: undefined }),
      }),
      state: (before: Beside) => ({ ...before, ...('q' in change && { q: beside ? change.q : undefined }) }),
    } as never)
  }
}
