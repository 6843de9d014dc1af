import { Button } from '@mantine/core'
import { useState } from 'react'
import { drawnLater } from '../../../ui/later.tsx'
import { texts } from '../../texts/texts.ts'

const FileCheck = drawnLater(async () => (await import('./FileCheck.tsx')).FileCheck)

/** The button behind which a license file that a customer sent is checked. */
export function CheckFile() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {texts.checkFile}
      </Button>
      {isOpen ? <FileCheck close={() => setOpen(false)} /> : null}
    </>
  )
}
