import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { License } from '../../../../src/licensing/licenses/schema.ts'
import type { User } from '../../../../src/people/users/schema.ts'
import { fill } from '../../../shared/language.ts'
import { capital } from '../../../shared/units.ts'
import { useDoing } from '../../../ui/doing.tsx'
import { Dialog } from '../../Dialog.tsx'
import { useUser } from '../../links.tsx'
import { usePlace } from '../../place.ts'
import { ask } from '../../../ui/server.ts'
import { texts } from '../../texts/texts.ts'
import { useUnit } from '../../unit.ts'
import { later } from './later.ts'

interface Changing {
  readonly license: License
  readonly own: string
  readonly close: () => void
}

/** Gives a license another end, number of sites or owner; only what was changed is sent. */
export function ChangeLicense({ license, own, close }: Changing) {
  const { path } = usePlace()
  const owner = useUser(license.user_id)
  const [isUnknown, setUnknown] = useState(false)
  const doing = useDoing(close)
  const submit = async (form: FormData) => {
    const email = String(form.get('email')).trim()
    const isOthers = email.toLowerCase() !== (owner?.email ?? '').toLowerCase()
    const next = isOthers && email !== '' ? await userBy(path, email) : null
    const isMissing = isOthers && email !== '' && next === null
    setUnknown(isMissing)
    if (isMissing) return
    doing.send({
      method: 'PUT',
      path: `${own}.json`,
      body: { ...changeIn(form, license), ...(isOthers && { new_user_id: next }) },
    })
  }
  const unit = useUnit()
  const isKnown = license.user_id === null || owner !== undefined
  return (
    <Dialog
      title={fill(texts.changeTitle, { id: license.id })}
      isOpen
      close={close}
      act={texts.save}
      doing={doing}
      fields={['quota', 'expiration', 'new_user_id']}
      submit={(form) => void submit(form)}
    >
      <TextInput
        name="quota"
        label={capital(unit.many)}
        description={texts.quotaHelp}
        defaultValue={license.quota ?? ''}
        inputMode="numeric"
        error={doing.faultOf('quota')}
      />
      <End license={license} fault={doing.faultOf('expiration')} />
      <TextInput
        key={String(isKnown)}
        name="email"
        type="email"
        label={texts.customer}
        description={texts.ownerHelp}
        defaultValue={owner?.email ?? ''}
        readOnly={!isKnown}
        autoComplete="off"
        error={isUnknown ? texts.ownerUnknown : doing.faultOf('new_user_id')}
      />
    </Dialog>
  )
}

/** What a form says of sites and end that is not so yet. */
function changeIn(form: FormData, license: License) {
  const quota = String(form.get('quota')).trim()
  const end = String(form.get('expiration')).replace('T', ' ')
  const expiration = end === '' ? null : end.length === 16 ? `${end}:00` : end
  return {
    ...(quota !== String(license.quota ?? '') && { quota: quota === '' ? null : Number(quota) }),
    ...(expiration !== license.expiration && { expiration }),
  }
}

/** The customer of a product with this address; null: there is none. */
async function userBy(path: string, email: string): Promise<number | null> {
  const { users } = await ask<{ readonly users: readonly User[] }>(`${path}/users.json`, { email, count: 1 })
  return users[0] ? Number(users[0].id) : null
}

/** When a license ends, with the way to extend it by what is sold. */
function End({ license, fault }: { readonly license: License; readonly fault: string | undefined }) {
  const [end, setEnd] = useState(license.expiration?.replace(' ', 'T') ?? '')
  return (
    <>
      <TextInput
        name="expiration"
        type="datetime-local"
        step={1}
        label={texts.ends}
        description={texts.endsHelp}
        value={end}
        onChange={({ target }) => setEnd(target.value)}
        error={fault}
      />
      {end === '' ? null : (
        <Group>
          <Button variant="default" size="compact-sm" onClick={() => setEnd(later(end, 1))}>
            {texts.extendMonth}
          </Button>
          <Button variant="default" size="compact-sm" onClick={() => setEnd(later(end, 12))}>
            {texts.extendYear}
          </Button>
        </Group>
      )}
    </>
  )
}
