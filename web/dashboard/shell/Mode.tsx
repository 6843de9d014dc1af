import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ListSearch } from '../place.ts'
import { texts } from '../texts/texts.ts'

/** Chooses between what is sold and the sandbox; the page stays, unless it is of one thing that is in one of them. */
export function Mode() {
  const { mode } = useSearch({ strict: false }) as ListSearch
  const navigate = useNavigate()
  const choose = (next: 'test' | undefined) =>
    void navigate({
      to: '.',
      search: (before: ListSearch) => ({ ...before, page: undefined, mode: next }),
      state: true,
    })
  return (
    <div role="group" aria-label={texts.mode} className="chips mode">
      <button type="button" aria-pressed={mode !== 'test'} onClick={() => choose(undefined)}>
        {texts.live}
      </button>
      <button type="button" aria-pressed={mode === 'test'} onClick={() => choose('test')}>
        {texts.test}
      </button>
    </div>
  )
}
