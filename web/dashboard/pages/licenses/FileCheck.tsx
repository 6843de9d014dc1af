import './file-check.css'
import { Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { LicenseKeys } from '../../../../src/licensing/license-files/schema.ts'
import { Problem } from '../../../shared/call.ts'
import { Dialog } from '../../../ui/doing.tsx'
import { ask } from '../../../ui/server.ts'
import { usePlace } from '../../place.ts'
import { productsQuery } from '../../products.ts'
import { fileCheckTexts as words } from '../../texts/of-file-check.ts'
import { texts } from '../../texts/texts.ts'
import { FileFindings } from './FileFindings.tsx'
import { checkFile } from './file-check.ts'

/** Characters of a file that are read: more has none, which the verifier says of it. */
const MOST = 300_000

interface Given {
  /** Of the file; null: its text was typed. */
  readonly name: string | null
  readonly text: string
}

/** Says of a license file whether it is genuine and good, and what it says; nothing of it leaves the browser. */
export function FileCheck({ close }: { readonly close: () => void }) {
  const [given, setGiven] = useState<Given>({ name: null, text: '' })
  const [isWanting, setWanting] = useState(false)
  const checking = useChecking()
  const check = (one: Given) => {
    setGiven(one)
    setWanting(one.text.trim() === '')
    if (one.text.trim() !== '') checking.mutate(one)
  }
  const read = async (file: File | undefined) => {
    if (file) check({ name: file.name, text: await file.slice(0, MOST).text() })
  }
  const isOver = useDropped((file) => void read(file))
  const problem = checking.error instanceof Problem ? checking.error : null
  return (
    <Dialog
      title={texts.checkFile}
      isOpen
      close={close}
      act={words.act}
      doing={{ isBusy: checking.isPending, problem }}
      submit={() => check(given)}
    >
      <p>{words.more}</p>
      <TextInput
        type="file"
        className={isOver ? 'drop-here over' : 'drop-here'}
        label={words.file}
        description={words.fileHelp}
        error={isWanting ? words.wanted : undefined}
        onChange={({ target }) => void read(target.files?.[0])}
      />
      <Textarea
        label={words.text}
        description={words.textHelp}
        rows={3}
        spellCheck={false}
        autoComplete="off"
        value={given.name === null ? given.text : ''}
        onChange={({ target }) => setGiven({ name: null, text: target.value })}
      />
      <FileFindings name={checking.variables?.name ?? null} outcome={checking.data ?? null} />
    </Dialog>
  )
}

/** Checks a file by the keys that the server lists now. */
function useChecking() {
  const { account, accountPath, product: here } = usePlace()
  const queries = useQueryClient()
  return useMutation({
    gcTime: 0,
    mutationFn: async ({ text }: Given) =>
      checkFile(text, {
        here,
        products: await queries.ensureQueryData(productsQuery(account.developer_id)),
        keysOf: async (product) =>
          (await ask<LicenseKeys>(`${accountPath}/products/${product}/license_keys.json`)).keys,
        now: Date.now() / 1000,
      }),
  })
}

/** Takes a file that is dropped anywhere, which the browser would open in the place of the page; whether one is over it. */
function useDropped(take: (file: File | undefined) => void): boolean {
  const [isOver, setOver] = useState(false)
  const taken = useEffectEvent(take)
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      taken(event.dataTransfer?.files[0])
    }
    addEventListener('dragover', over)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [])
  return isOver
}

/** Text is dropped into a field as the browser does it. */
const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true
