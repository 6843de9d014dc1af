import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { fill } from '../../shared/language.ts'
import type { Query } from '../../ui/server.ts'
import { Allowed } from '../Allowed.tsx'
import { numberText } from '../format.tsx'
import { usePlace } from '../place.ts'
import { listTexts } from '../texts/lists.ts'
import { BulkDialog } from './BulkDialog.tsx'
import type { ManyOf } from './Choosing.tsx'

interface Bar {
  readonly many: ManyOf
  readonly ids: readonly string[]
  /** Those of the page that is shown. */
  readonly page: readonly string[]
  readonly query: Query
  readonly choose: (ids: readonly string[]) => void
}

/** What is done to the rows that are chosen, or to all that the list has as it is narrowed. */
export function BulkBar({ many, ids, page, query, choose }: Bar) {
  const { account, product } = usePlace()
  const [to, setTo] = useState<'chosen' | 'all' | null>(null)
  return (
    <Group gap={8}>
      <span className="muted number" role="status">
        {fill(listTexts.chosen, { count: numberText(ids.length) })}
      </span>
      <Button
        variant="default"
        size="compact-sm"
        onClick={() => choose(page.every((id) => ids.includes(id)) ? [] : [...new Set([...ids, ...page])])}
      >
        {page.every((id) => ids.includes(id)) ? listTexts.chooseNone : listTexts.choosePage}
      </Button>
      <Allowed group={many.group} isQuiet={many.isAlone !== true}>
        {(barred) => (
          <>
            <Button
              {...barred}
              variant="default"
              size="compact-sm"
              disabled={barred.disabled ?? ids.length === 0}
              onClick={() => setTo('chosen')}
            >
              {listTexts.doToChosen}
            </Button>
            <Button {...barred} variant="default" size="compact-sm" onClick={() => setTo('all')}>
              {listTexts.doToAll}
            </Button>
          </>
        )}
      </Allowed>
      <Link to="/$account/$product/bulk" params={{ account: account.developer_id, product }}>
        {listTexts.bulks}
      </Link>
      {to === null ? null : (
        <BulkDialog
          kind={many.kind}
          ids={to === 'all' ? null : ids}
          query={query}
          close={() => setTo(null)}
        />
      )}
    </Group>
  )
}
