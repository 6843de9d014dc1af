import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ExportKind } from '../../../src/lists/exports/schema.ts'
import { EXPORTED } from './kinds.ts'
import { texts } from '../texts/texts.ts'
import { drawnLater } from '../../ui/later.tsx'
import type { Query } from '../../ui/server.ts'

const ExportDialog = drawnLater(async () => (await import('./ExportDialog.tsx')).ExportDialog)

const isExported = (kind: string): kind is ExportKind => EXPORTED.some((one) => one === kind)

/** The button that writes all of a list to a file, as it is narrowed by `query`; nothing where it cannot be exported. */
export function Exporting({ kind, query }: { readonly kind: string; readonly query: Query }) {
  const [isOpen, setOpen] = useState(false)
  if (!isExported(kind)) return null
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {texts.exportList}
      </Button>
      {isOpen ? <ExportDialog kind={kind} query={query} close={() => setOpen(false)} /> : null}
    </>
  )
}
