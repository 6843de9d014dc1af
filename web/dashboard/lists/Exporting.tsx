import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { ExportKind } from '../../../src/lists/exports/schema.ts'
import { texts } from '../texts/texts.ts'
import type { Query } from '../../ui/server.ts'

const ExportDialog = lazy(() => import('./ExportDialog.tsx').then((part) => ({ default: part.ExportDialog })))

/** Lists that can be exported, by the name of the rows in their replies. */
const KINDS: readonly string[] = [
  'licenses',
  'users',
  'payments',
  'subscriptions',
  'installs',
  'trials',
  'coupons',
  'carts',
  'events',
  'audit',
] satisfies ExportKind[]

/** The button that writes all of a list to a file, as it is narrowed by `query`; nothing where it cannot be exported. */
export function Exporting({ kind, query }: { readonly kind: string; readonly query: Query }) {
  const [isOpen, setOpen] = useState(false)
  if (!KINDS.includes(kind)) return null
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {texts.exportList}
      </Button>
      {isOpen ? (
        <Suspense>
          <ExportDialog kind={kind as ExportKind} query={query} close={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
