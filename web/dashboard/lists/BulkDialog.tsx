import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Bulk, NewBulk } from '../../../src/lists/bulk/schema.ts'
import { fill } from '../../shared/language.ts'
import { useDoing } from '../../ui/doing.tsx'
import { Dialog } from '../Dialog.tsx'
import type { Query } from '../../ui/server.ts'
import { numberText } from '../format.tsx'
import { usePlace } from '../place.ts'
import { listTexts } from '../texts/lists.ts'
import { BulkUnderWay, type BulkBody } from './BulkUnderWay.tsx'
import type { ManyOf } from './Choosing.tsx'

interface Deed {
  readonly action: NewBulk['action']
  /** The argument that is asked for. */
  readonly argument?: keyof typeof listTexts.deedArguments
  /** What is said beside it. */
  readonly fixed?: object
}

/** What can be done to many rows, by what those are. */
const DEEDS = {
  licenses: {
    extend: { action: 'licenses.extend', argument: 'days' },
    quota: { action: 'licenses.update', argument: 'quota' },
    owner: { action: 'licenses.update', argument: 'new_user_id' },
    resend: { action: 'licenses.resend' },
    deactivate: { action: 'licenses.deactivate' },
    cancel: { action: 'licenses.cancel' },
  },
  coupons: {
    switchOff: { action: 'coupons.update', fixed: { is_active: false } },
    switchOn: { action: 'coupons.update', fixed: { is_active: true } },
    limit: { action: 'coupons.update', argument: 'redemptions_limit' },
    end: { action: 'coupons.update', argument: 'end_date' },
    remove: { action: 'coupons.delete' },
  },
  users: {
    marketingOff: { action: 'users.update', fixed: { is_marketing_allowed: false } },
    betaOn: { action: 'users.update', fixed: { is_beta: true } },
    betaOff: { action: 'users.update', fixed: { is_beta: false } },
  },
} as const satisfies Record<ManyOf['kind'], Partial<Record<keyof typeof listTexts.deeds, Deed>>>

/** Of an argument that is left empty: it is taken away. */
const EMPTIED = ['quota', 'redemptions_limit', 'end_date']
const AS_TEXT = ['new_user_id', 'end_date']

/** Arguments of the list that say which rows it has. */
const NARROWING = ['filter', 'search', 'environment']

interface ToMany extends Pick<ManyOf, 'kind'> {
  /** Null: all that the list has as it is narrowed. */
  readonly ids: readonly string[] | null
  readonly query: Query
  readonly close: () => void
}

/** Asks what is done to many rows, shows what would happen to each, then does it. */
export function BulkDialog({ kind, ids, query, close }: ToMany) {
  const { path } = usePlace()
  const deeds: Readonly<Record<string, Deed>> = DEEDS[kind]
  const [name, setName] = useState(Object.keys(deeds)[0] ?? '')
  const { action, argument = null, fixed } = deeds[name] ?? { action: 'licenses.extend' }
  const [tried, setTried] = useState<{ readonly id: string; readonly body: BulkBody } | null>(null)
  const [body, setBody] = useState<BulkBody>({ arguments: {} })
  const doing = useDoing<Bulk>(({ id }) => setTried({ id, body }))
  if (tried !== null) return <BulkUnderWay {...tried} close={close} />
  const submit = (form: FormData) => {
    const given = { ...fixed, ...argumentOf(argument, form) }
    const asked = { action, ...placeOf(ids, query), arguments: given }
    setBody(asked)
    doing.send({ method: 'POST', path: `${path}/bulk.json`, body: { ...asked, dry_run: true } })
  }
  const rows = listTexts.many[kind]
  const title =
    ids === null
      ? fill(listTexts.toAll, { rows })
      : fill(listTexts.toChosen, { count: numberText(ids.length), rows })
  return (
    <Dialog
      title={title}
      isOpen
      close={close}
      act={listTexts.showFirst}
      doing={doing}
      fields={argument === null ? [] : ['arguments']}
      submit={submit}
    >
      <p>{ids === null ? listTexts.toAllMore : listTexts.toChosenMore}</p>
      <NativeSelect
        label={listTexts.deed}
        data={Object.keys(DEEDS[kind]).map((value) => ({
          value,
          label: listTexts.deeds[value as keyof typeof listTexts.deeds],
        }))}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      {argument === null ? null : (
        <TextInput
          key={argument}
          name={argument}
          inputMode={argument === 'end_date' ? 'text' : 'numeric'}
          label={listTexts.deedArguments[argument]}
          description={listTexts.deedHelp[argument]}
          error={doing.faultOf('arguments')}
          autoComplete="off"
        />
      )}
    </Dialog>
  )
}

const placeOf = (ids: readonly string[] | null, query: Query): object =>
  ids === null
    ? {
        filter: Object.fromEntries(
          Object.entries(query).filter(([name, value]) => NARROWING.includes(name) && value !== undefined),
        ),
      }
    : { ids: ids.join(',') }

function argumentOf(name: string | null, form: FormData): object {
  if (name === null) return {}
  const text = String(form.get(name) ?? '').trim()
  if (text === '') return EMPTIED.includes(name) ? { [name]: null } : {}
  return { [name]: AS_TEXT.includes(name) ? text : Number(text) }
}
