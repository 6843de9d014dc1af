import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { ExportKind } from '../../../src/lists/exports/schema.ts'
import { LISTS } from './kinds.ts'
import { texts } from '../texts/texts.ts'
import type { Query } from '../../ui/server.ts'

const ExportDialog = lazy(() => import('./ExportDialog.tsx').then((part) => ({ default: part.ExportDialog })))

/** The button that writes all of a list to a file, as it is narrowed by `query`; nothing where it cannot be exported. */
export function Exporting({ kind, query }: { readonly kind: string; readonly query: Query }) {
  const [isOpen, setOpen] = useState(false)
  if (!LISTS.includes(kind)) return null
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
