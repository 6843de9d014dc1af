import { TextInput } from '@mantine/core'
import type { License } from '../../../../src/licensing/licenses/schema.ts'
import { fill } from '../../../shared/language.ts'
import { Dialog, useDoing } from '../../doing.tsx'
import { texts } from '../../texts/texts.ts'

interface Changing {
  readonly license: License
  readonly own: string
  readonly close: () => void
}

/** Gives a license another end or number of sites; only what was changed is sent. */
export function ChangeLicense({ license, own, close }: Changing) {
  const doing = useDoing(close)
  const submit = (form: FormData) => {
    const quota = String(form.get('quota')).trim()
    const end = String(form.get('expiration')).replace('T', ' ')
    const expiration = end === '' ? null : end.length === 16 ? `${end}:00` : end
    doing.send({
      method: 'PUT',
      path: `${own}.json`,
      body: {
        ...(quota !== String(license.quota ?? '') && { quota: quota === '' ? null : Number(quota) }),
        ...(expiration !== license.expiration && { expiration }),
      },
    })
  }
  return (
    <Dialog
      title={fill(texts.changeTitle, { id: license.id })}
      isOpen
      close={close}
      act={texts.save}
      doing={doing}
      fields={['quota', 'expiration']}
      submit={submit}
    >
      <TextInput
        name="quota"
        label={texts.quota}
        description={texts.quotaHelp}
        defaultValue={license.quota ?? ''}
        inputMode="numeric"
        error={doing.faultOf('quota')}
      />
      <TextInput
        name="expiration"
        type="datetime-local"
        step={1}
        label={texts.ends}
        description={texts.endsHelp}
        defaultValue={license.expiration?.replace(' ', 'T') ?? ''}
        error={doing.faultOf('expiration')}
      />
    </Dialog>
  )
}
