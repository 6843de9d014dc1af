import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ExportKind } from '../../../src/lists/exports/schema.ts'
import { LISTS } from './kinds.ts'
import { texts } from '../texts/texts.ts'
import { drawnLater } from '../../ui/later.tsx'
import type { Query } from '../../ui/server.ts'

const ExportDialog = drawnLater(async () => (await import('./ExportDialog.tsx')).ExportDialog)

/** The button that writes all of a list to a file, as it is narrowed by `query`; nothing where it cannot be exported. */
export function Exporting({ kind, query }: { readonly kind: string; readonly query: Query }) {
  const [isOpen, setOpen] = useState(false)
  if (!LISTS.includes(kind)) return null
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {texts.exportList}
      </Button>
      {isOpen ? <ExportDialog kind={kind as ExportKind} query={query} close={() => setOpen(false)} /> : null}
    </>
  )
}
