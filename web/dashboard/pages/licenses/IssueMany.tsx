import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Problem } from '../../../shared/call.ts'
import { fill } from '../../../shared/language.ts'
import { Dialog } from '../../Dialog.tsx'
import { numberText } from '../../format.tsx'
import { Rows, type Column } from '../../../ui/Rows.tsx'
import { usePlace } from '../../place.ts'
import { send } from '../../../ui/server.ts'
import { texts } from '../../texts/texts.ts'
import { wantedIn, type Wanted } from './csv.ts'
import { PERIODS, usePrices } from './prices.ts'

/** Licenses that one file may have. */
const MOST = 1_000

/** A row of the file that no license was issued for. */
interface Bad {
  readonly id: string
  readonly wanted: Wanted
  readonly why: string
}

const COLUMNS: readonly Column<Bad>[] = [
  { label: texts.fileRow, show: ({ id }) => id },
  { label: texts.email, show: ({ wanted }) => wanted.email ?? texts.none },
  { label: texts.reason, show: ({ why }) => why },
]

/** Issues a license for each row of a file; the rows that were refused are told one by one, and can be tried again. */
export function IssueMany({ close }: { readonly close: () => void }) {
  const { path } = usePlace()
  const prices = usePrices(path, true)
  const [wanted, setWanted] = useState<readonly Wanted[] | null>(null)
  const [fault, setFault] = useState<string | undefined>()
  const issuing = useIssuing()
  const read = async (file: File | undefined) => {
    issuing.forget()
    const found = file && wantedIn(await file.text())
    const isFine = found && found.length > 0 && found.length <= MOST
    setWanted(isFine ? found : null)
    setFault(isFine || !file ? undefined : fill(texts.fileUnread, { most: numberText(MOST) }))
  }
  const submit = (form: FormData) => {
    if (!wanted) return setFault(fault ?? texts.fileWanted)
    const [plan = '', price = ''] = String(form.get('price')).split('/')
    void issuing.run(wanted, {
      path: `${path}/plans/${plan}/pricing/${price}/licenses.json`,
      rest: { period: Number(form.get('period')), send_email: form.has('mail') },
    })
  }
  return (
    <Dialog
      title={texts.issueMany}
      isOpen
      close={close}
      act={fill(texts.issueCount, { count: numberText(issuing.left(wanted ?? []).length) })}
      doing={{
        isBusy: issuing.isBusy,
        problem: null,
        isDone: () => wanted !== null && issuing.left(wanted).length === 0,
      }}
      submit={submit}
    >
      <TextInput
        type="file"
        accept=".csv,text/csv"
        label={texts.fileOfLicenses}
        description={texts.fileOfLicensesHelp}
        error={fault}
        onChange={({ target }) => void read(target.files?.[0])}
      />
      <NativeSelect name="price" label={texts.price} data={prices} />
      <NativeSelect name="period" label={texts.lasts} description={texts.lastsHelp} data={PERIODS} />
      <Checkbox name="mail" label={texts.mailThem} />
      <Outcome {...issuing} />
    </Dialog>
  )
}

interface Offer {
  readonly path: string
  readonly rest: object
}

/** Issues row by row; one that is sent again after a lost answer is the same license. */
function useIssuing() {
  const queries = useQueryClient()
  const [key, setKey] = useState(() => crypto.randomUUID())
  const [isBusy, setBusy] = useState(false)
  const [done, setDone] = useState<ReadonlySet<number>>(new Set())
  const [bad, setBad] = useState<readonly Bad[]>([])
  const left = (wanted: readonly Wanted[]) => wanted.filter(({ row }) => !done.has(row))
  const run = async (wanted: readonly Wanted[], { path, rest }: Offer) => {
    if (isBusy) return
    setBusy(true)
    setBad([])
    for (const one of left(wanted)) {
      const { row, ...given } = one
      const body = { ...rest, ...given, ...(given.email === undefined && { send_email: false }) }
      try {
        await send({ method: 'POST', path, body, key: `${key}-${row}` })
        setDone((before) => new Set([...before, row]))
      } catch (error) {
        setBad((before) => [...before, { id: String(row), wanted: one, why: reasonIn(error) }])
      }
    }
    await queries.invalidateQueries()
    setBusy(false)
  }
  const forget = () => {
    setKey(crypto.randomUUID())
    setDone(new Set())
    setBad([])
  }
  return { isBusy, done, bad, left, run, forget }
}

const reasonIn = (error: unknown): string => {
  if (!(error instanceof Problem)) return texts.away
  const details = error.details.map(({ field, message }) => `${field} ${message}`)
  return details.join(', ') || error.message || texts.away
}

function Outcome({ isBusy, done, bad }: Pick<ReturnType<typeof useIssuing>, 'isBusy' | 'done' | 'bad'>) {
  const count = done.size + bad.length
  if (count === 0) return null
  return (
    <>
      <p role="status" className={bad.length > 0 || isBusy ? 'note' : 'note good'}>
        {fill(texts.issuedCount, { done: numberText(done.size), bad: numberText(bad.length) })}
      </p>
      {bad.length === 0 ? null : <Rows label={texts.refusedRows} columns={COLUMNS} rows={bad} />}
    </>
  )
}
