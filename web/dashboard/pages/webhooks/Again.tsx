import { NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Resent } from '../../../../src/events/listeners/schema.ts'
import { Problem } from '../../../shared/call.ts'
import { fill } from '../../../shared/language.ts'
import { faultIn, Said } from '../../../ui/doing.tsx'
import { Dialog } from '../../Dialog.tsx'
import { useOnce } from '../../../ui/once.ts'
import { send } from '../../../ui/server.ts'
import { numberText } from '../../format.tsx'
import { words } from './words.ts'

const STATES = ['missed', 'error', 'canceled', 'processed'] as const

interface OfWebhook {
  /** What the calls about it begin with. */
  readonly own: string
  readonly close: () => void
  readonly sent: () => void
}

/** Sends what a listener did not take once more: what failed, or all of a time. */
export function SendAgain({ own, close, sent }: OfWebhook) {
  const { doing, run, count, isDone } = useResending(own, sent)
  const submit = (form: FormData) => {
    const given = (name: string) => String(form.get(name) ?? '').trim() || undefined
    const state = given('state')
    void run({ from: given('from'), to: given('to'), state: state === 'missed' ? undefined : state })
  }
  return (
    <Dialog
      title={words.again}
      isOpen
      close={close}
      act={words.again}
      doing={doing}
      fields={['state', 'from', 'to']}
      submit={submit}
    >
      <p>{words.againMore}</p>
      <NativeSelect
        name="state"
        label={words.which}
        data={STATES.map((value) => ({ value, label: words.states[value] }))}
        error={faultIn(doing.problem, 'state')}
      />
      <TextInput
        name="from"
        label={words.from}
        description={words.times}
        error={faultIn(doing.problem, 'from')}
      />
      <TextInput name="to" label={words.to} error={faultIn(doing.problem, 'to')} />
      <Said text={saidOf(count, isDone)} />
    </Dialog>
  )
}

function saidOf(count: number | null, isDone: boolean): string {
  if (count === null) return ''
  if (!isDone) return fill(words.sending, { count: numberText(count) })
  return count === 0 ? words.sentNone : fill(words.sentAll, { count: numberText(count) })
}

interface Range {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly state: string | undefined
}

/** Goes on call by call until all of a range was looked at, each of which sends so many at most. */
function useResending(own: string, sent: () => void) {
  const queries = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [count, setCount] = useState<number | null>(null)
  const once = useOnce()
  const run = async (range: Range) => {
    if (isBusy) return
    setBusy(true)
    setProblem(null)
    setCount(0)
    try {
      for (let after: number | undefined, more = true; more;) {
        const body = { ...range, ...(after !== undefined && { after_id: after }) }
        const key = once.keyOf(JSON.stringify(body))
        const part = await send<Resent>({ method: 'POST', path: `${own}/resend.json`, body, key })
        once.answered(null)
        setCount((before) => (before ?? 0) + part.count)
        after = part.last_id === null ? undefined : Number(part.last_id)
        more = part.more && after !== undefined
      }
    } catch (error) {
      setProblem(error instanceof Problem ? error : null)
      once.answered(error instanceof Problem ? error : null)
      setCount(null)
      if (!(error instanceof Problem)) throw error
    } finally {
      setBusy(false)
      sent()
      await queries.invalidateQueries()
    }
  }
  const isDone = !isBusy
  return { doing: { isBusy, problem, isDone: () => isDone && count !== null }, run, count, isDone }
}
