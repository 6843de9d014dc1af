import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Bulk, NewBulk } from '../../../src/lists/bulk/schema.ts'
import { fill } from '../../shared/language.ts'
import { Dialog, useDoing } from '../../ui/doing.tsx'
import type { Query } from '../../ui/server.ts'
import { numberText } from '../format.tsx'
import { usePlace } from '../place.ts'
import { listTexts } from '../texts/lists.ts'
import { BulkUnderWay } from './BulkUnderWay.tsx'

/** What can be done to many licenses: by which action, and which argument is asked for. */
const DEEDS = {
  extend: ['licenses.extend', 'days'],
  quota: ['licenses.update', 'quota'],
  owner: ['licenses.update', 'new_user_id'],
  resend: ['licenses.resend', null],
  deactivate: ['licenses.deactivate', null],
  cancel: ['licenses.cancel', null],
} as const satisfies Record<string, readonly [NewBulk['action'], string | null]>
type Deed = keyof typeof DEEDS

const CHOICES = (Object.keys(DEEDS) as Deed[]).map((deed) => ({ value: deed, label: listTexts.deeds[deed] }))

/** Arguments of the list that say which rows it has. */
const NARROWING = ['filter', 'search', 'environment']

interface ToMany {
  /** Null: all that the list has as it is narrowed. */
  readonly ids: readonly string[] | null
  readonly query: Query
  readonly close: () => void
}

/** Asks what is done to many licenses, shows what would happen to each, then does it. */
export function BulkDialog({ ids, query, close }: ToMany) {
  const { path } = usePlace()
  const [deed, setDeed] = useState<Deed>('extend')
  const [tried, setTried] = useState<{ readonly id: string; readonly body: object } | null>(null)
  const [body, setBody] = useState<object>({})
  const doing = useDoing<Bulk>(({ id }) => setTried({ id, body }))
  if (tried !== null) return <BulkUnderWay {...tried} close={close} />
  const [action, argument] = DEEDS[deed]
  const submit = (form: FormData) => {
    const asked = { action, ...placeOf(ids, query), arguments: argumentOf(argument, form) }
    setBody(asked)
    doing.send({ method: 'POST', path: `${path}/bulk.json`, body: { ...asked, dry_run: true } })
  }
  const title = ids === null ? listTexts.toAll : fill(listTexts.toChosen, { count: numberText(ids.length) })
  return (
    <Dialog
      title={title}
      isOpen
      close={close}
      act={listTexts.showFirst}
      doing={doing}
      fields={['arguments']}
      submit={submit}
    >
      <p>{ids === null ? listTexts.toAllMore : listTexts.toChosenMore}</p>
      <NativeSelect
        label={listTexts.deed}
        data={CHOICES}
        value={deed}
        onChange={({ target }) => setDeed(target.value as Deed)}
      />
      {argument === null ? null : (
        <TextInput
          key={argument}
          name={argument}
          inputMode="numeric"
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
  // A quota that is left empty is none.
  return text === ''
    ? name === 'quota'
      ? { quota: null }
      : {}
    : { [name]: name === 'new_user_id' ? text : Number(text) }
}
