import { useNavigate, useSearch } from '@tanstack/react-router'

type Said = Readonly<Partial<Record<string, string | number>>>

/**
 * What the address says by a name beside its page, and what changes that: `open`, by its id, what is looked at above the
 * page. Empty: nothing.
 */
export function useInAddress(name: 'open' | 'kind'): [string, (value: string) => void] {
  const said = (useSearch({ strict: false }) as Said)[name]
  const navigate = useNavigate()
  const say = (value: string) =>
    void navigate({
      to: '.',
      search: (before: Said) => ({ ...before, [name]: value || undefined }),
      state: true,
      resetScroll: false,
    } as never)
  return [said === undefined ? '' : String(said), say]
}
